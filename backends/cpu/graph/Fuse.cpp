//===- Fuse.cpp - elementwise nodes as one --------------------------------===//

#include "Algorithm.h"
#include "Fusion.h"
#include "Passes.h"
#include "glow/Base/Functions.h"
#include "glow/Graph/ConstantTable.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/InstrInfo.h"
#include "glow/IR/Loops.h"

using namespace mlir;

namespace glow::cpu {

using mlir::failure;

#define GEN_PASS_DEF_CPUFUSE
#include "glow/Cpu/Passes.h.inc"

namespace {

/// Turns Pointwise nodes into calls of a formula on operands of f32.
class FormulaOfNode {
public:
  explicit FormulaOfNode(OpBuilder &builder) : builder(builder) {}

  /// False if a node or an operand has no place in a formula.
  bool add(Operation *node) {
    if (!node || node->getNumResults() != 1 || node->getNumOperands() == 0 ||
        seen++ >= Formula::mostCalls)
      return false;
    StringRef mnemonic = node->getName().stripDialect();
    auto kind = kindOf(kindOfElements(node->getOperands().back()));
    if (!kind || !ir::formulaKinds(mnemonic, *kind))
      return false;
    Formula::Call call{mnemonic.str(), {}};
    for (Value value : node->getOperands())
      if (!addOperand(value, call))
        return false;
    for (const ir::AttributeInfo &attribute :
         ir::findInstr(mnemonic)->attributes)
      if (auto number = numberOf(node->getAttr(attribute.name)))
        call.arguments.push_back(*number);
      else
        return false;
    formula.calls.push_back(std::move(call));
    return true;
  }

  Formula formula;
  SmallVector<Value> operands;

private:
  OpBuilder &builder;
  size_t seen = 0; ///< nodes; one that truths reach in many ways, each time

  /// A truth that is no formula's comes as a number that is not 0.
  void addTruth(Value value) {
    Value number =
        createCast(builder, value.getLoc(), value, builder.getF32Type());
    formula.calls.push_back(
        {"greater", {Formula::Input{operands.size()}, 0.0}});
    operands.push_back(number);
  }
  bool addOperand(Value value, Formula::Call &call) {
    if (auto number = uniformValue(value)) {
      call.arguments.push_back(*number);
    } else if (kindOfElements(value).isF32()) {
      call.arguments.push_back(Formula::Input{operands.size()});
      operands.push_back(value);
    } else {
      if (!kindOfElements(value).isInteger(1))
        return false;
      size_t calls = formula.calls.size(), inputs = operands.size();
      if (!add(value.getDefiningOp())) {
        formula.calls.resize(calls);
        operands.resize(inputs);
        addTruth(value);
      }
      call.arguments.push_back(Formula::Value{formula.calls.size() - 1});
    }
    return true;
  }
};

/// A Pointwise node as a formula of one call, or one with truths in between.
struct FuseNode : RewritePattern {
  explicit FuseNode(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *node,
                                PatternRewriter &rewriter) const override {
    if (node->getNumResults() != 1 ||
        !isa<RankedTensorType>(node->getResult(0).getType()) ||
        !kindOfElements(node->getResult(0)).isF32())
      return failure();
    FormulaOfNode made(rewriter);
    if (!made.add(node) || made.operands.empty())
      return failure();
    rewriter.replaceOp(node, makeFusedElementwise(rewriter, node->getLoc(),
                                                  made.operands, made.formula,
                                                  shapeOf(node->getResult(0))));
    return success();
  }
};

/// Where an operand is a small tensor repeated, the small one is read.
struct FuseBroadcast : OpRewritePattern<CpuFusedElementwise> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CpuFusedElementwise node,
                                PatternRewriter &rewriter) const override {
    for (OpOperand &operand : node->getOpOperands()) {
      auto repeated = operand.get().getDefiningOp<Broadcast>();
      if (!repeated || shapeOf(repeated) != Ints(node.getShape()))
        continue;
      // Sizes of 1 wherever it is repeated.
      Ints shape = shapeOf(repeated.getIn()), full(node.getShape().size(), 1);
      size_t first = repeated.getAxis() < 0 ? full.size() - shape.size()
                                            : size_t(repeated.getAxis());
      std::copy(shape.begin(), shape.end(), full.begin() + long(first));
      Value source = repeated.getIn();
      if (shape != full)
        source = createReshape(rewriter, node.getLoc(), source, full);
      rewriter.modifyOpInPlace(node, [&] { operand.set(source); });
      return success();
    }
    return failure();
  }
};

