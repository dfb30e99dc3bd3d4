//===- Emit.h - the code of steps, as LLVM IR -----------------*- C++ -*-===//
//
// One module holds the code of a program: a function a step, the tiles they
// share, and what they use of the library. Vectors have 16 lanes, which
// LLVM splits where registers are smaller, or one where there are no registers
// of vectors.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_EMIT_EMIT_H
#define GLOW_BACKENDS_CPU_CODEGEN_EMIT_EMIT_H

#include "common/Target.h"
#include "glow/Graph/Formula.h"
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

  /// A function that others call, which `make` fills the first time that it is
  /// asked for.
  llvm::Function *
  sharedFunction(const std::string &key,
                 llvm::ArrayRef<llvm::Type *> parameters,
                 llvm::function_ref<void(llvm::Function *)> make);

  llvm::FunctionType *stepType() const;
  /// The StepKernel of a step.
  llvm::Function *addStep(const llvm::Twine &name);

  /// A function of the library, to be called from outside of the module.
  void useLibrary(llvm::StringRef name);

  /// Has the function compiled for the target.
  void setTarget(llvm::Function &function) const;

  const Target &target;
  /// How exact the step is that is emitted: strict where a step may follow its
  /// instruction (GlowDialect::exact), else as the target.
  Math math;
  /// Whether the factors of its products are of bf16 in the model
  /// (glow::halfFactors).
  bool halfFactors = false;
  std::unique_ptr<llvm::Module> module;
  llvm::StringMap<llvm::Function *> tiles; ///< by Tile::key
  llvm::StringSet<> used;                  ///< functions of the library

  /// Whether every step has functions of its own, of which none is a kernel of
  /// the library; their names for people are here, by symbol.
  bool separate = false;
  llvm::StringMap<std::string> labels;
  /// Whether the code runs in this process, which has precompiled kernels.
  bool hosted = false;
  /// Whether some convolution takes each channel on its own.
  bool separable = false;
  /// Whether the arena should be little larger than the live buffers.
  bool savesMemory = false;
  /// Whether the arena has a place for memory that the step takes beside its
  /// buffers: bytes of all threads, and of one. Unset where it has no limit.
  std::function<bool(int64_t shared, int64_t scratch)> hasPlace;
  bool hasPlaceFor(int64_t shared, int64_t scratch) const {
    return !hasPlace || hasPlace(shared, scratch);
  }
  /// Whether steps have no code, but where the reference has none either.
  bool interpret = false;
  Listing *listing = nullptr; ///< null for no debug information
  GivenPlans *plans = nullptr; ///< null for plans of the code's own choice

  int64_t formulaOperations = 0; ///< of long formulas of tiles, so far
};

/// An IRBuilder with the few forms that kernels are made of. Offsets are in
/// elements of f32.
class Emitter : public llvm::IRBuilder<> {
public:
  /// Vectors have so many lanes: 16, or those of the target in code that has
  /// no blocks of 16 channels.
  Emitter(CodeModule &unit, llvm::Function *function, int64_t lanes = 16);

  using Values = llvm::SmallVector<llvm::Value *, 32>;

  llvm::Value *integer(int64_t value) { return getInt64(value); }
  llvm::Value *add(llvm::Value *a, llvm::Value *b) {
    return CreateNSWAdd(a, b);
  }
  llvm::Value *times(llvm::Value *a, int64_t b);
  llvm::Value *smaller(llvm::Value *a, llvm::Value *b);
  llvm::Value *larger(llvm::Value *a, llvm::Value *b);

  /// The address `offset` elements further.
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
  /// 16 elements, or the first `count` and zeros.
  llvm::Value *loadVector(llvm::Value *pointer, int64_t count = 16);
  void storeVector(llvm::Value *value, llvm::Value *pointer,
                   int64_t count = 16);
  /// Brings a line into the cache of that level, 1 to 3; the address need not
  /// be a valid one.
  void fetch(llvm::Value *pointer, unsigned level = 1);
  llvm::Value *multiplyAdd(llvm::Value *a, llvm::Value *b, llvm::Value *sum);

  /// A function of the library on vectors of the emitter's lanes, or on
  /// addresses of them.
  llvm::Value *callLibrary(llvm::StringRef name, llvm::Type *result,
                           llvm::ArrayRef<llvm::Value *> arguments);

  /// The same of pairs of bf16, for processors with avx512bf16.
  llvm::Value *multiplyPairs(llvm::Value *a, llvm::Value *b, llvm::Value *sum);

  /// for (i = from; i < to; ++i), at least once unless `maybeNone`; carries
  /// values from one turn to the next.
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
  /// Its memory of the thread, NativeStep::scratchBytes.
  llvm::Value *scratch() { return function->getArg(4); }

  CodeModule &unit;
  llvm::Function *function;
  const int64_t lanes;
  llvm::FixedVectorType *vector;
};

/// How a formula is rounded.
enum class Rounding {
  /// As is fastest: a product and the sum behind it may be one instruction.
  Fast,
  /// Every product is rounded before it is added, so that a value does not
  /// depend on the nodes that it is fused with.
  Products,
  /// Operation by operation, as the interpreter rounds.
  Exact
};

/// Computes a formula on vectors. `x` are the operands' values.
llvm::Value *emitFormula(Emitter &code, const Formula &formula,
                         llvm::ArrayRef<llvm::Value *> x,
                         Rounding rounding = Rounding::Products);

/// About how many instructions a formula takes for each vector.
unsigned operationsOf(const Formula &formula);

/// The largest of each lane, of one vector or more; NaN where one is.
llvm::Value *emitLargest(Emitter &code, llvm::ArrayRef<llvm::Value *> x);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_EMIT_EMIT_H
