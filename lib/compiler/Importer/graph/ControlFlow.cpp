//===- ControlFlow.cpp - nodes with graphs inside -------------------------===//
// SPDX-License-Identifier: MIT
//
// A branch or loop that cannot be a node is left to the host, which runs any:
// where carried values change their sizes, where both branches give different
// ones, or where a run decides how many slices there are at most.
//
//===----------------------------------------------------------------------===//

#include "glow/Graph/ControlFlow.h"
#include "ImportedLoop.h"
#include "ModuleStorage.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Nodes.h"
#include "rows/ImportRegistry.h"
#include <limits>

using namespace glow;
using namespace mlir;

using Values = llvm::SmallVector<Value>;

static constexpr unsigned anyNumber = std::numeric_limits<unsigned>::max();

/// A value of one element without dimensions.
static FailureOr<Value> scalarOf(ImportContext &context, Value value,
                                 const Twine &which, unsigned width) {
  if (isSequence(value))
    return context.fail(which + " is a sequence, but should be one " +
                        (width == 1 ? "bool" : "i64"));
  auto type = llvm::cast<RankedTensorType>(value.getType());
  if (type.getEncoding() || type.getNumElements() != 1 ||
      !type.getElementType().isSignlessInteger(width))
    return context.fail(which + " is " + typeText(type) +
                        ", but should be one " + (width == 1 ? "bool" : "i64"));
  if (type.getRank() == 0)
    return value;
  return Value(
      createReshape(context.builder(), context.location(), value, Sizes()));
}

/// The number in a constant of one element; nothing for other values.
static std::optional<int64_t> constantOf(ImportContext &context, Value value) {
  if (!value || !context.isConstant(value))
    return std::nullopt;
  FailureOr<Sizes> sizes = context.constantSizes(value, "constant");
  if (failed(sizes) || sizes->size() != 1 || !sizes->front().isFixed())
    return std::nullopt;
  return sizes->front().extent();
}

//===----------------------------------------------------------------------===//
// If
//===----------------------------------------------------------------------===//

/// Imports an `If` with a known condition as the branch that is taken.
/// Exporters ask for the rank or size of an input, and write a branch for each
/// answer.
static LogicalResult importKnownIf(ImportContext &context) {
  FailureOr<Sizes> condition = context.constantSizes(context.input(0), "cond");
  if (failed(condition))
    return failure();
  if (condition->size() != 1)
    return context.fail("input 'cond' has " + Twine(condition->size()) +
                        " elements, but 1 is wanted");
  FailureOr<Values> results = context.inlineGraph(
      int64_t(condition->front()) ? "then_branch" : "else_branch", {});
  if (failed(results))
    return failure();
  if (results->size() != context.outputs())
    return context.fail("its branch has " + Twine(results->size()) +
                        " outputs, but the node lists " +
                        Twine(context.outputs()));
  for (auto [index, value] : llvm::enumerate(*results))
    context.setOutput(unsigned(index), value);
  return success();
}

/// A branch as a function without parameters of its own.
static FailureOr<ImportContext::Function> branchOf(ImportContext &context,
                                                   StringRef attribute) {
  return context.outlineGraph(
      attribute, {}, [](ValueRange) { return Values(); },
      [&](llvm::SmallVectorImpl<Value> &results) -> LogicalResult {
        if (results.size() == context.outputs())
          return success();
        return context.fail("its branch has " + Twine(results.size()) +
                            " outputs, but the node lists " +
                            Twine(context.outputs()));
      });
}