/// A fused node takes in one that gives it an operand and that nothing else
/// needs.
struct FuseOperand : OpRewritePattern<CpuFusedElementwise> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CpuFusedElementwise node,
                                PatternRewriter &rewriter) const override {
    for (auto [place, operand] : llvm::enumerate(node.getIns())) {
      auto before = operand.getDefiningOp<CpuFusedElementwise>();
      if (!before || !onlyUser(operand, node) ||
          before.getShape() != node.getShape())
        continue;
      SmallVector<Value> operands(before.getIns());
      Formula first = formulaOf(before), next = formulaOf(node);
      if (!first.mayPrecede(next))
        continue;
      Formula formula = joined(first, next, operands.size(), place);
      for (auto [i, value] : llvm::enumerate(node.getIns()))
        if (i != place)
          operands.push_back(value);
      rewriter.replaceOp(node,
                         makeFusedElementwise(rewriter, node.getLoc(), operands,
                                              formula, Ints(node.getShape())));
      return success();
    }
    return failure();
  }
};

/// A fused node on a reshaped tensor is one on the tensor, reshaped, where it
/// has as many columns: products of matrices flatten their rows.
struct FuseAcrossReshape : OpRewritePattern<CpuFusedElementwise> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CpuFusedElementwise node,
                                PatternRewriter &rewriter) const override {
    Ints shape(node.getShape());
    Ints flat = rowsOf(shape);
    if (shape.size() < 3 || !llvm::any_of(node.getIns(), [&](Value operand) {
          auto reshape = operand.getDefiningOp<Reshape>();
          return reshape && shapeOf(reshape) == shape &&
                 shapeOf(reshape.getIn()) == flat &&
                 reshape.getIn().getDefiningOp<CpuMatMul>();
        }))
      return failure();
    SmallVector<Value> operands;
    for (Value operand : node.getIns()) {
      Ints small = rowsOf(shapeOf(operand));
      if (small[0] != 1 && small[0] != flat[0])
        return failure();
      operands.push_back(operand);
    }
    for (Value &operand : operands)
      operand = createReshape(rewriter, node.getLoc(), operand,
                              rowsOf(shapeOf(operand)));
    Value result = makeFusedElementwise(rewriter, node.getLoc(), operands,
                                        formulaOf(node), flat);
    rewriter.replaceOp(node,
                       createReshape(rewriter, node.getLoc(), result, shape));
    return success();
  }

private:
  static Ints rowsOf(const Ints &shape) {
    int64_t columns = shape.empty() ? 1 : shape.back();
    return {expr::prod(expr::take(shape, expr::size(shape) - 1)), columns};
  }
};

/// Whether a pool follows the epilogue.
bool isPooled(CpuConv conv) {
  return llvm::any_of(conv.getPool(), [](int64_t size) { return size != 1; });
}
bool isPooled(Operation *) { return false; }

/// A convolution gives the largest pixels of its result at once where nothing
/// else needs the others and no pixel is in two windows. An operand of the size
/// of the image would be read pixel by pixel beside them: a sum is left alone.
struct FusePool : OpRewritePattern<MaxPool> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MaxPool pool,
                                PatternRewriter &rewriter) const override {
    auto conv = pool.getIn().getDefiningOp<CpuConv>();
    if (!conv || isPooled(conv) || !onlyUser(pool.getIn(), pool) ||
        !isApart(pool) || readsImages(conv))
      return failure();
    Ints window(pool.getWindow());
    window.pop_back();
    if (!hasCode(conv, window))
      return failure();
    rewriter.replaceOp(
        pool,
        createCpuConv(
            rewriter, rewriter.getFusedLoc({conv.getLoc(), pool.getLoc()}),
            conv.getIn(), conv.getFilter(), conv.getBias(),
            SmallVector<Value>(conv.getExtras()), Ints(conv.getStrides()),
            Ints(conv.getPads()), Ints(conv.getDilations()), conv.getGroup(),
            conv.getEpilogue().str(), window));
    return success();
  }

private:
  static bool isApart(MaxPool pool) {
    return pool.getWindow() == pool.getStrides() &&
           pool.getWindow().back() == 1 &&
           llvm::all_of(pool.getPads(), [](int64_t pad) { return pad == 0; }) &&
           llvm::all_of(pool.getDilations(),
                        [](int64_t step) { return step == 1; });
  }
  static bool readsImages(CpuConv conv) {
    Ints shape = shapeOf(conv);
    return llvm::any_of(conv.getExtras(),
                        [&](Value extra) { return shapeOf(extra) == shape; });
  }
  /// Whether there is code for it when it has the pool.
  static bool hasCode(CpuConv conv, const Ints &window) {
    auto pooled = cast<CpuConv>(conv->clone());
    pooled.setPool(window);
    bool has = cpu::hasCode(pooled);
    pooled->destroy();
    return has;
  }
};

