//===- ControlFlow.cpp - nodes that call functions ------------------------===//
// SPDX-License-Identifier: MIT
//
// A function may come from a file, so that its parameters and results are
// checked against each node that calls it, and so is the absence of recursion:
// every later phase visits called functions without a limit.
//
//===----------------------------------------------------------------------===//

#include "glow/Graph/ControlFlow.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/Shape.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace glow;

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

bool glow::isControlFlow(Operation *op) { return isa<IfOp, LoopOp>(op); }

SmallVector<FlatSymbolRefAttr> glow::namesCalledBy(Operation *op) {
  if (auto branch = dyn_cast<IfOp>(op))
    return {branch.getThenAttr(), branch.getOtherwiseAttr()};
  if (auto loop = dyn_cast<LoopOp>(op))
    return {loop.getBodyAttr()};
  return {};
}

SmallVector<FuncOp> glow::calledBy(Operation *op, const SymbolTable &symbols) {
  return llvm::map_to_vector(namesCalledBy(op), [&](FlatSymbolRefAttr name) {
    return symbols.lookup<FuncOp>(name.getValue());
  });
}

SmallVector<FuncOp> glow::entriesOf(ModuleOp module) {
  SmallVector<FuncOp> entries;
  for (auto function : module.getOps<FuncOp>())
    if (!function.isCalled())
      entries.push_back(function);
  return entries;
}

static void addCalled(Operation *op, const SymbolTable &symbols,
                      llvm::SmallSetVector<FuncOp, 4> &needed) {
  for (FuncOp callee : calledBy(op, symbols))
    needed.insert(callee);
}

/// Adds the functions that those found need.
static SmallVector<FuncOp> closed(llvm::SmallSetVector<FuncOp, 4> needed,
                                  const SymbolTable &symbols) {
  for (size_t i = 0; i < needed.size(); ++i)
    for (Operation &op : FuncOp(needed[i]).block())
      addCalled(&op, symbols, needed);
  return needed.takeVector();
}

SmallVector<FuncOp> glow::neededBy(FuncOp function,
                                   const SymbolTable &symbols) {
  llvm::SmallSetVector<FuncOp, 4> needed;
  for (Operation &op : function.block())
    addCalled(&op, symbols, needed);
  return closed(std::move(needed), symbols);
}

SmallVector<FuncOp> glow::neededBy(Operation *op, const SymbolTable &symbols) {
  llvm::SmallSetVector<FuncOp, 4> needed;
  addCalled(op, symbols, needed);
  return closed(std::move(needed), symbols);
}

void glow::eraseUncalled(ModuleOp module) {
  SymbolTable symbols(module);
  llvm::DenseSet<Operation *> needed;
  for (FuncOp entry : entriesOf(module))
    for (FuncOp function : neededBy(entry, symbols))
      needed.insert(function);
  for (FuncOp function : llvm::make_early_inc_range(module.getOps<FuncOp>()))
    if (function.isCalled() && !needed.contains(function)) {
      SmallVector<Attribute> ports(function.getTakesAttr().getValue());
      llvm::append_range(ports, function.getGivesAttr());
      symbols.erase(function);
      for (Attribute name : ports)
        erasePort(name, symbols);
    }
}

void glow::erasePort(Attribute name, SymbolTable &symbols) {
  PlaceholderOp port = portOf(name, symbols);
  auto module = cast<ModuleOp>(symbols.getOp());
  if (port && llvm::none_of(module.getOps<FuncOp>(), [&](FuncOp function) {
        return function.isCalled() &&
               (llvm::is_contained(function.getTakesAttr(), name) ||
                llvm::is_contained(function.getGivesAttr(), name));
      }))
    symbols.erase(port);
}

PlaceholderOp glow::portOf(Attribute name, const SymbolTable &symbols) {
  return symbols.lookup<PlaceholderOp>(
      cast<FlatSymbolRefAttr>(name).getValue());
}

