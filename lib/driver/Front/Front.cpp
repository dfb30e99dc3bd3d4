//===- Front.cpp - models that were compiled before -----------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Front/Front.h"
#include "glow/Cache/Cache.h"
#include "glow/Program/SizeValues.h"
#include "glow/Runtime/ProgramFile.h"
#include "glow/Session/Compiled.h"
#include "glow/Session/StagedModel.h"
#include <algorithm>

using namespace glow;

namespace {

/// A session that does not compile: most requests need the compiler.
class SessionOfFront : public Session {
public:
  explicit SessionOfFront(const Front &front) : front(front) {}

  Result<std::unique_ptr<Session>> another() const override {
    return front.needCompiler();
  }
  /// The front itself never reports that a model runs in stages.
  Result<std::unique_ptr<StagedModel>> stages(const CompileRequest &,
                                              Host &) override {
    return front.needCompiler();
  }
  Result<std::string> print(const CompileRequest &, std::string_view,
                            bool) override {
    return front.needCompiler();
  }
  Result<Explanation> explain(const CompileRequest &, bool) override {
    return front.needCompiler();
  }
  Status withRefusedNodes(const Status &) const override {
    return front.needCompiler();
  }
  Status choose(const std::string &) override { return front.needCompiler(); }

protected:
  const Front &front;
};

/// A program file that `glow compile` wrote.
class CompiledSession final : public SessionOfFront {
public:
  CompiledSession(const Front &front, const std::string &path, Program compiled)
      : SessionOfFront(front), program(std::move(compiled)) {
    theFiles = {path};
    theSource = Source::File;
    theInputs = symbolicBindings(program.inputs);
    theOutputs = symbolicBindings(program.outputs);
  }
  Result<Program> compile(const CompileRequest &request) override {
    return checkRequest(program, request);
  }
  Result<std::unique_ptr<Session>> another() const override {
    return std::unique_ptr<Session>(
        new CompiledSession(front, theFiles[0], program));
  }
  Status withRefusedNodes(const Status &status) const override {
    return status;
  }
  Status choose(const std::string &name) override {
    return Session::choose(name);
  }

private:
  Program program;
};

/// A model with a note in the cache.
class KeptSession final : public SessionOfFront {
public:
  KeptSession(const Front &front, const std::string &path, ModelNote note,
              std::string cacheDir)
      : SessionOfFront(front), origin(std::move(note.origin)),
        cacheDir(std::move(cacheDir)) {
    theFiles = {path};
    theSource = Source::Cache;
    for (const FileState &file : note.model)
      theFiles.push_back(file.path);
    theInputs = std::move(note.inputs), theOutputs = std::move(note.outputs);
  }

  Result<Program> compile(const CompileRequest &request) override {
    ProgramReader read = ProgramReaders::instance().find(request.backend);
    if (!read || request.backend != origin.backend ||
        request.cacheDir != cacheDir || request.code.isWatched() ||
        request.partition || !request.code.settings.empty())
      return front.needCompiler();
    CompileCache cache(request.cacheDir);
    if (auto program = cache.load(CompileCache::keyOf(request, origin), read))
      return withStates(std::move(*program), request);
    return front.needCompiler();
  }

private:
  Origin origin; // of what is kept
  std::string cacheDir;
};

} // namespace

/// Whether this program belongs to the compiler that wrote the note.
static bool isOurs(const ModelNote &note) {
  std::string self = fileBeside("");
  return std::ranges::any_of(
      note.compiler, [&](const FileState &file) { return file.path == self; });
}

Result<std::unique_ptr<Session>> Front::open(const std::string &path) {
  using Opened = std::unique_ptr<Session>;
  if (isProgramFile(path)) {
    Result<Program> program = openProgram(path);
    // The compiler has more backends, but runs on the same processor and
    // memory.
    if (!program)
      return program.status().code() == Code::NotFound ? needCompiler()
                                                       : program.status();
    return Opened(new CompiledSession(*this, path, program.take()));
  }
  if (cacheDir.empty())
    return needCompiler().prefixed("'" + path + "': ");
  std::optional<ModelNote> note = CompileCache(cacheDir).note(path);
  if (!note || !isOurs(*note) || !note->isTrue())
    return needCompiler().prefixed("'" + path + "': ");
  return Opened(new KeptSession(*this, path, std::move(*note), cacheDir));
}

Status Front::checkBackend(const std::string &name) const {
  return ProgramReaders::instance().find(name) ? Status() : needCompiler();
}
