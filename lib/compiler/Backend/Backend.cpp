//===- Backend.cpp - backends, from their records -------------------------===//
// SPDX-License-Identifier: MIT
//
// Libraries register backends, the nodes that backends run and the code for
// them, as tables that ClassGen generates from records. Rows are tried in the
// order of the records: the first row whose condition holds is taken.
//
//===----------------------------------------------------------------------===//

#include "glow/Backend/Backend.h"
#include "glow/Backend/Tiles.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Marks.h"
#include "glow/Graph/NodeInfo.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace glow;

namespace {
struct Registry {
  std::vector<BackendInfo> infos;
  std::vector<LegalInfo> legal;
  std::vector<const Backend *> backends;
};
} // namespace

static Registry &registry() {
  static Registry instance;
  return instance;
}

void glow::registerLegality(std::span<const BackendInfo> backends,
                            std::span<const LegalInfo> legal) {
  Registry &r = registry();
  r.infos.insert(r.infos.end(), backends.begin(), backends.end());
  r.legal.insert(r.legal.end(), legal.begin(), legal.end());
}

mlir::FailureOr<Program> Backend::compile(ir::FuncOp function,
                                          std::shared_ptr<const void>,
                                          const CodeOptions &) const {
  return function.emitError()
         << "backend '" << name() << "' takes no instructions";
}
mlir::FailureOr<Program> Backend::compileNodes(FuncOp function,
                                               std::shared_ptr<const void>,
                                               const CodeOptions &) const {
  return function.emitError() << "backend '" << name() << "' takes no nodes";
}

static Status notKept(const Backend &backend) {
  return failure(Code::Unsupported, "programs of backend '",
                 backend.name().str(), "' are not kept");
}
Result<std::string> Backend::store(const Program &program) const {
  return notKept(*this);
}
Result<Program> Backend::restore(const StoredProgram &stored) const {
  return notKept(*this);
}

static Status withoutLoops(const Backend &backend) {
  return failure(Code::Unsupported, "backend '", backend.name().str(),
                 "' makes no code of loops");
}
Status Backend::planLoops(loops::Program &, llvm::StringRef,
                          const CodeOptions &) const {
  return withoutLoops(*this);
}
Status Backend::checkOptions(const CodeOptions &options) const {
  return options.plans.empty() ? Status() : withoutLoops(*this);
}

Result<std::vector<EmittedFile>>
Backend::emit(std::span<const EntryPoint> entries,
              const EmitRequest &request) const {
  return failure(Code::Unsupported, "backend '", name().str(),
                 "' does not emit '", request.what, "'");
}

void glow::registerBackend(const Backend &backend) {
  registry().backends.push_back(&backend);
}

const Backend *glow::findBackend(llvm::StringRef name) {
  for (const Backend *backend : registry().backends)
    if (backend->name() == name)
      return backend;
  return nullptr;
}

const BackendInfo *glow::findBackendInfo(llvm::StringRef name) {
  for (const BackendInfo &info : registry().infos)
    if (name == info.name)
      return &info;
  return nullptr;
}

std::vector<BackendInfo> glow::allBackends() { return registry().infos; }

std::vector<std::string> glow::backendNames() {
  std::vector<std::string> names;
  for (const BackendInfo &info : allBackends())
    names.push_back(info.name);
  llvm::sort(names);
  return names;
}

static Status checkName(llvm::StringRef name) {
  if (findBackendInfo(name))
    return Status();
  std::string known;
  for (const BackendInfo &info : allBackends())
    known += (known.empty() ? "" : ", ") + std::string(info.name);
  return failure(Code::NotFound, "no backend is named '", name.str(),
                 "'; there are: ", known);
}