//===----------------------------------------------------------------------===//
// Values through calls
//===----------------------------------------------------------------------===//

/// Appends the reads of a storage in a function.
static void addReads(FuncOp function, Attribute storage,
                     SmallVectorImpl<Value> &values) {
  for (auto read : function.block().getOps<ReadOp>())
    if (read.getStorageAttr() == storage)
      values.push_back(read.getOut());
}

Callers glow::callersIn(ModuleOp module) {
  Callers callers;
  module->walk([&](Operation *op) {
    if (isControlFlow(op))
      for (FlatSymbolRefAttr name : namesCalledBy(op))
        callers[name.getAttr()].push_back(op);
  });
  return callers;
}

void glow::addParameters(OpOperand &operand, SmallVectorImpl<Value> &values,
                         const SymbolTable *symbols) {
  Operation *op = operand.getOwner();
  auto module = op->getParentOfType<ModuleOp>();
  size_t number = operand.getOperandNumber();
  FlatSymbolRefAttr name;
  if (auto branch = dyn_cast<IfOp>(op)) {
    if (number == 0)
      return;
    const size_t captured = branch.getCaptured().size();
    name =
        number <= captured ? branch.getThenAttr() : branch.getOtherwiseAttr();
    number -= number <= captured ? 1 : 1 + captured;
  } else if (auto loop = dyn_cast<LoopOp>(op)) {
    const size_t others = loop.firstCarried();
    if (number < others)
      return;
    name = loop.getBodyAttr();
    number += 1 - others; // the first parameter is the number of the trip
  }
  FuncOp function;
  if (name)
    function = symbols ? symbols->lookup<FuncOp>(name.getAttr())
                       : module.lookupSymbol<FuncOp>(name);
  if (function && function.isCalled() &&
      number < function.getTakesAttr().size())
    addReads(function, function.getTakesAttr()[number], values);
}

void glow::addResults(SaveOp save, SmallVectorImpl<Value> &values,
                      const Callers *callers) {
  auto function = save->getParentOfType<FuncOp>();
  if (!function || !function.isCalled())
    return;
  const auto *found =
      llvm::find(function.getGivesAttr(), save.getStorageAttr());
  if (found == function.getGivesAttr().end())
    return;
  const size_t index = size_t(found - function.getGivesAttr().begin());
  std::optional<Callers> own;
  if (!callers)
    callers = &own.emplace(callersIn(function->getParentOfType<ModuleOp>()));
  auto calls = callers->find(function.getSymNameAttr());
  if (calls == callers->end())
    return;
  for (Operation *op : calls->second) {
    auto loop = dyn_cast<LoopOp>(op);
    if (!loop) {
      values.push_back(op->getResult(index));
      continue;
    }
    const size_t going = loop.givesGoing(function);
    if (index < going)
      continue;
    values.push_back(op->getResult(index - going));
    if (index - going < loop.carriedCount())
      addReads(function, function.getTakesAttr()[1 + index - going], values);
  }
}

RankedTensorType glow::sliceTypeOf(RankedTensorType type) {
  Sizes sizes = sizesOf(type);
  sizes.erase(sizes.begin());
  return rankedTensorOf(sizes, type.getElementType());
}

