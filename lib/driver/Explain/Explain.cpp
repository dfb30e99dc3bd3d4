//===- Explain.cpp - explanation of a model's lowering --------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Explain/Explain.h"
#include "PlannedInstrs.h"
#include "glow/Base/Counted.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/Marks.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/OfDevice.h"
#include "glow/Graph/Shape.h"
#include "glow/IR/CallText.h"
#include "glow/IR/Names.h"
#include "glow/Lowering/Passes.h"
#include "glow/Lowering/Rules.h"
#include "glow/Memory/MemoryPlan.h"
#include "glow/Optimizer/Rewrites.h"
#include "glow/Report/Table.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace glow;
using namespace mlir;

namespace {

/// The result for one node of the model.
struct NodeRow {
  std::string name, node;
  std::optional<std::string> when; ///< it runs as it stands; "": always
  std::string means;               ///< by what, then; or ""
  std::vector<std::string> rules;  ///< "SoftmaxByRecord (nodes/Softmax.td:3)"
  std::vector<std::string> instrs; ///< of the plan; earlier, of the lowering
  std::string partOf; ///< the node whose instruction does its work; or ""
  std::vector<std::string> reasons; ///< it can neither run nor be lowered
  /// For a node in a part of a fallback: why the previous backend does not run
  /// it.
  std::vector<std::string> elsewhere;

  StringRef verdict() const {
    return when ? "runs" : reasons.empty() ? "lowered" : "cannot";
  }

  std::string why() const {
    return elsewhere.empty() ? whyHere()
                             : whyHere() + "; " + llvm::join(elsewhere, "; ");
  }

private:
  std::string whyHere() const {
    if (when && !partOf.empty())
      return "part of " + partOf;
    if (when)
      return (means.empty() ? "" : "by " + means) +
             (means.empty() || when->empty() ? "" : ", ") +
             (when->empty() ? "" : "because " + *when);
    return reasons.empty() ? "by " + llvm::join(rules, ", then ")
                           : llvm::join(reasons, "; ");
  }
};

/// A function, the backend that runs it, and the rows of its nodes.
struct ExplainedPart {
  std::string name;
  std::vector<std::string> calls; ///< ir::callsTo; empty for an entry
  const BackendInfo *backend;
  bool isChosen;      ///< of several backends
  std::string device; ///< that it is for; or ""
  size_t begin, end;
  std::optional<ir::MemoryPlan> plan; ///< set for a function of instructions
};

/// Follows every node of a module down to the nodes that its backend runs.
class LoweringTrace : LoweringObserver {
public:
  LoweringTrace(ModuleOp module, const BackendInfo &backend)
      : unmet(unmetConditions(module, backend.name)) {
    for (auto function : module.getOps<FuncOp>()) {
      auto name = function->getAttrOfType<StringAttr>(ofBackend);
      // Parts assigned to devices have other reasons.
      isOfFallback = name && name.getValue() != backend.name &&
                     !function->hasAttr(ofDevice);
      first = &backend;
      addPart(function, name ? *findBackendInfo(name) : backend, bool(name));
    }
  }

  std::vector<NodeRow> rows;
  std::vector<ExplainedPart> parts;

private:
  static std::string deviceOf(FuncOp function) {
    auto device = function->getAttrOfType<StringAttr>(ofDevice);
    return device ? device.str() : "";
  }

  void addPart(FuncOp function, const BackendInfo &backend, bool isChosen) {
    const size_t begin = rows.size();
    origins.clear();
    for (Operation &op : function.block())
      if (findNode(op.getName().getStringRef()))
        add(&op, backend);
    std::vector<std::string> calls;
    for (const ir::FunctionCall &call : ir::callsTo(function))
      calls.push_back(call.text);
    parts.push_back({function.getSymName().str(),
                     std::move(calls),
                     &backend,
                     isChosen,
                     deviceOf(function),
                     begin,
                     rows.size(),
                     {}});
    // The actual lowering runs, and reports to this observer.
    (void)lowerForBackend(function, backend.name, this);
    for (Operation &op : function.block())
      if (auto found = origins.find(&op);
          found != origins.end() && runs(backend, &op))
        rows[found->second].instrs.push_back(op.getName().stripDialect().str());
  }

