//===- SimplifyControlFlow.cpp - branches and loops with less work --------===//
// SPDX-License-Identifier: MIT

#include "HoistProducts.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Storage.h"
#include "glow/Graph/Verify.h"
#include "glow/Optimizer/Passes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_SIMPLIFYCONTROLFLOW
#include "glow/Optimizer/Passes.h.inc"

namespace {

/// More nodes would take longer to compile than they save.
constexpr int64_t mostUnrolledNodes = 16;

/// Replaces branches whose condition is known and short loops by their nodes.
/// Moves nodes out of loops whose operands do not change, and into the only
/// branch that needs them.
///
/// Pinned after constant folding, which finds conditions and counts, and before
/// the rewrites, which see the nodes of inlined functions. Ends because each
/// change removes a call, a parameter, or a node from a loop or from in front
/// of a branch.
struct SimplifyControlFlow
    : impl::SimplifyControlFlowBase<SimplifyControlFlow> {
  using SimplifyControlFlowBase::SimplifyControlFlowBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (llvm::none_of(module.getOps<FuncOp>(),
                      [](FuncOp one) { return one.isCalled(); }))
      return markAllAnalysesPreserved();
    SymbolTable table(module);
    symbols = &table;
    for (bool isChanged = true; isChanged;) {
      isChanged = false;
      for (FuncOp function : module.getOps<FuncOp>())
        for (Operation &op : llvm::make_early_inc_range(function.block()))
          isChanged |= simplify(&op);
    }
    eraseUncalled(module);
  }

private:
  bool simplify(Operation *op) {
    if (auto branch = dyn_cast<IfOp>(op))
      return inlineKnown(branch) || sink(branch);
    if (auto loop = dyn_cast<LoopOp>(op))
      return unroll(loop) || keepUnchanged(loop) || dropUnused(loop) ||
             hoist(loop) || hoistProducts(loop);
    return false;
  }

  /// The function, if nothing else calls it; changes would change other calls.
  FuncOp onlyCalledHere(FlatSymbolRefAttr name) {
    unsigned calls = 0;
    getOperation().walk([&](Operation *op) {
      calls += unsigned(llvm::count(namesCalledBy(op), name));
    });
    return calls == 1 ? symbols->lookup<FuncOp>(name.getValue()) : FuncOp();
  }

  bool inlineKnown(IfOp branch) {
    ElementsAttr known = constantValue(branch.getCondition(), *symbols);
    if (!known || !isKnown(known))
      return false;
    const bool isTrue = bytesOf(known).bytes[0] != 0;
    auto function = symbols->lookup<FuncOp>(isTrue ? branch.getThen()
                                                   : branch.getOtherwise());
    OpBuilder builder(branch);
    branch.replaceAllUsesWith(inlineCall(
        builder, function, isTrue ? branch.getCaptured() : branch.getOthers()));
    branch.erase();
    return true;
  }

  bool sink(IfOp branch);
  bool sinkInto(IfOp branch, FlatSymbolRefAttr name, MutableOperandRange range);
  bool unroll(LoopOp loop);
  bool keepUnchanged(LoopOp loop);
  bool dropUnused(LoopOp loop);
  bool hoist(LoopOp loop);
  bool hoistProducts(LoopOp loop);
  bool mayHoist(Operation &node, const llvm::DenseMap<Value, Value> &outside);

  SymbolTable *symbols = nullptr;
};

} // namespace

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// A node without effects, of which copies and moves change nothing.
static bool isMovable(Operation *op) {
  return op && findNode(op->getName().getStringRef()) && isPure(op) &&
         !op->hasAttr(GlowDialect::predicate);
}

/// Moves the node of one captured value into a branch that alone needs it.
bool SimplifyControlFlow::sinkInto(IfOp branch, FlatSymbolRefAttr name,
                                   MutableOperandRange range) {
  FuncOp function = onlyCalledHere(name);
  if (!function)
    return false;
  for (auto [index, operand] : llvm::enumerate(range)) {
    Operation *node = operand.get().getDefiningOp();
    if (!isMovable(node) || node->getNumResults() != 1 ||
        !node->getResult(0).hasOneUse())
      continue;
    CalledBody body(function, *symbols);
    SmallVector<Value> inside, captured;
    for (Value value : node->getOperands()) {
      if (constantValue(value, *symbols)) {
        OpBuilder builder(&function.block(), function.block().begin());
        inside.push_back(builder.clone(*value.getDefiningOp())->getResult(0));
        continue;
      }
      inside.push_back(body.addParameter("value", value.getType()));
      captured.push_back(value);
    }
    // Reads come first, so that the node may follow them.
    auto place = llvm::find_if(function.block(),
                               [](Operation &op) { return !isa<ReadOp>(op); });
    node->moveBefore(&function.block(), place);
    Value old = operand.get();
    for (ReadOp read : body.reads[index]) {
      read.replaceAllUsesWith(old);
      read.erase();
    }
    node->setOperands(inside);
    body.reads[index].clear();
    body.eraseParameter(index);
    range.append(captured);
    range.erase(unsigned(index));
    return true;
  }
  return false;
}