RankedTensorType glow::stackTypeOf(RankedTensorType slice, const Size &count) {
  Sizes sizes = sizesOf(slice);
  sizes.insert(sizes.begin(), count);
  return rankedTensorOf(sizes, slice.getElementType());
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

namespace {

/// A function that a node calls, and the types of its parameters and results.
struct Callee {
  FuncOp function;
  SmallVector<Type> takes, gives;
};

} // namespace

/// Appends the types of ports; fails after a report.
static LogicalResult addTypes(Operation *op, FuncOp function, ArrayAttr ports,
                              SymbolTableCollection &tables,
                              SmallVectorImpl<Type> &types) {
  for (Attribute name : ports) {
    auto port = tables.lookupNearestSymbolFrom<PlaceholderOp>(
        function, cast<FlatSymbolRefAttr>(name));
    if (!port || port.getRole() != PlaceholderRole::Between)
      return op->emitOpError()
             << "calls @" << function.getSymName() << ", whose port " << name
             << " should be a placeholder between functions";
    types.push_back(port.getType());
  }
  return success();
}

/// Whether `from` calls `function`, directly or by others.
static bool reaches(FuncOp from, FuncOp function,
                    SymbolTableCollection &tables) {
  llvm::SmallSetVector<FuncOp, 8> seen;
  seen.insert(from);
  for (size_t i = 0; i < seen.size(); ++i) {
    FuncOp caller = seen[i];
    if (caller == function)
      return true;
    for (Operation &op : caller.block())
      for (FlatSymbolRefAttr name : namesCalledBy(&op))
        if (auto next = tables.lookupNearestSymbolFrom<FuncOp>(&op, name))
          seen.insert(next);
  }
  return false;
}

static FailureOr<Callee> calleeOf(Operation *op, FlatSymbolRefAttr name,
                                  SymbolTableCollection &tables) {
  Callee callee{tables.lookupNearestSymbolFrom<FuncOp>(op, name), {}, {}};
  if (!callee.function)
    return op->emitOpError() << "calls " << name << ", but the module has no "
                             << "function of this name";
  if (!callee.function.isCalled() || !callee.function.getGivesAttr())
    return op->emitOpError()
           << "calls " << name << ", which has no parameters and results";
  auto caller = op->getParentOfType<FuncOp>();
  if (caller && reaches(callee.function, caller, tables))
    return op->emitOpError() << "calls " << name << ", which calls @"
                             << caller.getSymName() << " in turn";
  if (failed(addTypes(op, callee.function, callee.function.getTakesAttr(),
                      tables, callee.takes)) ||
      failed(addTypes(op, callee.function, callee.function.getGivesAttr(),
                      tables, callee.gives)))
    return failure();
  return callee;
}

/// Compares types with those that a function has; `word` names them.
static LogicalResult checkTypes(Operation *op, FuncOp function, StringRef word,
                                TypeRange has, TypeRange given) {
  if (has.size() != given.size())
    return op->emitOpError()
           << "has " << given.size() << " " << word << " for @"
           << function.getSymName() << ", which has " << has.size();
  for (auto [index, types] : llvm::enumerate(llvm::zip(has, given)))
    if (auto [wanted, is] = types; wanted != is)
      return op->emitOpError()
             << "has " << word << " " << index << " of type " << is << " for @"
             << function.getSymName() << ", where it is of " << wanted;
  return success();
}

static LogicalResult checkScalar(Operation *op, StringRef name, Value value,
                                 unsigned width) {
  auto type =
      value ? cast<RankedTensorType>(value.getType()) : RankedTensorType();
  if (!type ||
      (type.getRank() == 0 && type.getElementType().isSignlessInteger(width)))
    return success();
  return op->emitOpError() << "has '" << name << "' of type " << type
                           << ", but it should be one "
                           << (width == 1 ? "bool" : "i64");
}

LogicalResult IfOp::verify() {
  return checkScalar(*this, "condition", getCondition(), 1);
}

LogicalResult IfOp::verifySymbolUses(SymbolTableCollection &tables) {
  auto check = [&](FlatSymbolRefAttr name, ValueRange captured) {
    FailureOr<Callee> callee = calleeOf(*this, name, tables);
    if (failed(callee))
      return failure();
    if (failed(checkTypes(*this, callee->function, "captured value",
                          callee->takes, captured.getTypes())))
      return failure();
    return checkTypes(*this, callee->function, "result", callee->gives,
                      getResultTypes());
  };
  return success(succeeded(check(getThenAttr(), getCaptured())) &&
                 succeeded(check(getOtherwiseAttr(), getOthers())));
}

/// The size in `count`; nothing without one.
static std::optional<Size> countOf(LoopOp loop) {
  if (Attribute count = loop.getCountAttr())
    if (Sizes sizes = sizesOf(count); sizes.size() == 1)
      return sizes.front();
  return std::nullopt;
}

LogicalResult LoopOp::verify() {
  if (failed(checkScalar(*this, "trips", getTrips(), 64)) ||
      failed(checkScalar(*this, "condition", getCondition(), 1)))
    return failure();
  if (getNumResults() <= getInitial().size())
    return emitOpError() << "has " << getNumResults() << " results, but "
                         << getInitial().size()
                         << " carried values and a number of trips";
  if (failed(checkScalar(*this, "number of trips", getValues().back(), 64)))
    return failure();
  if (getCount() &&
      (!isa<DenseI64ArrayAttr, LengthsAttr>(*getCount()) || !countOf(*this)))
    return emitOpError() << "has the count " << *getCount()
                         << ", but it should be a list of one size";
  const size_t slices = getSliced().size() + stackedCount();
  if (slices && !getCount())
    return emitOpError("has slices, but no count");
  if (getChecked() && !getCount())
    return emitOpError("is checked, but has no count");
  if (getBackwards() && getBackwards()->size() != slices)
    return emitOpError() << "has " << getBackwards()->size()
                         << " directions for " << slices
                         << " sliced and stacked tensors";
  for (Type type : getSliced().getTypes())
    if (auto tensor = cast<RankedTensorType>(type);
        tensor.getRank() == 0 || sizesOf(tensor).front() != *countOf(*this))
      return emitOpError() << "slices " << tensor << " along axis 0, which has "
                           << "another size than the count";
  return success();
}

LogicalResult LoopOp::verifySymbolUses(SymbolTableCollection &tables) {
  FailureOr<Callee> callee = calleeOf(*this, getBodyAttr(), tables);
  if (failed(callee))
    return failure();
  FuncOp function = callee->function;
  SmallVector<Type> takes = {
      RankedTensorType::get({}, IntegerType::get(getContext(), 64))};
  llvm::append_range(takes, getInitial().getTypes());
  for (Type type : getSliced().getTypes())
    takes.push_back(sliceTypeOf(cast<RankedTensorType>(type)));
  llvm::append_range(takes, getCaptured().getTypes());
  if (failed(checkTypes(*this, function, "parameter", callee->takes, takes)))
    return failure();
  SmallVector<Type> gives;
  if (givesGoing(function))
    gives.push_back(
        RankedTensorType::get({}, IntegerType::get(getContext(), 1)));
  llvm::append_range(gives, getInitial().getTypes());
  for (Value stacked :
       getValues().drop_front(carriedCount()).take_front(stackedCount())) {
    auto type = cast<RankedTensorType>(stacked.getType());
    if (type.getRank() == 0 || sizesOf(type).front() != *countOf(*this))
      return emitOpError() << "stacks " << type << " along axis 0, which has "
                           << "another size than the count";
    gives.push_back(sliceTypeOf(type));
  }
  return checkTypes(*this, function, "result", callee->gives, gives);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

void IfOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameResults(*this, setName);
}
void LoopOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameResults(*this, setName);
}