  void add(Operation *op, const BackendInfo &backend) {
    origins[op] = rows.size();
    NodeRow row;
    row.node = op->getName().getStringRef().str();
    row.name = nameIn(op->getLoc()).str();
    if (auto place = dyn_cast<FileLineColLoc>(op->getLoc()); place)
      row.name = "line " + std::to_string(place.getLine());
    row.when = whyItRuns(backend, op);
    if (row.when)
      row.means = meansOf(backend, op).text;
    if (isOfFallback && !runs(*first, op))
      row.elsewhere = whyNotOn(*first, op);
    rows.push_back(std::move(row));
  }

  /// The reasons of the backend's records, each with its condition and the
  /// actual values. If there are none, the unmet conditions of rewrites that
  /// begin at the node, or at another node from the same node of the model.
  std::vector<std::string> whyNotOn(const BackendInfo &backend,
                                    Operation *node) const {
    std::string name(backend.name);
    std::vector<std::string> reasons;
    auto tell = [&](StringRef reason) {
      reasons.push_back("not on " + name + " (" + backend.place +
                        "): " + reason.str());
    };
    if (auto given = node->getAttrOfType<ArrayAttr>(givenBack))
      for (StringAttr reason : given.getAsRange<StringAttr>())
        tell(reason.getValue());
    else
      for (const std::string &reason : whyItDoesNotRun(backend, node))
        tell(reason);
    if (auto found = unmet.find(node->getLoc());
        reasons.empty() && found != unmet.end())
      for (const std::string &reason : found->second)
        reasons.push_back("not on " + name + ": " + reason);
    if (reasons.empty())
      reasons.push_back("not on " + name + ": no record of " + backend.place +
                        " names it");
    return reasons;
  }

  void lowered(const Operation *node, const RuleInfo &rule,
               ArrayRef<Operation *> made) override {
    size_t row = origins.lookup(node);
    std::string text = std::string(rule.name) + " (" + rule.place + ")";
    if (!llvm::is_contained(rows[row].rules, text))
      rows[row].rules.push_back(text);
    // A backend's own rule lowers a node even if the backend could run it.
    rows[row].when.reset();
    // A new operation may get the address of an erased one.
    for (Operation *op : made)
      origins[op] = row;
  }

  void refused(const Operation *, Operation *node,
               ArrayRef<std::string> reasons) override {
    NodeRow &row = rows[origins.lookup(node)];
    row.reasons.insert(row.reasons.end(), reasons.begin(), reasons.end());
  }

  llvm::DenseMap<const Operation *, size_t> origins;
  const BackendInfo *first = nullptr; ///< that other parts are fallbacks of
  bool isOfFallback = false;          ///< the part whose rows are added
  const UnmetConditions unmet;        ///< of rewrites of the first backend
};

/// Whether the record of a node lists the instructions that it becomes.
bool listsInstrs(const NodeRow &row) {
  const NodeInfo *info = findNode(row.node);
  return info && info->kernel == NodeKernel::Instrs;
}

/// Sets the instructions that finally run for the rows of one part. Nodes may
/// have become others, parts of others, and views.
void setPlanned(MutableArrayRef<NodeRow> rows, ir::FuncOp function) {
  PlannedInstrs planned(function);
  std::vector<NodeRow *> without;
  for (NodeRow &row : rows) {
    row.instrs = planned.take(row.name, row.instrs);
    if (row.instrs.empty())
      without.push_back(&row);
  }
  // Among several nodes of one name, the last computes the result.
  for (NodeRow *row : llvm::reverse(without)) {
    row->instrs = planned.takeRest(row->name);
    if (listsInstrs(*row)) {
      // Each name is listed once: there may be thousands of instructions.
      std::vector<std::string> distinct;
      for (std::string &instr : row->instrs)
        if (!llvm::is_contained(distinct, instr))
          distinct.push_back(std::move(instr));
      row->instrs = std::move(distinct);
    }
    if (!row->instrs.empty())
      continue;
    row->partOf = planned.holderOf(row->name);
    row->means.clear();
  }
  // Further instructions that the backend adds to a node, such as copies.
  for (NodeRow &row : rows)
    llvm::append_range(row.instrs, planned.takeRest(row.name));
}

unsigned countOf(const std::vector<NodeRow> &rows, StringRef verdict) {
  return unsigned(llvm::count_if(
      rows, [&](const NodeRow &row) { return row.verdict() == verdict; }));
}

} // namespace

