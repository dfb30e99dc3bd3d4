//===- ModuleFile.cpp - modules in files of text or bytecode --------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/InputFile.h"
#include "glow/Base/Log.h"
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
    logText(LogLevel::Error, path + ": error: " + opened.status().message());
    return {};
  }
  // A file that others may truncate is read instead of mapped: its pages would
  // be gone.
  auto file = llvm::MemoryBuffer::getOpenFile(
      opened->descriptor(), path, uint64_t(opened->about().st_size),
      /*RequiresNullTerminator=*/true, !isOursAlone(opened->about()));
  if (!file) {
    logText(LogLevel::Error,
            path + ": error: cannot be read: " + file.getError().message());
    return {};
  }
  sources->AddNewSourceBuffer(std::move(*file), llvm::SMLoc());
  std::string reported;
  llvm::raw_string_ostream os(reported);
  OwningOpRef<ModuleOp> module;
  {
    SourceMgrDiagnosticHandler handler(*sources, &context, os);
    module = parseSourceFile<ModuleOp>(sources, &context);
  }
  if (!reported.empty())
    logText(module ? LogLevel::Warning : LogLevel::Error,
            StringRef(reported).rtrim().str());
  return module;
}
