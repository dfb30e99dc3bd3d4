//===- Coverage.cpp - what every backend runs -----------------------------===//

#include "Table.h"
#include "glow/Backend/Backend.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Importer/ImportContext.h"
#include "glow/Lowering/Rules.h"
#include "glow/Pipeline/Session.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Regex.h"

using namespace glow;
using llvm::StringRef;
namespace json = llvm::json;

/// An operator as the table names it.
static std::string nameOf(StringRef domain, StringRef op) {
  return (domain.empty() ? "" : domain.str() + ".") + op.str();
}

namespace {

/// From best to worst.
enum class Verdict { Runs, Lowered, When, Cannot };

struct Cell {
  Verdict verdict = Verdict::Cannot;
  std::string text;
};

/// What one backend does with nodes, and with what imports make of them.
class Column {
public:
  explicit Column(const BackendInfo &backend) : backend(backend) {}

  const Cell &node(StringRef name) {
    auto [found, isNew] = known.try_emplace(name);
    // Rules lead to lower tiers, so this ends.
    if (isNew)
      found->second = std::make_unique<Cell>(find(name));
    return *found->second;
  }

  /// The worst of what it may make decides.
  Cell import(const ImportEntry &entry) {
    Cell worst{Verdict::Runs, ""};
    for (StringRef name : entry.makes)
      if (const Cell &made = node(name); made.verdict > worst.verdict)
        worst = {made.verdict, name.str()};
    if (worst.verdict == Verdict::When)
      worst.text = "runs when " + worst.text + " does";
    else if (worst.verdict == Verdict::Cannot)
      worst.text = "cannot: " + worst.text;
    else
      worst.text = worst.verdict == Verdict::Runs ? "runs" : "lowered";
    return worst;
  }

  const BackendInfo &backend;

private:
  Cell find(StringRef name) {
    std::vector<std::string> when = whenItRuns(backend, name);
    if (llvm::is_contained(when, ""))
      return {Verdict::Runs, "runs"};
    std::string reason, lowered = lowering(name, reason);
    if (!when.empty())
      return {Verdict::When, "runs when " + llvm::join(when, ", or when ") +
                                 (lowered.empty() ? "" : "; else " + lowered)};
    if (!lowered.empty())
      return {Verdict::Lowered, lowered};
    return {Verdict::Cannot, "cannot: " + reason};
  }

  /// "lowered by SoftmaxByRecord", or "" and why not.
  std::string lowering(StringRef name, std::string &reason) {
    reason = "no rule lowers it";
    std::vector<std::string> rules;
    for (const RuleInfo &rule : rulesFor(name)) {
      if (*rule.backend && StringRef(rule.backend) != backend.name)
        continue;
      auto blocked = llvm::find_if(rule.makes, [&](const char *made) {
        return node(made).verdict == Verdict::Cannot;
      });
      if (blocked != rule.makes.end())
        reason = std::string(rule.name) + " makes " + *blocked +
                 ", which cannot run";
      else
        rules.push_back(std::string(rule.name) +
                        (*rule.condition ? " when " : "") + rule.condition);
    }
    return rules.empty() ? "" : "lowered by " + llvm::join(rules, ", or ");
  }

  llvm::StringMap<std::unique_ptr<Cell>> known;
};

/// An import record and the opsets for which it holds.
struct Import {
  const ImportEntry *entry;
  int until; ///< the last opset; 0: there is no later record

  std::string name() const { return nameOf(entry->domain, entry->op); }
  std::string versions() const {
    std::string text = std::to_string(entry->since);
    if (!until)
      return text + "-";
    return until == entry->since ? text : text + "-" + std::to_string(until);
  }
};

/// All that the table has, before it is written.
struct Coverage {
  std::vector<std::unique_ptr<Column>> columns;
  std::vector<const NodeInfo *> nodes;
  std::vector<Import> imports;
  std::vector<const ImportRefusal *> refusals;
};

} // namespace

static std::vector<Import> allImports() {
  std::vector<Import> imports;
  for (const ImportEntry *entry : importEntries()) {
    Import import{entry, 0};
    // The same operator stands together, old ones first.
    if (!imports.empty() && imports.back().name() == import.name())
      imports.back().until = entry->since - 1;
    imports.push_back(import);
  }
  return imports;
}

static Coverage coverageOf(llvm::Regex *filter) {
  Coverage coverage;
  for (const std::string &name : backendNames())
    coverage.columns.push_back(
        std::make_unique<Column>(*findBackendInfo(name)));
  for (const NodeInfo &node : allNodes())
    if (!filter || filter->match(node.name))
      coverage.nodes.push_back(&node);
  for (const Import &import : allImports())
    if (!filter || filter->match(import.name()))
      coverage.imports.push_back(import);
  for (const ImportRefusal *refusal : importRefusals())
    if (!filter || filter->match(nameOf(refusal->domain, refusal->op)))
      coverage.refusals.push_back(refusal);
  return coverage;
}

