//===- PredictedCosts.cpp - times of nodes before they run ----------------===//
// SPDX-License-Identifier: MIT
//
// The nodes in a copy of the function get their numbers as names. Every phase
// keeps the names, so that each step has the number of its node.
//
//===----------------------------------------------------------------------===//

#include "PredictedCosts.h"
#include "glow/Backend/Backend.h"
#include "glow/Backend/Steps.h"
#include "glow/Graph/ControlFlow.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Loops.h"
#include "glow/IR/Names.h"
#include "glow/Memory/PredictCycles.h"
#include "glow/Partition/ProgramCosts.h"
#include "glow/Pipeline/Pipeline.h"
#include "glow/Program/Parts.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace glow;

namespace {

/// A module with the nodes of a function that a backend runs. Values from other
/// nodes become inputs, and values for other nodes are saved.
class Excerpt {
public:
  Excerpt(FuncOp function, ArrayRef<Operation *> nodes,
          const BackendInfo &backend)
      : backend(backend), builder(function.getContext()) {
    IRMapping copies;
    module =
        cast<ModuleOp>(function->getParentOfType<ModuleOp>()->clone(copies));
    const SymbolTable symbols(*module);
    for (auto [index, node] : llvm::enumerate(nodes)) {
      Operation *copy = copies.lookup(node);
      auto name = NameLoc::get(builder.getStringAttr(Twine(index)));
      copy->setLoc(name);
      for (FuncOp called : neededBy(copy, symbols))
        called.walk([&](Operation *op) { op->setLoc(name); });
      kept.insert(copy);
    }
    auto copy = cast<FuncOp>(copies.lookup(function.getOperation()));
    for (FuncOp other : llvm::make_early_inc_range(module->getOps<FuncOp>()))
      if (other != copy && !other.isCalled())
        other.erase();
    for (auto constant : module->getOps<ConstantOp>())
      alias(constant);
    cutOut(copy);
    eraseUncalled(*module);
  }

  OwningOpRef<ModuleOp> module;

private:
  /// Gives a constant bytes of its own attribute. A phase releases the memory
  /// of unread constants in its module, and the original must stay.
  static void alias(ConstantOp constant) {
    auto value = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
    if (value && isKnown(value))
      constant.setValueAttr(elementsOf(cast<RankedTensorType>(value.getType()),
                                       bytesOf(value), constant.getSymName()));
  }

  /// Erases the other nodes, from the end, so that users are erased before
  /// their operands.
  void cutOut(FuncOp function) {
    SymbolTable symbols(*module);
    const auto isGone = [&](Operation &op) {
      return !isa<ReadOp, SaveOp>(op) && !kept.contains(&op) &&
             !(runs(backend, &op) &&
               llvm::all_of(op.getOperands(), [&](Value operand) {
                 return isConstant(operand, symbols);
               }));
    };
    SmallVector<Operation *> gone;
    for (Operation &op : function.block())
      if (isGone(op))
        gone.push_back(&op);
    for (Operation *op : gone)
      for (Value operand : op->getOperands())
        if (kept.contains(operand.getDefiningOp()) &&
            saved.insert(operand).second)
          save(operand, symbols);
    for (Operation *op : llvm::reverse(gone)) {
      for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
        if (isa<SaveOp>(user))
          user->erase();
      for (Value result : op->getResults())
        if (!result.use_empty())
          result.replaceAllUsesWith(given(result, symbols));
      op->erase();
    }
  }

  /// Whether the value is computed from constants only. Every part whose
  /// backend runs the nodes may compute such a value again.
  bool isConstant(Value value, SymbolTable &symbols) const {
    Operation *origin = value.getDefiningOp();
    if (auto read = dyn_cast<ReadOp>(origin))
      return bool(symbols.lookup<ConstantOp>(read.getStorage()));
    return !kept.contains(origin) &&
           llvm::all_of(origin->getOperands(), [&](Value operand) {
             return isConstant(operand, symbols);
           });
  }

