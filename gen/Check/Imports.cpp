//===- Imports.cpp - refusals that concern imports ------------------------===//
// SPDX-License-Identifier: MIT

#include "Check/Check.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Model/node/Node.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"
#include <map>

using namespace glow::gen;
using namespace llvm;

/// The domain of a record under its one name.
static StringRef domainOf(const Record &record) {
  StringRef domain = textField<"OnnxImport.domain", "OnnxUnsupported.domain",
                               "HostOperator.domain">(record);
  return domain.empty() ? "ai.onnx" : domain;
}
static StringRef operatorOf(const Record &record) {
  return textField<"OnnxImport.operator", "OnnxUnsupported.operator",
                   "HostOperator.operator">(record);
}
static int64_t sinceOf(const Record &record) {
  return intField<"OnnxImport.since", "OnnxUnsupported.since",
                  "HostOperator.since">(record);
}

/// Domains by name, each once.
static std::map<StringRef, const Record *> domainsOf(const Model &model) {
  std::map<StringRef, const Record *> domains;
  for (const Record *record :
       model.records.getAllDerivedDefinitionsIfDefined("OnnxDomain")) {
    StringRef name = textField<"OnnxDomain.name">(*record);
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
      int64_t newest = intField<"OnnxDomain.newest">(*domain->second);
      if (sinceOf(*record) > newest)
        fatalAt(nullptr, *record,
                "operator '" + operatorOf(*record) + "' is of opset " +
                    Twine(sinceOf(*record)) + " of '" + domain->first +
                    "', but its newest is " + Twine(newest));
    }
}

static bool hasInput(const Record &record, StringRef name) {
  return any_of(
      dagField<"OnnxImport.inputs", "HostOperator.inputs">(record)->getArgs(),
      [&](const Init *argument) {
        StringRef text = cast<StringInit>(argument)->getValue();
        return text.rtrim("?.") == name;
      });
}

static bool hasAttribute(const Record &record, StringRef name) {
  return any_of(
      dagField<"OnnxImport.attributes">(record)->getArgNames(),
      [&](const StringInit *other) { return other->getValue() == name; });
}

/// The operator that replaces another has a record.
static void checkSuccessor(const Record &record) {
  StringRef name = textField<"OnnxImport.successor">(record);
  if (!name.empty() &&
      none_of(record.getRecords().getAllDerivedDefinitions("OnnxImport"),
              [&](const Record *other) {
                return textField<"OnnxImport.operator">(*other) == name;
              }))
    fatalAt(nullptr, record,
            "no record imports '" + name + "', which `successor` names");
}

/// Each entry of `later` names an input or an attribute of the operator, of an
/// opset after the record's own.
static void checkLater(const Record &record) {
  for (const Record *part : recordsField<"OnnxImport.later">(record)) {
    StringRef name = textField<"FromOpset.name">(*part);
    int64_t opset = intField<"FromOpset.opset">(*part);
    const bool isAttribute = hasAttribute(record, name);
    if (!isAttribute && !hasInput(record, name))
      fatalAt(nullptr, record,
              "no input or attribute is called '" + name +
                  "', which `later` names");
    if (!isAttribute && !textField<"FromOpset.word">(*part).empty())
      fatalAt(nullptr, record,
              "`later` gives a word of '" + name + "', which is an input");
    if (opset <= sinceOf(record))
      fatalAt(nullptr, record,
              "'" + name + "' is of opset " + Twine(opset) +
                  ", which is not later than " + Twine(sinceOf(record)) +
                  ", that of the record");
  }
}

/// Each entry of `kinds` names an input and an element kind.
static void checkInputKinds(const Model &model, const Record &record) {
  const DagInit *dag =
      dagField<"OnnxImport.kinds", "HostOperator.kinds">(record);
  for (auto [init, nameInit] : zip(dag->getArgs(), dag->getArgNames())) {
    StringRef name = nameInit ? nameInit->getValue() : "";
    if (!hasInput(record, name))
      fatalAt(nullptr, record,
              "no input is called '" + name + "', which `kinds` names");
    auto *kind = dyn_cast<StringInit>(init);
    if (!kind || !model.isKind(kind->getValue()))
      fatalAt(nullptr, record,
              "the kind of input '" + name +
                  "' should be an element kind, as \"i64\"");
  }
}

static void checkValues(const Model &model, const Record &record) {
  StringRef values = textField<"OnnxImport.valuesAs">(record);
  if (!values.empty() && !model.isKind(values))
    fatalAt(nullptr, record,
            "valuesAs is '" + values +
                "', it should be an element kind, as \"i64\"");
}

void glow::gen::checkImports(const Model &model) {
  checkOpsets(model);
  for (const Record *record :
       model.records.getAllDerivedDefinitionsIfDefined("HostOperator"))
    checkInputKinds(model, *record);
  std::map<std::tuple<StringRef, StringRef, int64_t>, const Record *> seen;
  for (const Record *record :
       model.records.getAllDerivedDefinitions("OnnxImport")) {
    StringRef name = operatorOf(*record);
    auto [other, isNew] = seen.try_emplace(
        {textField<"OnnxImport.domain">(*record), name, sinceOf(*record)},
        record);
    checkLater(*record);
    checkInputKinds(model, *record);
    checkValues(model, *record);
    checkSuccessor(*record);
    if (isNew)
      continue;
    PrintNote(other->second->getLoc().front(), "the other one is here");
    fatalAt(nullptr, *record,
            "operator '" + name + "' is imported since opset " +
                Twine(sinceOf(*record)) +
                " by two records: let one have another `since`");
  }
}
