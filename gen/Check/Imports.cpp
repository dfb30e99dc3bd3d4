//===- Imports.cpp - refusals that concern imports ------------------------===//

#include "Check/Check.h"
#include "Expr/Parser.h"
#include "Model/Node.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"
#include <map>

using namespace glow::gen;
using namespace llvm;

void glow::gen::checkImports(const Model &model) {
  std::map<std::tuple<StringRef, StringRef, int64_t>, const Record *> seen;
  for (const Record *record :
       model.records.getAllDerivedDefinitions("OnnxImport")) {
    StringRef name = record->getValueAsString("operator");
    auto [other, isNew] =
        seen.try_emplace({record->getValueAsString("domain"), name,
                          record->getValueAsInt("since")},
                         record);
    if (isNew)
      continue;
    PrintNote(other->second->getLoc().front(), "the other one is here");
    fatalAt(nullptr, *record,
            "operator '" + name + "' is imported since opset " +
                Twine(record->getValueAsInt("since")) +
                " by two records: let one have another `since`");
  }
}
