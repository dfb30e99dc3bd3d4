//===- CompileOptions.h - options of glow compile ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_COMMANDS_COMPILEOPTIONS_H
#define GLOW_TOOLS_GLOW_COMMANDS_COMPILEOPTIONS_H

#include "cli/Tool.h"
#include "glow/Program/Emit.h"
#include "glow/Program/Training.h"
#include <utility>

namespace glow::tool {

struct CompileOptions {
  ModelOptions model;
  EmitRequest emit{"", "", {}}; // what the output says, where nothing is said
  std::string output = "-", weights = "file", api = "static";
  std::string object = "object", colours = "family", form = "files";
  std::vector<std::string> entries; // NAME=MODEL, unparsed
  TrainingRequest training;         // of --train and --emit=gradient
  bool trains = false;
  std::string session; // file of first states

  /// Whether the output is code of the backend.
  bool isCode() const;

  /// Whether it is several files in a folder.
  bool isBundle() const { return emit.what == "bundle" || emit.what == "c"; }

  /// Whether it is text of a module that may have several functions.
  bool isModule() const {
    return (emit.what == "import" || emit.what == "graph") &&
           !output.ends_with(".dot");
  }
};

/// The functions of --train.
inline constexpr std::pair<const char *, TrainingRequest::Part> trainParts[] = {
    {"train", TrainingRequest::Step},
    {"evaluate", TrainingRequest::Evaluation},
    {"infer", TrainingRequest::Inference}};

/// Adds the flags of the output, of files of code, and of training, behind
/// those of the model.
void addCompileFlags(CLI::App &app, CompileOptions &options);

/// Derives --emit from the output's name, and checks that the options fit each
/// other. Fails with Code::InvalidArgument.
Status readOptions(CompileOptions &options);

/// Refuses to write binary data to a terminal.
Status checkTerminal(const CompileOptions &options);

/// "DIR/NAME.c" is a bundle of C in DIR whose files are called NAME.
void splitSource(CompileOptions &options);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_COMMANDS_COMPILEOPTIONS_H
