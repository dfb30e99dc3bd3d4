//===- CheckBindings.cpp - bindings are the storage that they stand for ---===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/Dialect.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Names.h"
#include "glow/IRGen/IRGen.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_CHECKBINDINGS
#include "glow/IRGen/Passes.h.inc"

namespace {

/// The type of a storage, and the kinds of bindings that it permits.
struct Meaning {
  Type type;
  bool mayBeRead, mayBeResult;
  std::optional<PlaceholderRole> role; ///< nullopt for a constant

  StringRef word() const { return role ? wordOf(*role) : "constant"; }
};

std::optional<Meaning> meaningOf(Operation *storage) {
  if (auto constant = dyn_cast_or_null<ConstantOp>(storage))
    return Meaning{constant.getValue().getType(), true, false, {}};
  auto placeholder = dyn_cast_or_null<PlaceholderOp>(storage);
  if (!placeholder)
    return std::nullopt;
  PlaceholderRole role = placeholder.getRole();
  return Meaning{placeholder.getType(), role != PlaceholderRole::Output,
                 role == PlaceholderRole::Output ||
                     role == PlaceholderRole::Between,
                 role};
}

/// Whether both types have the same layout: a scale only affects how elements
/// are read.
bool areAlike(Type type, Type other) {
  auto a = cast<RankedTensorType>(type), b = cast<RankedTensorType>(other);
  return a.getShape() == b.getShape() && a.getEncoding() == b.getEncoding() &&
         kindOf(a.getElementType()) == kindOf(b.getElementType());
}

/// The first error of the binding, as text; empty if it is right.
std::string faultOf(ir::BindingKind kind, Type type,
                    const std::optional<Meaning> &storage, StringRef name) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!storage)
    os << "stands for '" << name << "', which is no storage of the module";
  else if (!areAlike(storage->type, type))
    os << "is of type " << type << ", but '" << name << "' is of "
       << storage->type;
  else if ((kind == ir::BindingKind::Constant) != !storage->role)
    os << (kind == ir::BindingKind::Constant ? "is constant" : "is mutable")
       << ", but '" << name << "' is " << storage->word();
  else if (kind == ir::BindingKind::Output ? !storage->mayBeResult
                                           : !storage->mayBeRead)
    os << (kind == ir::BindingKind::Output
               ? "has no value before the program writes it"
               : "has a value when the program begins")
       << ", but '" << name << "' is " << storage->word();
  return text;
}

/// Checks that each binding of a function is a storage of the module, of its
/// type and role, and no two are the same.
///
/// Pinned after generate-instrs, as the verification that opens the instruction
/// phase. Programs are bound by types and roles of the module, and functions
/// may come from elsewhere. Ends because it visits each binding once.
struct CheckBindings : impl::CheckBindingsBase<CheckBindings> {
  using CheckBindingsBase::CheckBindingsBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (ir::FuncOp function : getOperation().getOps<ir::FuncOp>())
      if (failed(check(function, symbols)))
        signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  static LogicalResult check(ir::FuncOp function, const SymbolTable &symbols) {
    llvm::StringSet<> seen;
    for (BlockArgument binding : function.bindings()) {
      StringRef name = function.storageOf(binding);
      std::string fault =
          faultOf(function.kindOf(binding), ir::tensorOf(binding),
                  meaningOf(symbols.lookup(name)), name);
      if (fault.empty() && !seen.insert(name).second)
        fault = ("stands for '" + name + "', as another binding does").str();
      if (!fault.empty())
        return emitError(binding.getLoc())
               << "binding '" << ir::nameOf(binding) << "' " << fault
               << " [binding-is-storage]";
    }
    return success();
  }
};

} // namespace
} // namespace glow