bool SimplifyControlFlow::sink(IfOp branch) {
  if (branch.getThenAttr() == branch.getOtherwiseAttr())
    return false;
  return sinkInto(branch, branch.getThenAttr(), branch.getCapturedMutable()) ||
         sinkInto(branch, branch.getOtherwiseAttr(), branch.getOthersMutable());
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The number of trips, if it is known before a run.
static std::optional<int64_t> knownTrips(LoopOp loop) {
  auto count = dyn_cast_or_null<DenseI64ArrayAttr>(loop.getCountAttr());
  if (!count || loop.getTrips() || loop.getCondition() || loop.getChecked())
    return std::nullopt;
  return count[0];
}

static int64_t nodesOf(FuncOp function) {
  return llvm::count_if(function.block(),
                        [](Operation &op) { return !isa<ReadOp, SaveOp>(op); });
}

/// A number as a constant of the module.
static Value numberOf(OpBuilder &builder, SymbolTable &symbols,
                      Location location, int64_t number) {
  auto type = RankedTensorType::get({}, builder.getI64Type());
  auto constant =
      ConstantOp::create(builder, location, builder.getStringAttr("number"),
                         DenseElementsAttr::get(type, number));
  constant->remove();
  return ReadOp::create(builder, location, type,
                        FlatSymbolRefAttr::get(symbols.insert(constant)));
}

/// The slice `index` along axis 0, without that axis.
static Value sliceOf(OpBuilder &builder, Location location, Value value,
                     int64_t index) {
  const Sizes shape = shapeOf(value);
  Sizes starts(shape.size(), 0), steps(shape.size(), 1), sizes = shape;
  starts[0] = index, sizes[0] = 1;
  Value slice =
      createSlice(builder, location, value, starts, steps, sizes).getResult();
  return createReshape(builder, location, slice,
                       Sizes(shape.begin() + 1, shape.end()));
}

bool SimplifyControlFlow::unroll(LoopOp loop) {
  std::optional<int64_t> trips = knownTrips(loop);
  auto function = symbols->lookup<FuncOp>(loop.getBody());
  if (!trips || *trips < 1 ||
      (*trips > 1 && *trips * nodesOf(function) > mostUnrolledNodes))
    return false;
  const size_t carried = loop.carriedCount(), stacked = loop.stackedCount();
  const size_t going = loop.givesGoing(function);
  if (going && *trips > 1)
    return false;
  OpBuilder builder(loop);
  const Location location = loop.getLoc();
  SmallVector<Value> values(loop.getInitial());
  std::vector<SmallVector<Value>> slices(stacked);
  auto placeOf = [&](size_t index, int64_t trip) {
    return loop.isBackwards(index) ? *trips - 1 - trip : trip;
  };
  for (int64_t trip = 0; trip < *trips; ++trip) {
    SmallVector<Value> arguments = {
        numberOf(builder, *symbols, location, trip)};
    llvm::append_range(arguments, values);
    for (auto [index, value] : llvm::enumerate(loop.getSliced()))
      arguments.push_back(
          sliceOf(builder, location, value, placeOf(index, trip)));
    llvm::append_range(arguments, loop.getCaptured());
    SmallVector<Value> results = inlineCall(builder, function, arguments);
    values.assign(results.begin() + long(going),
                  results.begin() + long(going + carried));
    for (size_t i = 0; i < stacked; ++i) {
      Value slice = results[going + carried + i];
      Sizes shape = shapeOf(slice);
      shape.insert(shape.begin(), 1);
      slices[i].push_back(createReshape(builder, location, slice, shape));
    }
  }
  for (size_t i = 0; i < stacked; ++i) {
    if (loop.isBackwards(loop.getSliced().size() + i))
      std::reverse(slices[i].begin(), slices[i].end());
    values.push_back(
        slices[i].size() == 1
            ? slices[i].front()
            : Value(createConcat(builder, location, slices[i], int64_t(0))));
  }
  values.push_back(numberOf(builder, *symbols, location, *trips));
  loop.replaceAllUsesWith(values);
  loop.erase();
  return true;
}

/// Makes a carried value that no trip changes a captured one.
bool SimplifyControlFlow::keepUnchanged(LoopOp loop) {
  FuncOp function = onlyCalledHere(loop.getBodyAttr());
  if (!function)
    return false;
  CalledBody body(function, *symbols);
  const size_t going = loop.givesGoing(function);
  for (size_t i = 0; i < loop.carriedCount(); ++i) {
    auto read = body.saves[going + i].getIn().getDefiningOp<ReadOp>();
    if (!read || read.getStorageAttr() != function.getTakesAttr()[1 + i])
      continue;
    body.eraseResult(going + i);
    body.moveParameterToEnd(1 + i);
    LoopParts parts(loop);
    parts.results.erase(parts.results.begin() + long(i));
    parts.captured.push_back(parts.initial[i]);
    parts.initial.erase(parts.initial.begin() + long(i));
    LoopOp smaller = rebuilt(loop, parts);
    SmallVector<Value> values(smaller.getValues());
    values.insert(values.begin() + long(i), parts.captured.back());
    loop.replaceAllUsesWith(values);
    loop.erase();
    return true;
  }
  return false;
}

/// Removes a stacked tensor or a captured value that nothing reads.
bool SimplifyControlFlow::dropUnused(LoopOp loop) {
  FuncOp function = onlyCalledHere(loop.getBodyAttr());
  if (!function)
    return false;
  CalledBody body(function, *symbols);
  const size_t carried = loop.carriedCount(), sliced = loop.getSliced().size();
  for (auto [index, reads] : llvm::enumerate(body.reads)) {
    const bool isRead =
        llvm::any_of(reads, [](ReadOp read) { return !read->use_empty(); });
    if (index <= carried + sliced || isRead)
      continue;
    for (ReadOp read : reads)
      read.erase();
    body.eraseParameter(index);
    loop.getCapturedMutable().erase(unsigned(index - 1 - carried - sliced));
    return true;
  }
  const size_t going = loop.givesGoing(function);
  for (size_t i = 0; i < loop.stackedCount(); ++i) {
    if (!loop.getResult(unsigned(carried + i)).use_empty())
      continue;
    body.eraseResult(going + carried + i);
    LoopParts parts(loop);
    parts.results.erase(parts.results.begin() + long(carried + i));
    parts.backwards.erase(parts.backwards.begin() + long(sliced + i));
    LoopOp smaller = rebuilt(loop, parts);
    for (size_t old = 0, now = 0; old < loop.getNumResults(); ++old)
      if (old != carried + i)
        loop.getResult(unsigned(old))
            .replaceAllUsesWith(smaller.getResult(unsigned(now++)));
    loop.erase();
    return true;
  }
  return false;
}

static uint64_t bytesOfType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return uint64_t(tensor.getNumElements()) *
         byteSize(*kindOf(tensor.getElementType()));
}

