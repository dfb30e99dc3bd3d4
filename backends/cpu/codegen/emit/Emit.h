//===- Emit.h - the code of steps, as LLVM IR -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// One module holds the code of a program: a function for each step, the tiles
// that they share, and the library functions that they use. Vectors have 16
// lanes, which LLVM splits for smaller registers, or one lane on processors
// without vectors.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_EMIT_EMIT_H
#define GLOW_BACKENDS_CPU_CODEGEN_EMIT_EMIT_H

#include "common/Target.h"
#include "glow/Graph/Formula.h"
#include "glow/Program/Length.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include <functional>

namespace glow::cpu {

constexpr int64_t lanes = 16;

class GivenPlans;
class Listing;

/// The module under construction.
struct CodeModule {
  CodeModule(llvm::LLVMContext &context, const Target &target);

  /// A function of the program's own; "internal" ones are called by others.
  llvm::Function *addFunction(const llvm::Twine &name,
                              llvm::ArrayRef<llvm::Type *> parameters,
                              bool internal);

  /// An internal function, which `make` fills on first use.
  llvm::Function *
  sharedFunction(const std::string &key,
                 llvm::ArrayRef<llvm::Type *> parameters,
                 llvm::function_ref<void(llvm::Function *)> make);

  llvm::FunctionType *stepType() const;
  /// The StepKernel of a step.
  llvm::Function *addStep(const llvm::Twine &name);

  /// A function of the library, to be called from outside of the module.
  void useLibrary(llvm::StringRef name);

  /// The number of a size variable in `sizes`, which gets it on first use.
  unsigned numberOf(const SizeVariable &variable);

  /// Sets the target attributes of a function.
  void setTarget(llvm::Function &function) const;

  const Target &target;
  /// The accuracy of the emitted step: strict if a step function may follow its
  /// instruction (GlowDialect::exact), else that of the target.
  Math math;
  /// Whether the factors of the step's products are bf16 in the model
  /// (glow::halfFactors).
  bool halfFactors = false;
  std::unique_ptr<llvm::Module> ir;
  llvm::StringMap<llvm::Function *> tiles; ///< by Tile::key
  llvm::StringSet<> used;                  ///< library functions in use
  /// The size variables that code reads, in the order of StepInfo::sizes.
  std::vector<SizeVariable> sizes;

  /// Whether every step has its own functions, none of which is a kernel of the
  /// library. `labels` has their names for debuggers and profilers, by symbol.
  bool separate = false;
  llvm::StringMap<std::string> labels;
  /// Whether the code runs in this process, which has precompiled kernels.
  bool hosted = false;
  /// Whether the program has a depthwise convolution.
  bool separable = false;
  /// Whether the arena should be little larger than the live buffers.
  bool savesMemory = false;
  /// Whether there is space for memory that the step takes beside its buffers:
  /// bytes of all threads, of one, and by which packing makes its constants
  /// larger. Unset without a limit.
  std::function<bool(int64_t shared, int64_t scratch, int64_t grown)> hasPlace;
  bool hasPlaceFor(int64_t shared, int64_t scratch, int64_t grown = 0) const {
    return !hasPlace || hasPlace(shared, scratch, grown);
  }
  /// Whether the interpreter runs all steps for which it has kernels.
  bool interpret = false;
  /// Whether the module is printed as C, which has no instructions of one
  /// processor.
  bool isText = false;
  Listing *listing = nullptr;  ///< null for no debug information
  GivenPlans *plans = nullptr; ///< null: no plans are given

  int64_t formulaOperations = 0; ///< operations of unrolled formulas so far
};

/// An IRBuilder with the operations that kernels consist of. Offsets are in
/// elements of f32.
class Emitter : public llvm::IRBuilder<> {
public:
  /// `lanes` is the number of vector lanes: 16, or that of the target for code
  /// without blocks of 16 channels.
  Emitter(CodeModule &module, llvm::Function *function, int64_t lanes = 16);

