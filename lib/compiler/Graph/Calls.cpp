//===- Calls.cpp - edits of calls and called functions --------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/ControlFlow.h"
#include "glow/Graph/Shape.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace glow;

CalledBody::CalledBody(FuncOp function, SymbolTable &symbols)
    : function(function), symbols(symbols) {
  llvm::DenseMap<Attribute, size_t> parameters, results;
  for (auto [index, name] : llvm::enumerate(function.getTakesAttr()))
    parameters[name] = index;
  for (auto [index, name] : llvm::enumerate(function.getGivesAttr()))
    results[name] = index;
  reads.resize(parameters.size());
  saves.resize(results.size());
  for (Operation &op : function.block())
    if (auto read = dyn_cast<ReadOp>(op)) {
      if (auto found = parameters.find(read.getStorageAttr());
          found != parameters.end())
        reads[found->second].push_back(read);
    } else if (auto save = dyn_cast<SaveOp>(op)) {
      if (auto found = results.find(save.getStorageAttr());
          found != results.end())
        saves[found->second] = save;
    }
}

Value CalledBody::addParameter(StringRef name, Type type,
                               std::optional<size_t> index) {
  OpBuilder builder(function);
  auto port = PlaceholderOp::create(
      builder, function.getLoc(),
      builder.getStringAttr(function.getSymName() + "." + name), type,
      PlaceholderRole::Between);
  port->remove();
  auto symbol = FlatSymbolRefAttr::get(symbols.insert(port));
  SmallVector<Attribute> takes(function.getTakesAttr().getValue());
  const size_t place = index.value_or(takes.size());
  takes.insert(takes.begin() + long(place), symbol);
  function.setTakesAttr(builder.getArrayAttr(takes));
  builder.setInsertionPointToStart(&function.block());
  auto read = ReadOp::create(builder, function.getLoc(), type, symbol);
  reads.insert(reads.begin() + long(place), {read});
  return read;
}

static ArrayAttr without(ArrayAttr list, size_t index) {
  SmallVector<Attribute> rest(list.getValue());
  rest.erase(rest.begin() + long(index));
  return ArrayAttr::get(list.getContext(), rest);
}

void CalledBody::eraseParameter(size_t index) {
  const Attribute name = function.getTakesAttr()[index];
  function.setTakesAttr(without(function.getTakesAttr(), index));
  reads.erase(reads.begin() + long(index));
  erasePort(name, symbols);
}

void CalledBody::eraseResult(size_t index) {
  const Attribute name = function.getGivesAttr()[index];
  function.setGivesAttr(without(function.getGivesAttr(), index));
  saves[index].erase();
  saves.erase(saves.begin() + long(index));
  erasePort(name, symbols);
}

void CalledBody::moveParameterToEnd(size_t index) {
  SmallVector<Attribute> takes(function.getTakesAttr().getValue());
  std::rotate(takes.begin() + long(index), takes.begin() + long(index) + 1,
              takes.end());
  std::rotate(reads.begin() + long(index), reads.begin() + long(index) + 1,
              reads.end());
  function.setTakesAttr(ArrayAttr::get(function.getContext(), takes));
}

SmallVector<Value> glow::inlineCall(OpBuilder &builder, FuncOp function,
                                    ValueRange arguments) {
  llvm::DenseMap<Attribute, Value> given;
  for (auto [name, value] : llvm::zip_equal(function.getTakesAttr(), arguments))
    given[name] = value;
  llvm::DenseMap<Attribute, Value> saved;
  IRMapping mapping;
  for (Operation &op : function.block()) {
    if (auto read = dyn_cast<ReadOp>(op))
      if (Value value = given.lookup(read.getStorageAttr())) {
        mapping.map(read.getOut(), value);
        continue;
      }
    if (auto save = dyn_cast<SaveOp>(op))
      saved[save.getStorageAttr()] = mapping.lookup(save.getIn());
    else
      builder.clone(op, mapping);
  }
  return llvm::map_to_vector(function.getGivesAttr(), [&](Attribute name) {
    return saved.lookup(name);
  });
}

SmallVector<int64_t> glow::backwardsOf(LoopOp loop) {
  if (loop.getBackwards())
    return SmallVector<int64_t>(*loop.getBackwards());
  return SmallVector<int64_t>(loop.getSliced().size() + loop.stackedCount());
}

LoopParts::LoopParts(LoopOp loop)
    : results(loop.getResultTypes()), initial(loop.getInitial()),
      sliced(loop.getSliced()), captured(loop.getCaptured()),
      backwards(backwardsOf(loop)) {}

LoopOp glow::rebuilt(LoopOp loop, const LoopParts &parts) {
  OpBuilder builder(loop);
  const bool hasBackwards =
      llvm::any_of(parts.backwards, [](int64_t one) { return one != 0; });
  return LoopOp::create(
      builder, loop.getLoc(), parts.results, loop.getTrips(),
      loop.getCondition(), parts.initial, parts.sliced, parts.captured,
      loop.getBodyAttr(), loop.getCountAttr(), loop.getCheckedAttr(),
      hasBackwards ? builder.getDenseI64ArrayAttr(parts.backwards)
                   : DenseI64ArrayAttr());
}

LogicalResult glow::limitTrips(ModuleOp module, int64_t most) {
  Builder builder(module.getContext());
  WalkResult result = module.walk([&](LoopOp loop) {
    if (Attribute count = loop.getCountAttr()) {
      const Size size = sizesOf(count).front();
      if (!size.isFixed() || size.extent() <= most)
        return WalkResult::advance();
      if (!loop.getSliced().empty() || loop.stackedCount() != 0) {
        loop.emitOpError() << "has slices of " << size.extent()
                           << " trips, but --max-iterations allows " << most;
        return WalkResult::interrupt();
      }
    }
    loop.setCountAttr(builder.getDenseI64ArrayAttr({most}));
    loop.setChecked(true);
    return WalkResult::advance();
  });
  return success(!result.wasInterrupted());
}

ElementsAttr glow::constantValue(Value value, const SymbolTable &symbols) {
  auto read = value ? value.getDefiningOp<ReadOp>() : ReadOp();
  auto constant =
      read ? symbols.lookup<ConstantOp>(read.getStorage()) : ConstantOp();
  return constant ? constant.getValue() : ElementsAttr();
}
