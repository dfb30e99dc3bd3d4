//===- Session.cpp - one model, read, compiled per shape ------------------===//

#include "glow/Pipeline/Session.h"
#include "glow/Backend/Backend.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Structure.h"
#include "glow/Importer/Importer.h"
#include "glow/Pipeline/Pipeline.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace glow;

struct Session::State {
  std::string path;
  std::shared_ptr<MLIRContext> context;
  bool isText = false;
  std::vector<Binding> inputs, outputs;
};

/// `model.onnx:conv_3: error: ...`, with notes on lines of their own.
static void print(Diagnostic &diagnostic, StringRef path) {
  auto where = [&](Location location) {
    std::string text = path.str();
    if (auto name = dyn_cast<NameLoc>(location))
      text += ":" + name.getName().str();
    else if (auto file = dyn_cast<FileLineColLoc>(location))
      text = (file.getFilename().getValue() +
              (file.getLine()
                   ? ":" + Twine(file.getLine()) + ":" + Twine(file.getColumn())
                   : Twine()))
                 .str();
    return text;
  };
  llvm::errs() << where(diagnostic.getLocation())
               << (diagnostic.getSeverity() == DiagnosticSeverity::Error
                       ? ": error: "
                       : ": warning: ")
               << diagnostic.str() << "\n";
  for (Diagnostic &note : diagnostic.getNotes())
    llvm::errs() << "  note: " << note.str() << "\n";
}

static std::vector<Binding> bindingsOf(const std::vector<ModelPort> &ports) {
  std::vector<Binding> result;
  for (const ModelPort &port : ports)
    result.push_back({port.name,
                      {port.kind.value_or(ElementKind::F32), port.shape},
                      port.dimensions});
  return result;
}

static OwningOpRef<ModuleOp> parseText(MLIRContext &context,
                                       const std::string &path) {
  auto sources = std::make_shared<llvm::SourceMgr>();
  std::string message;
  auto file = openInputFile(path, &message);
  if (!file) {
    llvm::errs() << path << ": error: " << message << "\n";
    return {};
  }
  sources->AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(*sources, &context, llvm::errs());
  return parseSourceFile<ModuleOp>(sources, &context);
}

Session::Session(std::unique_ptr<State> state) : state(std::move(state)) {}
Session::Session(Session &&) noexcept = default;
Session &Session::operator=(Session &&) noexcept = default;
Session::~Session() = default;

const std::vector<Binding> &Session::inputs() const { return state->inputs; }
const std::vector<Binding> &Session::outputs() const { return state->outputs; }

static Status readTextPorts(MLIRContext &context, const std::string &path,
                            std::vector<Binding> &inputs,
                            std::vector<Binding> &outputs) {
  OwningOpRef<ModuleOp> module = parseText(context, path);
  if (!module)
    return Status(Code::InvalidArgument, path + " is not a valid module");
  for (auto placeholder : module->getOps<PlaceholderOp>()) {
    auto type = cast<RankedTensorType>(placeholder.getType());
    Binding binding{placeholder.getSymName().str(),
                    {*kindOf(type.getElementType()), Ints(type.getShape())},
                    {}};
    (placeholder.getRole() == "output" ? outputs : inputs)
        .push_back(std::move(binding));
  }
  return Status();
}

Result<Session> Session::open(const std::string &path) {
  auto state = std::make_unique<State>();
  state->path = path;
  DialectRegistry registry;
  registerDialects(registry);
  state->context =
      std::make_shared<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  state->context->loadAllAvailableDialects();
  state->isText = StringRef(path).ends_with(".mlir") ||
                  StringRef(path).ends_with(".mlirbc");
  if (state->isText) {
    Status status =
        readTextPorts(*state->context, path, state->inputs, state->outputs);
    if (!status.ok())
      return status;
    return Session(std::move(state));
  }
  Result<ModelInterface> interface = readInterface(path);
  if (!interface)
    return interface.status();
  state->inputs = bindingsOf(interface->inputs);
  state->outputs = bindingsOf(interface->outputs);
  return Session(std::move(state));
}

