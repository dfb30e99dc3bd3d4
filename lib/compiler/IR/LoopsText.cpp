//===- LoopsText.cpp - files of loops -------------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/IR/LoopsText.h"
#include "glow/IR/FormulaLoops.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace glow;
using llvm::StringRef;
using llvm::Twine;

/// Prints an error with its line and a caret. Always returns a failure.
static Status reportAt(llvm::SourceMgr &sources, const char *place,
                       const Twine &message) {
  std::string text;
  llvm::raw_string_ostream os(text);
  sources.PrintMessage(os, llvm::SMLoc::getFromPointer(place),
                       llvm::SourceMgr::DK_Error, message, {}, {},
                       /*ShowColors=*/false);
  return Status(Code::InvalidArgument, StringRef(text).rtrim().str());
}

Status ir::failureIn(const loops::NamedProgram &program, StringRef file,
                     const Status &status) {
  return failure(status.code(), file.str(),
                 program.name.empty() ? "" : ": loops \"" + program.name + "\"",
                 ": ", status.message());
}

Result<std::vector<loops::NamedProgram>> ir::readLoops(StringRef text,
                                                       StringRef file) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text, file),
                             llvm::SMLoc());
  Status status;
  auto programs =
      loops::parsePrograms(text, [&](const char *place, const Twine &message) {
        status = reportAt(sources, place, message);
      });
  if (!programs)
    return status;
  for (const loops::NamedProgram &one : *programs)
    if (Status status = checkFormulas(*one.program); !status.ok())
      return failureIn(one, file, status);
  return std::move(*programs);
}
