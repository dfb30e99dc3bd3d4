//===- Values.h - trees over indices as LLVM IR -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CUDA_CODEGEN_VALUES_H
#define GLOW_BACKENDS_CUDA_CODEGEN_VALUES_H

#include "glow/DevicePlan/Kernels.h"
#include "llvm/IR/IRBuilder.h"
#include <map>
#include <set>

namespace glow::cuda {

/// The address space of buffers.
inline constexpr unsigned globalSpace = 1;
/// The address space of memory that the threads of a block share.
inline constexpr unsigned sharedSpace = 3;

/// The function of a kernel under construction: blocks, nested scopes, and in
/// each scope the values that are known in it. All values are computed where
/// they are first asked for; LLVM moves those that do not change out of loops.
class Values {
public:
  /// Begins a kernel in the module, with the given tensors as its arguments.
  Values(llvm::Module &module, loops::Program &program,
         std::vector<unsigned> tensors);

  //===--------------------------------------------------------------------===//
  // Blocks
  //===--------------------------------------------------------------------===//

  llvm::IRBuilder<> builder;
  llvm::Function *function;

  /// Opens the block that runs if the condition holds; `name` is its name.
  void openIf(llvm::Value *holds, const char *name = "then");
  /// Opens a loop of an index variable, from `from` up to `to`, exclusive.
  llvm::Value *openLoop(llvm::Value *from, llvm::Value *to, int64_t step = 1);
  /// Ends the innermost block or loop.
  void close();
  /// A variable, which LLVM keeps in registers.
  llvm::Value *variable(llvm::Value *initial);
  llvm::Value *read(llvm::Value *variable);
  /// A special register of the thread.
  llvm::Value *special(llvm::Intrinsic::ID id);
  /// The threads of the block wait for each other.
  void wait();
  /// Floats that the threads of a block share. Kernels have memory of the same
  /// name and size in common, one after the other.
  llvm::Value *shared(const char *name, int64_t floats);
  /// Ends the kernel.
  void finish();

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  void bind(unsigned index, llvm::Value *value) { bound[index] = value; }
  void unbind(unsigned index) { bound.erase(index); }
  llvm::Value *valueOf(unsigned index) const { return bound.at(index); }
  /// Whether all indices of the tree are bound.
  bool isKnown(loops::Term term) const;

  /// A number of the launch; small numbers are constants.
  llvm::Value *number(int64_t value);
  llvm::Value *get(loops::Term term);
  /// An index in 64 bits.
  llvm::Value *getLong(loops::Term term) { return widened(get(term)); }
  llvm::Value *widened(llvm::Value *index);
  /// All conditions together; null if there are none.
  llvm::Value *all(llvm::ArrayRef<loops::Term> conditions);

  llvm::Type *elementType() const;
  bool isReal() const { return !moves && isFloat(program.computes); }
  llvm::Constant *literal(double value) const;
  /// Calls a scalar function of the library.
  llvm::Value *call(llvm::StringRef name,
                    llvm::ArrayRef<llvm::Value *> operands);
  /// Whether a value is not 0; NaN is not.
  llvm::Value *truth(llvm::Value *value);

  llvm::Value *load(unsigned tensor, llvm::Value *place, bool asIndex);
  /// Stores an element, which was computed in `kind`.
  void store(unsigned tensor, llvm::Value *place, llvm::Value *value,
             ElementKind kind);
  /// Ends the run with an error unless the condition holds.
  void checkInside(llvm::Value *holds);
  /// The number of the step and 1.
  llvm::Value *step();

  /// Loads of these tensors happen each time: the kernel writes them.
  std::set<unsigned> changed;
  /// The reduced value, for loads of tensor `resultOf`.
  llvm::Value *result = nullptr;
  std::optional<unsigned> resultOf;
  /// Whether the current block is reached only where no term is skipped.
  bool isGuarded = false;
  /// The reason why the kernel cannot be printed; "" for none.
  std::string refused;
  std::vector<int64_t>
      numbers; ///< of the launch; offsets of tensors come first
  const std::vector<unsigned> tensors;

private:
  struct Scope {
    std::map<const loops::Node *, llvm::Value *> values{};
    llvm::BasicBlock *header = nullptr, *end = nullptr;
    llvm::Value *index = nullptr, *next = nullptr;
    int64_t step = 0;
  };

  llvm::Value *make(loops::Term term);
  llvm::Value *makeIndex(loops::Term term);
  llvm::Value *makeElement(loops::Term term);
  llvm::Value *makeBoolean(loops::Term term);
  llvm::Value *loaded(loops::Term term);
  llvm::Value *compared(loops::Term term, llvm::Value *a, llvm::Value *b);
  llvm::Value *converted(llvm::Value *value);
  llvm::Value *pointer(unsigned tensor, llvm::Value *place, llvm::Type *type);
  llvm::Value *launchNumber(size_t place);
  llvm::Value *asSingle(llvm::Value *value);
  llvm::Value *toBfloat(llvm::Value *value);
  llvm::Value *refuse(const char *reason);
  bool changes(loops::Term term) const;
  bool isLong(loops::Term term) const;
  llvm::Type *indexType(loops::Term term);
  llvm::Type *realType(ElementKind kind) const;

  loops::Program &program;
  std::optional<ElementKind> moved; ///< the kind of elements that only move
  bool moves = false;
  llvm::BasicBlock *entry, *body;
  std::vector<Scope> scopes;
  std::map<unsigned, llvm::Value *> bound;
  std::map<unsigned, llvm::Value *> pointers; ///< of tensors, in the entry
  std::map<int64_t, llvm::Value *> known;     ///< numbers, in the entry
};

} // namespace glow::cuda

#endif // GLOW_BACKENDS_CUDA_CODEGEN_VALUES_H
