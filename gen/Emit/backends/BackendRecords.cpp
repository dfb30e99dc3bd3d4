//===- BackendRecords.cpp - table of backends for tools -------------------===//
// SPDX-License-Identifier: MIT

#include "Emit/language/Emit.h"
#include "Expr/Fields.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// The placeholder of an option's value in the help text.
static StringRef valueOf(const Record &option) {
  StringRef value = textField<"BackendOption.value">(option);
  StringRef type = textField<"BackendOption.type">(option);
  return !value.empty()   ? value
         : type == "int"  ? "N"
         : type == "size" ? "SIZE"
         : type == "bool" ? "true|false"
                          : "TEXT";
}

static std::string optionsOf(const Record &backend) {
  std::string options;
  for (const Record *option : recordsField<"Backend.options">(backend))
    options += formatv("\n     {{{0}, {1}, {2}, {3}, {4}, {5}}, ",
                       quoted(textField<"BackendOption.name">(*option)),
                       quoted(textField<"BackendOption.type">(*option)),
                       quoted(valueOf(*option)),
                       quoted(textField<"BackendOption.initially">(*option)),
                       quoted(textField<"BackendOption.summary">(*option)),
                       bitField<"BackendOption.forFiles">(*option));
  return options;
}

static bool emitBackendRecords(const Model &model, raw_ostream &os) {
  os << "static const ::std::vector<::glow::BackendRecord> backendRecords = "
        "{\n";
  for (const Record *backend : model.own("Backend"))
    os << formatv("    {{{0}, {1}, {2}, {{{3}}},\n",
                  quoted(textField<"Backend.name">(*backend)),
                  intField<"Backend.preference">(*backend),
                  bitField<"Backend.isReference">(*backend),
                  optionsOf(*backend));
  os << "};\n";
  return false;
}

static Emitter backendRecords("gen-backend-records",
                              "emit what tools know of each backend",
                              emitBackendRecords);