/// Fallbacks may form a cycle: two libraries may name each other's backend.
static Status checkFallbacks(const BackendInfo &backend) {
  llvm::StringSet<> seen;
  for (const BackendInfo *at = &backend; *at->fallback;) {
    if (!seen.insert(at->name).second)
      return failure(Code::InvalidArgument, "what backend '", backend.name,
                     "' cannot run comes back to '", at->name, "'");
    std::string from = at->name;
    if (Status status = checkName(at->fallback); !status.ok())
      return status.prefixed("backend '" + from + "' has a fallback: ");
    at = findBackendInfo(at->fallback);
  }
  return Status();
}

Status glow::checkBackend(const std::string &name, const Settings &settings) {
  if (Status status = checkName(name); !status.ok())
    return status;
  if (Status status = checkFallbacks(*findBackendInfo(name)); !status.ok())
    return status;
  return checkSettings(name, settings);
}

std::vector<const BackendInfo *> glow::withFallbacks(llvm::StringRef name) {
  std::vector<const BackendInfo *> all;
  for (const BackendInfo *at = findBackendInfo(name); at;
       at = findBackendInfo(at->fallback))
    all.push_back(at);
  return all;
}

bool glow::runsReferenceOf(const BackendInfo &backend, llvm::StringRef node) {
  const NodeInfo *info = findNode(node);
  return backend.runsReference && info && info->kernel != NodeKernel::None;
}

bool glow::isScalar(mlir::Operation *node) {
  auto module = node->getParentOfType<mlir::ModuleOp>();
  return module && module->hasAttr(scalar);
}

/// The record by which a backend runs a node; null when there is none.
static const LegalInfo *findLegal(const BackendInfo &backend,
                                  mlir::Operation *node) {
  llvm::StringRef name = node->getName().getStringRef();
  for (const LegalInfo &legal : registry().legal)
    if (name == legal.node && llvm::StringRef(backend.name) == legal.backend &&
        !(legal.vectors && isScalar(node)) && legal.runs(node))
      return &legal;
  return nullptr;
}

bool glow::runs(const BackendInfo &backend, mlir::Operation *node) {
  return whyItRuns(backend, node).has_value();
}

std::optional<std::string> glow::whyItRuns(const BackendInfo &backend,
                                           mlir::Operation *node) {
  // Legality conditions test element kinds only, and no kernel reads a scale.
  if (hasQuantized(node))
    return std::nullopt;
  if (runsReferenceOf(backend, node->getName().getStringRef()) ||
      runsLoopsOf(backend, node))
    return "";
  const LegalInfo *legal = findLegal(backend, node);
  const TilingInfo *tiling = legal ? tilingOf(backend, node) : nullptr;
  if (!legal || (tiling && !whyNoTile(backend, *tiling, node).empty()))
    return std::nullopt;
  return legal->when;
}

std::vector<std::string> glow::whenItRuns(const BackendInfo &backend,
                                          llvm::StringRef node) {
  std::vector<std::string> result;
  if (runsReferenceOf(backend, node) || runsLoopsOf(backend, node))
    result.push_back("");
  for (const LegalInfo &legal : registry().legal)
    if (node == legal.node && llvm::StringRef(backend.name) == legal.backend)
      result.push_back(legal.when);
  return result;
}

std::vector<std::string> glow::whyItDoesNotRun(const BackendInfo &backend,
                                               mlir::Operation *node) {
  std::vector<std::string> result;
  if (runsLoopsOf(backend, node->getName().getStringRef()))
    result.push_back("it runs on elements of " +
                     llvm::join(backend.loops, ", "));
  if (const TilingInfo *tiling = tilingOf(backend, node);
      tiling && findLegal(backend, node))
    return {whyNoTile(backend, *tiling, node)};
  for (const LegalInfo &legal : registry().legal)
    if (node->getName().getStringRef() == legal.node &&
        llvm::StringRef(backend.name) == legal.backend) {
      std::string here = legal.values ? legal.values(node) : "";
      result.push_back("it runs when " + std::string(legal.when) +
                       (here.empty() ? "" : "; here " + here));
    }
  return result;
}
