//===- Tilings.cpp - refusals that concern tiles --------------------------===//
// SPDX-License-Identifier: MIT

#include "Check/Check.h"
#include "Expr/Constant.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Model/node/Node.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Record.h"
#include <functional>

using namespace glow::gen;
using namespace llvm;

/// The backend that lists the tiling.
static const Record &ownerOf(const Model &model, const Record &tiling) {
  for (const Record *backend :
       model.records.getAllDerivedDefinitions("Backend"))
    if (is_contained(recordsField<"Backend.tilings">(*backend), &tiling))
      return *backend;
  fatalAt(nullptr, tiling,
          "'" + tiling.getName() +
              "' is in no 'tilings' of a backend, so nothing reads it");
}

static void checkRuns(const Record &backend, const Record &tiling) {
  const Record *node = recordField<"Tiling.node">(tiling);
  if (none_of(recordsField<"Backend.runs">(backend), [&](const Record *legal) {
        return is_contained(recordsField<"Legal.nodes">(*legal), node);
      }))
    fatalAt(nullptr, tiling,
            "backend '" + textField<"Backend.name">(backend) + "' tiles '" +
                node->getName() + "', which no Legal record of it runs");
}

static void checkCuts(const Model &model, const Record &tiling) {
  const NodeModel &node =
      *model.findNode(recordField<"Tiling.node">(tiling)->getName());
  Scope scope = node.scope("");
  for (const Record *cut : recordsField<"Tiling.cuts">(tiling)) {
    StringRef name = textField<"Cut.name">(*cut);
    auto refuse = [&](const Twine &message) {
      fatalAt(positionOf(name, *cut), *cut, "cut '" + name + "' " + message);
    };
    if (scope.find(name))
      refuse("of '" + node.className +
             "' has a name that its signature, or another cut, has");
    scope.define(name, Type::Int, "");
    if (int64_t multiple = intField<"Cut.multiple">(*cut); multiple < 1)
      refuse("is in multiples of " + Twine(multiple) +
             ", but should be of 1 or more");
  }
}

/// The value where each name of one number is 1; null where others matter.
static ExprPtr atLeast(StringRef text, const Record &need, const Scope &scope,
                       const Record &tiling) {
  StringMap<ExprPtr> ones;
  ExprPtr value = Parser(text, need).expression();
  std::function<void(const ExprPtr &)> collect = [&](const ExprPtr &expr) {
    if (expr->kind == Expr::Kind::Name) {
      const Scope::Entry *entry = scope.find(expr->text);
      bool isCut =
          any_of(recordsField<"Tiling.cuts">(tiling), [&](const Record *cut) {
            return textField<"Cut.name">(*cut) == expr->text;
          });
      if (isCut || (entry && entry->type == Type::Int))
        ones[expr->text] = makeInteger(1);
    }
    for (const ExprPtr &child : expr->children)
      collect(child);
  };
  collect(value);
  return foldConstants(substitute(value, ones));
}

/// Refuses a tiling whose smallest tile, with one element of each size, does
/// not fit into a memory.
static void checkFits(const Model &model, const Record &backend,
                      const Record &tiling) {
  const NodeModel &node =
      *model.findNode(recordField<"Tiling.node">(tiling)->getName());
  for (const Record *need : recordsField<"Tiling.needs">(tiling)) {
    const Record *memory = recordField<"Need.memory">(*need);
    StringRef name = textField<"MemorySpace.name">(*memory);
    StringRef text = textField<"Need.bytes">(*need);
    if (!is_contained(recordsField<"Backend.memories">(backend), memory))
      fatalAt(positionOf(memory->getName(), *need), *need,
              "a tile of '" + node.className + "' needs memory '" + name +
                  "', which backend '" + textField<"Backend.name">(backend) +
                  "' does not list");
    ExprPtr least = atLeast(text, *need, node.scope(""), tiling);
    int64_t bytes;
    if (least->kind == Expr::Kind::Integer &&
        !StringRef(least->text).getAsInteger(10, bytes) &&
        bytes > intField<"MemorySpace.bytes">(*memory))
      fatalAt(positionOf(text, *need), *need,
              "no tile of '" + node.className + "' fits: the smallest needs " +
                  Twine(bytes) + " bytes of memory '" + name + "', which has " +
                  Twine(intField<"MemorySpace.bytes">(*memory)));
  }
}

void glow::gen::checkTilings(const Model &model) {
  for (const Record *tiling : model.own("Tiling")) {
    const Record &backend = ownerOf(model, *tiling);
    checkRuns(backend, *tiling);
    checkCuts(model, *tiling);
    checkFits(model, backend, *tiling);
  }
}
