//===- Coverage.cpp - the page of what every backend runs -----------------===//
//
// Node x backend, and ONNX operator x backend. A node that the backend does not
// run is covered by a rule if the backend covers every node that the rule may
// build; tiers let this end.
//
//===----------------------------------------------------------------------===//

#include "Emit/Emit.h"
#include "Emit/Page.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

namespace {

/// How far a backend gets with something.
enum class Reach { No, Sometimes, Always };

struct Verdict {
  Reach reach = Reach::No;
  std::string text; // the cell of the table
};

/// A lowering and the nodes that it may build, each once.
struct Rule {
  RuleModel model;
  SetVector<const NodeModel *> builds;
};

/// What one backend does with each node.
class Coverage {
public:
  Coverage(const Record &backend, const std::vector<Rule> &rules)
      : backend(backend), rules(rules) {}

  const Verdict &of(const NodeModel &node);
  /// The least of what it does with several, and because of which.
  Verdict ofAll(const SetVector<const NodeModel *> &nodes);

private:
  Verdict judge(const NodeModel &node);
  Verdict byRules(const NodeModel &node);

  const Record &backend;
  const std::vector<Rule> &rules;
  std::map<const NodeModel *, Verdict> known;
};

} // namespace

static std::string nameOf(const NodeModel &node) {
  return "`glow." + node.mnemonic + "`";
}

static std::string code(StringRef text) {
  std::string escaped;
  for (char c : text)
    escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return "`" + escaped + "`";
}

const Verdict &Coverage::of(const NodeModel &node) {
  auto found = known.find(&node);
  if (found == known.end())
    found = known.emplace(&node, judge(node)).first;
  return found->second;
}

Verdict Coverage::ofAll(const SetVector<const NodeModel *> &nodes) {
  Verdict all{Reach::Always, ""};
  for (const NodeModel *node : nodes) {
    Reach reach = of(*node).reach;
    if (reach < all.reach)
      all = {reach, nameOf(*node)};
  }
  return all;
}

/// What the rules do that lead somewhere, else why the last does not.
Verdict Coverage::byRules(const NodeModel &node) {
  Verdict result{Reach::No, "it has no rule"};
  for (const Rule &rule : rules) {
    StringRef only = rule.model.backend;
    if (rule.model.node != &node ||
        (!only.empty() && only != backend.getValueAsString("name")))
      continue;
    Verdict all = ofAll(rule.builds);
    bool first = result.reach == Reach::No;
    if (all.reach == Reach::No) {
      if (first)
        result.text = "its rule builds " + all.text;
      continue;
    }
    StringRef condition = rule.model.condition;
    result.reach = condition.empty() ? all.reach : Reach::Sometimes;
    result.text =
        (first ? "lowers by `" : result.text + ", or by `") +
        placeOf(*rule.model.record) + "`" +
        (condition.empty() ? "" : " when " + code(oneLine(condition)));
    if (result.reach == Reach::Always)
      break;
  }
  return result;
}

Verdict Coverage::judge(const NodeModel &node) {
  if (backend.getValueAsBit("runsReference") && node.hasKernel())
    return {Reach::Always, "runs"};
  std::string when;
  for (const Record *legal : backend.getValueAsListOfDefs("runs")) {
    if (!is_contained(legal->getValueAsListOfDefs("nodes"), &node.record))
      continue;
    std::string condition = whenOf(*legal);
    if (condition.empty())
      return {Reach::Always, "runs"};
    when += (when.empty() ? "" : " or ") + code(condition);
  }
  Verdict rule = byRules(node);
  if (when.empty())
    return {rule.reach, rule.reach == Reach::No
                            ? "cannot: no record runs it, and " + rule.text
                            : rule.text};
  return {std::max(rule.reach, Reach::Sometimes),
          "runs when " + when +
              (rule.reach == Reach::No ? "" : "; else " + rule.text)};
}

static void emitHead(StringRef columns, ArrayRef<const Record *> backends,
                     raw_ostream &os) {
  os << columns;
  for (const Record *backend : backends)
    os << " " << backend->getValueAsString("name") << " |";
  os << "\n|";
  for (unsigned i = 0; i < columns.count('|') - 1 + backends.size(); ++i)
    os << "---|";
  os << "\n";
}

