//===- Fuse.cpp - elementwise nodes as one --------------------------------===//
// SPDX-License-Identifier: MIT

#include "Algorithm.h"
#include "Fusion.h"
#include "Passes.h"
#include "glow/Backend/Backend.h"
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

  /// Adds a node; false if a formula cannot express the node or an operand.
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
  size_t seen = 0; ///< nodes visited; booleans may reach a node several times

  /// Adds a boolean operand that no node of the formula computes: as a number,
  /// which the formula compares with 0.
  void addBoolean(Value value) {
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
        addBoolean(value);
      }
      call.arguments.push_back(Formula::Value{formula.calls.size() - 1});
    }
    return true;
  }
};

/// Turns a Pointwise node into a formula. The formula has one call, or several
/// with booleans in between.
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
    const Sizes shape = shapeOf(node->getResult(0));
    // A run checks sizes that are not known to be equal.
    auto isWhole = [&](Value operand) {
      return expr::areSame(shapeOf(operand), shape);
    };
    if (!made.add(node) || made.operands.empty() ||
        !llvm::all_of(made.operands, isWhole))
      return failure();
    rewriter.replaceOp(node, makeFused(rewriter, node->getLoc(), made.operands,
                                       made.formula, shape));
    return success();
  }
};

/// Rewrites nodes that have Pointwise nodes of f32 only.
struct ElementwisePattern : OpRewritePattern<CpuFusedLoops> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CpuFusedLoops node,
                                PatternRewriter &rewriter) const final {
    return isElementwise(node) ? fuse(node, rewriter) : failure();
  }
  virtual LogicalResult fuse(CpuFusedLoops node,
                             PatternRewriter &rewriter) const = 0;
};

/// Whether an operand's size is 1, or that of the result, in each run.
bool isRepeated(const Size &mine, const Size &whole) {
  return expr::isNumber(mine, 1) || expr::isSame(mine, whole);
}

/// Reads the operand of a broadcast instead of the broadcast tensor.
struct FuseBroadcast : ElementwisePattern {
  using ElementwisePattern::ElementwisePattern;
  LogicalResult fuse(CpuFusedLoops node,
                     PatternRewriter &rewriter) const override {
    for (OpOperand &operand : node->getOpOperands()) {
      auto repeated = operand.get().getDefiningOp<Broadcast>();
      const Sizes shape = shapeOf(node);
      if (!repeated || !expr::areSame(shapeOf(repeated), shape))
        continue;
      const Sizes full = sizesBefore(repeated);
      if (!llvm::all_of_zip(full, shape, isRepeated))
        continue;
      Value source = repeated.getIn();
      if (!expr::areSame(shapeOf(source), full))
        source = createReshape(rewriter, node.getLoc(), source, full);
      rewriter.modifyOpInPlace(node, [&] { operand.set(source); });
      return success();
    }
    return failure();
  }
};

/// Fuses a node into the fused node that is its only user.
struct FuseOperand : ElementwisePattern {
  using ElementwisePattern::ElementwisePattern;
  LogicalResult fuse(CpuFusedLoops node,
                     PatternRewriter &rewriter) const override {
    for (auto [place, operand] : llvm::enumerate(node.getIns())) {
      auto before = operand.getDefiningOp<CpuFusedLoops>();
      if (!before || !isElementwise(before) || !onlyUser(operand, node) ||
          !expr::areSame(shapeOf(before), shapeOf(node)))
        continue;
      SmallVector<Value> operands(before.getIns());
      Formula first = formulaOf(before), next = formulaOf(node);
      if (!first.mayPrecede(next))
        continue;
      Formula formula = joined(first, next, operands.size(), place);
      for (auto [i, value] : llvm::enumerate(node.getIns()))
        if (i != place)
          operands.push_back(value);
      // The fused node has the name of the last node.
      Location location =
          rewriter.getFusedLoc({node.getLoc(), before.getLoc()});
      rewriter.replaceOp(node, makeFused(rewriter, location, operands, formula,
                                         shapeOf(node)));
      return success();
    }
    return failure();
  }
};

