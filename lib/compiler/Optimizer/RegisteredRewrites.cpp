//===- RegisteredRewrites.cpp - the rewrites of this process --------------===//
// SPDX-License-Identifier: MIT
//
// Libraries register rewrites and patterns, as tables that ClassGen generates
// from their records. The class of a DRR pattern ends with the name of its
// record.
//
//===----------------------------------------------------------------------===//

#include "RegisteredRewrites.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace mlir;

namespace glow {

namespace {

/// DRR patterns, with the tables of their records.
struct PatternTable {
  void (*add)(RewritePatternSet &);
  std::span<const PatternInfo> infos;

  /// The record of a pattern; null for a pattern without a sample.
  const PatternInfo *find(StringRef name) const {
    auto found = llvm::find_if(
        infos, [&](const PatternInfo &info) { return name == info.name; });
    return found == infos.end() ? nullptr : &*found;
  }
};

} // namespace

std::string typeText(Value operand) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (operand)
    stream << "'" << operand.getType() << "'";
  else
    stream << "absent";
  return text;
}

std::vector<RewriteInfo> &registeredRewrites() {
  static std::vector<RewriteInfo> all;
  return all;
}

static std::vector<PatternTable> &patternTables() {
  static std::vector<PatternTable> all;
  return all;
}

void registerRewrites(std::span<const RewriteInfo> table) {
  registeredRewrites().insert(registeredRewrites().end(), table.begin(),
                              table.end());
}

void registerPatterns(void (*add)(RewritePatternSet &),
                      std::span<const PatternInfo> table) {
  patternTables().push_back({add, table});
}

bool RewriteChoice::has(StringRef serves, bool isBeforeFolding) const {
  if (onlyBeforeFolding && !isBeforeFolding)
    return false;
  return serves.empty() ? !onlyOwn : serves == backend;
}

void addRewrites(RewritePatternSet &patterns, RewriteChoice choice) {
  auto isRun = [&](std::string_view node) {
    return llvm::is_contained(choice.runs, node);
  };
  for (const RewriteInfo &rewrite : registeredRewrites())
    if (choice.has(rewrite.backend, rewrite.beforeFolding) &&
        (choice.raising || !rewrite.raises || rewrite.backend[0]) &&
        (rewrite.needs.empty() || llvm::any_of(rewrite.needs, isRun)))
      rewrite.add(patterns);
}

std::vector<std::string> nodesNeeded() {
  std::set<std::string> nodes;
  for (const RewriteInfo &rewrite : registeredRewrites())
    nodes.insert(rewrite.needs.begin(), rewrite.needs.end());
  return {nodes.begin(), nodes.end()};
}

void addPatterns(RewritePatternSet &patterns, RewriteChoice choice) {
  for (const PatternTable &table : patternTables()) {
    RewritePatternSet all(patterns.getContext());
    table.add(all);
    for (std::unique_ptr<RewritePattern> &pattern : all.getNativePatterns()) {
      const PatternInfo *info =
          table.find(pattern->getDebugName().rsplit("::").second);
      if (info ? choice.has(info->backend, info->beforeFolding)
               : choice.has("", false))
        patterns.add(std::move(pattern));
    }
  }
}

bool hasRewrites(RewriteChoice choice) {
  auto isChosen = [&](const auto &info) {
    return choice.has(info.backend, info.beforeFolding);
  };
  return llvm::any_of(registeredRewrites(), isChosen) ||
         llvm::any_of(patternTables(), [&](const PatternTable &table) {
           return llvm::any_of(table.infos, isChosen);
         });
}

std::vector<const RewriteInfo *> rewritesOf(StringRef node, StringRef backend) {
  std::vector<const RewriteInfo *> found;
  for (const RewriteInfo &rewrite : registeredRewrites())
    if (backend == rewrite.backend &&
        llvm::is_contained(rewrite.takes, std::string_view(node)))
      found.push_back(&rewrite);
  return found;
}

StringRef backendOfRewrite(StringRef name) {
  for (const RewriteInfo &rewrite : registeredRewrites())
    if (name == rewrite.name)
      return rewrite.backend;
  for (const PatternTable &table : patternTables())
    if (const PatternInfo *info = table.find(name))
      return info->backend;
  return "";
}

} // namespace glow