static SetVector<const NodeModel *>
findNodes(const Model &model, const std::set<std::string> &names) {
  SetVector<const NodeModel *> nodes;
  for (const std::string &name : names)
    nodes.insert(model.findNode(name));
  return nodes;
}

/// `7-12`, `13+`: from `since` to before the next record of the operator.
static std::string versionsOf(const Record &import,
                              ArrayRef<const Record *> all) {
  int since = import.getValueAsInt("since"), next = 0;
  for (const Record *other : all) {
    int begin = other->getValueAsInt("since");
    if (other->getValueAsString("operator") ==
            import.getValueAsString("operator") &&
        other->getValueAsString("domain") ==
            import.getValueAsString("domain") &&
        begin > since && (!next || begin < next))
      next = begin;
  }
  std::string text = std::to_string(since);
  return !next               ? text + "+"
         : next == since + 1 ? text
                             : text + "-" + std::to_string(next - 1);
}

static void emitImportRow(const Model &model, const Record &import,
                          ArrayRef<const Record *> all,
                          MutableArrayRef<Coverage> coverages,
                          raw_ostream &os) {
  StringRef domain = import.getValueAsString("domain");
  os << "| `" << domain << (domain.empty() ? "" : ".")
     << import.getValueAsString("operator") << "` | " << versionsOf(import, all)
     << " |";
  SetVector<const NodeModel *> nodes =
      findNodes(model, nodesBuiltBy(model, import));
  for (Coverage &coverage : coverages) {
    Verdict all = coverage.ofAll(nodes);
    os << (all.reach == Reach::Always ? " runs"
           : all.reach == Reach::Sometimes
               ? " runs when it runs " + all.text
               : " cannot if it becomes " + all.text)
       << " |";
  }
  os << "\n";
}

static std::vector<const Record *> sortedByOperator(const Model &model,
                                                    StringRef recordClass) {
  ArrayRef<const Record *> all =
      model.records.getAllDerivedDefinitions(recordClass);
  std::vector<const Record *> imports(all.begin(), all.end());
  sort(imports, [](const Record *a, const Record *b) {
    auto key = [](const Record *import) {
      return std::tuple(import->getValueAsString("domain"),
                        import->getValueAsString("operator"),
                        import->getValueAsInt("since"));
    };
    return key(a) < key(b);
  });
  return imports;
}

static bool emitCoverage(const Model &model, raw_ostream &os) {
  std::vector<Rule> rules;
  for (const RuleModel &rule : loweringsOf(model))
    rules.push_back({rule, findNodes(model, nodesBuiltBy(model, rule))});
  std::vector<const Record *> backends = model.own("Backend");
  std::vector<Coverage> coverages;
  for (const Record *backend : backends)
    coverages.emplace_back(*backend, rules);
  os << "# Coverage\n\nMade from the records; do not edit. A node *runs* as it "
        "is, runs *when* a condition\nholds, *lowers* to others by the rule at "
        "a place, or *cannot*. Of an operator of\nONNX, every node that it may "
        "become counts.\n";
  if (backends.empty()) {
    os << "\nThese records declare no backend; `glow ops` says what those that "
          "are loaded run.\n";
    return false;
  }
  os << "\n## Nodes\n\n";
  emitHead("| node |", backends, os);
  for (const auto &node : model.nodes) {
    os << "| " << nameOf(*node) << " |";
    for (Coverage &coverage : coverages)
      os << " " << coverage.of(*node).text << " |";
    os << "\n";
  }
  os << "\n## Operators of ONNX\n\n";
  emitHead("| operator | opsets |", backends, os);
  std::vector<const Record *> imports = sortedByOperator(model, "OnnxImport");
  for (const Record *import : imports)
    emitImportRow(model, *import, imports, coverages, os);
  os << "\n## Operators of ONNX that no record imports\n\n"
        "| operator | opsets | reason |\n|---|---|---|\n";
  for (const Record *refusal : sortedByOperator(model, "OnnxUnsupported")) {
    StringRef domain = refusal->getValueAsString("domain");
    os << "| `" << domain << (domain.empty() ? "" : ".")
       << refusal->getValueAsString("operator") << "` | "
       << refusal->getValueAsInt("since") << "+ | "
       << refusal->getValueAsString("reason") << " |\n";
  }
  return false;
}

static Emitter coverage("gen-coverage", "emit the page of what backends run",
                        emitCoverage);
