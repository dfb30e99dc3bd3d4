//===- Pipeline.cpp - the rooms, in order ---------------------------------===//

#include "glow/Pipeline/Pipeline.h"
#include "LeadParts.h"
#include "glow/Backend/Backend.h"
#include "glow/Program/BackendRecord.h"
#include "glow/IRGen/IRGen.h"
#include "glow/IROptimizer/Passes.h"
#include "glow/Lowering/Passes.h"
#include "glow/Memory/Passes.h"
#include "glow/Optimizer/Passes.h"
#include "glow/Optimizer/Rewrites.h"
#include "glow/Partition/Passes.h"
#include "glow/Pipeline/OwnPasses.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace glow;

static constexpr const char *names[] = {
    "import", "graph", "optimize", "partition", "lower", "irgen", "plan"};
static_assert(std::size(names) == size_t(Room::Plan) + 1);

std::vector<std::string> glow::roomNames() {
  return {std::begin(names), std::end(names)};
}

Result<Room> glow::roomNamed(llvm::StringRef name) {
  const auto *found = llvm::find(names, name);
  if (found != std::end(names))
    return static_cast<Room>(found - names);
  return failure(Code::Unsupported, "no room is named '", name.str(),
                 "'; there are: ", llvm::join(roomNames(), ", "));
}

using Strings = std::vector<std::string>;

/// Those that a model may be shared out to, without their fallbacks.
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

/// The nodes that rewrites need and that one of the backends runs, or the
/// backend that runs what it cannot. The reference gives the results of any.
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

/// Larger ones stay nodes, unless they come from constants as large.
static FoldConstantsOptions smallConstants() {
  FoldConstantsOptions small;
  small.limit = 1024;
  return small;
}

void glow::addRooms(mlir::PassManager &passes, llvm::StringRef backend,
                    Room last, const CodeOptions &options, uint64_t memoryLimit,
                    bool alone, const PartitionPlan *plan) {
  const Strings backends = backendsOf(backend, plan);
  // Import: nothing is computed that the machine has no room for.
  CheckTensorMemoryOptions tensors;
  tensors.limit = memoryLimit;
  passes.addPass(createCheckTensorMemory(tensors));

  // Graph: every later room relies on storage being what reads say it is.
  if (last < Room::Graph)
    return;
  auto signature = std::make_shared<Signature>();
  passes.addPass(createCheckGraph(signature));

  // Optimize: equal constants are one first, so that what is computed of them is
  // equal, too. Quantised elements are expanded before any rewrite, since
  // rewrites know of elements and not of scales. Rewrites that look for nodes
  // on constants come before these are folded. Then folding, since rewrites
  // look for constants, and again after them, since they make new ones (a
  // filter times a factor); repeated constants stay small, so that rewrites see
  // what they are. Equal nodes are merged when as many operands as possible are
  // the same value. Nodes are found in what models spell out here alone: later
  // they would have to be lowered again.
  if (last < Room::Optimize)
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
    // What a model computes twice is one value to a rewrite that names it
    // twice.
    passes.addPass(mlir::createCSEPass());
    passes.addPass(createSimplifyGraph(raising));
    // Views move when there are as few of them as rewrites leave, and make new
    // work for rewrites. Slices come last: nodes behind them are smaller, and
    // reshapes between nodes would stop them.
    passes.addPass(createMoveTransposes());
    passes.addPass(createSinkReshapes());
    passes.addPass(createRaiseSlices());
  }
  passes.addPass(createFoldConstants(small));
  // Functions are found whole, and what they consisted of is dead then.
  if (!raising.runs.empty())
    passes.addPass(createTabulateBytes());
  passes.addPass(createSimplifyGraph(raising));
  passes.addPass(mlir::createCSEPass());
  // A user's own see what rewrites leave, before anything is for a backend;
  // what they leave is checked as all of the room is.
  addOwnPasses(passes);
  passes.addPass(createCheckGraph(signature));

  // Partition: its memory is checked when buffers have places. What the
  // rewrites of a backend join that gives parts to others is not divided.
  if (last < Room::Partition)
    return;
  auto givesParts = [](llvm::StringRef one) {
    return withFallbacks(one).size() > 1;
  };
  const bool isDivided = !alone && (plan || givesParts(backend));
  if (isDivided)
    for (const std::string &one : backends)
      if (givesParts(one) && hasOwnRewrites(one)) {
        passes.addPass(createSimplifyGraph(ownRewrites(one)));
        // Parameters that these put together from constants, which no other
        // backend should do in each run.
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

  // The rooms behind it are those of each part's backend.
  if (last < Room::Lower)
    return;
  passes.addPass(createLeadParts(
      backends, [=](mlir::OpPassManager &rooms, llvm::StringRef name) {
        CodeOptions own = options;
        if (name != backend || isDivided)
          own.settings = settingsFor(name.str(), options.settings);
        addRoomsOf(name, rooms, last, own, memoryLimit);
      }));
}

void glow::addRoomsOf(llvm::StringRef backend, mlir::OpPassManager &passes,
                      Room last, const CodeOptions &options,
                      uint64_t memoryLimit) {
  // Lower: nodes stay as large as the model had them until here. A backend's
  // own rewrites and passes look for large nodes first, and at the end for what
  // to fuse.
  SimplifyGraphOptions own = ownRewrites(backend);
  if (hasOwnRewrites(backend))
    passes.addPass(createSimplifyGraph(own));
  const Backend *target = findBackend(backend);
  if (target)
    target->addGraphPasses(passes, options);
  LowerForBackendOptions lower;
  lower.backend = backend.str();
  passes.addPass(createLowerForBackend(lower));
  // What rules made of constants, which is one where they made it for several
  // nodes, and what they made twice; and transposes that meet others which were
  // inside of a node.
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
  // The last word on nodes: what fuses them makes them anew.
  passes.addPass(createMarkExact());

  if (const BackendInfo *info = findBackendInfo(backend);
      info && !info->memories.empty()) {
    // What other passes do to nodes, they do to sizes of tiles.
    TileNodesOptions tiles;
    tiles.backend = backend.str();
    passes.addPass(createTileNodes(tiles));
  }

  // What takes nodes is done: it places values itself.
  if (const BackendInfo *info = findBackendInfo(backend);
      info && info->takesNodes)
    return;

  // IRGen: a node becomes its own instruction, or the instructions that its
  // record lists. The verifier of an instruction has run when the instruction was
  // made or read; the passes here verify what only the whole function shows.
  if (last < Room::IRGen)
    return;
  passes.addPass(createGenerateInstrs());
  passes.addPass(createCheckBindings());
  passes.addPass(createCheckElements());
  auto &functions = passes.nest<ir::FuncOp>();
  functions.addPass(ir::createVerifyOrder());

  // Plan: copies go before dead stores, which they make; lives are shortened
  // before buffers are shared, and the order of instructions is settled before
  // buffers get their places; last that of copies of DMA engines, which goes by
  // what shares memory. A buffer that became a part of another is not
  // shared, so that what lies in bindings is found before, and parts of other
  // buffers after that.
  if (last < Room::Plan)
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
  functions.addPass(ir::createEliminateCopies());
  functions.addPass(ir::createEliminateDeadStores());
  functions.addPass(ir::createShrinkLifetimes());
  functions.addPass(ir::createScheduleForMemory());
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
  planned.limit = memoryLimit;
  functions.addPass(ir::createCheckPlannedMemory(planned));
}