/// The module after room `last`; null after errors that were printed.
static OwningOpRef<ModuleOp> walk(MLIRContext &context, bool isText,
                                  const CompileRequest &request,
                                  const std::string &path, Room last) {
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    print(diagnostic, path);
    return success();
  });
  OwningOpRef<ModuleOp> module;
  if (isText) {
    module = parseText(context, path);
  } else {
    ImportOptions options;
    options.shapes = request.shapes;
    module = importOnnx(context, path, options);
  }
  if (!module)
    return {};
  PassManager passes(&context);
  addRooms(passes, request.backend, last);
  if (mlir::failed(mlir::verify(*module)) || mlir::failed(passes.run(*module)))
    return {};
  return module;
}

static Status refused(const std::string &path) {
  return Status(Code::InvalidArgument, path + " cannot be compiled");
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

Result<Program> Session::compile(const CompileRequest &request) {
  if (Status status = checkBackend(request.backend); !status.ok())
    return status;
  OwningOpRef<ModuleOp> module =
      walk(*state->context, state->isText, request, state->path, Room::Plan);
  if (!module)
    return refused(state->path);
  auto functions = module->getOps<ir::FuncOp>();
  const Backend *backend = findBackend(request.backend);
  if (functions.empty() || !backend)
    return Status(Code::Unsupported, "nothing to compile");
  // The context owns what constants refer to.
  FailureOr<Program> program =
      backend->compile(*functions.begin(), state->context);
  if (mlir::failed(program))
    return refused(state->path);
  return *program;
}

Result<std::string> Session::print(const CompileRequest &request,
                                   std::string_view emit) {
  std::optional<Room> room = roomNamed(StringRef(emit.data(), emit.size()));
  if (!room)
    return Status(Code::Unsupported,
                  "no room is named '" + std::string(emit) + "'");
  if (Status status = checkBackend(request.backend); !status.ok())
    return status;
  OwningOpRef<ModuleOp> module =
      walk(*state->context, state->isText, request, state->path, *room);
  if (!module)
    return refused(state->path);
  std::string text;
  llvm::raw_string_ostream os(text);
  OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(32).elideLargeResourceString(64);
  module->print(os, flags);
  os << "\n";
  return text;
}

Result<std::string> Session::explain(const CompileRequest &request, bool json) {
  Result<Program> program = compile(request);
  if (!program)
    return program.status();
  std::string text;
  llvm::raw_string_ostream os(text);
  if (json)
    os << "{\"arena_bytes\": " << program->arenaBytes
       << ", \"live_bytes\": " << program->liveBytes
       << ", \"constant_bytes\": " << program->constantBytes() << "}\n";
  else
    os << "backend   " << program->backend << "\n"
       << "constants " << program->constantBytes() << " bytes\n"
       << "arena     " << program->arenaBytes << " bytes\n"
       << "live      " << program->liveBytes << " bytes at most at one time\n";
  return text;
}

std::string glow::operatorTable(bool markdown) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::vector<BackendInfo> backends = allBackends();
  os << (markdown ? "| node |" : "node");
  for (const BackendInfo &backend : backends)
    os << (markdown ? " " : "\t") << backend.name << (markdown ? " |" : "");
  os << "\n";
  if (markdown) {
    os << "|---|";
    for (size_t i = 0; i < backends.size(); ++i)
      os << "---|";
    os << "\n";
  }
  for (const NodeInfo &node : allNodes()) {
    os << (markdown ? "| " : "") << node.name << (markdown ? " |" : "");
    for (const BackendInfo &backend : backends) {
      std::vector<std::string> when = whenItRuns(backend, node.name);
      std::string word = when.empty()      ? "lowers"
                         : when[0].empty() ? "runs"
                                           : "runs when " + when[0];
      os << (markdown ? " " : "\t") << word << (markdown ? " |" : "");
    }
    os << "\n";
  }
  return text;
}

std::vector<std::string> glow::backendNames() {
  std::vector<std::string> names;
  for (const BackendInfo &info : allBackends())
    names.push_back(info.name);
  std::sort(names.begin(), names.end());
  return names;
}

std::string glow::defaultBackend() {
  return findBackendInfo("cpu") ? "cpu" : CompileRequest().backend;
}
