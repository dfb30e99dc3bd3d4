//===- AppendStates.cpp - states that grow have their rows first ----------===//
// SPDX-License-Identifier: MIT
//
// A cache [batch, heads, rows, columns] moves most of its elements when it
// grows. As [rows, batch, heads, columns] it stays where it is, and new rows
// follow it. So a state that grows is stored with the open axis first, and its
// readers see it through a transpose. The concatenation then has all old rows
// at their places if a session binds input and output to one buffer.
//
//===----------------------------------------------------------------------===//

#include "glow/Graph/Build.h"
#include "glow/Graph/Marks.h"
#include "glow/Graph/Nodes.h"
#include "glow/Optimizer/Passes.h"
#include "glow/Program/States.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_APPENDSTATES
#include "glow/Optimizer/Passes.h.inc"

namespace {

/// An output that is a concatenation of an input and new rows.
struct Growth {
  PlaceholderOp input, output;
  SaveOp save;
  Concat concat;
  int64_t axis = 0;
};

/// Stores states that grow with their open axis first.
///
/// Pinned before all phases, since it changes types of placeholders, which
/// later passes must not. Ends because it visits each output once.
struct AppendStates : impl::AppendStatesBase<AppendStates> {
  using AppendStatesBase::AppendStatesBase;

  void runOnOperation() override;

private:
  PlaceholderOp find(StringRef name, PlaceholderRole role);
  bool isTaken(StringRef input);
  std::string whyNot(Growth &growth);
  void appendGiven(StringRef pair);
  void appendByName(PlaceholderOp output);
};

} // namespace

PlaceholderOp AppendStates::find(StringRef name, PlaceholderRole role) {
  for (auto port : getOperation().getOps<PlaceholderOp>())
    if (port.getRole() == role && port.portName() == name)
      return port;
  return nullptr;
}

/// Whether the input is a state already.
bool AppendStates::isTaken(StringRef input) {
  return llvm::any_of(getOperation().getOps<PlaceholderOp>(),
                      [&](PlaceholderOp output) {
                        auto of = output->getAttrOfType<StringAttr>(appendsTo);
                        return of && of.getValue() == input;
                      });
}

/// The only axis along which the sizes differ, if the input has a length there
/// and no other; -1 otherwise.
static int64_t growingAxis(PlaceholderOp input, PlaceholderOp output) {
  Sizes before = sizesOf(cast<RankedTensorType>(input.getType())),
        after = sizesOf(cast<RankedTensorType>(output.getType()));
  if (before.size() != after.size())
    return -1;
  int64_t axis = -1;
  for (size_t i = 0; i < before.size(); ++i) {
    if (before[i].isFixed() && expr::isSame(before[i], after[i]))
      continue;
    if (axis >= 0)
      return -1;
    axis = int64_t(i);
  }
  return axis >= 0 && before[axis].isFixed() ? -1 : axis;
}

static bool readsFrom(Value value, PlaceholderOp input) {
  auto read = value.getDefiningOp<ReadOp>();
  return read && read.getStorage() == input.getSymName();
}

/// Completes a growth from its input and output. Returns the reason if they
/// have none, else "".
std::string AppendStates::whyNot(Growth &growth) {
  growth.axis = growingAxis(growth.input, growth.output);
  if (growth.axis < 0)
    return "their sizes should differ along one axis, which has a range";
  for (FuncOp function : getOperation().getOps<FuncOp>())
    function.walk([&](SaveOp save) {
      if (save.getStorage() == growth.output.getSymName())
        growth.save = save;
    });
  growth.concat =
      growth.save ? growth.save.getIn().getDefiningOp<Concat>() : Concat();
  if (!growth.concat || growth.concat.getAxis() != growth.axis ||
      !readsFrom(growth.concat.getIns().front(), growth.input))
    return "the output should be the input and new entries, joined by a Concat";
  return "";
}

/// The order of axes with `axis` first.
static Ints withFirst(int64_t axis, int64_t rank) {
  Ints order = {axis};
  for (int64_t i = 0; i < rank; ++i)
    if (i != axis)
      order.push_back(i);
  return order;
}

