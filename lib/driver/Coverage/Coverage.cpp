//===- Coverage.cpp - coverage table of backends --------------------------===//
// SPDX-License-Identifier: MIT
//
// The coverage reasons without a model: `glow ops` follows every rule to all
// nodes that it may build, on either side of each `if`. It reports *cannot*
// when some node has no way to run. The compiler checks the actual node. So the
// coverage may refuse a node that would compile for some shape, never the
// reverse.
//
//===----------------------------------------------------------------------===//

#include "glow/Coverage/Coverage.h"
#include "Column.h"
#include "glow/Backend/Backend.h"
#include "glow/Base/Nearest.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Importer/ImportContext.h"
#include "glow/Report/Table.h"
#include "glow/Values/HostCall.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"
#include <limits>
#include <map>

using namespace glow;
using llvm::StringRef;

/// The name of an operator in the table.
static std::string nameOf(StringRef domain, StringRef op) {
  return (domain.empty() ? "" : domain.str() + ".") + op.str();
}

namespace {

/// An import record and the opsets for which it is valid.
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

/// An operator for which no program is compiled, with the reason.
struct Other {
  const char *domain, *op;
  int since;
  const char *reason;

  std::string name() const { return nameOf(domain, op); }
};

/// All entries of the table, before it is written.
struct Coverage {
  std::map<std::string, std::unique_ptr<Column>> known; ///< by the backend
  std::vector<Column *> columns;
  std::vector<const NodeInfo *> nodes;
  std::vector<Import> imports;
  std::vector<Other> host, refused; ///< run on the host; do not run
};

} // namespace

static std::vector<Import> allImports() {
  std::vector<Import> imports;
  for (const ImportEntry *entry : importEntries()) {
    Import import{entry, 0};
    // Records of the same operator are adjacent, old ones first.
    if (!imports.empty() && imports.back().name() == import.name())
      imports.back().until = entry->since - 1;
    imports.push_back(import);
  }
  return imports;
}

/// The column of a backend, created after those of its fallbacks.
static Column *columnOf(Coverage &coverage, const BackendInfo &backend) {
  std::unique_ptr<Column> &column = coverage.known[backend.name];
  if (column)
    return column.get();
  std::vector<Column *> fallbacks;
  // A cycle of fallbacks is reported where the backend is used.
  if (checkBackend(backend.name).ok())
    for (const BackendInfo *other : withFallbacks(backend.name))
      if (other != &backend)
        fallbacks.push_back(columnOf(coverage, *other));
  column = std::make_unique<Column>(backend, std::move(fallbacks));
  return column.get();
}

static constexpr int64_t newestOpset = std::numeric_limits<int64_t>::max();

static Coverage coverageOf(llvm::Regex *filter) {
  Coverage coverage;
  for (const std::string &name : backendNames())
    coverage.columns.push_back(columnOf(coverage, *findBackendInfo(name)));
  for (const NodeInfo &node : allNodes())
    if (!filter || filter->match(node.name))
      coverage.nodes.push_back(&node);
  for (const Import &import : allImports())
    if (!filter || filter->match(import.name()))
      coverage.imports.push_back(import);
  auto add = [&](std::vector<Other> &list, Other other) {
    if (!filter || filter->match(other.name()))
      list.push_back(other);
  };
  for (const HostEntry *entry : hostEntries())
    add(coverage.host, {entry->domain, entry->op, entry->since, entry->reason});
  for (const ImportRefusal *refusal : importRefusals())
    if (!findHostOperator(refusal->domain, refusal->op, newestOpset))
      add(coverage.refused,
          {refusal->domain, refusal->op, refusal->since, refusal->reason});
  return coverage;
}

static constexpr const char *pageHead =
    "\n\nMade from the records that are loaded; do not edit. A node "
    "*runs* as it is, runs\n*when* a condition holds, is *lowered* to others "
    "by rules, *rewritten* by\nequations of the backend's own, or *cannot*. "
    "After the\ncolon stands by what: an algorithm of "
    "the backend's code, *way of* another node\nthat has one, a *kernel* "
    "of its library, the *loops* or the *formula of its record*\nin these "
    "kinds, or *the reference's kernel*. What a backend cannot runs *on* its\n"
    "fallback, if that can. Of an operator of ONNX, every node that it may "
    "become counts.\n\n";

/// Adds columns of the verdicts: for JSON an object, for text one a backend.
static void addVerdicts(std::vector<TableColumn> &headings,
                        const std::vector<Column *> &columns) {
  headings.push_back({"", "backends"});
  for (const Column *column : columns)
    headings.push_back({column->backend.name});
}

static void addVerdicts(std::vector<Json> &row,
                        const std::vector<Column *> &columns,
                        llvm::function_ref<Cell(Column &)> verdictOf) {
  constexpr const char *verdicts[] = {"runs", "reference", "lowered",
                                      "when", "fallback",  "cannot"};
  const size_t place = row.size();
  row.push_back(Json::object());
  for (Column *column : columns) {
    const Cell cell = verdictOf(*column);
    row[place][column->backend.name] = {
        {"verdict", verdicts[size_t(cell.verdict)]}, {"text", cell.text}};
    row.push_back(cell.text);
  }
}

