//===- Pipeline.cpp - the phases, in order
//---------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Pipeline/Pipeline.h"
#include "RunParts.h"
#include "glow/Backend/Backend.h"
#include "glow/IRGen/IRGen.h"
#include "glow/IROptimizer/Passes.h"
#include "glow/Lowering/Passes.h"
#include "glow/Memory/Passes.h"
#include "glow/Optimizer/Passes.h"
#include "glow/Optimizer/Rewrites.h"
#include "glow/Partition/Passes.h"
#include "glow/Pipeline/OwnPasses.h"
#include "glow/Program/BackendRecord.h"
#include "glow/Scans/Passes.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace glow;

static constexpr const char *names[] = {
    "import", "graph", "optimize", "partition", "lower", "irgen", "plan"};
static_assert(std::size(names) == size_t(Phase::Plan) + 1);

std::vector<std::string> glow::phaseNames() {
  return {std::begin(names), std::end(names)};
}

Result<Phase> glow::phaseNamed(llvm::StringRef name) {
  const auto *found = llvm::find(names, name);
  if (found != std::end(names))
    return static_cast<Phase>(found - names);
  return failure(Code::Unsupported, "no phase is named '", name.str(),
                 "'; there are: ", llvm::join(phaseNames(), ", "));
}

using Strings = std::vector<std::string>;

/// Backends that may receive parts of the model; fallbacks are not included.
static Strings backendsOf(llvm::StringRef backend, const PartitionPlan *plan) {
  if (!plan)
    return {backend.str()};
  Strings backends;
  for (const PartitionDevice &device : plan->request.devices)
    if (!llvm::is_contained(backends, device.backend))
      backends.push_back(device.backend);
  return backends;
}

static SimplifyGraphOptions ownRewrites(llvm::StringRef backend) {
  SimplifyGraphOptions own;
  own.backend = backend.str();
  return own;
}

/// The nodes that rewrites may create: one of the backends runs them, or a
/// fallback does. The reference backend runs every node.
static std::vector<std::string> nodesRun(const Strings &backends) {
  std::vector<const BackendInfo *> all;
  for (const std::string &backend : backends)
    llvm::append_range(all, withFallbacks(backend));
  const std::string reference = referenceBackend();
  std::vector<std::string> nodes;
  for (const std::string &node : nodesNeeded())
    if (llvm::any_of(all, [&](const BackendInfo *info) {
          return info->name == reference || !whenItRuns(*info, node).empty();
        }))
      nodes.push_back(node);
  return nodes;
}

static bool hasOwnRewrites(llvm::StringRef backend) {
  return hasRewrites({backend, /*onlyBeforeFolding=*/false, /*onlyOwn=*/true});
}

/// Limits the size of folded constants. Nodes with larger results stay, unless
/// they come from constants as large.
static FoldConstantsOptions smallConstants() {
  FoldConstantsOptions small;
  small.limit = 1024;
  return small;
}