  using Values = llvm::SmallVector<llvm::Value *, 32>;

  llvm::Value *integer(int64_t value) { return getInt64(value); }
  llvm::Value *add(llvm::Value *a, llvm::Value *b) {
    return CreateNSWAdd(a, b);
  }
  llvm::Value *times(llvm::Value *a, int64_t b);
  llvm::Value *smaller(llvm::Value *a, llvm::Value *b);
  llvm::Value *larger(llvm::Value *a, llvm::Value *b);

  /// The address `offset` elements after a pointer.
  llvm::Value *at(llvm::Value *pointer, int64_t offset);
  llvm::Value *at(llvm::Value *pointer, llvm::Value *offset);
  /// The same with an offset in bytes.
  llvm::Value *bytesAt(llvm::Value *pointer, int64_t offset) {
    return CreateConstGEP1_64(getInt8Ty(), pointer, uint64_t(offset));
  }
  llvm::Value *bytesAt(llvm::Value *pointer, llvm::Value *offset) {
    return CreateGEP(getInt8Ty(), pointer, offset);
  }

  llvm::Value *splat(llvm::Value *element);
  llvm::Value *loadElement(llvm::Value *pointer);
  /// Loads 16 elements, or the first `count` and zeros.
  llvm::Value *loadVector(llvm::Value *pointer, int64_t count = 16);
  void storeVector(llvm::Value *value, llvm::Value *pointer,
                   int64_t count = 16);
  /// Prefetches a line into the cache of a level, 1 to 3. The address need not
  /// be valid.
  void fetch(llvm::Value *pointer, unsigned level = 1);
  llvm::Value *multiplyAdd(llvm::Value *a, llvm::Value *b, llvm::Value *sum);

  /// Calls a library function on vectors of the emitter's lanes, or on their
  /// addresses.
  llvm::Value *callLibrary(llvm::StringRef name, llvm::Type *result,
                           llvm::ArrayRef<llvm::Value *> arguments);

  /// The same for pairs of bf16, on processors with avx512bf16.
  llvm::Value *multiplyPairs(llvm::Value *a, llvm::Value *b, llvm::Value *sum);

  /// Emits for (i = from; i < to; ++i), which runs at least once unless
  /// `maybeNone`. Carries values from one iteration to the next.
  Values loop(llvm::Value *from, llvm::Value *to, Values carried,
              llvm::function_ref<Values(llvm::Value *, Values)> body,
              bool maybeNone = false);
  void loop(llvm::Value *from, llvm::Value *to,
            llvm::function_ref<void(llvm::Value *)> body,
            bool maybeNone = false);
  /// Emits `body` in a branch of its own.
  void when(llvm::Value *condition, llvm::function_ref<void()> body);

  /// Buffer `index` of a StepKernel.
  llvm::Value *buffer(unsigned index);
  /// The scratch memory of the thread, NativeStep::scratchBytes.
  llvm::Value *scratch() { return function->getArg(4); }

  CodeModule &module;
  llvm::Function *function;
  const int64_t lanes;
  llvm::FixedVectorType *vector;
};

/// The rounding of a formula.
enum class Rounding {
  /// The fastest: a product and its sum may be fused.
  Fast,
  /// Every product is rounded before it is added, so that a value does not
  /// depend on the nodes that it is fused with.
  Products,
  /// Each operation is rounded, as the interpreter does.
  Exact
};

/// Computes a formula on vectors. `x` are the operands' values.
llvm::Value *emitFormula(Emitter &code, const Formula &formula,
                         llvm::ArrayRef<llvm::Value *> x,
                         Rounding rounding = Rounding::Products);

/// An estimate of a formula's instructions for each vector.
unsigned operationsOf(const Formula &formula);

/// The maximum of each lane over one vector or more; NaN if an element is NaN.
llvm::Value *emitLargest(Emitter &code, llvm::ArrayRef<llvm::Value *> x);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_EMIT_EMIT_H