/// Moves a reshape behind a fused node, if the number of columns stays:
/// products of matrices flatten their rows.
struct FuseAcrossReshape : ElementwisePattern {
  using ElementwisePattern::ElementwisePattern;
  LogicalResult fuse(CpuFusedLoops node,
                     PatternRewriter &rewriter) const override {
    const Sizes shape = shapeOf(node);
    const Sizes flat = rowsOf(shape);
    if (shape.size() < 3 || !llvm::any_of(node.getIns(), [&](Value operand) {
          auto reshape = operand.getDefiningOp<Reshape>();
          return reshape && expr::areSame(shapeOf(reshape), shape) &&
                 expr::areSame(shapeOf(reshape.getIn()), flat) &&
                 isa_and_nonnull<CpuMatMul, CpuConvInteger>(
                     reshape.getIn().getDefiningOp());
        }))
      return failure();
    SmallVector<Value> operands;
    for (Value operand : node.getIns()) {
      if (!isRepeated(rowsOf(shapeOf(operand))[0], flat[0]))
        return failure();
      operands.push_back(operand);
    }
    for (Value &operand : operands)
      operand = createReshape(rewriter, node.getLoc(), operand,
                              rowsOf(shapeOf(operand)));
    Value result =
        makeFused(rewriter, node.getLoc(), operands, formulaOf(node), flat);
    rewriter.replaceOp(node,
                       createReshape(rewriter, node.getLoc(), result, shape));
    return success();
  }

private:
  static Sizes rowsOf(const Sizes &shape) {
    const Size columns = shape.empty() ? Size(1) : shape.back();
    return {expr::prod(expr::take(shape, expr::size(shape) - 1)), columns};
  }
};

/// Whether a pool follows the epilogue.
bool isPooled(CpuConv conv) {
  return llvm::any_of(conv.getPool(), [](int64_t size) { return size != 1; });
}
bool isPooled(Operation *) { return false; }

/// Fuses a max pool into a convolution without other users, if windows do not
/// overlap. An operand of the size of the image would be read pixel by pixel: a
/// convolution with such a sum is left alone.
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
    Value pooled = createCpuConv(
        rewriter, rewriter.getFusedLoc({conv.getLoc(), pool.getLoc()}),
        conv.getIn(), conv.getFilter(), conv.getBias(),
        SmallVector<Value>(conv.getExtras()), Ints(conv.getStrides()),
        Ints(conv.getPads()), Ints(conv.getDilations()), conv.getGroup(),
        conv.getEpilogue().str(), window);
    keepMark(conv, pooled);
    rewriter.replaceOp(pool, pooled);
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
    const Sizes shape = shapeOf(conv);
    return llvm::any_of(conv.getExtras(), [&](Value extra) {
      return expr::areSame(shapeOf(extra), shape);
    });
  }
  /// Whether there is code for a convolution with this pool.
  static bool hasCode(CpuConv conv, const Ints &window) {
    auto pooled = cast<CpuConv>(conv->clone());
    pooled.setPool(window);
    bool has = cpu::hasCode(pooled);
    pooled->destroy();
    return has;
  }
};

/// Fuses an element-wise node into the epilogue of the convolution or product
/// before it.
template <typename Root> struct FuseEpilogue : ElementwisePattern {
  using ElementwisePattern::ElementwisePattern;
  LogicalResult fuse(CpuFusedLoops node,
                     PatternRewriter &rewriter) const override {
    // The operand that is computed last: the other operands exist by then.
    Root root;
    size_t place = 0;
    for (auto [i, operand] : llvm::enumerate(node.getIns())) {
      auto candidate = operand.getDefiningOp<Root>();
      if (!candidate || isPooled(candidate) || !onlyUser(operand, node) ||
          !kindOfElements(operand).isF32() ||
          candidate->getBlock() != node->getBlock() ||
          !expr::areSame(shapeOf(operand), shapeOf(node)))
        continue;
      if (!root || root->isBeforeInBlock(candidate))
        root = candidate, place = i;
    }
    if (!root)
      return failure();
    SmallVector<Value> extras(root.getExtras());
    for (auto [i, value] : llvm::enumerate(node.getIns()))
      if (i != place)
        extras.push_back(value);
    constexpr bool isPacked =
        std::is_same_v<Root, CpuConv> || std::is_same_v<Root, CpuConvTranspose>;
    if (!expr::areReadBeside(TypeRange(ValueRange(extras)), shapeOf(root),
                             isPacked))
      return failure();
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
};

/// Turns a batched product with one shared matrix into a single product of all
/// rows.
struct FlattenMatMul : OpRewritePattern<MatMul> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatMul node,
                                PatternRewriter &rewriter) const override {
    if (isScalar(node))
      return failure();
    Value matrix = node.getRhs();
    if (auto repeated = matrix.getDefiningOp<Broadcast>())
      matrix = repeated.getIn();
    const Sizes sizes = shapeOf(matrix), lhs = shapeOf(node.getLhs());
    if (sizes.size() < 2 || !kindOfElements(matrix).isF32() ||
        !sizes.areFixed() || !lhs.back().isFixed())
      return failure();
    const Ints shape = sizes.extents();
    if (expr::prod(shape) != shape.back() * shape[shape.size() - 2])
      return failure();
    Location location = node.getLoc();
    Ints flat = {shape[shape.size() - 2], shape.back()};
    const Size rows = expr::prod(expr::take(lhs, expr::size(lhs) - 1));
    Value left =
        createReshape(rewriter, location, node.getLhs(), {rows, lhs.back()});
    Value right = createReshape(rewriter, location, matrix, flat);
    Value product =
        createCpuMatMul(rewriter, location, left, right, Value(), {}, "",
                        /*sparse=*/false);
    keepMark(node, product);
    rewriter.replaceOp(node, createReshape(rewriter, location, product,
                                           shapeOf(node.getOut())));
    return success();
  }
};

