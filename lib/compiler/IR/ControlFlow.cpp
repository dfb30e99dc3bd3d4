//===- ControlFlow.cpp - instructions that call functions -----------------===//
// SPDX-License-Identifier: MIT
//
// Buffers of one operand may be of different types, so that no signature
// describes them. The parameters and results of the called function do.
//
//===----------------------------------------------------------------------===//

#include "glow/IR/ControlFlow.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/Shape.h"
#include "glow/IR/Access.h"

using namespace mlir;
using namespace glow;
using namespace glow::ir;

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

SmallVector<StringRef> glow::ir::calledBy(Operation *instr) {
  if (auto branch = dyn_cast<IfInstr>(instr))
    return {branch.getThen(), branch.getOtherwise()};
  if (auto loop = dyn_cast<LoopInstr>(instr))
    return {loop.getBody()};
  return {};
}

static unsigned countInstrs(ir::FuncOp function) {
  return unsigned(llvm::count_if(function.block(),
                                 [](Operation &op) { return isInstr(&op); }));
}

namespace {

class CallCollector {
public:
  explicit CallCollector(ir::FuncOp entry)
      : module(entry->getParentOfType<ModuleOp>()) {
    end = countInstrs(entry);
    all.push_back({entry, nullptr, 0, 0, end});
    callers.push_back(0);
  }

  FailureOr<std::vector<CalledFunction>> run() {
    for (size_t i = 0; i < all.size(); ++i) {
      unsigned step = all[i].first;
      for (Operation &op : all[i].function.block()) {
        if (!isInstr(&op))
          continue;
        for (StringRef name : calledBy(&op))
          if (failed(add(i, &op, step, name)))
            return failure();
        ++step;
      }
    }
    return std::move(all);
  }

private:
  LogicalResult add(size_t caller, Operation *call, unsigned step,
                    StringRef name) {
    auto function = module.lookupSymbol<ir::FuncOp>(name);
    if (!function || !function.getTakes() || !function.getGives())
      return call->emitOpError()
             << "calls @" << name << ", which is no function with parameters "
             << "and results";
    for (size_t i = caller;; i = callers[i]) {
      if (all[i].function == function)
        return call->emitOpError()
               << "calls @" << name << ", which calls it in turn";
      if (i == 0)
        break;
    }
    const unsigned count = countInstrs(function);
    all.push_back({function, call, step, end, count});
    callers.push_back(caller);
    end += count;
    return success();
  }

  ModuleOp module;
  std::vector<CalledFunction> all;
  std::vector<size_t> callers; ///< index of the function with the call
  unsigned end;                ///< number behind the last instruction so far
};

} // namespace

FailureOr<std::vector<CalledFunction>> glow::ir::callsOf(ir::FuncOp entry) {
  return CallCollector(entry).run();
}

