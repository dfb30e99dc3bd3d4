//===- Options.cpp - refusals that concern options of backends ------------===//
// SPDX-License-Identifier: MIT

#include "Check/Check.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Model/node/Node.h"
#include <set>

using namespace glow::gen;
using namespace llvm;

static bool isOfType(StringRef value, StringRef type) {
  int64_t number;
  if (type == "int")
    return !value.getAsInteger(10, number);
  if (type == "size")
    return value.empty();
  return type == "text" || value == "true" || value == "false";
}

static void checkOption(const Record &option) {
  StringRef name = textField<"BackendOption.name">(option);
  StringRef type = textField<"BackendOption.type">(option);
  StringRef initially = textField<"BackendOption.initially">(option);
  if (type != "text" && type != "int" && type != "bool" && type != "size")
    fatalAt(positionOf(type, option), option,
            "option '" + name + "' is of type '" + type +
                "', it should be text, int, bool or size");
  if (!isOfType(initially, type))
    fatalAt(positionOf(initially, option), option,
            "option '" + name + "' is '" + initially +
                "' where none is given, which is no " + type);
}

void glow::gen::checkOptions(const Model &model) {
  for (const Record *backend : model.own("Backend")) {
    std::set<StringRef> names;
    for (const Record *option : recordsField<"Backend.options">(*backend)) {
      checkOption(*option);
      StringRef name = textField<"BackendOption.name">(*option);
      if (!names.insert(name).second)
        fatalAt(nullptr, *backend, "two options are named '" + name + "'");
    }
  }
}
