//===- Listing.cpp - code that a debugger can follow ----------------------===//
// SPDX-License-Identifier: MIT

#include "Listing.h"
#include "glow/Base/NewFile.h"
#include "glow/IR/Access.h"
#include "glow/IR/Names.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

/// Whether a line of the text is an instruction of this mnemonic.
static bool isLineOf(StringRef line, StringRef mnemonic) {
  line = line.trim();
  if (line.starts_with("%"))
    line = line.split(" = ").second;
  return line.consume_front(mnemonic) && line.starts_with(" ");
}

Status Listing::write(ir::FuncOp function) {
  std::string text;
  raw_string_ostream os(text);
  mlir::OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(32).elideLargeResourceString(64);
  function->print(os, flags);
  unsigned number = 1;
  SmallVector<StringRef> all;
  StringRef(text).split(all, '\n');
  for (mlir::Operation &op : function.block()) {
    if (!ir::isInstr(&op))
      continue;
    while (number <= all.size() &&
           !isLineOf(all[number - 1], op.getName().stripDialect()))
      ++number;
    lines.push_back(number++);
  }
  if (Status status = writeFile(path, text + "\n"); !status.ok())
    return status;
  SmallString<128> absolute(path);
  sys::fs::make_absolute(absolute);
  debug = std::make_unique<DIBuilder>(*module.ir);
  file = debug->createFile(sys::path::filename(absolute),
                           sys::path::parent_path(absolute));
  // gdb goes by the table of lines to find a function's first real line for
  // code of clang only.
  debug->createCompileUnit(DISourceLanguageName(dwarf::DW_LANG_C99), file,
                           "clang (glow)", /*isOptimized=*/true, "", 0);
  module.ir->addModuleFlag(Module::Warning, "Debug Info Version",
                           DEBUG_METADATA_VERSION);
  module.ir->addModuleFlag(Module::Warning, "Dwarf Version", 4);
  return Status();
}

DIType *Listing::typeOf(mlir::Type buffer) {
  auto tensor = cast<ir::BufferType>(buffer).getTensor();
  mlir::Type element = tensor.getElementType();
  uint64_t bits = ir::elementBytes(element) * 8;
  std::string name;
  raw_string_ostream os(name);
  element.print(os);
  unsigned encoding = element.isF32() || element.isF64() ? dwarf::DW_ATE_float
                      : element.isInteger(1)             ? dwarf::DW_ATE_boolean
                                                         : dwarf::DW_ATE_signed;
  DIType *type = debug->createBasicType(name, bits, encoding);
  if (tensor.getRank() == 0)
    return type;
  SmallVector<Metadata *> sizes;
  for (int64_t size : tensor.getShape())
    sizes.push_back(debug->getOrCreateSubrange(0, size));
  return debug->createArrayType(bits * uint64_t(tensor.getNumElements()), 32,
                                type, debug->getOrCreateArray(sizes));
}

void Listing::addTensors(Function &code, DISubprogram *subprogram,
                         mlir::Operation *instr, ArrayRef<unsigned> hidden) {
  // The pointer to the buffers stays in memory, where it can always be found:
  // in a block of its own, before everything that has a line.
  BasicBlock &entry = code.getEntryBlock();
  entry.splitBasicBlock(entry.begin(), "body");
  auto insertion = entry.begin();
  IRBuilder<> builder(&entry, insertion);
  auto *place = builder.CreateAlloca(builder.getPtrTy(), nullptr, "buffers");
  builder.CreateStore(code.getArg(1), place, /*isVolatile=*/true);
  auto *where =
      DILocation::get(code.getContext(), subprogram->getLine(), 0, subprogram);
  for (const ir::OperandInfo &operand : ir::infoOf(instr)->operands) {
    auto buffers = ir::buffersOf(instr, operand.name);
    for (auto [i, buffer] : enumerate(buffers)) {
      unsigned index = buffer->getOperandNumber();
      if (is_contained(hidden, index))
        continue;
      std::string name = operand.name;
      if (buffers.size() > 1)
        name += std::to_string(i);
      auto *variable = debug->createAutoVariable(
          subprogram, name, file, subprogram->getLine(),
          typeOf(buffer->get().getType()), /*AlwaysPreserve=*/true);
      auto *expression = debug->createExpression(
          // From where the pointer to the list of buffers is kept: the list,
          // its entry, the tensor.
          ArrayRef<uint64_t>{dwarf::DW_OP_deref, dwarf::DW_OP_plus_uconst,
                             index * 8, dwarf::DW_OP_deref});
      debug->insertDeclare(place, variable, expression, where, insertion);
    }
  }
}

void Listing::describe(Function &code, size_t index, mlir::Operation *instr,
                       StringRef name, ArrayRef<unsigned> hidden) {
  unsigned line = lines[index];
  // A debugger would look for the linker's name instead, if there were one.
  auto *subprogram = debug->createFunction(
      file, name, "", file, line,
      debug->createSubroutineType(debug->getOrCreateTypeArray({})), line,
      DINode::FlagZero,
      DISubprogram::SPFlagDefinition | DISubprogram::SPFlagOptimized);
  code.setSubprogram(subprogram);
  DebugLoc where = DILocation::get(code.getContext(), line, 0, subprogram);
  for (BasicBlock &block : code)
    for (Instruction &instruction : block)
      instruction.setDebugLoc(where);
  addTensors(code, subprogram, instr, hidden);
}

void Listing::finish() { debug->finalize(); }