/// Fuses Pointwise nodes, with each other and with index notation. Fused nodes
/// after convolutions and products become their epilogues.
///
/// Pinned after lowering, since rules make Pointwise nodes too, and as the last
/// rewrite of the graph: no other pass looks into a formula. The pass ends
/// because every pattern leaves fewer nodes, or fewer unfused nodes.
struct CpuFuse : impl::CpuFuseBase<CpuFuse> {
  using CpuFuseBase::CpuFuseBase;
  void runOnOperation() override {
    ConstantTable constants(getOperation());
    if (failed(fuseElementwise()))
      return signalPassFailure();
    hasOpen = nodesOfFixedSizes(getOperation()).has_value();
    if (failed(fuse(addProjections)) || failed(fuse(addBottleneck)) ||
        failed(fuse(addSparse)) || failed(fuse(addTransposed)) ||
        failed(fuse(addTrees)) || failed(fuse(addLoops)) ||
        failed(fuse(addBytes)) || failed(fuse(addUnfusing)))
      signalPassFailure();
  }

private:
  LogicalResult fuseElementwise() {
    RewritePatternSet patterns(&getContext());
    patterns.add<FuseNode, FuseBroadcast, FuseOperand, FuseAcrossReshape,
                 FusePool, FuseEpilogue<CpuConv>,
                 FuseEpilogue<CpuConvTranspose>, FuseEpilogue<CpuMatMul>,
                 FuseEpilogue<CpuConvInteger>, FlattenMatMul>(&getContext());
    addAttention(patterns);
    addSums(patterns);
    addRewrites(patterns);
    return rewriteToTheEnd(getOperation(), std::move(patterns));
  }
  /// For fused nodes that have code of fixed sizes alone.
  LogicalResult fuse(llvm::function_ref<void(RewritePatternSet &)> add) {
    RewritePatternSet patterns(&getContext());
    add(patterns);
    if (!hasRoot(patterns))
      return success();
    std::optional<std::vector<Operation *>> fixed;
    if (hasOpen)
      fixed = nodesOfFixedSizes(getOperation());
    if (fixed && fixed->empty())
      return success();
    return rewriteToTheEnd(getOperation(), std::move(patterns),
                           fixed ? ArrayRef(*fixed) : ArrayRef<Operation *>());
  }
  /// Whether some pattern may match at a node of the module.
  bool hasRoot(RewritePatternSet &patterns) {
    llvm::SmallDenseSet<OperationName> roots;
    for (const auto &pattern : patterns.getNativePatterns()) {
      std::optional<OperationName> root = pattern->getRootKind();
      if (!root)
        return true;
      roots.insert(*root);
    }
    return getOperation()
        ->walk([&](Operation *node) {
          return roots.contains(node->getName()) ? WalkResult::interrupt()
                                                 : WalkResult::advance();
        })
        .wasInterrupted();
  }

  bool hasOpen = false; ///< whether a run gives sizes of some node
};

} // namespace
} // namespace glow::cpu