/// The epilogue of a convolution or product takes in the fused node after it.
template <typename Root>
struct FuseEpilogue : OpRewritePattern<CpuFusedElementwise> {
  using OpRewritePattern<CpuFusedElementwise>::OpRewritePattern;
  LogicalResult matchAndRewrite(CpuFusedElementwise node,
                                PatternRewriter &rewriter) const override {
    // The last one made: what the others made is there by then.
    Root root;
    size_t place = 0;
    for (auto [i, operand] : llvm::enumerate(node.getIns())) {
      auto candidate = operand.getDefiningOp<Root>();
      if (!candidate || isPooled(candidate) || !onlyUser(operand, node) ||
          !kindOfElements(operand).isF32() ||
          candidate->getBlock() != node->getBlock() ||
          shapeOf(operand) != Ints(node.getShape()))
        continue;
      if (!root || root->isBeforeInBlock(candidate))
        root = candidate, place = i;
    }
    if (!root)
      return failure();
    SmallVector<Value> extras(root.getExtras());
    for (auto [i, value] : llvm::enumerate(node.getIns()))
      if (i != place) {
        if (!canBroadcast(value, root))
          return failure();
        extras.push_back(value);
      }
    Formula first = formulaOf(root), next = formulaOf(node);
    if (!first.mayPrecede(next))
      return failure();
    Formula formula = joined(first, next, root.getExtras().size() + 1, place);
    auto fused = cast<Root>(rewriter.clone(*root));
    rewriter.modifyOpInPlace(fused, [&] {
      fused.getExtrasMutable().assign(extras);
      fused.setEpilogue(formula.text());
      fused->setLoc(rewriter.getFusedLoc({root.getLoc(), node.getLoc()}));
    });
    rewriter.replaceOp(node, fused);
    return success();
  }

private:
  static bool canBroadcast(Value value, Value image) {
    return broadcastKindOf(shapeOf(value), shapeOf(image), 0, /*blocked=*/true)
        .has_value();
  }
  static bool canBroadcast(Value value, CpuMatMul product) {
    return isReadBeside(value, product);
  }
  static bool canBroadcast(Value value, CpuConvInteger conv) {
    return isReadBeside(value, conv);
  }
  /// Beside a result whose last axis is the channels.
  static bool isReadBeside(Value value, Value result) {
    Ints shape = shapeOf(result);
    return broadcastKindOf(shapeOf(value), shape, shape.size() - 1,
                           /*blocked=*/false)
        .has_value();
  }
};

/// Integers behind sums of products of bytes are their bias, where they are one
/// for each channel.
struct FuseIntegerBias : OpRewritePattern<Add> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(Add node,
                                PatternRewriter &rewriter) const override {
    for (auto [sums, other] : {std::pair(node.getLhs(), node.getRhs()),
                               std::pair(node.getRhs(), node.getLhs())}) {
      auto conv = sums.getDefiningOp<CpuConvInteger>();
      auto repeated = other.getDefiningOp<Broadcast>();
      if (!conv || conv.getBias() || !onlyUser(sums, node) || !repeated ||
          rankOf(repeated.getIn()) != 1 ||
          (repeated.getAxis() >= 0 && repeated.getAxis() != rankOf(sums) - 1))
        continue;
      auto fused = cast<CpuConvInteger>(rewriter.clone(*conv));
      rewriter.modifyOpInPlace(
          fused, [&] { fused.getBiasMutable().assign(repeated.getIn()); });
      rewriter.moveOpAfter(fused, repeated);
      rewriter.replaceOp(node, fused);
      return success();
    }
    return failure();
  }
};

