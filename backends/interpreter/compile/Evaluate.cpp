//===- Evaluate.cpp - constants by the interpreter's kernels --------------===//
// SPDX-License-Identifier: MIT
//
// Folding runs nodes on constants by the interpreter's kernels, so that it
// gives the result of a run. Two cases have a faster way. A node that is a
// single kernel call needs no module. Transposing, joining, broadcasting and
// scaling large weights is done by rows (Rows.h), and matrices of f32 are
// multiplied by tiles (Products.h).
//
//===----------------------------------------------------------------------===//

#include "Evaluate.h"
#include "Products.h"
#include "Rows.h"
#include "glow/Backend/Backend.h"
#include "glow/Backend/Steps.h"
#include "glow/Base/Functions.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Evaluator.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Access.h"
#include "glow/IR/Loops.h"
#include "glow/IRGen/IRGen.h"
#include "glow/Lowering/Passes.h"
#include "glow/Program/KernelRegistry.h"
#include "glow/Values/Tensor.h"
#include "mlir/IR/IRMapping.h"

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

/// The broadcast behind a value, if the result need not be materialised: its
/// only user is a product with another tensor, which broadcasts it while it
/// reads.
Broadcast asFactor(Value value) {
  auto node = value.getDefiningOp<Broadcast>();
  // Only for f32, the kind of weights: the kernels handle other kinds.
  if (!node || !node->hasOneUse() ||
      !node.getOut().getType().getElementType().isF32())
    return {};
  auto product = dyn_cast<Mul>(*node->user_begin());
  if (!product)
    return {};
  Value other = product.getLhs() == value ? product.getRhs() : product.getLhs();
  return other.getDefiningOp<Broadcast>() ? Broadcast() : node;
}

using Tensors = llvm::DenseMap<Value, OwnedTensor>;

const char *dataOf(const Tensors &known, Value value) {
  return known.find(value)->second.bytes.bytes.data();
}

bool multiply(Mul node, const Tensors &known, char *out) {
  Value in = node.getLhs(), by = node.getRhs();
  if (asFactor(in))
    std::swap(in, by);
  Broadcast factor = asFactor(by);
  if (!factor)
    return false;
  multiplyRows(reinterpret_cast<const float *>(dataOf(known, in)),
               reinterpret_cast<const float *>(dataOf(known, by)),
               Ints(sizesBefore(factor)), Ints(shapeOf(node.getOut())),
               reinterpret_cast<float *>(out));
  return true;
}

void join(Concat node, const Tensors &known, size_t width, char *out) {
  const Ints shape = shapeOf(node.getOut());
  int64_t rows = expr::prod(expr::take(shape, node.getAxis()));
  for (int64_t row = 0; row < rows; ++row)
    for (Value part : node.getIns()) {
      size_t bytes = size_t(elementsOf(part) / rows) * width;
      out = std::copy_n(dataOf(known, part) + size_t(row) * bytes, bytes, out);
    }
}

bool multiply(MatMul node, const Tensors &known, char *out) {
  if (!kindOfElements(node.getOut()).isF32())
    return false;
  const Ints shape = shapeOf(node.getOut());
  const int64_t columns = shape.back(), rows = shape[shape.size() - 2];
  const int64_t inner = Ints(shapeOf(node.getLhs())).back();
  if (rows * columns == 0 || inner == 0)
    return false; // nothing to pack
  auto *lhs = reinterpret_cast<const float *>(dataOf(known, node.getLhs()));
  auto *rhs = reinterpret_cast<const float *>(dataOf(known, node.getRhs()));
  auto *to = reinterpret_cast<float *>(out);
  for (int64_t i = 0, batch = expr::prod(shape) / (rows * columns); i < batch;
       ++i, lhs += rows * inner, rhs += inner * columns, to += rows * columns)
    multiplyMatrices(lhs, rhs, rows, inner, columns, to);
  return true;
}

/// Evaluates the usual operations on large weights without a kernel; false for
/// other nodes.
bool runByRows(Operation &op, const Tensors &known) {
  if (!isa<Broadcast, Concat, MatMul, Mul, Transpose>(op))
    return false;
  Value result = op.getResult(0);
  char *out = const_cast<char *>(dataOf(known, result));
  size_t width = byteSize(known.find(result)->second.type.kind);
  if (auto node = dyn_cast<Mul>(op))
    return multiply(node, known, out);
  if (auto node = dyn_cast<MatMul>(op))
    return multiply(node, known, out);
  if (auto node = dyn_cast<Concat>(op)) {
    join(node, known, width, out);
    return true;
  }
  const char *in = dataOf(known, op.getOperand(0));
  if (auto node = dyn_cast<Transpose>(op))
    return transposeRows(in, Ints(shapeOf(node.getIn())), node.getPermutation(),
                         width, out);
  auto node = cast<Broadcast>(op);
  repeatRows(in, Ints(sizesBefore(node)), Ints(shapeOf(result)), width, out);
  return true;
}

/// Whether a node is a single kernel call, independent of its neighbours.
bool runsAlone(Operation *node) {
  auto isFactor = [](Value value) { return bool(asFactor(value)); };
  return runs(*findBackendInfo("interpreter"), node) &&
         llvm::none_of(node->getResults(), isFactor) &&
         !(isa<Mul>(node) && llvm::any_of(node->getOperands(), isFactor));
}

glow::TensorType typeOf(Value value) {
  return tensorTypeOf(cast<RankedTensorType>(value.getType()));
}

class InterpreterEvaluator final : public NodeEvaluator {
public:
  explicit InterpreterEvaluator(Dialect *dialect) : NodeEvaluator(dialect) {}

