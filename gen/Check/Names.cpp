//===- Names.cpp - refusals that concern names ----------------------------===//
// SPDX-License-Identifier: MIT

#include "Check/Check.h"
#include "Expr/Builtin.h"
#include "Expr/Fields.h"
#include "Expr/Let.h"
#include "Expr/Parser.h"
#include "Model/node/Node.h"
#include "glow/Base/WordsOfCxx.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"

using glow::isWordOfCxx;
using namespace glow::gen;
using namespace llvm;

/// Records of a class differ in a field, the name by which they are known.
static void checkUnique(const Model &model, StringRef className,
                        function_ref<std::string(const Record &)> nameOf,
                        StringRef what) {
  StringMap<const Record *> seen;
  for (const Record *record :
       model.records.getAllDerivedDefinitionsIfDefined(className)) {
    std::string name = nameOf(*record);
    auto [known, isNew] = seen.try_emplace(name, record);
    const Record *other = known->second;
    if (isNew || (!model.isOwn(*record) && !model.isOwn(*other)))
      continue;
    // The error points at a record that this run emits: its author can rename
    // it.
    if (!model.isOwn(*record))
      std::swap(record, other);
    PrintNote(other->getLoc().front(), "the other one is here");
    fatalAt(positionOf(name, *record), *record,
            what + Twine(" '") + name + "' is declared by two records");
  }
}

namespace {

/// The names of one record.
class NameCheck {
public:
  explicit NameCheck(const Record &record) : record(record) {}

  void addAll(const DagInit *dag, StringRef what) {
    for (const StringInit *name : dag->getArgNames())
      if (name)
        add(name->getValue(), what);
  }

private:
  void add(StringRef name, StringRef what) {
    if (isWordOfCxx(name))
      fail(name, what + " '" + name + "' of '" + record.getName() +
                     "' is a word of C++, in which the name will stand");
    if (!seen.insert(name).second)
      fail(name, "'" + record.getName() + "' has two things of the name '" +
                     name + "'");
  }

  void fail(StringRef name, const Twine &message) {
    fatalAt(positionOf(("$" + name).str(), record), record, message);
  }

  const Record &record;
  StringSet<> seen;
};

} // namespace

/// An enumeration is made of a choice, and enumerators of its words.
static void checkChoices(const Record &record) {
  for (const Attribute &attribute : attributesOf(record)) {
    if (!attribute.kind->isSubClassOf("Choice"))
      continue;
    if (attribute.kind->isAnonymous())
      fatalAt(positionOf(("$" + attribute.name), record), record,
              "the choice '" + attribute.name + "' of '" + record.getName() +
                  "' has no name, by which C++ would know it; write def NAME : "
                  "Choice<[...]>");
    for (StringRef word : textsField<"Choice.words">(*attribute.kind))
      if (word.empty() || !isLower(word[0]) || !all_of(word, [](char c) {
            return isLower(c) || isDigit(c) || c == '_';
          }))
        fatalAt(positionOf(word, *attribute.kind), *attribute.kind,
                "'" + word +
                    "' is no word of a choice: those are of small "
                    "letters, digits and '_'");
  }
}

static void checkNode(const NodeModel &node) {
  checkChoices(node.record);
  NameCheck names(node.record);
  names.addAll(dagField<"Node.inputs">(node.record), "operand");
  names.addAll(dagField<"Node.outputs">(node.record), "result");
  names.addAll(dagField<"Node.attributes">(node.record), "attribute");
  for (const auto &[name, type] : node.dimensionNames())
    if (isWordOfCxx(name))
      fatalAt(nullptr, node.record,
              "size '" + Twine(name) + "' of '" + node.className +
                  "' is a word of C++, in which the name will stand");
  StringSet<> labels;
  for (const Requirement &requirement : node.requirements)
    if (!labels.insert(requirement.label).second)
      fatalAt(positionOf(requirement.label, *requirement.record),
              *requirement.record,
              "'" + node.className + "' has two requirements of the label '" +
                  requirement.label + "'");
}