/// Whether a node in a loop gives the same in each trip, and no more bytes than
/// it reads: nodes that only repeat elements would fill memory.
bool SimplifyControlFlow::mayHoist(
    Operation &node, const llvm::DenseMap<Value, Value> &outside) {
  if (!isMovable(&node))
    return false;
  bool changes = false;
  uint64_t read = 0, given = 0;
  for (Value value : node.getOperands()) {
    read += bytesOfType(value.getType());
    if (constantValue(value, *symbols))
      continue;
    if (!outside.contains(value))
      return false;
    changes = true;
  }
  for (Type type : node.getResultTypes())
    given += bytesOfType(type);
  return changes && given <= read; // constant folding computes the others
}

bool SimplifyControlFlow::hoist(LoopOp loop) {
  FuncOp function = onlyCalledHere(loop.getBodyAttr());
  if (!function)
    return false;
  CalledBody body(function, *symbols);
  const size_t first = 1 + loop.carriedCount() + loop.getSliced().size();
  llvm::DenseMap<Value, Value> outside;
  for (size_t i = first; i < body.reads.size(); ++i)
    for (ReadOp read : body.reads[i])
      outside[read] = loop.getCaptured()[i - first];
  for (Operation &node : function.block()) {
    if (!mayHoist(node, outside))
      continue;
    OpBuilder builder(loop);
    SmallVector<Value> operands;
    for (Value value : node.getOperands())
      operands.push_back(
          constantValue(value, *symbols)
              ? builder.clone(*value.getDefiningOp())->getResult(0)
              : outside.lookup(value));
    node.moveBefore(loop);
    node.setOperands(operands);
    for (Value result : node.getResults()) {
      Value parameter = body.addParameter("value", result.getType());
      result.replaceUsesWithIf(parameter, [&](OpOperand &use) {
        return use.getOwner()->getBlock() == &function.block();
      });
      loop.getCapturedMutable().append(result);
    }
    return true;
  }
  return false;
}

bool SimplifyControlFlow::hoistProducts(LoopOp loop) {
  FuncOp function = onlyCalledHere(loop.getBodyAttr());
  if (!function || !loop.getCount() || loop.mayEndEarly(function))
    return false;
  CalledBody body(function, *symbols);
  return hoistProduct(loop, body, *symbols);
}

} // namespace glow
