//===- Session.cpp - one model, read, compiled per shape ------------------===//

#include "glow/Pipeline/Session.h"
#include "Cache.h"
#include "Compiled.h"
#include "Dot.h"
#include "Explain.h"
#include "Walk.h"
#include "glow/Backend/Backend.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/LastReader.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Structure.h"
#include "glow/Importer/Importer.h"
#include "glow/Pipeline/Pipeline.h"
#include "glow/Runtime/ProgramFile.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace glow;

struct Session::State {
  std::string path;
  std::vector<std::string> files; // what the model is in
  std::vector<Binding> inputs, outputs;
  std::optional<Program> compiled; // already, into a file

  /// Made when it is needed: a program that was kept needs none.
  const std::shared_ptr<MLIRContext> &context() {
    // A context keeps every type and attribute that was ever made in it.
    constexpr unsigned most = 32;
    if (!theContext || ++uses % most == 0)
      theContext = makeContext();
    return theContext;
  }

  /// A compiled file can only be run.
  Status checkModel() const {
    if (!compiled)
      return Status();
    return failure(Code::Unsupported, path,
                   " is compiled already; this needs the model");
  }

private:
  std::shared_ptr<MLIRContext> theContext;
  unsigned uses = 0;
};

static std::vector<Binding> bindingsOf(const std::vector<ModelPort> &ports) {
  std::vector<Binding> result;
  for (const ModelPort &port : ports)
    result.push_back({port.name,
                      {port.kind.value_or(ElementKind::F32), port.shape},
                      port.dimensions,
                      port.ranked,
                      port.other,
                      port.anyShape});
  return result;
}

Session::Session(std::unique_ptr<State> state) : state(std::move(state)) {}
Session::Session(Session &&) noexcept = default;
Session &Session::operator=(Session &&) noexcept = default;
Session::~Session() = default;

const std::vector<std::string> &Session::files() const { return state->files; }
const std::vector<Binding> &Session::inputs() const { return state->inputs; }
const std::vector<Binding> &Session::outputs() const { return state->outputs; }

