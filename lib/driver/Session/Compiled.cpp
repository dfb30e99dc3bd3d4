//===- Compiled.cpp - programs from compiled files ------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Session/Compiled.h"
#include "glow/Program/SizeValues.h"
#include <algorithm>
#include <cstdlib>

using namespace glow;

Result<Program> glow::withStates(Result<Program> program,
                                 const CompileRequest &request) {
  if (!program)
    return program;
  Status status = declareStates(*program, request.states);
  return status.ok() ? program : status.prefixed(request.path + ": ");
}

/// Fails if the program does not take the shapes of a request.
static Status checkShapes(const std::vector<Binding> &inputs,
                          const CompileRequest &request) {
  std::vector<TensorType> types;
  for (const Binding &input : inputs) {
    auto asked = request.shapes.find(input.name);
    if (asked == request.shapes.end()) {
      types.push_back(input.type);
      continue;
    }
    if (input.lengths.empty() && asked->second != input.type.shape)
      return failure(Code::ShapeMismatch, "input '", input.name, "' of ",
                     request.path, " is ", shapeText(input.type.shape),
                     ", not ", shapeText(asked->second));
    types.push_back({input.type.kind, asked->second});
  }
  // Without shapes, the sizes of a run are not known yet.
  return hasLengths(inputs) && !request.shapes.empty()
             ? SizeValues().bind(inputs, typedViews(types))
             : Status();
}

Result<Program> glow::checkRequest(const Program &program,
                                   const CompileRequest &request) {
  if (request.backend != program.backend)
    return failure(Code::WrongTarget, request.path,
                   " was compiled for backend '", program.backend, "', not '",
                   request.backend, "'");
  if (request.partition)
    return failure(
        Code::WrongTarget, request.path,
        " is compiled already; to cut it for devices takes the model");
  if (request.code.math.value_or(program.math) != program.math ||
      !request.code.settings.empty())
    return failure(Code::WrongTarget, request.path,
                   " was compiled for a processor and --math=",
                   std::string(name(program.math)),
                   " already; another takes the model");
  for (const auto &[name, shape] : request.shapes)
    if (std::ranges::find(program.inputs, name, &Binding::name) ==
        program.inputs.end())
      return failure(Code::NotFound, "no input of ", request.path,
                     " is named '", name, "', for which a shape was given");
  if (!request.sizes.empty())
    return failure(Code::WrongTarget, request.path,
                   " was compiled already; other ranges of sizes take the "
                   "model");
  if (request.maxIterations || request.predicates)
    return failure(Code::WrongTarget, request.path,
                   " was compiled already; --max-iterations and --predicate "
                   "take the model");
  if (Status status = checkShapes(program.inputs, request); !status.ok())
    return status;
  return withStates(program, request);
}

Status Session::choose(const std::string &name) {
  std::string names;
  for (const std::string &one : theFunctions)
    names += (names.empty() ? "'" : ", '") + one + "'";
  return failure(Code::NotFound, theFiles[0], " has no function '", name, "'; ",
                 names.empty() ? "it is one program without a name"
                               : "its functions are " + names);
}

std::string glow::defaultCacheDir() {
  if (const char *folder = std::getenv("GLOW_CACHE_DIR"))
    return folder;
  if (const char *folder = std::getenv("XDG_CACHE_HOME"); folder && *folder)
    return std::string(folder) + "/glow";
  if (const char *home = std::getenv("HOME"); home && *home)
    return std::string(home) + "/.cache/glow";
  return "";
}
