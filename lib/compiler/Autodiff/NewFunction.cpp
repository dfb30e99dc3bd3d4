//===- NewFunction.cpp - a called function that is being built ------------===//
// SPDX-License-Identifier: MIT

#include "NewFunction.h"
#include "Ports.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/ControlFlow.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace mlir;

StringRef glow::wordOf(Attribute port, FuncOp function) {
  StringRef name = cast<FlatSymbolRefAttr>(port).getValue();
  if (name.consume_front(function.getSymName()))
    name.consume_front(".");
  return name.empty() ? "value" : name;
}

NewFunction::NewFunction(SymbolTable &symbols, FuncOp source, StringRef suffix)
    : builder(source.getContext()), symbols(symbols) {
  auto module = cast<ModuleOp>(symbols.getOp());
  builder.setInsertionPointToEnd(module.getBody());
  function = FuncOp::create(builder, source.getLoc(),
                            (source.getSymName() + suffix).str());
  function->remove();
  symbols.insert(function, module.getBody()->end());
  builder.setInsertionPointToEnd(&function.block());
}

FlatSymbolRefAttr NewFunction::addPort(StringRef name, Type type) {
  OpBuilder outside(function);
  auto port = PlaceholderOp::create(
      outside, function.getLoc(),
      builder.getStringAttr(function.getSymName() + "." + name), type,
      PlaceholderRole::Between);
  port->remove();
  auto symbol =
      FlatSymbolRefAttr::get(symbols.insert(port, function->getIterator()));
  ports.push_back(symbol);
  return symbol;
}

Parameter NewFunction::take(StringRef name, Type type, Value outside) {
  FlatSymbolRefAttr port = addPort(name, type);
  OpBuilder::InsertionGuard guard(builder);
  if (lastRead)
    builder.setInsertionPointAfter(lastRead);
  else
    builder.setInsertionPointToStart(&function.block());
  auto read = ReadOp::create(builder, function.getLoc(), type, port);
  lastRead = read;
  return {port, read, outside};
}

SmallVector<Parameter> NewFunction::takeAllOf(FuncOp source) {
  return llvm::map_to_vector(source.getTakesAttr(), [&](Attribute port) {
    return take(wordOf(port, source), portOf(port, symbols).getType());
  });
}

void NewFunction::give(StringRef name, Value value) {
  FlatSymbolRefAttr port = addPort(name, value.getType());
  SaveOp::create(builder, value.getLoc(), value, port);
  gives.push_back(port);
}

FailureOr<SmallVector<Value>>
NewFunction::differentiate(const BackwardPass &outer, Operation *call,
                           FuncOp source, ArrayRef<Parameter> parameters,
                           const BitVector &isSource,
                           ArrayRef<Value> ofResults) {
  SmallVector<Value> arguments = llvm::map_to_vector(
      parameters, [](const Parameter &one) { return one.inside; });
  SmallVector<Value> results = inlineCall(builder, source, arguments);
  SmallVector<Value> sources, ends, ofEnds;
  for (unsigned index : isSource.set_bits())
    sources.push_back(arguments[index]);
  for (auto [result, gradient] : llvm::zip_equal(results, ofResults))
    if (gradient) {
      ends.push_back(result);
      ofEnds.push_back(gradient);
    }
  BackwardPass pass(outer.module, outer, call);
  if (pass.findNodes(function.block(), sources, ends) &&
      failed(pass.run(builder, ofEnds)))
    return failure();
  SmallVector<Value> gradients(arguments.size());
  for (unsigned index : isSource.set_bits())
    gradients[index] = pass.sums.of(arguments[index]);
  return gradients;
}

void NewFunction::sweep() {
  // Users come after their operands, so one sweep from the end is enough.
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(function.block()))) {
    auto read = dyn_cast<ReadOp>(op);
    if (read && llvm::is_contained(ports, Attribute(read.getStorageAttr())))
      continue;
    if (op.use_empty() && isPure(&op))
      op.erase();
  }
}

void NewFunction::finish(ArrayRef<Parameter> parameters) {
  SmallVector<Attribute> takes = llvm::map_to_vector(
      parameters, [](const Parameter &one) -> Attribute { return one.port; });
  eraseUnused(function.block());
  function.setTakesAttr(builder.getArrayAttr(takes));
  function.setGivesAttr(builder.getArrayAttr(gives));
  for (Attribute port : ports)
    if (!llvm::is_contained(takes, port) && !llvm::is_contained(gives, port))
      symbols.erase(portOf(port, symbols));
}

void NewFunction::erase() {
  for (Attribute port : ports)
    symbols.erase(portOf(port, symbols));
  symbols.erase(function);
}