/// What sums of products of bytes become is what their code writes: real
/// numbers, of which an epilogue makes others, and the bytes nearest to these.
struct FuseConversion : OpRewritePattern<Cast> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(Cast node,
                                PatternRewriter &rewriter) const override {
    auto conv = node.getIn().getDefiningOp<CpuConvInteger>();
    if (!conv || !onlyUser(node.getIn(), node))
      return failure();
    auto from = kindOf(conv.getKind()), to = kindOf(node.getKind());
    bool toReals = from == ElementKind::I32 && to == ElementKind::F32;
    bool toBytes = from == ElementKind::F32 &&
                   (to == ElementKind::I8 || to == ElementKind::U8);
    if (!toReals && !toBytes)
      return failure();
    rewriter.replaceOp(
        node,
        createCpuConvInteger(
            rewriter, rewriter.getFusedLoc({conv.getLoc(), node.getLoc()}),
            conv.getIn(), conv.getInZero(), conv.getFilter(), conv.getBias(),
            SmallVector<Value>(conv.getExtras()),
            SmallVector<Value>(conv.getBytes()), Ints(conv.getStrides()),
            Ints(conv.getPads()), Ints(conv.getDilations()), conv.getGroup(),
            conv.getEpilogue().str(), node.getKind()));
    return success();
  }
};

/// The bytes that an operand of f32 was made of; null where there are none.
Value bytesOf(Value operand) {
  auto cast = operand.getDefiningOp<Cast>();
  auto kind = cast ? kindOf(kindOfElements(cast.getIn())) : std::nullopt;
  bool isByte = kind == ElementKind::I8 || kind == ElementKind::U8;
  return isByte && kindOfElements(operand).isF32() ? cast.getIn() : Value();
}

/// Operands of f32 and bytes, and a formula on all of them. Bytes follow, and
/// are of one kind; `first` operands of the formula come before.
struct DividedOperands {
  DividedOperands(OperandRange operands, ValueRange bytesBefore, size_t first,
                  const Formula &formula)
      : bytes(bytesBefore), formula(formula) {
    std::vector<size_t> places(first);
    std::iota(places.begin(), places.end(), 0);
    SmallVector<std::pair<size_t, Value>> found;
    for (auto [i, operand] : llvm::enumerate(operands)) {
      Value from = bytesOf(operand);
      Value known = !bytes.empty()   ? bytes[0]
                    : !found.empty() ? found[0].second
                                     : from;
      if (from && kindOfElements(from) == kindOfElements(known))
        found.push_back({i, from});
      else
        reals.push_back(operand);
    }
    changed = !found.empty();
    size_t nextReal = first, nextByte = first + reals.size() + bytes.size();
    size_t taken = 0;
    for (size_t i = 0; i < operands.size(); ++i) {
      bool isByte = taken < found.size() && found[taken].first == i;
      taken += isByte;
      places.push_back(isByte ? nextByte++ : nextReal++);
    }
    for (size_t i = 0; i < bytes.size(); ++i)
      places.push_back(first + reals.size() + i);
    for (auto &[place, value] : found)
      bytes.push_back(value);
    for (Formula::Call &call : this->formula.calls)
      for (Formula::Argument &argument : call.arguments)
        if (auto *input = std::get_if<Formula::Input>(&argument))
          input->index = places[input->index];
  }

  SmallVector<Value> reals, bytes;
  Formula formula;
  bool changed;
};

/// A formula reads bytes as they are.
struct FuseBytes : OpRewritePattern<CpuFusedElementwise> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CpuFusedElementwise node,
                                PatternRewriter &rewriter) const override {
    DividedOperands divided(node.getIns(), {}, 0, formulaOf(node));
    if (!divided.changed)
      return failure();
    rewriter.replaceOp(node, createCpuFusedBytes(rewriter, node.getLoc(),
                                                 divided.reals, divided.bytes,
                                                 Ints(node.getShape()),
                                                 divided.formula.text(),
                                                 rewriter.getF32Type()));
    return success();
  }
};

struct FuseMoreBytes : OpRewritePattern<CpuFusedBytes> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CpuFusedBytes node,
                                PatternRewriter &rewriter) const override {
    DividedOperands divided(node.getIns(), node.getBytes(), 0,
                            node.getFormulaAttr().value());
    if (!divided.changed)
      return failure();
    rewriter.replaceOp(
        node, createCpuFusedBytes(rewriter, node.getLoc(), divided.reals,
                                  divided.bytes, Ints(node.getShape()),
                                  divided.formula.text(), node.getKind()));
    return success();
  }
};

struct FuseBytesBeside : OpRewritePattern<CpuConvInteger> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CpuConvInteger conv,
                                PatternRewriter &rewriter) const override {
    DividedOperands divided(conv.getExtras(), conv.getBytes(), 1,
                            formulaOf(conv));
    if (!divided.changed)
      return failure();
    auto fused = cast<CpuConvInteger>(rewriter.clone(*conv));
    rewriter.modifyOpInPlace(fused, [&] {
      fused.getExtrasMutable().assign(divided.reals);
      fused.getBytesMutable().assign(divided.bytes);
      fused.setEpilogue(divided.formula.text());
    });
    rewriter.replaceOp(conv, fused);
    return success();
  }
};