static LogicalResult importIf(ImportContext &context) {
  if (!context.mayCallFunctions() || !context.isOfRun(context.input(0)))
    return importKnownIf(context);
  FailureOr<Value> condition =
      scalarOf(context, context.input(0), "input 'cond'", 1);
  if (failed(condition))
    return failure();
  auto then = branchOf(context, "then_branch");
  auto otherwise = failed(then) ? then : branchOf(context, "else_branch");
  if (failed(then) || failed(otherwise))
    return failure();
  for (auto [index, types] :
       llvm::enumerate(llvm::zip(then->results, otherwise->results)))
    if (auto [one, other] = types; one != other)
      return context.leaveToHost("output " + Twine(index) + " is " +
                                 typeText(one) + " in one branch and " +
                                 typeText(other) + " in the other");
  auto node = IfOp::create(context.builder(), context.location(), then->results,
                           *condition, then->captured, otherwise->captured,
                           then->name, otherwise->name);
  for (auto [index, value] : llvm::enumerate(node.getValues()))
    context.setOutput(unsigned(index), value);
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Checks that the values which the body carries keep their types.
static LogicalResult checkCarried(ImportContext &context,
                                  const ImportedLoop &parts,
                                  ArrayRef<Value> carried) {
  for (auto [index, values] :
       llvm::enumerate(llvm::zip(parts.initial, carried)))
    if (auto [from, to] = values; from.getType() != to.getType())
      return context.leaveToHost(
          "carried value " + Twine(index) + " is " + typeText(from.getType()) +
          ", but the body gives " + typeText(to.getType()));
  return success();
}

/// Makes the node; returns its results.
static FailureOr<LoopOp> makeLoop(ImportContext &context,
                                  const ImportedLoop &parts) {
  OpBuilder &builder = context.builder();
  SmallVector<Type> results;
  auto given = ArrayRef(parts.body.results).drop_front(parts.givesGoing);
  llvm::append_range(results, given.take_front(parts.initial.size()));
  for (Type slice : given.drop_front(parts.initial.size()))
    results.push_back(
        stackTypeOf(llvm::cast<RankedTensorType>(slice), *parts.count));
  results.push_back(RankedTensorType::get({}, builder.getI64Type()));
  const bool hasBackwards =
      llvm::any_of(parts.backwards, [](int64_t one) { return one != 0; });
  return LoopOp::create(
      builder, context.location(), results, parts.trips, parts.condition,
      parts.initial, parts.sliced, parts.body.captured, parts.body.name,
      parts.count ? attributeOf(builder.getContext(), Sizes{*parts.count})
                  : Attribute(),
      parts.isChecked ? builder.getUnitAttr() : UnitAttr(),
      hasBackwards ? builder.getDenseI64ArrayAttr(parts.backwards)
                   : DenseI64ArrayAttr());
}

//===----------------------------------------------------------------------===//
// Loop
//===----------------------------------------------------------------------===//

/// Reads the trip count and the condition. A constant condition that is true is
/// none.
static LogicalResult readControl(ImportContext &context, ImportedLoop &parts) {
  if (Value trips = context.input(0)) {
    FailureOr<Value> scalar = scalarOf(context, trips, "input 'M'", 64);
    if (failed(scalar))
      return failure();
    if (context.isOfRun(*scalar)) {
      parts.trips = *scalar;
    } else {
      FailureOr<Sizes> count = context.constantSizes(*scalar, "M");
      if (failed(count))
        return failure();
      parts.count = count->front();
      if (count->front().isFixed())
        parts.count = std::max<int64_t>(count->front().extent(), 0);
    }
  }
  if (Value condition = context.input(1)) {
    FailureOr<Value> scalar = scalarOf(context, condition, "input 'cond'", 1);
    if (failed(scalar))
      return failure();
    if (constantOf(context, *scalar).value_or(0) == 0)
      parts.condition = *scalar;
  }
  return success();
}

/// Bounds a loop by `--max-iterations`.
static void limitTrips(ImportContext &context, ImportedLoop &parts) {
  const int64_t limit = context.maxIterations();
  if (!limit || (parts.count &&
                 (!parts.count->isFixed() || parts.count->extent() <= limit)))
    return;
  parts.count = limit;
  parts.isChecked = true;
}

static LogicalResult importLoopBody(ImportContext &context,
                                    ImportedLoop &parts) {
  OpBuilder &builder = context.builder();
  auto i64 = RankedTensorType::get({}, builder.getI64Type());
  auto truth = RankedTensorType::get({}, builder.getI1Type());
  SmallVector<Type> types = {i64};
  llvm::append_range(types, ValueRange(parts.initial).getTypes());
  auto prepare = [&](ValueRange parameters) {
    // A trip is done only if the condition is true.
    Values inputs = {
        parameters.front(),
        context.constant(DenseElementsAttr::get(truth, true), "true")};
    llvm::append_range(inputs,
                       carriedIn(context, parts, parameters.drop_front()));
    return inputs;
  };
  auto choose = [&](llvm::SmallVectorImpl<Value> &results) -> LogicalResult {
    if (results.size() != 1 + parts.carried() + parts.stacked)
      return context.fail(
          "the body has " + Twine(results.size()) + " outputs, but " +
          Twine(1 + parts.carried() + parts.stacked) + " are wanted");
    FailureOr<Value> going =
        scalarOf(context, results.front(), "the condition of the body", 1);
    if (failed(going))
      return failure();
    if (constantOf(context, *going).value_or(0) == 0) {
      parts.givesGoing = true;
      results.front() = *going;
    } else {
      results.erase(results.begin());
    }
    if (failed(stackElements(context, parts, results)))
      return failure();
    return checkCarried(context, parts,
                        ArrayRef(results).drop_front(parts.givesGoing));
  };
  auto body = context.outlineGraph("body", types, prepare, choose);
  if (failed(body))
    return failure();
  parts.body = std::move(*body);
  return success();
}

static LogicalResult importLoop(ImportContext &context) {
  ImportedLoop parts;
  const Values carried = context.inputsFrom(2);
  if (carried.size() > context.outputs())
    return context.fail("it carries " + Twine(carried.size()) +
                        " values, but lists " + Twine(context.outputs()) +
                        " outputs");
  parts.stacked = context.outputs() - carried.size();
  if (llvm::is_contained(carried, Value()))
    return context.leaveToHost("a carried value is absent");
  addCarried(parts, carried);
  if (parts.stacked && !context.maxIterations() &&
      (!context.input(0) || context.isOfRun(context.input(0))))
    return context.leaveToHost("nothing bounds the number of its slices, as "
                               "--max-iterations would");
  if (!context.mayCallFunctions())
    return context.leaveToHost();
  if (failed(readControl(context, parts)))
    return failure();
  limitTrips(context, parts);
  const bool isKnown =
      parts.count && parts.count->isFixed() && !parts.trips && !parts.condition;
  if (!parts.sequences.empty() && !isKnown)
    return context.leaveToHost("a run gives the number of tensors in a "
                               "sequence that it carries");
  const size_t tensors = parts.initial.size(), slices = parts.stacked;
  if (failed(importLoopBody(context, parts)))
    return failure();
  parts.backwards.assign(parts.stacked, 0);
  if (!parts.count && !parts.mayEndEarly())
    return context.fail("it never ends: it has no trip count, and its "
                        "condition is always true");
  if (!parts.sequences.empty() && parts.givesGoing)
    return context.leaveToHost("a run gives the number of tensors in a "
                               "sequence that it carries");
  FailureOr<LoopOp> loop = makeLoop(context, parts);
  if (failed(loop))
    return failure();
  ValueRange given = loop->getValues().drop_back();
  for (size_t place = 0, next = 0; place < parts.carried(); ++place) {
    ImportedLoop::Sequence *sequence = parts.sequenceAt(place);
    if (!sequence)
      context.setOutput(unsigned(place), given[next++]);
    else if (failed(setAppended(context, *sequence, given.drop_front(tensors),
                                parts.count->extent())))
      return failure();
  }
  for (size_t slice = 0; slice < slices; ++slice) {
    Value value = given[tensors + slice];
    if (parts.mayEndEarly()) {
      FailureOr<Size> length =
          context.computedLength(loop->getValues().back(), *parts.count);
      if (failed(length))
        return failure();
      value = createPrefix(context.builder(), context.location(), value,
                           loop->getValues().back(), Sizes{*length});
      if (!value)
        return failure();
    }
    context.setOutput(unsigned(parts.carried() + slice), value);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Scan
//===----------------------------------------------------------------------===//

/// The list in an attribute, with `size` numbers; zeros if it is absent.
static FailureOr<Ints> listOf(ImportContext &context, StringRef name,
                              size_t size) {
  Ints list = context.intsAttribute(name, Ints(size, 0));
  if (list.size() == size)
    return list;
  return context.fail(name + " has " + Twine(list.size()) +
                      " numbers, but there are " + Twine(size));
}

/// Appends directions: 1 for a tensor that begins at its end.
static LogicalResult readDirections(ImportContext &context, StringRef name,
                                    size_t size, ImportedLoop &parts) {
  FailureOr<Ints> list = listOf(context, name, size);
  if (failed(list))
    return failure();
  for (int64_t one : *list)
    if (one != 0 && one != 1)
      return context.fail(name + " has " + Twine(one) +
                          ", it should be 0 or 1");
  llvm::append_range(parts.backwards, *list);
  return success();
}

/// The order of axes that puts `axis` first, or its inverse.
static Ints orderOf(int64_t rank, int64_t axis, bool isInverse) {
  Ints order(static_cast<size_t>(rank));
  for (int64_t i = 0; i < rank; ++i) {
    const int64_t from = i == 0 ? axis : i <= axis ? i - 1 : i;
    order[size_t(isInverse ? from : i)] = isInverse ? i : from;
  }
  return order;
}

/// A tensor with `axis` as its first one, or with the first one as `axis`.
static FailureOr<Value> moveAxis(ImportContext &context, Value value,
                                 int64_t axis, bool isInverse) {
  const int64_t rank = rankOf(value);
  const int64_t positive = axis < 0 ? axis + rank : axis;
  if (positive < 0 || positive >= rank)
    return context.fail("axis " + Twine(axis) + " is none of " +
                        typeText(value.getType()));
  if (positive == 0)
    return value;
  return Value(createTranspose(context.builder(), context.location(), value,
                               orderOf(rank, positive, isInverse)));
}

static LogicalResult readSliced(ImportContext &context, ImportedLoop &parts) {
  const int64_t count = context.intAttribute("num_scan_inputs", 0);
  Values inputs = context.inputsFrom(0);
  if (count < 1 || count > int64_t(inputs.size()))
    return context.fail("it cannot have " + Twine(count) +
                        " scan inputs among its inputs");
  const size_t states = inputs.size() - size_t(count);
  if (llvm::is_contained(inputs, Value()))
    return context.leaveToHost("an input is absent");
  parts.initial.assign(inputs.begin(), inputs.begin() + long(states));
  FailureOr<Ints> axes = listOf(context, "scan_input_axes", size_t(count));
  if (failed(axes))
    return failure();
  for (auto [index, input] :
       llvm::enumerate(ArrayRef(inputs).drop_front(states))) {
    if (rankOf(input) == 0)
      return context.fail("scan input " + Twine(index) + " has no axis");
    FailureOr<Value> moved = moveAxis(context, input, (*axes)[index], false);
    if (failed(moved) || !*moved)
      return failure();
    const Size size = shapeOf(*moved).front();
    if (parts.count && size != *parts.count)
      return context.fail(
          "scan input " + Twine(index) + " has " + Twine(size.extent()) +
          " slices, but scan input 0 has " + Twine(parts.count->extent()));
    parts.count = size;
    parts.sliced.push_back(*moved);
  }
  return success();
}

static LogicalResult importScanBody(ImportContext &context,
                                    ImportedLoop &parts) {
  OpBuilder &builder = context.builder();
  SmallVector<Type> types = {RankedTensorType::get({}, builder.getI64Type())};
  llvm::append_range(types, ValueRange(parts.initial).getTypes());
  for (Value sliced : parts.sliced)
    types.push_back(
        sliceTypeOf(llvm::cast<RankedTensorType>(sliced.getType())));
  auto body = context.outlineGraph(
      "body", types,
      [](ValueRange parameters) {
        return Values(parameters.drop_front()); // not the number of the trip
      },
      [&](llvm::SmallVectorImpl<Value> &results) -> LogicalResult {
        if (results.size() != context.outputs())
          return context.fail("the body has " + Twine(results.size()) +
                              " outputs, but " + Twine(context.outputs()) +
                              " are wanted");
        return checkCarried(context, parts, results);
      });
  if (failed(body))
    return failure();
  parts.body = std::move(*body);
  return success();
}

static LogicalResult importScan(ImportContext &context) {
  ImportedLoop parts;
  if (!context.mayCallFunctions())
    return context.leaveToHost();
  if (failed(readSliced(context, parts)))
    return failure();
  if (parts.initial.size() > context.outputs())
    return context.fail("it carries " + Twine(parts.initial.size()) +
                        " values, but lists " + Twine(context.outputs()) +
                        " outputs");
  parts.stacked = context.outputs() - parts.initial.size();
  FailureOr<Ints> axes = listOf(context, "scan_output_axes", parts.stacked);
  if (failed(axes) ||
      failed(readDirections(context, "scan_input_directions",
                            parts.sliced.size(), parts)) ||
      failed(readDirections(context, "scan_output_directions", parts.stacked,
                            parts)) ||
      failed(importScanBody(context, parts)))
    return failure();
  FailureOr<LoopOp> loop = makeLoop(context, parts);
  if (failed(loop))
    return failure();
  for (auto [index, value] : llvm::enumerate(loop->getValues().drop_back())) {
    FailureOr<Value> moved = Value(value);
    if (index >= parts.initial.size())
      moved =
          moveAxis(context, value, (*axes)[index - parts.initial.size()], true);
    if (failed(moved) || !*moved)
      return failure();
    context.setOutput(unsigned(index), *moved);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

std::span<const ImportEntry> glow::controlFlowImports() {
  static constexpr const char *inputsOfIf[] = {"cond"};
  static constexpr const char *branches[] = {"then_branch", "else_branch"};
  static constexpr const char *inputsOfLoop[] = {"M?", "cond?", "v_initial..."};
  static constexpr const char *bodies[] = {"body"};
  static constexpr const char *inputsOfScan[] = {
      "initial_state_and_scan_inputs..."};
  static constexpr const char *attributesOfScan[] = {"body",
                                                     "num_scan_inputs",
                                                     "scan_input_axes",
                                                     "scan_input_directions",
                                                     "scan_output_axes",
                                                     "scan_output_directions"};
  static const std::vector<ImportEntry> entries = [] {
    std::vector<ImportEntry> rows = {
        {"ai.onnx", "If", 1, importIf, inputsOfIf, branches, 1, 1, anyNumber},
        {"ai.onnx", "Loop", 1, importLoop, inputsOfLoop, bodies, 0, anyNumber,
         anyNumber},
        {"ai.onnx", "Scan", 9, importScan, inputsOfScan, attributesOfScan, 1,
         anyNumber, anyNumber}};
    rows[1].takesSequences = true;
    return rows;
  }();
  return entries;
}
