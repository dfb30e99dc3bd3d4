//===- Tiling.cpp - the cuts of nodes that backends do in tiles -----------===//
// SPDX-License-Identifier: MIT

#include "Model/rules/Tiling.h"
#include "Expr/Fields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

std::vector<StringRef> glow::gen::cutsOf(const Model &model,
                                         const NodeModel &node) {
  std::vector<StringRef> names;
  for (const Record *tiling :
       model.records.getAllDerivedDefinitions("Tiling")) {
    if (recordField<"Tiling.node">(*tiling) != &node.record)
      continue;
    for (const Record *cut : recordsField<"Tiling.cuts">(*tiling))
      if (StringRef name = textField<"Cut.name">(*cut);
          !is_contained(names, name))
        names.push_back(name);
  }
  return names;
}
