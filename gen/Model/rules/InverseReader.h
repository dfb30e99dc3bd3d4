//===- InverseReader.h - analysis of an import record, backwards ----------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_MODEL_RULES_INVERSEREADER_H
#define GLOW_GEN_MODEL_RULES_INVERSEREADER_H

#include "Model/rules/BodyView.h"
#include "Model/rules/Inverse.h"
#include "llvm/ADT/StringSet.h"

namespace glow::gen {

/// An input or an attribute of the operator that an expression may have its
/// value from, and what the record reads of it there.
struct Origin {
  std::string name;
  Type type;
  enum Part { Whole, Front, Back } part = Whole;

  bool operator==(const Origin &) const = default;
};

/// A call that makes the operator's first output.
struct Leaf {
  const NodeModel *node;
  BodyPlace call;
  std::vector<std::pair<BodyPlace, bool>> conditions; // and whether they hold
};

using Values = std::vector<InverseValue>;

/// Whether an attribute, or an operand, of type `wanted` may be written where
/// the record reads type `read`.
inline bool fits(Type wanted, Type read) {
  return wanted == read || (isNumber(wanted) && isNumber(read)) ||
         (wanted == Type::Tensor && read == Type::Tensors);
}

/// The attribute and the literal of `attribute == literal`, or of `!=`.
std::optional<std::pair<ExprPtr, ExprPtr>> comparedIn(const ExprPtr &expr);

class InverseReader {
public:
  /// `unwritten` are the nodes for which the proposals are; null for all nodes
  /// that are the operator's only one.
  InverseReader(const Model &model, const llvm::Record &record,
                const std::set<const NodeModel *> *unwritten);

  std::vector<Inverse> all();

private:
  /// The expression that field `written` of the record gives for an input or an
  /// attribute; null without an entry.
  ExprPtr written(llvm::StringRef name) const;

  struct Own {
    Type type;
    bool isInput, isNeeded;
    bool isList = false; // of texts
  };

  /// The facts about attributes that follow from a condition that holds, or
  /// that does not: the words that a text may be, and the absent ones.
  struct Said {
    llvm::StringMap<std::vector<std::string>> words;
    llvm::StringSet<> absent;
  };
  void readOwn();
  void readWords(const BodyPlace &condition);
  void addLeaves(BodyPlace place,
                 std::vector<std::pair<BodyPlace, bool>> conditions,
                 std::vector<Leaf> &leaves);
  std::vector<Origin> originsOf(const BodyPlace &place);
  void addOrigins(const BodyPlace &place, std::vector<Origin> &origins);
  void addInverses(const Leaf &leaf, std::vector<Inverse> &all);
  std::vector<BodyPlace> givenTo(const Leaf &leaf) const;
  std::optional<bool> outcome(const BodyPlace &condition, const Said &said);
  BodyPlace firstOf(const BodyPlace &list);
  void addPaths(const BodyPlace &given, const std::string &path,
                const Said &said, unsigned depth);
  void addPath(const std::string &name, const std::string &path);
  void addPathsTo(Inverse &inverse) const;
  void addNumbers(const Leaf &leaf, Inverse &inverse);
  Values valuesOf(const Leaf &leaf,
                  llvm::ArrayRef<const Origin *> chosen) const;
  int resultIn(const BodyPlace &given, const Leaf &leaf);
  std::vector<int> resultsOf(const Leaf &leaf);
  std::vector<std::string> outputs() const;

  void read(const BodyPlace &condition, bool holds, Said &said);

  const Model &model;
  const llvm::Record &record;
  const std::set<const NodeModel *> *unwritten;
  const std::vector<Statement> body;
  BodyView view;
  std::vector<std::string> order; // inputs, then attributes
  llvm::StringMap<Own> own;
  llvm::StringMap<std::vector<std::string>>
      words; // that a text is compared with
  /// Paths from the root node to each input and attribute, separated by spaces.
  llvm::StringMap<std::string> paths;
  bool passesUnwritten = false; ///< whether such a node is among the nodes
};

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_RULES_INVERSEREADER_H
