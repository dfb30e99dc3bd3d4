//===- CachedProgram.cpp - a program in the cache -------------------------===//
// SPDX-License-Identifier: MIT
//
// The key of a program consists of three parts: a hash of the model's files,
// the times of the compiler's files, and the backend's description of the
// processor. A note beside the program keeps the hash of a model's files as
// long as they are unchanged, so that they are not read again. If nothing but
// the model determines the program, the note also lets a process without the
// compiler start it.
//
//===----------------------------------------------------------------------===//

#include "CachedProgram.h"
#include "CompilerFiles.h"
#include "glow/Base/Hash.h"
#include "glow/Pipeline/OwnPasses.h"
#include "glow/Program/Parts.h"
#include "glow/Runtime/PartsFile.h"
#include "llvm/ADT/STLExtras.h"
#include <filesystem>

using namespace glow;

static std::string absoluteOf(const std::string &path) {
  std::error_code error;
  std::string absolute = std::filesystem::absolute(path, error).string();
  return error ? path : absolute;
}

CachedProgram::CachedProgram(const CompileRequest &request,
                             const Backend &backend, const std::string &path,
                             const Session &model)
    : cache(request.cacheDir), backend(backend), path(absoluteOf(path)),
      isPartitioned(request.partition) {
  // A request with listings or profiling must compile anew. Training has no
  // place in the key.
  if (request.cacheDir.empty() || request.code.isWatched() || request.training)
    return;
  note.origin.backend = backend.name().str();
  note.origin.processor = backend.fingerprint(request.code);
  if (isPartitioned)
    for (const PartitionDevice &device : request.partition->devices)
      if (const Backend *one = findBackend(device.backend))
        note.origin.processor += one->fingerprint(request.code);
  if (note.origin.processor.empty())
    return;
  findModel(path, model);
  if (note.origin.model.empty())
    return;
  findCompiler();
  Origin origin = note.origin;
  if (!model.function().empty())
    origin.model += " " + model.function();
  key = CompileCache::keyOf(request, origin);
  if (isNews && !isPartitioned && isForAll(request, model))
    cache.write(path, note);
}

std::optional<Program> CachedProgram::loadFrom(const std::string &name) {
  if (name.empty())
    return std::nullopt;
  return cache.load(name, [&](const StoredProgram &stored) {
    return isPartitioned ? readParts(stored) : backend.restore(stored);
  });
}

void CachedProgram::storeAs(const std::string &name, const Program &program) {
  if (name.empty())
    return;
  if (!isPartitioned &&
      (partsOf(program) || program.backend != note.origin.backend))
    return;
  if (Result<std::string> description =
          isPartitioned ? describeParts(program) : backend.store(program))
    cache.store(name, program, *description, path);
}

/// Stores a program unless it assumes values, since the key has no values and
/// no fallback backends.
void CachedProgram::store(const Program &program) {
  if (program.assumed.empty())
    storeAs(key, program);
}

void CachedProgram::storePart(const std::string &text, const Program &program) {
  storeAs(keyOf(text), program);
}

/// The key of a part; "" if nothing is kept.
std::string CachedProgram::keyOf(const std::string &part) const {
  return key.empty() ? "" : Hash::of(key + part).text();
}

/// Finds the hashes of the model's files, which a note may have.
void CachedProgram::findModel(const std::string &path, const Session &model) {
  for (const std::string &file : model.files())
    if (std::optional<FileState> state = FileState::of(file))
      note.model.push_back(*state);
  std::optional<ModelNote> last = cache.note(path);
  if (last && last->model == note.model &&
      note.model.size() == model.files().size()) {
    note.origin.model = last->origin.model;
    isNews = !last->isTrue() || last->origin.backend != note.origin.backend;
    return;
  }
  note.origin.model = hashesOf(model.files());
}

void CachedProgram::findCompiler() {
  note.compiler = filesOfCompiler();
  for (const FileState &file : note.compiler)
    note.origin.build += file.path + " " + std::to_string(file.bytes) + " " +
                         std::to_string(file.written) + "\n";
  note.origin.build += ownPasses();
  // The front program, which may load the kept program, counts as part of the
  // compiler.
  if (auto front = FileState::of(compilerFront()))
    note.compiler.push_back(*front);
}

/// Whether a note has everything that a process needs without reading the
/// model.
bool CachedProgram::isForAll(const CompileRequest &request,
                             const Session &model) {
  note.machine = machineText();
  note.inputs = model.inputs(), note.outputs = model.outputs();
  // A note has no ranges.
  auto isPlain = [](const Binding &port) {
    return port.ranked && port.other.empty() && port.lengths.empty();
  };
  // A library that was loaded later may have changed the semantics of a model.
  return isAsStarted() && ownPasses().empty() && model.functions().size() < 2 &&
         request.code.settings.empty() &&
         llvm::all_of(
             note.model,
             [](const FileState &file) { return file.isSettled(); }) &&
         llvm::all_of(model.inputs(), isPlain) &&
         llvm::all_of(model.outputs(), isPlain);
}