std::vector<Operation *> glow::ir::instrsOf(ir::FuncOp entry) {
  std::vector<Operation *> instrs;
  FailureOr<std::vector<CalledFunction>> calls = callsOf(entry);
  for (const CalledFunction &called :
       succeeded(calls) ? *calls : std::vector<CalledFunction>())
    for (Operation &op : ir::FuncOp(called.function).block())
      if (isInstr(&op))
        instrs.push_back(&op);
  return instrs;
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Compares buffers with the ports of a function.
static LogicalResult checkPorts(Operation *instr, glow::Report report,
                                ir::FuncOp function, StringRef word,
                                ArrayAttr ports, ArrayRef<Type> types) {
  if (ports.size() != types.size()) {
    report("has " + Twine(types.size()) + " " + word + " for @" +
           function.getSymName() + ", which has " + Twine(ports.size()));
    return failure();
  }
  auto module = instr->getParentOfType<ModuleOp>();
  for (auto [name, type] : llvm::zip(ports, types)) {
    auto symbol = cast<FlatSymbolRefAttr>(name);
    auto port = module.lookupSymbol<PlaceholderOp>(symbol);
    if (!port || port.getType() != type) {
      report("binds " + Twine(word) + " @" + symbol.getValue() + " of @" +
             function.getSymName() + " to a buffer of another type");
      return failure();
    }
  }
  return success();
}

static ir::FuncOp calleeOf(Operation *instr, glow::Report report,
                           StringRef name) {
  auto module = instr->getParentOfType<ModuleOp>();
  auto function = module ? module.lookupSymbol<ir::FuncOp>(name) : ir::FuncOp();
  if (function && function.getTakes() && function.getGives())
    return function;
  report("calls @" + name +
         ", which is no function with parameters and results");
  return {};
}

static LogicalResult verifyIf(Operation *op, glow::Report report) {
  auto instr = cast<IfInstr>(op);
  auto check = [&](StringRef name, ValueRange captured) {
    ir::FuncOp function = calleeOf(op, report, name);
    if (!function)
      return failure();
    if (failed(checkPorts(op, report, function, "parameter",
                          function.getTakesAttr(), tensorsOf(captured))))
      return failure();
    return checkPorts(op, report, function, "result", function.getGivesAttr(),
                      tensorsOf(instr.getValues()));
  };
  return success(succeeded(check(instr.getThen(), instr.getCaptured())) &&
                 succeeded(check(instr.getOtherwise(), instr.getOthers())));
}

static RankedTensorType withoutAxis(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  if (tensor.getRank() == 0)
    return tensor;
  Sizes sizes = sizesOf(tensor);
  sizes.erase(sizes.begin());
  return rankedTensorOf(sizes, tensor.getElementType());
}

static LogicalResult verifyLoop(Operation *op, glow::Report report) {
  auto instr = cast<LoopInstr>(op);
  ir::FuncOp function = calleeOf(op, report, instr.getBody());
  if (!function)
    return failure();
  const size_t carried = instr.getInitial().size();
  if (instr.getValues().size() <= carried ||
      instr.getNext().size() != carried) {
    report("has " + Twine(carried) + " carried values, " +
           Twine(instr.getNext().size()) + " buffers for the next ones and " +
           Twine(instr.getValues().size()) + " results");
    return failure();
  }
  SmallVector<Type> takes = {tensorOf(instr.getTrip())}, gives;
  llvm::append_range(takes, tensorsOf(instr.getInitial()));
  for (Type type : tensorsOf(instr.getSliced()))
    takes.push_back(withoutAxis(type));
  llvm::append_range(takes, tensorsOf(instr.getCaptured()));
  if (Value going = instr.getGoing())
    gives.push_back(tensorOf(going));
  llvm::append_range(gives, tensorsOf(instr.getInitial()));
  for (Value stacked : instr.getValues().drop_front(carried).drop_back())
    gives.push_back(withoutAxis(tensorOf(stacked)));
  if (failed(checkPorts(op, report, function, "parameter",
                        function.getTakesAttr(), takes)))
    return failure();
  return checkPorts(op, report, function, "result", function.getGivesAttr(),
                    gives);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

std::span<const InstrInfo> glow::ir::controlFlowInstrs() {
  using enum Qualifier;
  static constexpr OperandInfo ofIf[] = {{"values", Out, Count::Many},
                                         {"condition", In, Count::One},
                                         {"captured", In, Count::Many},
                                         {"others", In, Count::Many}};
  static constexpr AttributeInfo bodiesOfIf[] = {
      {"then", AttributeForm::Text, {}},
      {"otherwise", AttributeForm::Text, {}}};
  static constexpr OperandInfo ofLoop[] = {
      {"values", Out, Count::Many},   {"next", Out, Count::Many},
      {"trip", Out, Count::One},      {"going", Out, Count::Optional},
      {"trips", In, Count::Optional}, {"condition", In, Count::Optional},
      {"initial", In, Count::Many},   {"sliced", In, Count::Many},
      {"captured", In, Count::Many}};
  static constexpr AttributeInfo attributesOfLoop[] = {
      {"body", AttributeForm::Text, {}},
      {"count", AttributeForm::Ints, {}},
      {"backwards", AttributeForm::Ints, {}},
      {"checked", AttributeForm::Flag, {}}};
  static const InstrInfo rows[] = {
      {"if", ofIf, bodiesOfIf, false, {}, nullptr, verifyIf},
      {"loop", ofLoop, attributesOfLoop, false, {}, nullptr, verifyLoop}};
  return rows;
}
