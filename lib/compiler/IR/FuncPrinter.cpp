//===- FuncPrinter.cpp - from a function to its text ----------------------===//
// SPDX-License-Identifier: MIT
//
// The printed text can be read back, and repeats nothing. An operand has no
// type, as its buffer has one, and no name, as the record has it. A model's
// names are kept where possible; of two equal names, the second gets a number.
//
//===----------------------------------------------------------------------===//

#include "Text.h"
#include "glow/Graph/Format.h"
#include "glow/IR/Access.h"
#include "glow/IR/Names.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace glow;
using namespace glow::ir;

namespace {
/// Prints one function. Names are its own, not those of the printer of SSA
/// values, because instructions have names but no results.
class Body {
public:
  Body(OpAsmPrinter &printer, FuncOp function)
      : printer(printer), function(function) {}

  void printBindings();
  void printProgram();

private:
  OpAsmPrinter &printer;
  FuncOp function;
  NameTable names;
  llvm::DenseMap<Value, std::string> buffers;
  // Read from the flags: asking the printer would collect aliases of locations
  // that are not printed.
  bool withLocations = OpPrintingFlags().shouldPrintDebugInfo();

  StringRef define(Value buffer, StringRef wanted);
  void printAlloc(AllocOp alloc);
  void printInstr(Operation *instr);
  void printOperands(Operation *instr, const InstrInfo &info);
  void printOperand(const OperandInfo &info, OperandRange given);
  void printBuffer(Value buffer) { printer << "%" << buffers.lookup(buffer); }
  void printLocation(Location location);
};
} // namespace

StringRef Body::define(Value buffer, StringRef wanted) {
  std::string &name = buffers[buffer];
  name = names.add(wanted);
  printer.printNewline();
  printer << "%" << name << " = ";
  return name;
}

void Body::printLocation(Location location) {
  if (withLocations)
    printer.printOptionalLocationSpecifier(location);
}

static StringRef textOf(BindingKind kind) {
  switch (kind) {
  case BindingKind::Constant:
    return "constant";
  case BindingKind::Mutable:
    return "mutable";
  case BindingKind::Output:
    return "mutable output";
  }
  llvm_unreachable("a binding has a kind");
}

void Body::printBindings() {
  for (BlockArgument binding : function.bindings()) {
    StringRef storage = function.storageOf(binding);
    StringRef named = nameIn(binding.getLoc());
    StringRef name = define(binding, named.empty() ? storage : named);
    printer << "binding " << textOf(cast<BufferType>(binding.getType())) << ", "
            << textOf(function.kindOf(binding));
    // The storage is printed only where it differs from the name.
    if (storage != name) {
      printer << ", ";
      printer.printString(storage);
    }
    printLocation(binding.getLoc());
  }
}

void Body::printProgram() {
  for (Operation &operation : function.block()) {
    if (auto alloc = dyn_cast<AllocOp>(operation)) {
      printAlloc(alloc);
    } else if (auto dealloc = dyn_cast<DeallocOp>(operation)) {
      printer.printNewline();
      printer << "dealloc @out ";
      printBuffer(dealloc.getBuffer());
    } else {
      printInstr(&operation);
    }
    printLocation(operation.getLoc());
  }
}

void Body::printAlloc(AllocOp alloc) {
  define(alloc.getBuffer(), nameOf(alloc.getBuffer()));
  printer << "alloc " << textOf(alloc.type());
  if (Value reused = alloc.getReused()) {
    printer << " reuse ";
    printBuffer(reused);
  }
  if (Value whole = alloc.getWhole()) {
    printer << " within ";
    printBuffer(whole);
  }
  if (alloc.getFrom())
    printer << " from " << *alloc.getFrom();
  if (alloc.getOffset())
    printer << " at " << *alloc.getOffset();
}

void Body::printInstr(Operation *instr) {
  printer.printNewline();
  const InstrInfo *info = infoOf(instr);
  if (!info) { // cannot be read back; the verifier says so
    printer.printGenericOp(instr, /*printOpName=*/true);
    return;
  }
  printer << "%" << names.add(nameOf(instr)) << " = " << info->mnemonic;
  printOperands(instr, *info);
  printAttributes(printer, *info, instr);
}

void Body::printOperands(Operation *instr, const InstrInfo &info) {
  unsigned begin = 0;
  for (auto [index, size] : llvm::enumerate(segmentsOf(instr))) {
    printer << (index ? ", " : " ");
    printOperand(info.operands[index], instr->getOperands().slice(begin, size));
    begin += size;
  }
}

void Body::printOperand(const OperandInfo &info, OperandRange given) {
  printer << "@" << glow::ir::textOf(info.qualifier) << " ";
  if (info.count == Count::Many) {
    printer << "[";
    llvm::interleave(
        given, [&](Value buffer) { printBuffer(buffer); },
        [&] { printer << ", "; });
    printer << "]";
  } else if (given.empty()) {
    printer << "none";
  } else {
    printBuffer(given.front());
  }
}

void FuncOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printer.printSymbolName(getSymName());
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getSymNameAttrName(), getStorageAttrName(), getKindsAttrName()});
  Body body(printer, *this);
  printer << " declare {";
  printer.increaseIndent();
  body.printBindings();
  printer.decreaseIndent();
  printer.printNewline();
  printer << "} program {";
  printer.increaseIndent();
  body.printProgram();
  printer.decreaseIndent();
  printer.printNewline();
  printer << "}";
}