using Names = SmallVector<OpAsmParser::UnresolvedOperand>;

/// Reads `(%a, %b)`.
static ParseResult parseValues(OpAsmParser &parser, Names &names) {
  return parser.parseOperandList(names, OpAsmParser::Delimiter::Paren);
}

/// Reads the rest of a node: attributes, the types of all values, and results.
static ParseResult parseRest(OpAsmParser &parser, OperationState &state,
                             ArrayRef<const Names *> operands) {
  FunctionType type;
  llvm::SMLoc where = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type))
    return failure();
  Names all;
  SmallVector<int32_t> segments;
  for (const Names *names : operands) {
    llvm::append_range(all, *names);
    segments.push_back(int32_t(names->size()));
  }
  state.addAttribute("operandSegmentSizes",
                     parser.getBuilder().getDenseI32ArrayAttr(segments));
  state.addTypes(type.getResults());
  keepName(parser, state);
  return parser.resolveOperands(all, type.getInputs(), where, state.operands);
}

static void printValues(OpAsmPrinter &printer, StringRef before,
                        ValueRange values) {
  printer << before << "(";
  printer.printOperands(values);
  printer << ")";
}

static void printRest(OpAsmPrinter &printer, Operation *op) {
  printer.printOptionalAttrDict(llvm::to_vector(op->getDiscardableAttrs()));
  printer << " : ";
  printer.printFunctionalType(op);
}

