//===- Indices.cpp - refusals that concern indices of index notation ------===//
// SPDX-License-Identifier: MIT
//
// An index runs over one size, so that it may stand by itself where the
// signature has that size, and nowhere else: there it would lead outside, or
// leave elements out.
//
//===----------------------------------------------------------------------===//

#include "Check/Check.h"
#include "Expr/Parser.h"
#include "Model/node/Compute.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/TableGen/Error.h"

using namespace glow::gen;
using namespace llvm;

namespace {

/// Where an index stands by itself, and the size of that place.
struct IndexPlace {
  const Expr *index;
  std::optional<std::string> size; // nothing where it has no name
  const TensorSignature *tensor;
  size_t number;

  bool hasSizeOf(const IndexPlace &other) const {
    return size == other.size &&
           (size || (tensor == other.tensor && number == other.number));
  }
};

/// The indices of one statement.
class IndexCheck {
public:
  IndexCheck(const NodeModel &node, const Statement &statement)
      : node(node), statement(statement) {}

  /// `scanned` is the place of the scan's index in an earlier statement, or the
  /// one in this, from then on.
  void run(std::optional<IndexPlace> &scanned) {
    ranges();
    bounds();
    if (scanned)
      first.try_emplace(scanned->index->text, *scanned);
    forEachElement(node, statement.targets[0],
                   [&](const ExprPtr &element) { places(element); });
    forEachElement(node, statement.value,
                   [&](const ExprPtr &element) { places(element); });
    checkSummed();
    if (statement.scan && first.contains(statement.scan->index))
      scanned = first.find(statement.scan->index)->second;
  }

private:
  void ranges() {
    for (const IndexRange &range : statement.ranges)
      if (statement.scan && range.name == statement.scan->index)
        fatalAt(range.at, node.record,
                "'" + range.name +
                    "' goes step by step through the size of its places");
      else if (rangeOf(statement, range.name) != &range)
        fatalAt(range.at, node.record,
                "'over' gives '" + range.name + "' a range already");
      else if (range.isGiven)
        given.insert(range.name);
  }

  /// Indices without bounds have their values first, then those with bounds, in
  /// order.
  void bounds() {
    StringSet<> known = indicesOf(node, statement);
    for (auto [number, range] : enumerate(statement.ranges))
      for (const ExprPtr &bound : {range.low, range.high})
        if (bound)
          checkBound(range, bound, number, known);
  }

  void checkBound(const IndexRange &range, const ExprPtr &bound, size_t number,
                  const StringSet<> &known) const {
    for (const IndexRange &later :
         ArrayRef(statement.ranges).drop_front(number))
      if (later.hasBounds() && mentions(bound, later.name))
        fatalAt(bound->at, node.record,
                "the bounds of '" + range.name + "' ask for '" + later.name +
                    "', " +
                    (&later == &range ? "which is between them"
                                      : "whose bounds stand behind them"));
    forEachElement(node, bound, [&](const ExprPtr &element) {
      for (const ExprPtr &subscript : drop_begin(element->children))
        if (const Expr *index = indexIn(node, subscript);
            index && !known.contains(index->text))
          fatalAt(index->at, node.record,
                  "the bounds of '" + range.name + "' ask for '" + index->text +
                      "', which is no index of the statement");
    });
  }

  void places(const ExprPtr &element) {
    const TensorSignature &tensor = *tensorOf(node, element);
    for (size_t place = 0; place + 1 < element->children.size(); ++place)
      if (const Expr *index = indexIn(node, element->children[place + 1]);
          index && !given.contains(index->text))
        meet({index, sizeAt(tensor, element, place), &tensor, place});
  }

  void meet(const IndexPlace &place) {
    auto [known, isNew] = first.try_emplace(place.index->text, place);
    if (isNew || known->second.hasSizeOf(place))
      return;
    PrintNote(SMLoc::getFromPointer(known->second.index->at),
              "here it runs over " + sizeOf(known->second));
    fatalAt(place.index->at, node.record,
            "index '" + place.index->text + "' stands for " + sizeOf(place) +
                ", but runs over " + sizeOf(known->second) +
                "; the signature must give both one name, or 'over' a range");
  }

  /// Refuses `=` with a summed index: of its several values `=` would keep the
  /// last. `argmax=` and `argmin=` have exactly one summed index, which is not
  /// a list.
  void checkSummed() {
    std::vector<Summed> summed = summedIndices(node, statement);
    if (statement.op == "=" && !summed.empty())
      fatalAt(summed[0].at, node.record,
              "'=' gives each element one value, but '" + summed[0].name +
                  "' runs over several; a sum is '+='");
    if (givesIndex(statement) && (summed.size() != 1 || summed[0].list))
      fatalAt(
          statement.value->at, node.record,
          "'" + statement.op + "' gives the place along one index, but there " +
              (summed.size() == 1 ? "is a list of them"
                                  : "are " + std::to_string(summed.size())));
  }

  static std::string sizeOf(const IndexPlace &place) {
    return "size " + place.size.value_or("without a name") + " of '" +
           place.tensor->name + "'";
  }

  const NodeModel &node;
  const Statement &statement;
  StringSet<> given;
  StringMap<IndexPlace> first;
};

} // namespace

void glow::gen::checkIndices(const Model &model) {
  for (const NodeModel *node : model.ownNodes()) {
    std::optional<IndexPlace> scanned;
    std::shared_ptr<const Scan> scan;
    for (const Statement &statement : node->computeTree()) {
      if (statement.scan != scan)
        scanned.reset();
      scan = statement.scan;
      IndexCheck(*node, statement).run(scanned);
    }
  }
}