  FlatSymbolRefAttr storage(Value value, PlaceholderRole role,
                            SymbolTable &symbols) {
    builder.setInsertionPointToStart(module->getBody());
    return FlatSymbolRefAttr::get(symbols.insert(PlaceholderOp::create(
        builder, value.getLoc(), builder.getStringAttr("excerpt"),
        value.getType(), role)));
  }
  void save(Value value, SymbolTable &symbols) {
    FlatSymbolRefAttr to = storage(value, PlaceholderRole::Output, symbols);
    builder.setInsertionPointToEnd(value.getParentBlock());
    SaveOp::create(builder, value.getLoc(), value, to);
  }
  Value given(Value value, SymbolTable &symbols) {
    FlatSymbolRefAttr from = storage(value, PlaceholderRole::Input, symbols);
    builder.setInsertionPointToStart(value.getParentBlock());
    return ReadOp::create(builder, value.getLoc(), value.getType(), from);
  }

  const BackendInfo &backend;
  OpBuilder builder;
  llvm::DenseSet<Operation *> kept;
  llvm::DenseSet<Value> saved;
};

/// The work of instructions. The operations come from the record's loops, or
/// from the elements of the largest buffer, whose kind counts.
struct Work {
  std::map<ElementKind, double> operations;
  double bytes = 0;

  void add(Operation *instr) {
    double elements = 0;
    ElementKind kind = ElementKind::F32;
    for (Value buffer : instr->getOperands())
      if (auto type = dyn_cast<ir::BufferType>(buffer.getType())) {
        const glow::TensorType tensor = tensorTypeOf(type.getTensor());
        bytes += double(tensor.bytes());
        if (double(tensor.elements()) > elements) {
          elements = double(tensor.elements());
          kind = tensor.kind;
        }
      }
    std::unique_ptr<loops::Program> loops = ir::loopsOf(instr);
    if (!loops) {
      operations[kind] += elements;
      return;
    }
    for (const loops::Statement &statement : loops->statements) {
      double times = 1;
      for (unsigned index : statement.indices)
        times *= double(loops->extent(index));
      operations[kind] += times;
    }
  }

  double secondsOn(const PartitionDevice &device) const {
    double computing = 0;
    for (const auto &[kind, count] : operations)
      computing += count / device.operationsOf(kind);
    return std::max(computing, bytes / device.bytesPerSecond);
  }
};

/// The costs of nodes, by node, on one core or on all cores of a processor.
struct Predicted {
  std::vector<double> cycles; ///< empty if the backend predicts nothing
  double cyclesPerSecond = 0; ///< by the backend's record; 0: the device's
  std::optional<ProgramBytes> bytes; ///< where it was compiled
  std::vector<Work> work;
};

class PredictedCosts final : public ProgramCosts {
public:
  PredictedCosts(const CompileRequest &request,
                 std::shared_ptr<MLIRContext> context)
      : code(request.code), context(std::move(context)) {
    code.reportsOnly = true;
  }

  std::vector<double> secondsOf(FuncOp function, ArrayRef<Operation *> nodes,
                                const PartitionDevice &device) override {
    auto [known, isNew] =
        all.try_emplace({function.getSymName().str(), device.backend});
    if (isNew)
      known->second = predict(function, nodes, device.backend);
    std::vector<double> seconds = secondsOf(known->second, device);
    useMeasured(nodes, device, seconds);
    return seconds;
  }

  std::optional<ProgramBytes> bytesOf(FuncOp function,
                                      const PartitionDevice &device) override {
    auto known = all.find({function.getSymName().str(), device.backend});
    return known == all.end() ? std::nullopt : known->second.bytes;
  }

private:
  static ProgramBytes bytesOf(const Program &program) {
    ProgramBytes bytes{0, program.arenaBytes};
    for (const auto &[device, all] : bytesByDevice(program))
      bytes.constants += all;
    bytes.constants -= bytes.arena;
    return bytes;
  }

  static std::vector<double> secondsOf(const Predicted &predicted,
                                       const PartitionDevice &device) {
    std::vector<double> seconds;
    const double cores = std::max(1u, device.threads),
                 clock = predicted.cyclesPerSecond > 0
                             ? predicted.cyclesPerSecond
                             : device.cyclesPerSecond;
    for (size_t i = 0; i < predicted.work.size(); ++i) {
      if (predicted.cycles.empty())
        seconds.push_back(predicted.work[i].secondsOn(device) / cores);
      else if (predicted.cycles[i] > 0)
        seconds.push_back(predicted.cycles[i] / clock / cores);
      else
        seconds.push_back(within);
    }
    return seconds;
  }