/// And writes bytes.
struct FuseBytesAfter : OpRewritePattern<Cast> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(Cast node,
                                PatternRewriter &rewriter) const override {
    auto kind = kindOf(node.getKind());
    if (!onlyUser(node.getIn(), node) ||
        !kindOfElements(node.getIn()).isF32() ||
        (kind != ElementKind::I8 && kind != ElementKind::U8))
      return failure();
    if (auto reals = node.getIn().getDefiningOp<CpuFusedElementwise>()) {
      rewriter.replaceOp(
          node, createCpuFusedBytes(rewriter, node.getLoc(),
                                    SmallVector<Value>(reals.getIns()), {},
                                    Ints(reals.getShape()),
                                    reals.getFormula().str(), node.getKind()));
      return success();
    }
    auto before = node.getIn().getDefiningOp<CpuFusedBytes>();
    if (!before)
      return failure();
    rewriter.replaceOp(
        node, createCpuFusedBytes(rewriter, node.getLoc(),
                                  SmallVector<Value>(before.getIns()),
                                  SmallVector<Value>(before.getBytes()),
                                  Ints(before.getShape()),
                                  before.getFormula().str(), node.getKind()));
    return success();
  }
};

/// Has formulas read and write bytes, when they have all of their calls.
void addBytes(RewritePatternSet &patterns) {
  patterns.add<FuseBytes, FuseMoreBytes, FuseBytesBeside, FuseBytesAfter>(
      patterns.getContext());
}

/// A product with a matrix that is the same for the whole batch is one product
/// of all rows.
struct FlattenMatMul : OpRewritePattern<MatMul> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatMul node,
                                PatternRewriter &rewriter) const override {
    Value matrix = node.getRhs();
    if (auto repeated = matrix.getDefiningOp<Broadcast>())
      matrix = repeated.getIn();
    Ints shape = shapeOf(matrix), lhs = shapeOf(node.getLhs());
    if (shape.size() < 2 || !kindOfElements(matrix).isF32() ||
        expr::prod(shape) != shape.back() * shape[shape.size() - 2])
      return failure();
    Location location = node.getLoc();
    Ints flat = {shape[shape.size() - 2], shape.back()};
    int64_t rows = expr::prod(expr::take(lhs, expr::size(lhs) - 1));
    Value left =
        createReshape(rewriter, location, node.getLhs(), {rows, lhs.back()});
    Value right = createReshape(rewriter, location, matrix, flat);
    Value product =
        createCpuMatMul(rewriter, location, left, right, Value(), {}, "",
                        /*sparse=*/false);
    rewriter.replaceOp(node, createReshape(rewriter, location, product,
                                           shapeOf(node.getOut())));
    return success();
  }
};

/// Fuses Pointwise nodes, and makes those after convolutions and products their
/// epilogues.
///
/// Pinned after lowering, since rules make such nodes too, and as the last
/// rewrite of the graph: nothing looks into a formula. Ends because every
/// pattern leaves fewer nodes, or fewer that are not fused ones.
struct CpuFuse : impl::CpuFuseBase<CpuFuse> {
  using CpuFuseBase::CpuFuseBase;
  void runOnOperation() override {
    ConstantTable constants(getOperation());
    if (failed(fuseElementwise()) || failed(fuse(addProjections)) ||
        failed(fuse(addBottleneck)) || failed(fuse(addSparse)) ||
        failed(fuse(addBytes)))
      signalPassFailure();
  }

private:
  LogicalResult fuseElementwise() {
    RewritePatternSet patterns(&getContext());
    patterns
        .add<FuseNode, FuseBroadcast, FuseOperand, FuseAcrossReshape, FusePool,
             FuseEpilogue<CpuConv>, FuseEpilogue<CpuConvTranspose>,
             FuseEpilogue<CpuMatMul>, FuseEpilogue<CpuConvInteger>,
             FuseIntegerBias, FuseConversion, FlattenMatMul>(&getContext());
    addAttention(patterns);
    addRewrites(patterns);
    return rewriteToTheEnd(getOperation(), std::move(patterns));
  }
  LogicalResult fuse(llvm::function_ref<void(RewritePatternSet &)> add) {
    RewritePatternSet patterns(&getContext());
    add(patterns);
    return rewriteToTheEnd(getOperation(), std::move(patterns));
  }
};

} // namespace
} // namespace glow::cpu
