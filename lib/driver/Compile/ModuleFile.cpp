//===- ModuleFile.cpp - modules in files of text or bytecode --------------===//

#include "glow/Base/InputFile.h"
#include "glow/Compile/CompilerDriver.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace glow;

bool glow::isModuleFile(StringRef path) {
  return path.ends_with(".mlir") || path.ends_with(".mlirbc");
}

OwningOpRef<ModuleOp> glow::parseModule(MLIRContext &context,
                                        const std::string &path) {
  auto sources = std::make_shared<llvm::SourceMgr>();
  Result<InputFile> opened = InputFile::open(path);
  if (!opened) {
    llvm::errs() << path << ": error: " << opened.status().message() << "\n";
    return {};
  }
  // The pages of a file that is cut meanwhile are gone: it is read.
  auto file = llvm::MemoryBuffer::getOpenFile(
      opened->descriptor(), path, uint64_t(opened->about().st_size),
      /*RequiresNullTerminator=*/true, !isOursAlone(opened->about()));
  if (!file) {
    llvm::errs() << path
                 << ": error: cannot be read: " << file.getError().message()
                 << "\n";
    return {};
  }
  sources->AddNewSourceBuffer(std::move(*file), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(*sources, &context, llvm::errs());
  return parseSourceFile<ModuleOp>(sources, &context);
}