/// "gemm, 2 add": equal neighbours are counted. In a long list, as for many
/// tiles, all equal names are counted.
static std::string countedText(const Json &names) {
  constexpr size_t mostRuns = 8;
  std::vector<std::pair<std::string, size_t>> runs;
  llvm::MapVector<StringRef, size_t> all;
  for (const Json &element : names) {
    const auto &name = element.get_ref<const std::string &>();
    ++all[name];
    if (runs.empty() || runs.back().first != name)
      runs.push_back({name, 0});
    ++runs.back().second;
  }
  if (runs.size() > mostRuns) {
    runs.clear();
    for (const auto &[name, count] : all)
      runs.push_back({name.str(), count});
  }
  std::string text;
  for (const auto &[name, count] : runs) {
    text += text.empty() ? "" : ", ";
    text += (count > 1 ? std::to_string(count) + " " : "") + name;
  }
  return text;
}

static Table tableOf(ArrayRef<NodeRow> rows) {
  Table table({{"name", "name"},
               {"node", "node"},
               {"what", "verdict"},
               {"", "rules"},
               {"instructions", "instructions", countedText},
               {"why"},
               {"", "reasons"},
               {"", "elsewhere"},
               {"", "part_of"},
               {"", "when"},
               {"", "means"}});
  for (const NodeRow &row : rows)
    table.add({row.name, row.node, row.verdict().str(), row.rules, row.instrs,
               row.why(), row.reasons, unlessEmpty(row.elsewhere),
               unlessEmpty(row.partOf), row.when ? Json(*row.when) : noValue,
               unlessEmpty(row.means)});
  return table;
}

/// "N == 16 [slice-inside]".
static std::string textOf(const SizeCondition &condition) {
  return condition.text() +
         (condition.label.empty() ? "" : " [" + condition.label + "]");
}

static std::string asText(const LoweringTrace &found,
                          const BackendInfo &backend,
                          ArrayRef<SizeCondition> conditions) {
  const std::vector<NodeRow> &rows = found.rows;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "backend " << backend.name << ": " << backend.summary << "\n"
     << counted(rows.size(), "node") << ": " << countOf(rows, "runs")
     << " as they stand, " << countOf(rows, "lowered") << " lowered, "
     << countOf(rows, "cannot") << " cannot run\n";
  for (const SizeCondition &condition : conditions)
    os << "a run needs " << textOf(condition) << "\n";
  for (const ExplainedPart &part : found.parts) {
    os << "\n";
    if (part.isChosen)
      os << "part " << part.name << " on "
         << (part.device.empty() ? "" : "'" + part.device + "', ")
         << part.backend->name << "\n";
    for (const std::string &call : part.calls)
      os << "@" << part.name << " is " << call << "\n";
    os << tableOf(ArrayRef(rows).slice(part.begin, part.end - part.begin))
              .text();
    if (!part.plan)
      continue;
    os << "\n";
    part.plan->print(os);
  }
  return text;
}