static Ints inverseOf(const Ints &order) {
  Ints inverse(order.size());
  for (size_t i = 0; i < order.size(); ++i)
    inverse[size_t(order[i])] = int64_t(i);
  return inverse;
}

/// Gives storage another order of axes.
static void permute(PlaceholderOp port, const Ints &order) {
  auto type = cast<RankedTensorType>(port.getType());
  Sizes sizes = sizesOf(type), ordered;
  for (int64_t axis : order)
    ordered.push_back(sizes[size_t(axis)]);
  port.setType(rankedTensorOf(ordered, type.getElementType()));
  if (auto names = port.getDimensions()) {
    SmallVector<Attribute> named;
    for (int64_t axis : order)
      named.push_back((*names)[unsigned(axis)]);
    port.setDimensionsAttr(ArrayAttr::get(port.getContext(), named));
  }
}

static void store(ModuleOp module, Growth growth) {
  IRRewriter rewriter(module.getContext());
  growth.output->setAttr(appendsTo,
                         rewriter.getStringAttr(growth.input.portName()));
  if (growth.axis == 0)
    return;
  auto type = cast<RankedTensorType>(growth.input.getType());
  const Ints order = withFirst(growth.axis, type.getRank()),
             back = inverseOf(order);
  permute(growth.input, order);
  permute(growth.output, order);
  for (FuncOp function : module.getOps<FuncOp>())
    for (auto read :
         llvm::make_early_inc_range(function.block().getOps<ReadOp>()))
      if (read.getStorage() == growth.input.getSymName()) {
        rewriter.setInsertionPoint(read);
        Value stored =
            ReadOp::create(rewriter, read.getLoc(), growth.input.getType(),
                           read.getStorageAttr());
        rewriter.replaceOp(
            read, createTranspose(rewriter, read.getLoc(), stored, back));
      }
  rewriter.setInsertionPoint(growth.concat);
  SmallVector<Value> rows;
  for (Value part : growth.concat.getIns())
    rows.push_back(
        rows.empty()
            ? part.getDefiningOp<Transpose>().getIn() // as it is stored
            : createTranspose(rewriter, part.getLoc(), part, order));
  Value joined =
      createConcat(rewriter, growth.concat.getLoc(), rows, /*axis=*/0);
  growth.save.getInMutable().assign(joined);
  rewriter.replaceOp(growth.concat,
                     createTranspose(rewriter, joined.getLoc(), joined, back));
}

void AppendStates::appendGiven(StringRef pair) {
  auto [inputName, outputName] = pair.split('=');
  Growth growth{find(inputName, PlaceholderRole::Input),
                find(outputName, PlaceholderRole::Output),
                {},
                {}};
  // Pairs of one size are declared later, where wrong pairs are refused.
  if (!growth.input || !growth.output ||
      growth.input.getType() == growth.output.getType() ||
      growth.output->hasAttr(appendsTo) || isTaken(inputName))
    return;
  if (std::string reason = whyNot(growth); !reason.empty()) {
    growth.output.emitError() << "state '" << inputName << "=" << outputName
                              << "': input is " << growth.input.getType()
                              << " and output is " << growth.output.getType()
                              << ": they should be equal, or else " << reason;
    return signalPassFailure();
  }
  store(getOperation(), growth);
}

void AppendStates::appendByName(PlaceholderOp output) {
  for (const std::string &name : stateInputsOf(output.portName().str())) {
    Growth growth{find(name, PlaceholderRole::Input), output, {}, {}};
    if (growth.input && !isTaken(name) && whyNot(growth).empty())
      return store(getOperation(), growth);
  }
}

void AppendStates::runOnOperation() {
  for (const std::string &pair : given)
    appendGiven(pair);
  if (recognises)
    for (auto port : getOperation().getOps<PlaceholderOp>())
      if (port.getRole() == PlaceholderRole::Output &&
          !port->hasAttr(appendsTo))
        appendByName(port);
}

} // namespace glow