static std::string asText(const Coverage &coverage, bool markdown) {
  std::vector<std::string> names = backendNames();
  std::vector<std::string> nodeHeading = {"node"};
  std::vector<std::string> importHeading = {"ONNX operator", "opsets"};
  llvm::append_range(nodeHeading, names);
  llvm::append_range(importHeading, names);
  TextTable nodes(nodeHeading), imports(importHeading);
  TextTable refusals({"ONNX operator", "opsets", "cannot, because"});
  for (const NodeInfo *node : coverage.nodes) {
    std::vector<std::string> line = {node->name};
    for (auto &column : coverage.columns)
      line.push_back(column->node(node->name).text);
    nodes.add(line);
  }
  for (const Import &import : coverage.imports) {
    std::vector<std::string> line = {import.name(), import.versions()};
    for (auto &column : coverage.columns)
      line.push_back(column->import(*import.entry).text);
    imports.add(line);
  }
  for (const ImportRefusal *refusal : coverage.refusals)
    refusals.add({nameOf(refusal->domain, refusal->op),
                  std::to_string(refusal->since) + "-", refusal->reason});
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const TextTable *table : {&nodes, &imports, &refusals}) {
    if (table != &nodes)
      os << "\n";
    if (table == &refusals && coverage.refusals.empty())
      break;
    markdown ? table->printMarkdown(os) : table->print(os);
  }
  return text;
}

static json::Object asJson(const Cell &cell) {
  constexpr const char *verdicts[] = {"runs", "lowered", "when", "cannot"};
  return json::Object{{"verdict", verdicts[size_t(cell.verdict)]},
                      {"text", cell.text}};
}

static json::Object asJson(const NodeInfo &node, const Coverage &coverage) {
  json::Object cells;
  for (auto &column : coverage.columns)
    cells[column->backend.name] = asJson(column->node(node.name));
  return json::Object{
      {"name", node.name},       {"family", node.family},
      {"summary", node.summary}, {"tier", node.tier},
      {"kernel", node.kernel},
      {"place", node.place},     {"backends", std::move(cells)}};
}

static json::Object asJson(const Import &import, const Coverage &coverage) {
  json::Object cells;
  for (auto &column : coverage.columns)
    cells[column->backend.name] = asJson(column->import(*import.entry));
  json::Array makes;
  for (StringRef name : import.entry->makes)
    makes.push_back(name);
  json::Object object{{"domain", import.entry->domain},
                      {"operator", import.entry->op},
                      {"since", import.entry->since},
                      {"makes", std::move(makes)},
                      {"backends", std::move(cells)}};
  if (import.until)
    object["until"] = import.until;
  return object;
}

static std::string asJson(const Coverage &coverage) {
  json::Array backends, nodes, imports, refusals;
  for (auto &column : coverage.columns)
    backends.push_back(json::Object{{"name", column->backend.name},
                                    {"summary", column->backend.summary}});
  for (const NodeInfo *node : coverage.nodes)
    nodes.push_back(asJson(*node, coverage));
  for (const Import &import : coverage.imports)
    imports.push_back(asJson(import, coverage));
  for (const ImportRefusal *refusal : coverage.refusals)
    refusals.push_back(json::Object{{"domain", refusal->domain},
                                    {"operator", refusal->op},
                                    {"since", refusal->since},
                                    {"reason", refusal->reason}});
  json::Object object{{"backends", std::move(backends)},
                      {"nodes", std::move(nodes)},
                      {"onnx", std::move(imports)},
                      {"unsupported", std::move(refusals)}};
  return llvm::formatv("{0:2}\n", json::Value(std::move(object))).str();
}

Result<std::string> glow::coverageTable(const CoverageRequest &request) {
  std::unique_ptr<llvm::Regex> filter;
  if (!request.filter.empty()) {
    filter =
        std::make_unique<llvm::Regex>(request.filter, llvm::Regex::IgnoreCase);
    std::string error;
    if (!filter->isValid(error))
      return failure(Code::InvalidArgument, "the filter '", request.filter,
                     "' is no regular expression: ", error);
  }
  Coverage coverage = coverageOf(filter.get());
  if (request.format == CoverageRequest::Format::Json)
    return asJson(coverage);
  return asText(coverage, request.format == CoverageRequest::Format::Markdown);
}
