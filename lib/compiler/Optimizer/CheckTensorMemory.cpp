//===- CheckTensorMemory.cpp - verification of a model's tensor sizes -----===//
// SPDX-License-Identifier: MIT

#include "glow/Base/MemorySize.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/Storage.h"
#include "glow/Optimizer/Passes.h"
#include "glow/Program/Tensor.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_CHECKTENSORMEMORY
#include "glow/Optimizer/Passes.h.inc"

namespace {

/// Adds up the bytes of tensors until they exceed the limit.
class Tensors {
public:
  explicit Tensors(uint64_t limit) : limit(limit) {}

  /// Whether one more tensor fits; reports an error at `op` if it does not.
  bool fits(Operation *op, const Twine &name, Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    std::optional<ElementKind> kind =
        tensor ? kindOf(tensor.getElementType()) : std::nullopt;
    if (!kind || !tensor.hasStaticShape())
      return true; // the verifier has its say on them
    glow::TensorType known{*kind, Ints(tensor.getShape())};
    if (!known.isStatic()) {
      op->emitError()
          << name << " is " << known.text()
          << (llvm::is_contained(known.shape, 0)
                  ? ", which has no elements, but too many places "
                    "for them"
                  : ", whose size in bytes does not fit in 63 bits");
      return false;
    }
    // Runs refuse greater sizes that do not fit.
    if (auto open = dyn_cast_or_null<LengthsAttr>(tensor.getEncoding()))
      for (auto [size, length] : llvm::zip_equal(known.shape, open.lengths()))
        size = length.range().low;
    bytes = known.bytes();
    if (taken + bytes <= limit)
      return true;
    op->emitError() << "the tensors of the model need "
                    << sizeText(taken + bytes) << " or more, of which " << name
                    << ", " << known.text() << ", needs " << sizeText(bytes)
                    << "; the limit is " << sizeText(limit)
                    << ": give another memory-limit";
    return false;
  }

  /// Adds the bytes of the tensor that `fits` checked last.
  void take() { taken += bytes; }

private:
  uint64_t limit, taken = 0, bytes = 0;
};

Type storedType(Operation &op) {
  if (auto placeholder = dyn_cast<PlaceholderOp>(op))
    return placeholder.getType();
  if (auto constant = dyn_cast<ConstantOp>(op))
    return constant.getValue().getType();
  return {};
}

/// Checks that all storage, and each value together with it, fits in a limit.
///
/// Pinned before every other pass: passes that compute create such tensors.
/// Ends because it visits each operation once.
struct CheckTensorMemory : impl::CheckTensorMemoryBase<CheckTensorMemory> {
  using CheckTensorMemoryBase::CheckTensorMemoryBase;

  void runOnOperation() override {
    Tensors tensors(limit ? uint64_t(limit) : defaultMemoryLimit());
    if (failed(takeStorage(tensors)) || failed(checkResults(tensors)))
      signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  LogicalResult takeStorage(Tensors &tensors) {
    for (Operation &op : *getOperation().getBody()) {
      Type type = storedType(op);
      if (!type)
        continue;
      StringRef name = SymbolTable::getSymbolName(&op).getValue();
      if (!tensors.fits(&op, "'" + name + "'", type))
        return failure();
      tensors.take();
    }
    return success();
  }

  LogicalResult checkResults(Tensors &tensors) {
    WalkResult walked = getOperation().walk([&](Operation *op) {
      StringRef name = op->getName().getStringRef();
      for (Type type : op->getResultTypes())
        if (!tensors.fits(op, "the result of '" + name + "'", type))
          return WalkResult::interrupt();
      return WalkResult::advance();
    });
    return failure(walked.wasInterrupted());
  }
};

} // namespace
} // namespace glow