  FailureOr<SmallVector<ElementsAttr>>
  evaluate(ArrayRef<Operation *> nodes, ValueOf valueOf) const override {
    return nodes.size() == 1 && runsAlone(nodes[0])
               ? evaluateAlone(*nodes[0], valueOf)
               : evaluateLowered(nodes, valueOf);
  }

  bool repeats(Operation *node) const override {
    const ir::LoopsInfo *loops = ir::findLoops(node->getName().stripDialect());
    return loops && (node->getNumOperands() == 0 ||
                     (loops->moves && node->getNumOperands() == 1));
  }

  bool moves(Operation *node) const override {
    const ir::LoopsInfo *loops = ir::findLoops(node->getName().stripDialect());
    // A reshape has no index notation and moves no data.
    return isa<Reshape>(node) || (loops && loops->moves);
  }

private:
  static ElementsAttr valueIn(const Tensors &known, Value value,
                              Location location) {
    std::string name = modelName(location);
    return elementsOf(cast<RankedTensorType>(value.getType()),
                      known.find(value)->second.bytes,
                      name.empty() ? "folded" : name);
  }

  /// Evaluates one node without a module. Most such nodes compute shapes, of
  /// which a model has thousands.
  static FailureOr<SmallVector<ElementsAttr>> evaluateAlone(Operation &node,
                                                            ValueOf valueOf) {
    Tensors known;
    for (Value operand : node.getOperands())
      if (!known.contains(operand))
        known[operand] = {typeOf(operand), bytesOf(valueOf(operand))};
    if (failed(runNode(node, known)))
      return failure();
    SmallVector<ElementsAttr> values;
    for (Value result : node.getResults())
      values.push_back(valueIn(known, result, node.getLoc()));
    return values;
  }

  static FailureOr<SmallVector<ElementsAttr>>
  evaluateLowered(ArrayRef<Operation *> nodes, ValueOf valueOf) {
    // A separate module: the lowered operations must not get into the graph,
    // which another rewrite may be walking.
    Location location = nodes.back()->getLoc();
    OwningOpRef<ModuleOp> module = ModuleOp::create(location);
    OpBuilder builder(module->getBodyRegion());
    auto function =
        FuncOp::create(builder, location, builder.getStringAttr("evaluate"));
    builder.setInsertionPointToEnd(&function.block());
    IRMapping mapping;
    Tensors known;
    for (Operation *node : nodes) {
      for (Value operand : node->getOperands())
        if (!mapping.contains(operand)) {
          Value read = ReadOp::create(builder, location, operand.getType(),
                                      builder.getStringAttr("operand"));
          mapping.map(operand, read);
          known[read] = {typeOf(read), bytesOf(valueOf(operand))};
        }
      builder.clone(*node, mapping);
    }
    // A save keeps a use of each result, whatever the node is lowered to.
    for (Value result : nodes.back()->getResults())
      SaveOp::create(builder, location, mapping.lookup(result),
                     builder.getStringAttr("result"));
    if (failed(lowerForBackend(*module, "interpreter")) ||
        failed(run(function, known)))
      return failure();
    SmallVector<ElementsAttr> values;
    for (SaveOp save : function.block().getOps<SaveOp>()) {
      if (failed(own(save.getIn(), known)))
        return failure();
      values.push_back(valueIn(known, save.getIn(), location));
    }
    return values;
  }

  /// Copies a result that is an operand, as of a node that is lowered to
  /// nothing: the memory of the operand's constant may be released.
  static LogicalResult own(Value result, Tensors &known) {
    auto read = result.getDefiningOp<ReadOp>();
    if (!read)
      return success();
    auto memory = allocate(read, read.getType());
    if (failed(memory))
      return failure();
    const OwnedTensor &operand = known[result];
    llvm::copy(operand.bytes.bytes,
               const_cast<char *>(memory->bytes.bytes.data()));
    known[result] = *memory;
    return success();
  }

  static LogicalResult run(FuncOp function, Tensors &known) {
    llvm::DenseMap<Value, unsigned> readers;
    for (Operation &op : function.block())
      for (Value operand : op.getOperands())
        ++readers[operand];
    for (Operation &op : function.block()) {
      if (isa<ReadOp, SaveOp>(op))
        continue;
      if (failed(runNode(op, known)))
        return failure();
      // A tensor without further readers gives its memory to a later one.
      for (Value operand : op.getOperands())
        if (--readers[operand] == 0)
          known.erase(operand);
    }
    return success();
  }

  static LogicalResult runNode(Operation &op, Tensors &known) {
    if (op.getNumResults() == 1 && asFactor(op.getResult(0))) {
      known[op.getResult(0)] = OwnedTensor(known[op.getOperand(0)]);
      return success();
    }
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
    if (runByRows(op, known))
      return success();
    if (failed(generateInstr(&op, instr)))
      return failure();
    for (Value result : op.getResults())
      buffers[instr.buffer(result)] = known[result];
    for (Operation &made : scratch)
      if (failed(runMade(op, made, buffers)))
        return failure();
    return success();
  }

  static LogicalResult runMade(Operation &node, Operation &made,
                               llvm::DenseMap<Value, OwnedTensor> &buffers) {
    auto alloc = dyn_cast<ir::AllocOp>(made);
    if (!alloc)
      return call(made, buffers);
    // The buffer of a result has memory already.
    auto [found, isNew] = buffers.try_emplace(alloc.getBuffer());
    if (!isNew)
      return success();
    auto memory = allocate(&node, alloc.type().getTensor());
    if (failed(memory))
      return failure();
    found->second = *memory;
    return success();
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
