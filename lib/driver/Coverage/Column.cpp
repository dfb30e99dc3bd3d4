//===- Column.cpp - coverage of one backend -------------------------------===//
// SPDX-License-Identifier: MIT

#include "Column.h"
#include "llvm/ADT/StringExtras.h"

using namespace glow;
using llvm::StringRef;

/// "AddOfNegs with glow.mul": the rewrite, and the nodes that it takes besides
/// `known`.
static std::string takenBy(const RewriteInfo &rewrite,
                           const std::vector<std::string> &known) {
  std::string others;
  for (std::string_view taken : rewrite.takes)
    if (!llvm::is_contained(known, taken))
      others += (others.empty() ? "" : ", ") + std::string(taken);
  return rewrite.name + (others.empty() ? "" : " with " + others);
}

static std::vector<std::string> namesOf(const ImportEntry &entry) {
  return {entry.makes.begin(), entry.makes.end()};
}

/// Whether the operator creates the first node on the left side of a rewrite,
/// and most of the nodes that the rewrite takes. Other operators share only a
/// sum with it.
static bool isOf(const RewriteInfo &rewrite, const ImportEntry &entry) {
  const std::vector<std::string> names = namesOf(entry);
  const auto made = llvm::count_if(rewrite.takes, [&](std::string_view taken) {
    return llvm::is_contained(names, taken);
  });
  return llvm::is_contained(names, rewrite.takes.front()) &&
         2 * size_t(made) > rewrite.takes.size();
}

static std::string
rewrittenText(const std::vector<const RewriteInfo *> &rewrites,
              const std::vector<std::string> &known) {
  std::vector<std::string> texts;
  for (const RewriteInfo *rewrite : rewrites)
    texts.push_back(takenBy(*rewrite, known));
  return "rewritten by " + llvm::join(texts, ", or ");
}

/// Replaces the worst node's name by the text of the operator.
static void setOperatorText(Cell &worst) {
  if (worst.verdict == Verdict::When)
    worst.text = "runs when " + worst.text + " does";
  else if (worst.verdict == Verdict::Fallback)
    worst.text = "on " + worst.backend + ": " + worst.text;
  else if (worst.verdict == Verdict::Cannot)
    worst.text = "cannot: " + worst.text;
  else if (worst.verdict == Verdict::Reference)
    worst.text = "runs, " + worst.text + " by the reference's kernel";
  else
    worst.text = worst.verdict == Verdict::Runs ? "runs" : "lowered";
}

Cell Column::node(StringRef name) {
  Cell cell = own(name);
  Verdict last = cell.verdict;
  for (Column *column : fallbacks) {
    if (last != Verdict::Cannot && last != Verdict::When)
      break;
    const Cell &other = column->own(name);
    if (other.verdict == Verdict::Cannot)
      continue;
    std::string on = "on " + std::string(column->backend.name) + ": ";
    if (cell.verdict == Verdict::Cannot)
      cell = {Verdict::Fallback, on + other.text, column->backend.name};
    else
      cell.text += "; else " + on + other.text;
    last = other.verdict;
  }
  return cell;
}

Cell Column::import(const ImportEntry &entry) {
  Cell worst{Verdict::Runs, ""};
  std::vector<const RewriteInfo *> rewrites;
  for (StringRef name : entry.makes) {
    Cell made = node(name);
    for (const RewriteInfo *rewrite : made.rewrites)
      if (isOf(*rewrite, entry) && !llvm::is_contained(rewrites, rewrite))
        rewrites.push_back(rewrite);
    if (made.verdict > worst.verdict)
      worst = {made.verdict, name.str(), made.backend};
  }
  setOperatorText(worst);
  // A rewrite may take the worst node together with others.
  if (worst.verdict > Verdict::When && !rewrites.empty()) {
    worst.text =
        rewrittenText(rewrites, namesOf(entry)) + "; else " + worst.text;
    worst.verdict = Verdict::When;
  }
  return worst;
}