/// Adds the memory of all plans together.
static void addMemory(Json &object, ArrayRef<ExplainedPart> parts) {
  Table buffers({{"", "name"},
                 {"", "type"},
                 {"", "offset"},
                 {"", "bytes"},
                 {"", "first"},
                 {"", "last"}});
  std::map<std::string, uint64_t> memories, cycles;
  ir::MemoryPlan sum;
  bool isPlanned = false;
  for (const ExplainedPart &part : parts) {
    if (!part.plan)
      continue;
    isPlanned = true;
    // Each part stays on its device while the others run.
    sum.arenaBytes += part.plan->arenaBytes;
    sum.liveBytes = std::max(sum.liveBytes, part.plan->liveBytes);
    if (part.plan->middleBytes)
      sum.middleBytes =
          std::max(sum.middleBytes.value_or(0), *part.plan->middleBytes);
    sum.constantBytes += part.plan->constantBytes;
    sum.boundBytes += part.plan->boundBytes;
    for (const ir::MemoryPlan::Memory &memory : part.plan->memories)
      memories[memory.name] = std::max(memories[memory.name], memory.bytes);
    for (const ir::MemoryPlan::Cycles &own : part.plan->cycles)
      cycles[own.name] += own.count;
    for (const ir::MemoryPlan::Row &row : part.plan->rows)
      buffers.add(
          {row.name, row.type, row.offset, row.bytes, row.first, row.last});
  }
  if (!isPlanned)
    return;
  object["arena_bytes"] = sum.arenaBytes;
  object["live_bytes"] = sum.liveBytes;
  if (sum.middleBytes)
    object["middle_bytes"] = *sum.middleBytes;
  object["constant_bytes"] = sum.constantBytes;
  object["bound_bytes"] = sum.boundBytes;
  if (!memories.empty())
    object["memory_bytes"] = memories;
  if (!cycles.empty())
    object["cycles"] = cycles;
  object["buffers"] = buffers.json();
}

static std::string asJson(const LoweringTrace &found,
                          const BackendInfo &backend,
                          ArrayRef<SizeCondition> conditions) {
  Json parts = Json::array();
  bool isListed = false;
  for (const ExplainedPart &part : found.parts) {
    isListed |= part.isChosen || !part.calls.empty();
    Json object = {{"name", part.name},
                   {"backend", part.backend->name},
                   {"device", part.device},
                   {"nodes", part.end - part.begin}};
    if (!part.calls.empty())
      object["calls"] = part.calls;
    addMemory(object, part);
    parts.push_back(std::move(object));
  }
  Json object = {{"backend", backend.name},
                 {"nodes", tableOf(found.rows).json()}};
  addMemory(object, found.parts);
  for (const SizeCondition &condition : conditions)
    object["conditions"].push_back(textOf(condition));
  if (isListed)
    object["parts"] = std::move(parts);
  return jsonText(object);
}

Result<Explanation> glow::explain(ModuleOp divided, const BackendInfo &backend,
                                  PlannedModule plan, bool json) {
  LoweringTrace found(divided, backend);
  Explanation explanation;
  std::vector<SizeCondition> conditions = conditionsOf(divided);
  explanation.refused = countOf(found.rows, "cannot");
  if (!explanation.refused) {
    OwningOpRef<ModuleOp> planned = plan();
    if (!planned)
      return Status(Code::Reported, "there is no plan");
    conditions = conditionsOf(*planned);
    planned->walk([&](ir::FuncOp function) {
      for (ExplainedPart &part : found.parts)
        if (part.name == function.getSymName()) {
          part.plan = ir::MemoryPlan::of(function);
          setPlanned(MutableArrayRef(found.rows)
                         .slice(part.begin, part.end - part.begin),
                     function);
        }
    });
  }
  explanation.text = json ? asJson(found, backend, conditions)
                          : asText(found, backend, conditions);
  return explanation;
}
