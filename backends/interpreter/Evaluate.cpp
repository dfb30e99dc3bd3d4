//===- Evaluate.cpp - constants by the interpreter's kernels --------------===//

#include "Compile.h"
#include "Steps.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Evaluator.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Access.h"
#include "glow/IRGen/IRGen.h"
#include "glow/Lowering/Passes.h"
#include "glow/Program/KernelRegistry.h"
#include "glow/Runtime/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include <numeric>

using namespace mlir;
using namespace glow;

namespace {

/// A tensor with memory of its own, or of a constant.
struct OwnedTensor {
  glow::TensorType type;
  TensorBytes bytes;
  TensorView view() const {
    return {const_cast<char *>(bytes.bytes.data()), &type};
  }
};

FailureOr<OwnedTensor> allocate(Operation *node, RankedTensorType type) {
  Result<Tensor> memory = Tensor::zeros(tensorTypeOf(type));
  if (!memory)
    return node->emitError(memory.status().message());
  auto owner = std::make_shared<Tensor>(memory.take());
  size_t size = owner->type().bytes();
  return OwnedTensor{owner->type(),
                     {{static_cast<char *>(owner->data()), size}, owner}};
}

size_t countOf(ArrayRef<int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), size_t(1),
                         std::multiplies<size_t>());
}

/// Writes `from`, whose sizes are those of `to` or 1, as often as it takes;
/// returns what is behind it. Elements have `width` bytes.
char *repeat(const char *from, ArrayRef<int64_t> sizes, ArrayRef<int64_t> to,
             size_t width, char *out) {
  if (sizes == to)
    return std::copy_n(from, countOf(to) * width, out);
  if (countOf(sizes) == 1) {
    char *end = out + countOf(to) * width, *first = out;
    out = std::copy_n(from, std::min<size_t>(width, end - out), out);
    while (out < end) // twice as much each time
      out = std::copy_n(first, std::min(out - first, end - out), out);
    return end;
  }
  size_t step = countOf(sizes.drop_front()) * width;
  for (int64_t i = 0; i < to[0]; ++i)
    out = repeat(from + (sizes[0] == 1 ? 0 : size_t(i) * step),
                 sizes.drop_front(), to.drop_front(), width, out);
  return out;
}

/// What the kernel does, run by run: weights are multiplied by a number of each
/// channel, which takes the kernel longer than all the rest.
void repeat(Broadcast node, const OwnedTensor &in, const OwnedTensor &out) {
  Ints to = shapeOf(node.getOut()), from = shapeOf(node.getIn());
  Ints sizes(to.size(), 1);
  size_t first =
      node.getAxis() < 0 ? to.size() - from.size() : size_t(node.getAxis());
  std::copy(from.begin(), from.end(), sizes.begin() + long(first));
  repeat(in.bytes.bytes.data(), sizes, to, byteSize(in.type.kind),
         const_cast<char *>(out.bytes.bytes.data()));
}

class InterpreterEvaluator final : public NodeEvaluator {
public:
  explicit InterpreterEvaluator(Dialect *dialect) : NodeEvaluator(dialect) {}

  FailureOr<SmallVector<ElementsAttr>>
  evaluate(Operation *node, ArrayRef<ElementsAttr> operands) const override {
    // In a module of its own: what the node is lowered to must not stay in the
    // graph, where a colleague may be walking.
    OwningOpRef<ModuleOp> module = ModuleOp::create(node->getLoc());
    OpBuilder builder(module->getBodyRegion());
    auto function = FuncOp::create(builder, node->getLoc(),
                                   builder.getStringAttr("evaluate"));
    if (function.getBody().empty())
      function.getBody().emplaceBlock();
    builder.setInsertionPointToEnd(&function.block());
    IRMapping mapping;
    llvm::DenseMap<Value, OwnedTensor> known;
    for (auto [operand, value] : llvm::zip(node->getOperands(), operands)) {
      auto read = ReadOp::create(builder, node->getLoc(), operand.getType(),
                                 builder.getStringAttr("operand"));
      mapping.map(operand, read.getOut());
      known[read.getOut()] = {
          tensorTypeOf(cast<RankedTensorType>(value.getType())),
          bytesOf(value)};
    }
    Operation *copy = builder.clone(*node, mapping);
    SmallVector<Value> results(copy->getResults());
    // A save keeps hold of a result whatever the node becomes.
    for (Value result : results)
      SaveOp::create(builder, node->getLoc(), result,
                     builder.getStringAttr("result"));
    if (failed(lowerForBackend(*module, "interpreter")) ||
        failed(run(function, known)))
      return failure();
    SmallVector<ElementsAttr> values;
    for (SaveOp save : function.block().getOps<SaveOp>()) {
      const OwnedTensor &value = known[save.getIn()];
      values.push_back(
          elementsOf(cast<RankedTensorType>(save.getIn().getType()),
                     value.bytes, "folded"));
    }
    return values;
  }

private:
  static LogicalResult run(FuncOp function,
                           llvm::DenseMap<Value, OwnedTensor> &known) {
    for (Operation &op : function.block()) {
      if (isa<ReadOp, SaveOp>(op))
        continue;
      if (failed(runNode(op, known)))
        return failure();
    }
    return success();
  }

  static LogicalResult runNode(Operation &op,
                               llvm::DenseMap<Value, OwnedTensor> &known) {
    Block scratch;
    OpBuilder builder(op.getContext());
    builder.setInsertionPointToEnd(&scratch);
    InstrBuilder instr(builder);
    llvm::DenseMap<Value, OwnedTensor> buffers;
    for (Value operand : op.getOperands()) {
      Value buffer = scratch.addArgument(
          ir::BufferType::get(cast<RankedTensorType>(operand.getType())),
          op.getLoc());
      instr.setBuffer(operand, buffer);
      buffers[buffer] = known[operand];
    }
    for (Value result : op.getResults()) {
      auto memory = allocate(&op, cast<RankedTensorType>(result.getType()));
      if (failed(memory))
        return failure();
      known[result] = *memory;
    }
    if (auto node = dyn_cast<Broadcast>(op))
      return repeat(node, known[node.getIn()], known[node.getOut()]), success();
    LogicalResult status = generateInstr(&op, instr);
    if (failed(status))
      return op.emitError()
             << "no instruction is made of '" << op.getName() << "'";
    for (Value result : op.getResults())
      buffers[instr.buffer(result)] = known[result];
    for (Operation &made : scratch)
      if (ir::isInstr(&made) && failed(call(made, buffers)))
        status = failure();
    return status;
  }

  static LogicalResult call(Operation &made,
                            llvm::DenseMap<Value, OwnedTensor> &buffers) {
    Step step = stepOf(&made, [](Value) { return 0u; });
    Kernel kernel = KernelRegistry::instance().find(step.instruction);
    if (!kernel)
      return emitError(made.getLoc())
             << "the interpreter has no kernel '" << step.instruction << "'";
    SmallVector<TensorView> views;
    for (Value operand : made.getOperands())
      views.push_back(buffers[operand].view());
    Status status =
        kernel({{views.data(), views.size()}, step.segments, step.attributes});
    if (!status.ok())
      return emitError(made.getLoc()) << status.message();
    return success();
  }
};

} // namespace

void glow::addEvaluator(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, GlowDialect *dialect) {
    context->getOrLoadDialect<ir::GlowIRDialect>();
    dialect->addInterfaces<InterpreterEvaluator>();
  });
}