void glow::addPhases(mlir::PassManager &passes, llvm::StringRef backend,
                     Phase last, const CodeOptions &options, bool alone,
                     const PartitionPlan *plan) {
  const Strings backends = backendsOf(backend, plan);
  // Import: no tensor is computed that would exceed the memory limit.
  CheckTensorMemoryOptions tensors;
  tensors.limit = options.memoryLimit;
  passes.addPass(createCheckTensorMemory(tensors));

  // Graph: every later phase relies on storage of the type that reads declare.
  if (last < Phase::Graph)
    return;
  auto signature = std::make_shared<Signature>();
  passes.addPass(createCheckGraph(signature));

  // Optimize: equal constants are merged first, so that computations on them
  // are equal, too. Quantised elements are expanded before any rewrite, since
  // rewrites know of elements and not of scales. Rewrites that look for nodes
  // on constants come before constant folding. Folding then runs before the
  // rewrites, which look for constants. It runs again after them, since they
  // create constants (a filter times a factor). Repeated constants stay small,
  // so that rewrites recognize them. Equal nodes are merged when as many
  // operands as possible are the same value. Only this phase raises the
  // patterns that models spell out: later, the nodes would have to be lowered
  // again.
  if (last < Phase::Optimize)
    return;
  passes.addPass(createUnifyConstants());
  passes.addPass(createExpandQuantized());
  if (hasRewrites({backend, /*onlyBeforeFolding=*/true})) {
    SimplifyGraphOptions first = ownRewrites(backend);
    first.beforeFolding = true;
    first.raising = true;
    llvm::append_range(first.runs, nodesRun(backends));
    passes.addPass(createSimplifyGraph(first));
  }
  FoldConstantsOptions small = smallConstants();
  small.marks = true;
  SimplifyGraphOptions raising;
  raising.raising = true;
  llvm::append_range(raising.runs, nodesRun(backends));
  for (int round = 0; round < 2; ++round) {
    passes.addPass(createFoldConstants(small));
    // Conditions and counts are constants by now, if they ever are.
    passes.addPass(createSimplifyControlFlow());
    // CSE makes repeated computations one value, as rewrites that use a value
    // twice require.
    passes.addPass(mlir::createCSEPass());
    passes.addPass(createSimplifyGraph(raising));
    // Views move when rewrites have left as few of them as possible, and create
    // new work for rewrites. Slices come last: nodes behind them are smaller,
    // and reshapes between nodes would stop them.
    passes.addPass(createMoveTransposes());
    passes.addPass(createSinkReshapes());
    passes.addPass(createRaiseSlices());
  }
  passes.addPass(createFoldConstants(small));
  // Functions are recognized as a whole, and the replaced nodes are dead then.
  if (!raising.runs.empty())
    passes.addPass(createTabulateBytes());
  passes.addPass(createSimplifyGraph(raising));
  passes.addPass(mlir::createCSEPass());
  // A user's own passes see the result of the rewrites, before any backend's
  // changes. Their result is verified with the rest of the phase.
  addOwnPasses(passes);
  passes.addPass(createCheckGraph(signature));
  // Loops of index notation become nodes when nothing else of this phase may
  // change their functions.
  ComposeScansOptions scans;
  for (const std::string &one : backends)
    for (const BackendInfo *info : withFallbacks(one))
      scans.backends.push_back(info->name);
  if (!scans.backends.empty())
    passes.addPass(createComposeScans(scans));

  // Partition: the memory of parts is checked after placement. Nodes that a
  // backend with fallbacks joins by its own rewrites are not divided.
  if (last < Phase::Partition)
    return;
  auto givesParts = [](llvm::StringRef one) {
    return withFallbacks(one).size() > 1;
  };
  const bool isDivided = !alone && (plan || givesParts(backend));
  if (isDivided)
    for (const std::string &one : backends)
      if (givesParts(one) && hasOwnRewrites(one)) {
        passes.addPass(createSimplifyGraph(ownRewrites(one)));
        // Folds parameters that these rewrites build from constants, so that no
        // other backend computes them in each run.
        FoldConstantsOptions rewritten = smallConstants();
        rewritten.lowered = rewritten.keepMarks = true;
        rewritten.limit = 65536; // of thousands of channels
        passes.addPass(createFoldConstants(rewritten));
        GiveBackNodesOptions unable;
        unable.backend = one;
        passes.addPass(createGiveBackNodes(unable));
      }
  if (plan) {
    passes.addPass(createPartitionGraph(plan->request, plan->costs));
  } else if (isDivided) {
    DivideByBackendOptions divide;
    divide.backend = backend.str();
    passes.addPass(createDivideByBackend(divide));
  }
  passes.addPass(createCheckPartition());

  // The later phases are those of each part's backend.
  if (last < Phase::Lower)
    return;
  passes.addPass(createLeadParts(
      backends, [=](mlir::OpPassManager &phases, llvm::StringRef name) {
        CodeOptions own = options;
        if (name != backend || isDivided)
          own.settings = settingsFor(name.str(), options.settings);
        addPhasesOf(name, phases, last, own);
      }));
}

