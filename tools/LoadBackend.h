//===- LoadBackend.h - the option for plug-ins ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// An option of every tool that reads text of both dialects: what a plug-in has
// is registered while options are parsed, before any dialect is made.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_TOOLS_LOADBACKEND_H
#define GLOW_TOOLS_LOADBACKEND_H

#include "glow/Base/Plugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

namespace glow {

/// --load-backend. A plug-in that cannot be loaded ends the process.
struct LoadBackendOption {
  /// `tool` begins its messages; the option is helped with among `category`.
  LoadBackendOption(const char *tool, llvm::cl::OptionCategory &category =
                                          llvm::cl::getGeneralCategory())
      : files("load-backend", llvm::cl::value_desc("FILE"),
              llvm::cl::desc("a plug-in with operators or backends of Glow, as "
                             "glow takes it; MLIR's own flag for dialects does "
                             "not know them"),
              llvm::cl::cat(category),
              llvm::cl::cb<void, std::string>([tool](const std::string &file) {
                if (Status status = loadPlugin(file); !status.ok()) {
                  llvm::errs()
                      << tool << ": error: " << status.message() << "\n";
                  std::exit(1);
                }
              })) {}

private:
  llvm::cl::list<std::string> files;
};

} // namespace glow

#endif // GLOW_TOOLS_LOADBACKEND_H