/// A field that describes operands names an `@in` operand of the instruction.
static void checkIsRead(const Record &instr, StringRef field, StringRef name) {
  const DagInit *dag = dagField<"Instr.buffers">(instr);
  bool known = any_of(zip(dag->getArgs(), dag->getArgNames()), [&](auto arg) {
    auto [qualifier, operand] = arg;
    return operand && operand->getValue() == name &&
           textField<"Qual.qualifier">(*cast<DefInit>(qualifier)->getDef()) ==
               "in";
  });
  if (!known)
    fatalAt(positionOf(name, instr), instr,
            "'" + field + "' of '" + instr.getName() + "' says '" + name +
                "', which is no @in operand of it");
}

/// Refuses a name that the language has as a builtin call.
static void checkIsFree(StringRef name, const char *at, const Record &record) {
  if (builtinNamed(name))
    fatalAt(at, record,
            "'" + name + "' is a call that the language itself knows");
}

/// A call means one thing.
static void checkLet(const Model &model, const LetFunction &function) {
  const char *what = model.functions.isDeclared(function.name) ? "a function"
                     : model.findNode(function.name)           ? "a node"
                                                               : nullptr;
  if (what)
    fatalAt(nullptr, *function.record,
            "'" + function.name + "' is the name of " + what + " already");
  checkIsFree(function.name, nullptr, *function.record);
  if (isWordOfCxx(function.name))
    fatalAt(nullptr, *function.record,
            "function '" + function.name +
                "' is a word of C++, in which the name will stand");
  NameCheck(*function.record)
      .addAll(dagField<"Let.parameters">(*function.record), "parameter");
}

/// Refuses names of an earlier Glow (defs/base/Renamed.td).
static void checkRenamed(const Model &model) {
  auto renamed = [](const Record &record) {
    return ("'" + textField<"Renamed.was">(record) + "' is called '" +
            textField<"Renamed.now">(record) + "' now")
        .str();
  };
  // A kind of attributes is there to be refused where an attribute has it.
  for (const Record *record : model.own("Renamed"))
    if (!record->isSubClassOf("AttributeKind") &&
        !record->isSubClassOf("RenamedField"))
      fatalAt(nullptr, *record, renamed(*record));
  noteFields<"Node.begins">();
  for (const Record *field :
       model.records.getAllDerivedDefinitions("RenamedField"))
    for (const Record *record :
         model.own(textField<"RenamedField.of">(*field))) {
      StringRef value =
          record->getValueAsString(textField<"Renamed.was">(*field));
      if (!value.empty())
        fatalAt(positionOf(quoted(value), *record), *record, renamed(*field));
    }
  for (StringRef type : {"Node", "Instr"})
    for (const Record *record : model.own(type))
      for (const Attribute &attribute : attributesOf(*record))
        if (attribute.kind->isSubClassOf("Renamed")) {
          std::string text =
              (attribute.kind->getName() + ":$" + attribute.name).str();
          fatalAt(positionOf(text, *record), *record, renamed(*attribute.kind));
        }
}

void glow::gen::checkNames(const Model &model) {
  checkRenamed(model);
  for (const LetFunction *function : model.functions.lets())
    if (model.isOwn(*function->record))
      checkLet(model, *function);
  for (const Record *record : model.own("Function")) {
    StringRef name = textField<"Function.name">(*record);
    checkIsFree(name, positionOf(name, *record), *record);
  }
  auto mnemonic = [](const Record &record) {
    return record.getValueAsString("opName").str();
  };
  auto backendName = [](const Record &record) {
    return textField<"Backend.name">(record).str();
  };
  checkUnique(model, "Node", mnemonicOf, "node");
  checkUnique(model, "Instr", mnemonic, "instruction");
  checkUnique(model, "Backend", backendName, "backend");
  for (const NodeModel *node : model.ownNodes())
    checkNode(*node);
  for (const Record *instr : model.own("Instr")) {
    NameCheck names(*instr);
    names.addAll(dagField<"Instr.buffers">(*instr), "operand");
    names.addAll(dagField<"Instr.attributes">(*instr), "attribute");
    checkChoices(*instr);
    for (StringRef name : textsField<"Instr.inPlace">(*instr))
      checkIsRead(*instr, "inPlace", name);
    if (StringRef name = textField<"Instr.joins">(*instr); !name.empty())
      checkIsRead(*instr, "joins", name);
    if (StringRef name = textField<"Instr.lengthFrom">(*instr); !name.empty())
      checkIsRead(*instr, "lengthFrom", name);
  }
}
