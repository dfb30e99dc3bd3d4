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
#include "glow/Base/TextTable.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Importer/ImportContext.h"
#include "glow/Values/HostCall.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Regex.h"
#include <limits>
#include <map>

using namespace glow;
using llvm::StringRef;
namespace json = llvm::json;

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
    "# Coverage\n\nMade from the records that are loaded; do not edit. A node "
    "*runs* as it is, runs\n*when* a condition holds, is *lowered* to others "
    "by rules, *rewritten* by\nequations of the backend's own, or *cannot*. "
    "After the\ncolon stands by what: an algorithm of "
    "the backend's code, *way of* another node\nthat has one, a *kernel* "
    "of its library, the *loops* or the *formula of its record*\nin these "
    "kinds, or *the reference's kernel*. What a backend cannot runs *on* its\n"
    "fallback, if that can. Of an operator of ONNX, every node that it may "
    "become counts.\n\n## Nodes\n\n";

/// Prints a table of operators and reasons, unless it is empty.
static void printOthers(llvm::raw_ostream &os, const std::vector<Other> &others,
                        StringRef heading, StringRef title, bool markdown) {
  if (others.empty())
    return;
  std::string tick = markdown ? "`" : "";
  TextTable table({"ONNX operator", "opsets", heading.str()});
  for (const Other &other : others)
    table.add({tick + other.name() + tick, std::to_string(other.since) + "-",
               other.reason});
  os << "\n";
  if (markdown)
    os << "## " << title << "\n\n" << table.markdown();
  else
    os << table.text();
}

static void printOthers(llvm::raw_ostream &os, const Coverage &coverage,
                        bool markdown) {
  printOthers(os, coverage.host, "runs on the host, since",
              "Operators of ONNX that run on the host", markdown);
  printOthers(os, coverage.refused, "is not supported, since",
              "Operators of ONNX that are not supported", markdown);
}

/// Prints the nodes that only the passes of one backend create.
static void printOwn(llvm::raw_ostream &os, const Coverage &coverage,
                     bool markdown) {
  std::string tick = markdown ? "`" : "";
  for (Column *column : coverage.columns) {
    std::string backend = column->backend.name;
    TextTable table({"node of its own", backend});
    bool any = false;
    for (const NodeInfo *node : coverage.nodes) {
      if (backend != node->backend)
        continue;
      table.add({tick + node->name + tick, column->node(node->name).text});
      any = true;
    }
    if (!any)
      continue;
    os << "\n";
    if (markdown)
      os << "## Nodes of " << tick << backend << tick << "\n\n"
         << table.markdown();
    else
      os << table.text();
  }
}

static std::string asText(const Coverage &coverage, bool markdown) {
  std::string tick = markdown ? "`" : "";
  std::vector<std::string> names = backendNames();
  std::vector<std::string> nodeHeading = {"node"};
  std::vector<std::string> importHeading = {"ONNX operator", "opsets"};
  llvm::append_range(nodeHeading, names);
  llvm::append_range(importHeading, names);
  TextTable nodes(nodeHeading), imports(importHeading);
  for (const NodeInfo *node : coverage.nodes) {
    if (*node->backend)
      continue;
    std::vector<std::string> line = {tick + node->name + tick};
    for (Column *column : coverage.columns)
      line.push_back(column->node(node->name).text);
    nodes.add(line);
  }
  for (const Import &import : coverage.imports) {
    std::vector<std::string> line = {tick + import.name() + tick,
                                     import.versions()};
    for (Column *column : coverage.columns)
      line.push_back(column->import(*import.entry).text);
    imports.add(line);
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!markdown) {
    os << nodes.text() << "\n" << imports.text();
    printOthers(os, coverage, markdown);
    printOwn(os, coverage, markdown);
    return text;
  }
  os << pageHead << nodes.markdown() << "\n## Operators of ONNX\n\n"
     << imports.markdown();
  printOthers(os, coverage, markdown);
  printOwn(os, coverage, markdown);
  return text;
}

static json::Object asJson(const Cell &cell) {
  constexpr const char *verdicts[] = {"runs", "reference", "lowered",
                                      "when", "fallback",  "cannot"};
  return json::Object{{"verdict", verdicts[size_t(cell.verdict)]},
                      {"text", cell.text}};
}

static json::Object asJson(const NodeInfo &node, const Coverage &coverage) {
  json::Object cells;
  for (Column *column : coverage.columns)
    if (!*node.backend || column->backend.name == StringRef(node.backend))
      cells[column->backend.name] = asJson(column->node(node.name));
  return json::Object{{"name", node.name},
                      {"family", node.family},
                      {"summary", node.summary},
                      {"tier", node.tier},
                      {"kernel", nameOf(node.kernel)},
                      {"place", node.place},
                      {"backends", std::move(cells)}};
}

static json::Object asJson(const Import &import, const Coverage &coverage) {
  json::Object cells;
  for (Column *column : coverage.columns)
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

static json::Array asJson(const std::vector<Other> &others) {
  json::Array list;
  for (const Other &other : others)
    list.push_back(json::Object{{"domain", other.domain},
                                {"operator", other.op},
                                {"since", other.since},
                                {"reason", other.reason}});
  return list;
}

/// A backend, and the nodes that its passes create.
static json::Object asJson(const BackendInfo &backend,
                           const Coverage &coverage) {
  json::Array nodes;
  for (const NodeInfo *node : coverage.nodes)
    if (StringRef(backend.name) == node->backend)
      nodes.push_back(asJson(*node, coverage));
  json::Object object{{"name", backend.name},
                      {"summary", backend.summary},
                      {"nodes", std::move(nodes)}};
  if (*backend.fallback)
    object["fallback"] = backend.fallback;
  return object;
}

static std::string asJson(const Coverage &coverage) {
  json::Array backends, nodes, imports;
  for (Column *column : coverage.columns)
    backends.push_back(asJson(column->backend, coverage));
  for (const NodeInfo *node : coverage.nodes)
    if (!*node->backend)
      nodes.push_back(asJson(*node, coverage));
  for (const Import &import : coverage.imports)
    imports.push_back(asJson(import, coverage));
  json::Object object{{"backends", std::move(backends)},
                      {"nodes", std::move(nodes)},
                      {"onnx", std::move(imports)},
                      {"host", asJson(coverage.host)},
                      {"unsupported", asJson(coverage.refused)}};
  return llvm::formatv("{0:2}\n", json::Value(std::move(object))).str();
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
