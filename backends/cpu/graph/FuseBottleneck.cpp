//===- FuseBottleneck.cpp - blocks of mobile networks ---------------------===//
// SPDX-License-Identifier: MIT

#include "Algorithm.h"
#include "Fusion.h"
#include "common/Target.h"
#include "glow/Base/Functions.h"
#include "glow/Graph/ConstantTable.h"

using namespace mlir;

namespace glow::cpu {

using mlir::failure;

namespace {

bool isKnown(Value filter, Value bias) {
  return constantOf(filter) && (!bias || constantOf(bias));
}

bool allAre(ArrayRef<int64_t> list, int64_t value) {
  return llvm::all_of(list, [&](int64_t size) { return size == value; });
}

bool isPlain(CpuConv conv) {
  return kindOfElements(conv.getIn()).isF32() &&
         shapeOf(conv.getFilter()).size() == 4 &&
         shapeOf(conv.getIn())[4] == 16 && allAre(conv.getDilations(), 1) &&
         allAre(conv.getPool(), 1) && isKnown(conv.getFilter(), conv.getBias());
}

bool isPointwise(CpuConv conv) {
  Ints filter = shapeOf(conv.getFilter());
  return isPlain(conv) && filter[2] == 1 && filter[3] == 1 &&
         conv.getGroup() == 1 && allAre(conv.getStrides(), 1) &&
         allAre(conv.getPads(), 0);
}

bool isDepthwise(CpuConv conv) {
  Ints filter = shapeOf(conv.getFilter()), pads(conv.getPads());
  if (!isPlain(conv) || algorithmOf(conv) != "depthwise")
    return false;
  for (size_t i = 0; i < pads.size(); ++i)
    // A result row that reads only padding depends on no row of the image.
    if (pads[i] >= filter[2 + i % 2])
      return false;
  return true;
}

/// Whether the fusion pays: the expanded image exceeds the second-level cache,
/// the weights take at most half of it, and rows are at least as long as a
/// tile.
bool pays(CpuConv expand, CpuConv project) {
  int64_t cache = cpu::Target::secondLevelCache / 4; // in elements
  int64_t weights = expr::prod(shapeOf(expand.getFilter())) +
                    expr::prod(shapeOf(project.getFilter()));
  return expr::prod(shapeOf(expand)) > cache && weights <= cache / 2 &&
         shapeOf(project)[3] >= 14;
}

struct MakeBottleneck : OpRewritePattern<CpuConv> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CpuConv project,
                                PatternRewriter &rewriter) const override {
    auto depthwise = project.getIn().getDefiningOp<CpuConv>();
    auto expand =
        depthwise ? depthwise.getIn().getDefiningOp<CpuConv>() : CpuConv();
    if (!expand || !onlyUser(project.getIn(), project) ||
        !onlyUser(depthwise.getIn(), depthwise) || !isPointwise(project) ||
        !isDepthwise(depthwise) || !isPointwise(expand) ||
        !expand.getExtras().empty() || !depthwise.getExtras().empty() ||
        !pays(expand, project))
      return failure();
    rewriter.replaceOp(
        project,
        createCpuBottleneck(
            rewriter,
            rewriter.getFusedLoc(
                {expand.getLoc(), depthwise.getLoc(), project.getLoc()}),
            expand.getIn(), expand.getFilter(), expand.getBias(),
            depthwise.getFilter(), depthwise.getBias(), project.getFilter(),
            project.getBias(), SmallVector<Value>(project.getExtras()),
            Ints(depthwise.getStrides()), Ints(depthwise.getPads()),
            expand.getEpilogue().str(), depthwise.getEpilogue().str(),
            project.getEpilogue().str()));
    return success();
  }
};

} // namespace

void addBottleneck(RewritePatternSet &patterns) {
  patterns.add<MakeBottleneck>(patterns.getContext());
}

} // namespace glow::cpu