void glow::addPhasesOf(llvm::StringRef backend, mlir::OpPassManager &passes,
                       Phase last, const CodeOptions &options) {
  // Lower: nodes stay as large as the model had them until here. A backend's
  // own rewrites and passes first look for large nodes, and at the end for
  // nodes to fuse.
  SimplifyGraphOptions own = ownRewrites(backend);
  if (hasOwnRewrites(backend))
    passes.addPass(createSimplifyGraph(own));
  const Backend *target = findBackend(backend);
  if (target)
    target->addGraphPasses(passes, options);
  LowerForBackendOptions lower;
  lower.backend = backend.str();
  passes.addPass(createLowerForBackend(lower));
  // Cleans up after lowering. Equal constants that rules built for several
  // nodes, and equal results, are merged. Transposes meet others that were
  // inside a node.
  passes.addPass(mlir::createCSEPass());
  FoldConstantsOptions lowered = smallConstants();
  lowered.lowered = true;
  passes.addPass(createFoldConstants(lowered));
  passes.addPass(createSimplifyGraph(own));
  passes.addPass(createMoveTransposes());
  passes.addPass(createSimplifyGraph(own));
  passes.addPass(mlir::createCSEPass());
  if (target)
    target->addFusionPasses(passes, options);
  // The last pass on marks: fusion creates nodes without them.
  passes.addPass(createMarkExact());

  if (const BackendInfo *info = findBackendInfo(backend);
      info && !info->memories.empty()) {
    // Tile sizes depend on the final nodes, so they are chosen after other
    // passes.
    TileNodesOptions tiles;
    tiles.backend = backend.str();
    passes.addPass(createTileNodes(tiles));
  }

  // A backend that takes nodes places values itself, so its pipeline ends here.
  if (const BackendInfo *info = findBackendInfo(backend);
      info && info->takesNodes)
    return;

  // IRGen: a node becomes its own instruction, or the instructions that its
  // record lists. The verifier of an instruction ran when the instruction was
  // created or read; the passes here verify properties of the whole function.
  if (last < Phase::IRGen)
    return;
  passes.addPass(createGenerateInstrs());
  passes.addPass(createCheckBindings());
  passes.addPass(createCheckElements());
  passes.addNestedPass<ir::FuncOp>(ir::createVerifyOrder());

  // Plan: states are updated in their buffers while each value still has a
  // buffer of its own. Eliminating copies creates dead stores, which are
  // removed next. Lifetimes are shortened before buffers are shared. The order
  // of instructions is fixed before buffers are placed, and some run again in
  // that order to fit a limit. The order of DMA copies
  // comes last, since it depends on shared memory. A part of another buffer is
  // not shared. So buffers within bindings are found before sharing, and parts
  // of other buffers after it.
  if (last < Phase::Plan)
    return;
  auto aligned = [backend](auto options) {
    if (const BackendInfo *info = findBackendInfo(backend))
      options.alignment = uint64_t(info->alignment);
    return options;
  };
  auto withMemories = [backend](auto options) {
    if (const BackendInfo *info = findBackendInfo(backend))
      for (const ir::MemorySpace &memory : info->memories)
        options.memories.push_back(ir::textOf(memory));
    return options;
  };
  auto placed = [&](auto options) { return aligned(withMemories(options)); };
  passes.addPass(ir::createUpdateStates());
  auto &functions = passes.nest<ir::FuncOp>();
  functions.addPass(ir::createEliminateCopies());
  functions.addPass(ir::createEliminateDeadStores());
  functions.addPass(ir::createShrinkLifetimes());
  functions.addPass(ir::createScheduleForMemory());
  ir::RecomputeValuesOptions recompute;
  recompute.limit = options.memoryLimit;
  functions.addPass(ir::createRecomputeValues(recompute));
  functions.addPass(ir::createViewBindings());
  functions.addPass(ir::createShareBuffers());
  functions.addPass(ir::createShrinkLifetimes());
  functions.addPass(ir::createJoinBuffers(aligned(ir::JoinBuffersOptions())));
  if (const BackendInfo *info = findBackendInfo(backend);
      info && !info->engines.empty()) {
    auto overlap = withMemories(ir::OverlapCopiesOptions());
    for (const ir::DmaEngine &engine : info->engines)
      overlap.engines.push_back(ir::textOf(engine));
    overlap.bandwidth = info->bandwidth;
    functions.addPass(ir::createOverlapCopies(overlap));
  }
  functions.addPass(ir::createVerifyOrder());
  functions.addPass(ir::createPlaceBuffers(placed(ir::PlaceBuffersOptions())));
  functions.addPass(
      ir::createVerifyPlacement(placed(ir::VerifyPlacementOptions())));
  ir::CheckPlannedMemoryOptions planned;
  planned.limit = options.memoryLimit;
  functions.addPass(ir::createCheckPlannedMemory(planned));
}
