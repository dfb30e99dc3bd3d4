//===- Verify.cpp - checks of tensors against signatures ------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/Verify.h"
#include "glow/Graph/FormulaAttr.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/raw_ostream.h"

using namespace glow;
using llvm::StringRef;
using llvm::Twine;

static std::string textOf(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << "'" << type << "'";
  return text;
}

llvm::LogicalResult glow::verifyTypes(Report report, mlir::TypeRange results,
                                      llvm::ArrayRef<mlir::Type> inferred) {
  if (results.size() != inferred.size()) {
    report("has " + Twine(results.size()) + " results, but its operands give " +
           Twine(inferred.size()));
    return llvm::failure();
  }
  for (auto [index, result] : llvm::enumerate(results)) {
    auto has = llvm::cast<mlir::RankedTensorType>(result);
    auto wants = llvm::cast<mlir::RankedTensorType>(inferred[index]);
    if (has.getShape() == wants.getShape() &&
        has.getEncoding() == wants.getEncoding() &&
        storageOf(has.getElementType()) == storageOf(wants.getElementType()))
      continue;
    report("result " + Twine(index) + " is of type " + textOf(has) +
           ", but its operands give " + textOf(wants));
    return llvm::failure();
  }
  return llvm::success();
}

llvm::LogicalResult glow::verifyScratch(Report report, StringRef name,
                                        mlir::Type has, mlir::Type wants) {
  if (has == wants)
    return llvm::success();
  report("scratch '" + name + "' is of type " + textOf(has) +
         ", but its operands ask for " + textOf(wants));
  return llvm::failure();
}

bool glow::broadcastAll(Report report, StringRef label, mlir::Type tensor,
                        const Sizes &shape) {
  if (!tensor)
    return true;
  const Sizes sizes = sizesOf(llvm::cast<mlir::RankedTensorType>(tensor));
  if (expr::broadcastsTo(sizes, shape, -1))
    return true;
  report(label + " has sizes " + valueText(sizes) +
         ", which do not broadcast to " + valueText(shape));
  return false;
}

bool glow::broadcastAll(Report report, StringRef label, mlir::TypeRange tensors,
                        const Sizes &shape) {
  for (auto [index, tensor] : llvm::enumerate(tensors))
    if (!broadcastAll(report, (label + " " + Twine(index)).str(), tensor,
                      shape))
      return false;
  return true;
}

bool glow::anyAttribute(mlir::Operation *node,
                        llvm::function_ref<bool(mlir::Attribute)> holds) {
  auto isOne = [&](mlir::NamedAttribute attribute) {
    return holds(attribute.getValue());
  };
  mlir::NamedAttrList inherent;
  node->getName().populateInherentAttrs(node, inherent);
  return llvm::any_of(inherent, isOne) ||
         llvm::any_of(node->getRawDictionaryAttrs(), isOne);
}

bool glow::takesLengths(mlir::Operation *node) {
  auto isOpen = [](mlir::Type type) {
    auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
    return tensor && tensor.getEncoding();
  };
  return llvm::any_of(node->getOperandTypes(), isOpen) ||
         llvm::any_of(node->getResultTypes(), isOpen) ||
         anyAttribute(node, llvm::IsaPred<LengthsAttr>);
}