/// The verdict of the backend without its fallbacks.
const Cell &Column::own(StringRef name) {
  if (auto found = known.find(name); found != known.end())
    return *found->second;
  // Rules lead to lower tiers, so this ends. The recursion may grow the map.
  auto cell = std::make_unique<Cell>(find(name));
  return *(known[name] = std::move(cell));
}

/// Tries the backend's own rules first, even if the backend runs the node.
Cell Column::find(StringRef name) {
  Cell own = lowering(name, backend.name);
  if (own.verdict == Verdict::Lowered)
    return own;
  Cell other = rewriting(name, findOther(name));
  if (own.verdict == Verdict::When)
    other.text = own.text + "; else " + other.text;
  return other;
}

/// Adds the backend's own rewrites for a node that the backend does not always
/// run. A rewrite takes the node, alone or with others, and creates a node that
/// the backend runs. A model is rewritten before its nodes are lowered.
Cell Column::rewriting(StringRef name, Cell otherwise) const {
  if (otherwise.verdict <= Verdict::Reference)
    return otherwise;
  std::vector<std::string> found;
  for (const RewriteInfo *rewrite : rewritesOf(name, backend.name)) {
    if (llvm::none_of(rewrite->makes, [&](std::string_view made) {
          return !whenItRuns(backend, StringRef(made)).empty();
        }))
      continue;
    otherwise.rewrites.push_back(rewrite);
    found.push_back(takenBy(*rewrite, {name.str()}) +
                    (*rewrite->condition
                         ? std::string(" when ") + rewrite->condition
                         : ""));
  }
  if (found.empty())
    return otherwise;
  const bool isRewrittenOnly = otherwise.verdict == Verdict::Cannot;
  otherwise.text = "rewritten by " + llvm::join(found, ", or ") +
                   (isRewrittenOnly ? "" : "; else " + otherwise.text);
  if (isRewrittenOnly)
    otherwise.verdict = Verdict::When;
  return otherwise;
}

Cell Column::findOther(StringRef name) {
  std::vector<std::string> when = whenItRuns(backend, name);
  if (llvm::is_contained(when, "")) {
    Means means = meansOf(backend, name);
    return {means.own ? Verdict::Runs : Verdict::Reference,
            means.text.empty() ? "runs" : "runs: " + means.text};
  }
  Cell lowered = lowering(name, "");
  if (when.empty())
    return lowered;
  std::string means = meansOf(backend, name).text;
  return {
      Verdict::When,
      "runs when " + llvm::join(when, ", or when ") +
          (means.empty() ? "" : ": " + means) +
          (lowered.verdict == Verdict::Cannot ? "" : "; else " + lowered.text)};
}

/// The worst node that a rule may create: some node may need it.
StringRef Column::worstOf(const RuleInfo &rule) {
  StringRef worst;
  for (StringRef made : rule.makes)
    if (worst.empty() || own(made).verdict > own(worst).verdict)
      worst = made;
  return worst;
}

/// "lowered by SoftmaxByRecord", with every rule up to the first that always
/// succeeds, or why the last one fails. Only rules of the backend `serves`
/// count, or, for "", the rules for all backends.
Cell Column::lowering(StringRef name, StringRef serves) {
  Cell none{Verdict::Cannot, "cannot: no rule lowers it"};
  std::vector<std::string> rules;
  for (const RuleInfo &rule : rulesFor(name)) {
    if (serves != rule.backend)
      continue;
    StringRef worst = worstOf(rule);
    Verdict reached = worst.empty() ? Verdict::Runs : own(worst).verdict;
    if (reached == Verdict::Cannot) {
      none.text = "cannot: " + std::string(rule.name) + " makes " +
                  worst.str() + ", which cannot run";
      continue;
    }
    rules.push_back(rule.name);
    if (*rule.condition)
      rules.back() += std::string(" when ") + rule.condition;
    else if (reached == Verdict::When)
      rules.back() += " when " + worst.str() + " runs";
    else
      return {Verdict::Lowered, "lowered by " + llvm::join(rules, ", or ")};
  }
  if (rules.empty())
    return none;
  return {Verdict::When, "lowered by " + llvm::join(rules, ", or ")};
}