/// Whether a function of the module gives the placeholder its value.
static bool isSaved(ModuleOp module, PlaceholderOp placeholder) {
  StringRef name = placeholder.getSymName();
  auto saves = [&](Operation *op) {
    if (auto save = dyn_cast<SaveOp>(op))
      return save.getStorage() == name;
    auto function = dyn_cast<ir::FuncOp>(op);
    return function &&
           llvm::any_of(function.weights(), [&](BlockArgument weight) {
             return function.kindOf(weight) == ir::WeightKind::Output &&
                    function.storageOf(weight) == name;
           });
  };
  return module
      .walk([&](Operation *op) {
        return saves(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static Status readTextPorts(MLIRContext &context, const std::string &path,
                            std::vector<Binding> &inputs,
                            std::vector<Binding> &outputs) {
  OwningOpRef<ModuleOp> module = parseModule(context, path);
  if (!module)
    return Status(Code::Reported, path + " is not a valid module");
  for (auto placeholder : module->getOps<PlaceholderOp>()) {
    bool output = placeholder.getRole() == "output" ||
                  (placeholder.getRole() == "between" &&
                   isSaved(*module, placeholder));
    auto type = cast<RankedTensorType>(placeholder.getType());
    Binding binding{placeholder.portName().str(),
                    {*kindOf(type.getElementType()), Ints(type.getShape())},
                    {}};
    (output ? outputs : inputs).push_back(std::move(binding));
  }
  return Status();
}

Result<Session> Session::open(const std::string &path) {
  auto state = std::make_unique<State>();
  state->path = path;
  state->files = {path};
  if (StringRef(path).ends_with(".so")) {
    Result<Program> program = openProgram(path);
    if (!program)
      return program.status();
    state->inputs = program->inputs;
    state->outputs = program->outputs;
    state->compiled = program.take();
    return Session(std::move(state));
  }
  if (isModuleFile(path)) {
    Status status =
        readTextPorts(*state->context(), path, state->inputs, state->outputs);
    if (!status.ok())
      return status;
    return Session(std::move(state));
  }
  Result<ModelInterface> interface = readInterface(path);
  if (!interface)
    return interface.status();
  state->files = interface->files;
  state->inputs = bindingsOf(interface->inputs);
  state->outputs = bindingsOf(interface->outputs);
  return Session(std::move(state));
}

Status glow::checkBackend(const std::string &name) {
  if (findBackendInfo(name))
    return Status();
  std::string known;
  for (const BackendInfo &info : allBackends())
    known += (known.empty() ? "" : ", ") + std::string(info.name);
  return Status(Code::NotFound,
                "no backend is named '" + name + "'; there are: " + known);
}

static Result<const Backend *> backendNamed(const std::string &name) {
  if (Status status = checkBackend(name); !status.ok())
    return status;
  if (const Backend *backend = findBackend(name))
    return backend;
  return failure(Code::Unsupported, "backend '", name,
                 "' has no compiler in this build");
}

/// The instructions of a model that was planned for its backend.
static Result<ir::FuncOp> functionOf(ModuleOp module, const std::string &path) {
  auto functions = module.getOps<ir::FuncOp>();
  if (functions.empty())
    return failure(Code::Unsupported, "'", path,
                   "' has no function to compile");
  if (++functions.begin() != functions.end())
    return failure(Code::Unsupported, "'", path, "' has several functions, @",
                   (*functions.begin()).getSymName().str(), " and @",
                   (*++functions.begin()).getSymName().str(),
                   " first; a run takes a module with one");
  return *functions.begin();
}

/// A program of a model that is kept between processes: its name, and what to
/// write down once it is there.
namespace {
class Kept {
public:
  struct Model {
    const std::string &path;
    const std::vector<std::string> &files;
    const std::vector<Binding> &inputs, &outputs;
  };
  Kept(const CompileRequest &request, const Backend &backend,
       const Model &model)
      : cache(request.cacheDir), backend(backend) {
    if (request.cacheDir.empty() || request.code.isWatched())
      return;
    note.origin.backend = backend.name().str();
    note.origin.processor = backend.fingerprint(request.code);
    if (note.origin.processor.empty())
      return;
    findModel(model);
    if (note.origin.model.empty())
      return;
    findCompiler();
    key = CompileCache::keyOf(request, note.origin);
    if (isNews && isForAll(request, model))
      cache.write(model.path, note);
  }

  std::optional<Program> load() {
    if (key.empty())
      return std::nullopt;
    return cache.load(key, [&](const StoredProgram &stored) {
      return backend.restore(stored);
    });
  }

  /// The key says nothing of values.
  void store(const Program &program) {
    if (key.empty() || !program.assumed.empty())
      return;
    if (Result<std::string> description = backend.store(program))
      cache.store(key, program, *description);
  }

private:
  /// The hashes of the model's files, of which there may be a note.
  void findModel(const Model &from) {
    for (const std::string &path : from.files)
      if (std::optional<FileState> file = FileState::of(path))
        note.model.push_back(*file);
    std::optional<ModelNote> last = cache.note(from.path);
    if (last && last->model == note.model &&
        note.model.size() == from.files.size()) {
      note.origin.model = last->origin.model;
      isNews = !last->isTrue() || last->origin.backend != note.origin.backend;
      return;
    }
    note.origin.model = hashesOf(from.files);
  }

  void findCompiler() {
    note.compiler = filesOfProcess();
    for (const FileState &file : note.compiler)
      note.origin.build += file.path + " " + std::to_string(file.bytes) + " " +
                           std::to_string(file.written) + "\n";
    // What starts this program, and may load what it kept.
    if (auto front = FileState::of(compilerFront()))
      note.compiler.push_back(*front);
  }

  /// Whether a note tells all that a process needs that does not look into the
  /// model.
  bool isForAll(const CompileRequest &request, const Model &from) {
    note.machine = machineText();
    note.inputs = from.inputs, note.outputs = from.outputs;
    auto isPlain = [](const Binding &port) {
      return port.ranked && port.other.empty();
    };
    return isAsStarted() && request.code.processor.empty() &&
           request.code.target.empty() &&
           llvm::all_of(
               note.model,
               [](const FileState &file) { return file.isSettled(); }) &&
           llvm::all_of(from.inputs, isPlain) &&
           llvm::all_of(from.outputs, isPlain);
  }

  CompileCache cache;
  const Backend &backend;
  ModelNote note;
  bool isNews = true;
  std::string key;
};
} // namespace

Result<Program> Session::compile(const CompileRequest &request) {
  if (state->compiled)
    return checkRequest(*state->compiled, request);
  Result<const Backend *> backend = backendNamed(request.backend);
  if (!backend)
    return backend.status();
  Kept kept(request, **backend,
            {state->path, state->files, state->inputs, state->outputs});
  if (std::optional<Program> program = kept.load())
    return *program;
  Result<Program> program = compileAnew(request, **backend);
  if (program)
    kept.store(*program);
  return program;
}

/// What the functions of a module take for granted of its inputs.
static std::vector<Constant> assumedBy(ModuleOp module) {
  std::vector<Constant> assumed;
  for (auto placeholder : module.getOps<PlaceholderOp>())
    if (ElementsAttr value = placeholder.getAssumedAttr()) {
      TensorBytes bytes = bytesOf(value);
      auto owner =
          std::make_shared<std::string>(bytes.bytes.begin(), bytes.bytes.end());
      auto type = cast<RankedTensorType>(value.getType());
      assumed.push_back(
          {placeholder.portName().str(),
           {*kindOf(type.getElementType()), Ints(type.getShape())},
           owner->data(),
           owner});
    }
  return assumed;
}

/// The program of a module that was planned. The context owns what constants
/// refer to.
static Result<Program> programOf(ModuleOp module,
                                 const std::shared_ptr<MLIRContext> &context,
                                 const Backend &backend,
                                 const CodeOptions &code, const Walk &walk) {
  Result<ir::FuncOp> function = functionOf(module, walk.file());
  if (!function)
    return function.status();
  // It ends with this.
  module->setAttr(lastReader, UnitAttr::get(context.get()));
  FailureOr<Program> program = backend.compile(*function, context, code);
  if (mlir::failed(program))
    return walk.refused();
  program->assumed = assumedBy(module);
  return *program;
}

Result<Program> Session::compileAnew(const CompileRequest &request,
                                     const Backend &backend) {
  std::shared_ptr<MLIRContext> context = state->context();
  Walk walk(*context, state->path, request);
  OwningOpRef<ModuleOp> module = walk.to(Room::Plan);
  if (!module)
    return walk.refused();
  return programOf(*module, context, backend, request.code, walk);
}

std::shared_ptr<MLIRContext> glow::makeContext() {
  DialectRegistry registry;
  registerDialects(registry);
  auto context =
      std::make_shared<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  // A mistake in a model is no place for a wall of our own text.
  context->printOpOnDiagnostic(false);
  return context;
}

Result<std::optional<Program>>
glow::compileModule(const std::shared_ptr<MLIRContext> &context,
                    const CompileRequest &request, ImportModule import) {
  Result<const Backend *> backend = backendNamed(request.backend);
  if (!backend)
    return backend.status();
  Walk walk(*context, request.path, request);
  Result<OwningOpRef<ModuleOp>> module = import();
  if (!module)
    return module.status();
  if (!*module)
    return std::optional<Program>();
  if (!walk.lead(**module, Room::Plan))
    return walk.refused();
  Result<Program> program =
      programOf(**module, context, **backend, request.code, walk);
  if (!program)
    return program.status();
  return std::optional(program.take());
}

Result<std::vector<EmittedFile>> Session::emit(std::span<const Entry> entries,
                                               const EmitRequest &request) {
  if (entries.empty())
    return Status(Code::InvalidArgument, "there is no model to emit");
  Result<const Backend *> backend = backendNamed(entries[0].compile.backend);
  if (!backend)
    return backend.status();
  std::vector<OwningOpRef<ModuleOp>> modules;
  std::vector<EntryPoint> points;
  for (const Entry &entry : entries) {
    State &state = *entry.session->state;
    if (Status status = state.checkModel(); !status.ok())
      return status;
    std::shared_ptr<MLIRContext> context = state.context();
    Walk walk(*context, state.path, entry.compile);
    modules.push_back(walk.to(Room::Plan));
    if (!modules.back())
      return walk.refused();
    Result<ir::FuncOp> function = functionOf(*modules.back(), state.path);
    if (!function)
      return function.status();
    points.push_back({entry.name, *function, context});
  }
  for (OwningOpRef<ModuleOp> &module : modules) // they end with this
    (*module)->setAttr(lastReader, UnitAttr::get(module->getContext()));
  return (*backend)->emit(points, request);
}

Result<std::string> Session::print(const CompileRequest &request,
                                   std::string_view emit, bool bytecode) {
  if (Status status = state->checkModel(); !status.ok())
    return status;
  bool picture = emit == "dot";
  Result<Room> room =
      picture ? Room::Graph : roomNamed(StringRef(emit.data(), emit.size()));
  if (!room)
    return room.status();
  if (Status status = checkBackend(request.backend); !status.ok())
    return status;
  // What is printed is on its way to code, though it may be none of it yet.
  const bool isSaid =
      !request.code.processor.empty() || !request.code.target.empty();
  const Backend *backend = findBackend(request.backend);
  if (isSaid && backend)
    if (Status status = backend->checkOptions(request.code); !status.ok())
      return status;
  Walk walk(*state->context(), state->path, request);
  OwningOpRef<ModuleOp> module = walk.to(*room);
  if (!module)
    return walk.refused();
  std::string text;
  llvm::raw_string_ostream os(text);
  if (picture) {
    printDot(*module, os);
    return text;
  }
  if (bytecode) {
    if (mlir::failed(writeBytecodeToFile(*module, os)))
      return Status(Code::Internal, "there is no bytecode of the module");
    return text;
  }
  OpPrintingFlags flags;
  // Resources would be written whole before they are found to be long.
  flags.elideLargeElementsAttrs(32).elideLargeResourceString(0);
  module->print(os, flags);
  // Of resources that are left out, MLIR prints the frame.
  if (constexpr StringLiteral frame = "\n{-#\n\n#-}\n";
      StringRef(text).ends_with(frame))
    text.resize(text.size() - frame.size());
  os << "\n";
  return text;
}

std::vector<StepReport> Session::report(const Program &program) {
  const Backend *backend = findBackend(program.backend);
  return backend ? backend->report(program) : std::vector<StepReport>();
}

Result<Explanation> Session::explain(const CompileRequest &request, bool json) {
  if (Status status = state->checkModel(); !status.ok())
    return status;
  if (Status status = checkBackend(request.backend); !status.ok())
    return status;
  return glow::explain(*state->context(), state->path, request, json);
}

Status Session::withRefusedNodes(const Status &status) const {
  return state->compiled || isModuleFile(state->path)
             ? status
             : glow::withRefusedNodes(status, state->path);
}

std::vector<std::string> glow::backendNames() {
  std::vector<std::string> names;
  for (const BackendInfo &info : allBackends())
    names.push_back(info.name);
  std::sort(names.begin(), names.end());
  return names;
}

