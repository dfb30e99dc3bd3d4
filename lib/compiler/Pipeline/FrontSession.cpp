//===- FrontSession.cpp - models that were compiled before ----------------===//

#include "Cache.h"
#include "Compiled.h"
#include "glow/Pipeline/Front.h"
#include "glow/Runtime/ProgramFile.h"
#include <algorithm>

using namespace glow;

Front &glow::front() {
  static Front front;
  return front;
}

/// What is told where there is no program with a compiler.
static Status needCompiler() {
  front().becomeCompiler();
  return failure(Code::NotFound, "there is no compiler beside ",
                 fileBeside(""));
}

struct Session::State {
  std::vector<std::string> files;
  std::vector<Binding> inputs, outputs;
  std::optional<Program> compiled; // into a file
  Origin origin;                   // of what is kept
};

Session::Session(std::unique_ptr<State> state) : state(std::move(state)) {}
Session::Session(Session &&) noexcept = default;
Session &Session::operator=(Session &&) noexcept = default;
Session::~Session() = default;

const std::vector<std::string> &Session::files() const { return state->files; }
const std::vector<Binding> &Session::inputs() const { return state->inputs; }
const std::vector<Binding> &Session::outputs() const { return state->outputs; }

/// Whether this very program belongs to the compiler that wrote the note.
static bool isOurs(const ModelNote &note) {
  std::string self = fileBeside("");
  return std::ranges::any_of(
      note.compiler, [&](const FileState &file) { return file.path == self; });
}

Result<Session> Session::open(const std::string &path) {
  auto state = std::make_unique<State>();
  state->files = {path};
  if (path.ends_with(".so")) {
    Result<Program> program = openProgram(path);
    // The compiler has more backends, but no other processor and no more memory.
    if (!program)
      return program.status().code() == Code::NotFound ? needCompiler()
                                                       : program.status();
    state->inputs = program->inputs, state->outputs = program->outputs;
    state->compiled = program.take();
    return Session(std::move(state));
  }
  if (front().cacheDir.empty())
    return needCompiler();
  std::optional<ModelNote> note = CompileCache(front().cacheDir).note(path);
  if (!note || !isOurs(*note) || !note->isTrue())
    return needCompiler();
  for (const FileState &file : note->model)
    state->files.push_back(file.path);
  state->inputs = std::move(note->inputs);
  state->outputs = std::move(note->outputs);
  state->origin = std::move(note->origin);
  return Session(std::move(state));
}

Result<Program> Session::compile(const CompileRequest &request) {
  if (state->compiled)
    return checkRequest(*state->compiled, request);
  ProgramReader read = ProgramReaders::instance().find(request.backend);
  if (!read || request.backend != state->origin.backend ||
      request.cacheDir != front().cacheDir || request.code.isWatched() ||
      !request.code.processor.empty() || !request.code.target.empty())
    return needCompiler();
  CompileCache cache(request.cacheDir);
  if (auto program =
          cache.load(CompileCache::keyOf(request, state->origin), read))
    return std::move(*program);
  return needCompiler();
}

Status Session::withRefusedNodes(const Status &status) const {
  return state->compiled ? status : needCompiler();
}

Result<std::string> Session::print(const CompileRequest &, std::string_view,
                                   bool) {
  return needCompiler();
}

Status glow::checkBackend(const std::string &name) {
  return ProgramReaders::instance().find(name) ? Status() : needCompiler();
}

/// Help has them; it is the compiler's.
std::vector<std::string> glow::roomNames() { return {}; }