static ParseResult parseFunction(OpAsmParser &parser, OperationState &state,
                                 StringRef attribute) {
  FlatSymbolRefAttr name;
  return parser.parseAttribute(name, attribute, state.attributes);
}

// glow.if %c then @f(%x) else @g(%y) : (...) -> tensor<4xf32>
ParseResult IfOp::parse(OpAsmParser &parser, OperationState &state) {
  Names condition(1), captured, others;
  if (parser.parseOperand(condition.front()) || parser.parseKeyword("then") ||
      parseFunction(parser, state, "then") || parseValues(parser, captured) ||
      parser.parseKeyword("else") ||
      parseFunction(parser, state, "otherwise") || parseValues(parser, others))
    return failure();
  return parseRest(parser, state, {&condition, &captured, &others});
}

void IfOp::print(OpAsmPrinter &printer) {
  printer << " " << getCondition() << " then ";
  printer.printSymbolName(getThen());
  printValues(printer, "", getCaptured());
  printer << " else ";
  printer.printSymbolName(getOtherwise());
  printValues(printer, "", getOthers());
  printRest(printer, *this);
}

/// Reads `KEYWORD %value`, or nothing.
static ParseResult parseOptional(OpAsmParser &parser, StringRef keyword,
                                 Names &names) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  return parser.parseOperand(names.emplace_back());
}

/// Reads `KEYWORD [1, 0]`, or nothing.
static ParseResult parseList(OpAsmParser &parser, OperationState &state,
                             StringRef keyword) {
  Attribute value;
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  if (parseValue(parser, AttributeForm::Ints, value))
    return failure();
  state.addAttribute(keyword, value);
  return success();
}

// glow.loop @f trips %n while %c carries(%x) slices(%xs) captures() count [8]
ParseResult LoopOp::parse(OpAsmParser &parser, OperationState &state) {
  Names trips, condition, initial, sliced, captured;
  if (parseFunction(parser, state, "body") ||
      parseOptional(parser, "trips", trips) ||
      parseOptional(parser, "while", condition) ||
      parser.parseKeyword("carries") || parseValues(parser, initial) ||
      parser.parseKeyword("slices") || parseValues(parser, sliced) ||
      parser.parseKeyword("captures") || parseValues(parser, captured) ||
      parseList(parser, state, "count"))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("checked")))
    state.addAttribute("checked", parser.getBuilder().getUnitAttr());
  if (parseList(parser, state, "backwards"))
    return failure();
  return parseRest(parser, state,
                   {&trips, &condition, &initial, &sliced, &captured});
}

void LoopOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printer.printSymbolName(getBody());
  if (Value trips = getTrips())
    printer << " trips " << trips;
  if (Value condition = getCondition())
    printer << " while " << condition;
  printValues(printer, " carries", getInitial());
  printValues(printer, " slices", getSliced());
  printValues(printer, " captures", getCaptured());
  if (Attribute count = getCountAttr()) {
    printer << " count ";
    printValue(printer, count);
  }
  if (getChecked())
    printer << " checked";
  if (Attribute backwards = getBackwardsAttr()) {
    printer << " backwards ";
    printValue(printer, backwards);
  }
  printRest(printer, *this);
}

#define GET_OP_CLASSES
#include "glow/Graph/ControlFlow.cpp.inc"
