//===- Imports.cpp - refusals that concern imports ------------------------===//

#include "Check/Check.h"
#include "Expr/Parser.h"
#include "Model/Node.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"
#include <map>

using namespace glow::gen;
using namespace llvm;

/// The domain of a record under its one name.
static StringRef domainOf(const Record &record) {
  StringRef domain = record.getValueAsString("domain");
  return domain.empty() ? "ai.onnx" : domain;
}

/// Domains by name, each once.
static std::map<StringRef, const Record *> domainsOf(const Model &model) {
  std::map<StringRef, const Record *> domains;
  for (const Record *record :
       model.records.getAllDerivedDefinitionsIfDefined("OnnxDomain")) {
    StringRef name = record->getValueAsString("name");
    auto [other, isNew] = domains.try_emplace(name, record);
    if (isNew)
      continue;
    PrintNote(other->second->getLoc().front(), "the other one is here");
    fatalAt(nullptr, *record, "domain '" + name + "' has two records");
  }
  return domains;
}

static void checkOpsets(const Model &model) {
  std::map<StringRef, const Record *> domains = domainsOf(model);
  for (StringRef kind : {"OnnxImport", "OnnxUnsupported", "HostOperator"})
    for (const Record *record :
         model.records.getAllDerivedDefinitionsIfDefined(kind)) {
      auto domain = domains.find(domainOf(*record));
      if (domain == domains.end())
        continue;
      int64_t newest = domain->second->getValueAsInt("newest");
      if (record->getValueAsInt("since") > newest)
        fatalAt(nullptr, *record,
                "operator '" + record->getValueAsString("operator") +
                    "' is of opset " + Twine(record->getValueAsInt("since")) +
                    " of '" + domain->first + "', but its newest is " +
                    Twine(newest));
    }
}

void glow::gen::checkImports(const Model &model) {
  checkOpsets(model);
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