/// The nodes that any pass may create, or those of `backend` alone.
static Table nodeTable(const Coverage &coverage, StringRef backend = "") {
  std::vector<Column *> columns;
  for (Column *column : coverage.columns)
    if (backend.empty() || column->backend.name == backend)
      columns.push_back(column);
  std::vector<TableColumn> headings = {
      codeColumn(backend.empty() ? "node" : "node of its own", "name"),
      {"", "family"},
      {"", "summary"},
      {"", "tier"},
      {"", "kernel"},
      {"", "place"}};
  addVerdicts(headings, columns);
  Table table(std::move(headings));
  for (const NodeInfo *node : coverage.nodes) {
    if (backend != node->backend)
      continue;
    std::vector<Json> row = {node->name,
                             node->family,
                             node->summary,
                             node->tier,
                             nameOf(node->kernel).str(),
                             node->place};
    addVerdicts(row, columns,
                [&](Column &column) { return column.node(node->name); });
    table.add(std::move(row));
  }
  return table;
}

static Table importTable(const Coverage &coverage) {
  std::vector<TableColumn> headings = {codeColumn("ONNX operator", ""),
                                       {"opsets"},
                                       {"", "domain"},
                                       {"", "operator"},
                                       {"", "since"},
                                       {"", "until"},
                                       {"", "makes"}};
  addVerdicts(headings, coverage.columns);
  Table table(std::move(headings));
  for (const Import &import : coverage.imports) {
    const ImportEntry &entry = *import.entry;
    Json makes = Json::array();
    for (const char *node : entry.makes)
      makes.push_back(node);
    std::vector<Json> row = {
        import.name(), import.versions(),
        entry.domain,  entry.op,
        entry.since,   import.until ? Json(import.until) : noValue,
        makes};
    addVerdicts(row, coverage.columns,
                [&](Column &column) { return column.import(entry); });
    table.add(std::move(row));
  }
  return table;
}

static Table otherTable(const std::vector<Other> &others, StringRef heading) {
  Table table({codeColumn("ONNX operator", ""),
               {"", "domain"},
               {"", "operator"},
               {"opsets", "since",
                [](const Json &since) { return since.dump() + "-"; }},
               {heading.str(), "reason"}});
  for (const Other &other : others)
    table.add(
        {other.name(), other.domain, other.op, other.since, other.reason});
  return table;
}

static Table hostTable(const Coverage &coverage) {
  return otherTable(coverage.host, "runs on the host, since");
}

static Table refusedTable(const Coverage &coverage) {
  return otherTable(coverage.refused, "is not supported, since");
}

static std::string asText(const Coverage &coverage, bool markdown) {
  std::string text;
  auto add = [&](const Table &table, const std::string &title) {
    text += text.empty() ? "" : "\n";
    text += markdown ? "## " + title + "\n\n" + table.markdown() : table.text();
  };
  if (!markdown || !coverage.nodes.empty())
    add(nodeTable(coverage), "Nodes");
  if (!markdown || !coverage.imports.empty())
    add(importTable(coverage), "Operators of ONNX");
  if (!coverage.host.empty())
    add(hostTable(coverage), "Operators of ONNX that run on the host");
  if (!coverage.refused.empty())
    add(refusedTable(coverage), "Operators of ONNX that are not supported");
  for (const Column *column : coverage.columns)
    if (const std::string name = column->backend.name;
        llvm::any_of(coverage.nodes, [&](const NodeInfo *node) {
          return name == node->backend;
        }))
      add(nodeTable(coverage, name), "Nodes of `" + name + "`");
  const std::string title =
      coverage.nodes.empty() ? "# Coverage of ONNX" : "# Coverage";
  return markdown ? title + pageHead + text : text;
}

static std::string asJson(const Coverage &coverage) {
  Json backends = Json::array();
  for (const Column *column : coverage.columns) {
    const BackendInfo &backend = column->backend;
    backends.push_back({{"name", backend.name},
                        {"summary", backend.summary},
                        {"nodes", nodeTable(coverage, backend.name).json()}});
    if (*backend.fallback)
      backends.back()["fallback"] = backend.fallback;
  }
  return jsonText({{"backends", backends},
                   {"nodes", nodeTable(coverage).json()},
                   {"onnx", importTable(coverage).json()},
                   {"host", hostTable(coverage).json()},
                   {"unsupported", refusedTable(coverage).json()}});
}

/// The names of all nodes and ONNX operators.
static std::vector<std::string> allNames() {
  std::vector<std::string> names;
  for (const NodeInfo &node : allNodes())
    names.push_back(node.name);
  for (const Import &import : allImports())
    names.push_back(import.name());
  return names;
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
  if (coverage.nodes.empty() && coverage.imports.empty() &&
      coverage.host.empty() && coverage.refused.empty())
    return failure(Code::NotFound, "the filter '", request.filter,
                   "' finds no node and no ONNX operator",
                   didYouMean(request.filter, allNames()));
  if (request.format == CoverageRequest::Format::Json)
    return asJson(coverage);
  return asText(coverage, request.format == CoverageRequest::Format::Markdown);
}