  /// Distributes the time measured for a name over its nodes, in proportion to
  /// their predicted times.
  static void useMeasured(ArrayRef<Operation *> nodes,
                          const PartitionDevice &device,
                          std::vector<double> &seconds) {
    if (device.measured.empty())
      return;
    llvm::StringMap<double> sums;
    auto predicted = [&](size_t i) { return std::max(seconds[i], 1e-9); };
    for (size_t i = 0; i < nodes.size(); ++i)
      sums[modelName(nodes[i]->getLoc())] += predicted(i);
    for (size_t i = 0; i < nodes.size(); ++i) {
      const std::string name = modelName(nodes[i]->getLoc());
      auto found = device.measured.find(name);
      seconds[i] = found == device.measured.end()
                       ? within
                       : found->second * predicted(i) / sums[name];
    }
  }

  /// Runs the phases of a backend on an excerpt.
  bool runPhases(ModuleOp module, StringRef backend, Phase last) {
    PassManager passes(context.get());
    CodeOptions own = code;
    own.settings = settingsFor(backend.str(), code.settings);
    addPhasesOf(backend, passes, last, own);
    return succeeded(passes.run(module));
  }

  Predicted predict(FuncOp function, ArrayRef<Operation *> nodes,
                    const std::string &backend) {
    // Errors are silenced here: the later compilation reports them, with the
    // model's names.
    ScopedDiagnosticHandler quiet(context.get(),
                                  [](Diagnostic &) { return success(); });
    Predicted predicted;
    predicted.work.resize(nodes.size());
    predicted.cycles = cyclesOf(function, nodes, backend, predicted.bytes);
    if (const BackendInfo *info = findBackendInfo(backend))
      predicted.cyclesPerSecond = 1e6 * info->megahertz;
    if (!predicted.cycles.empty())
      return predicted;
    // The reference runs all nodes, and lowers them as far as records allow.
    Excerpt excerpt(function, nodes, *findBackendInfo(referenceBackend()));
    if (runPhases(*excerpt.module, referenceBackend(), Phase::IRGen))
      excerpt.module->walk([&](Operation *instr) {
        if (auto index = numberOf(nameIn(instr->getLoc()), nodes.size()))
          predicted.work[*index].add(instr);
      });
    return predicted;
  }

  /// The cycles of each node; empty where the backend predicts none.
  std::vector<double> cyclesOf(FuncOp function, ArrayRef<Operation *> nodes,
                               const std::string &name,
                               std::optional<ProgramBytes> &bytes) {
    const Backend *backend = findBackend(name);
    if (!backend || findBackendInfo(name)->takesNodes || nodes.empty())
      return {};
    Excerpt excerpt(function, nodes, *findBackendInfo(name));
    if (!runPhases(*excerpt.module, name, Phase::Plan))
      return {};
    std::vector<double> cycles(nodes.size());
    auto add = [&](StringRef node, double more) {
      if (auto index = numberOf(node, nodes.size()))
        cycles[*index] += more;
    };
    const auto functions = excerpt.module->getOps<ir::FuncOp>();
    ir::FuncOp planned = *llvm::find_if(
        functions, [](ir::FuncOp one) { return !one.getTakes(); });
    if (const BackendInfo &info = *findBackendInfo(name);
        !info.engines.empty()) {
      ir::predictCycles(planned, {info.memories, info.engines, info.bandwidth},
                        [&](Operation *instr, double passed) {
                          add(nameIn(instr->getLoc()), passed);
                        });
    } else {
      CodeOptions own = code;
      own.settings = settingsFor(name, code.settings);
      FailureOr<Program> program = backend->compile(planned, context, own);
      if (mlir::failed(program))
        return {};
      bytes = bytesOf(*program);
      for (const StepReport &step : backend->report(*program))
        add(step.node, step.predictedCycles * double(step.runs.value_or(1)));
    }
    const bool predictsAny =
        llvm::any_of(cycles, [](double own) { return own > 0; });
    return predictsAny ? cycles : std::vector<double>();
  }

  static std::optional<size_t> numberOf(StringRef name, size_t count) {
    size_t number;
    if (name.getAsInteger(10, number) || number >= count)
      return std::nullopt;
    return number;
  }

  CodeOptions code;
  std::shared_ptr<MLIRContext> context;
  std::map<std::pair<std::string, std::string>, Predicted>
      all; ///< by function and backend
};

} // namespace

std::shared_ptr<NodeCosts>
glow::predictedCosts(const CompileRequest &request,
                     std::shared_ptr<MLIRContext> context) {
  return std::make_shared<PredictedCosts>(request, std::move(context));
}
