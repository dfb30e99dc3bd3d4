//===- MemoryLimit.cpp - whether a model has room -------------------------===//

#include "MemoryLimit.h"
#include "glow/Base/MemorySize.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/Storage.h"
#include "glow/Memory/MemoryPlan.h"
#include "glow/Program/Tensor.h"

using namespace glow;
using namespace mlir;

namespace {

/// Adds up tensors until there are more of them than the limit allows.
class Tensors {
public:
  explicit Tensors(uint64_t limit) : limit(limit) {}

  /// Whether there is room for one more; an error at `op` if there is not.
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
    bytes = known.bytes();
    if (taken + bytes <= limit)
      return true;
    op->emitError() << "the tensors of the model need "
                    << sizeText(taken + bytes) << " or more, of which " << name
                    << ", " << known.text() << ", needs " << sizeText(bytes)
                    << "; the limit is " << sizeText(limit)
                    << ": give another one with --memory-limit";
    return false;
  }

  /// Takes the room of the tensor that was asked for last.
  void take() { taken += bytes; }

private:
  uint64_t limit, taken = 0, bytes = 0;
};

} // namespace

static Type storedType(Operation &op) {
  if (auto placeholder = dyn_cast<PlaceholderOp>(op))
    return placeholder.getType();
  if (auto constant = dyn_cast<ConstantOp>(op))
    return constant.getValue().getType();
  return {};
}

LogicalResult glow::checkTensorMemory(ModuleOp module, uint64_t limit) {
  Tensors tensors(limit);
  for (Operation &op : *module.getBody()) {
    Type type = storedType(op);
    if (!type)
      continue;
    StringRef name = SymbolTable::getSymbolName(&op).getValue();
    if (!tensors.fits(&op, "'" + name + "'", type))
      return mlir::failure();
    tensors.take();
  }
  WalkResult walked = module.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (!tensors.fits(
              op, "the result of '" + op->getName().getStringRef() + "'", type))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return mlir::failure(walked.wasInterrupted());
}

LogicalResult glow::checkPlannedMemory(ModuleOp module, uint64_t limit) {
  for (ir::FuncOp function : module.getOps<ir::FuncOp>()) {
    ir::MemoryPlan plan = ir::MemoryPlan::of(function);
    uint64_t all = plan.arenaBytes + plan.constantBytes + plan.boundBytes;
    if (all > limit)
      return function.emitError()
             << "the model needs " << sizeText(all) << ": "
             << sizeText(plan.arenaBytes) << " for values between nodes, "
             << sizeText(plan.constantBytes) << " for constants, "
             << sizeText(plan.boundBytes)
             << " for inputs and outputs; the limit is " << sizeText(limit)
             << ": give another one with --memory-limit";
  }
  return success();
}
