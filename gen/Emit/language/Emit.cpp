//===- Emit.cpp - shared parts of the emitters ----------------------------===//
// SPDX-License-Identifier: MIT
//
// All checks run before any emitter writes: a mistake in a record has the same
// message, whichever file is made first.
//
//===----------------------------------------------------------------------===//

#include "Emit/language/Emit.h"
#include "Expr/Fields.h"
#include "Expr/Let.h"
#include "Expr/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static cl::opt<std::string>
    includeName("include-name", cl::desc("what the derived records include"),
                cl::init("glow/Glow.td"));

StringRef glow::gen::includedRoot() { return includeName; }

std::string glow::gen::messageCode(StringRef message,
                                   const ValueEmitter &values,
                                   const Record &record) {
  StringRef literal = message;
  std::string code = "std::string(";
  bool first = true;
  while (!message.empty()) {
    auto [plain, rest] = message.split('{');
    if (!plain.empty() || first)
      code += (first ? "" : " + ") + quoted(plain) + (first ? ")" : "");
    else if (first)
      code += ")";
    first = false;
    if (rest.empty())
      return code;
    // Braces hold an expression of the language, so that a message can contain
    // sizes as well as names.
    auto [expression, after] = rest.split('}');
    Parser parser(expression, literal, record);
    code +=
        " + ::glow::valueText(" + values.emit(parser.expression()).code + ")";
    message = after;
  }
  return first ? "std::string()" : code;
}

void glow::gen::declareFunctions(const Model &model, raw_ostream &os) {
  for (const Record *function :
       model.records.getAllDerivedDefinitions("Function")) {
    if (!bitField<"Function.declare">(*function))
      continue;
    std::string parameters;
    const ValueForm form = bitField<"Function.takesLengths">(*function)
                               ? ValueForm::Sizes
                               : ValueForm::Numbers;
    for (StringRef type : textsField<"Function.parameters">(*function))
      parameters += (parameters.empty() ? "" : ", ") +
                    (type == "tensors" ? "::mlir::TypeRange "
                                       : parameterType(*typeNamed(type), form));
    os << formatv("namespace expr {{\n/// {0}\n{1} {2}({3});\n} // namespace "
                  "expr\n\n",
                  placeOf(*function),
                  cxxType(*typeNamed(textField<"Function.result">(*function)),
                          ValueForm::Numbers),
                  textField<"Function.name">(*function), parameters);
  }
}

std::string glow::gen::proven(const std::string &condition) {
  return "::glow::isProven([&] { return " + condition + "; })";
}

std::string glow::gen::qualified(const NodeModel &node) {
  return "::glow::" + node.className;
}

std::string glow::gen::getterOf(StringRef name) {
  return "get" + convertToCamelFromSnakeCase(name, /*capitalizeFirst=*/true);
}

std::string glow::gen::nodeNames(const Model &model,
                                 const std::set<std::string> &classes) {
  std::string code;
  for (const std::string &name : classes)
    code += quoted("glow." + model.nodeOfClass(name)->mnemonic) + ", ";
  return code;
}

void glow::gen::emitNames(StringRef array, StringRef texts, raw_ostream &os) {
  if (texts.empty())
    os << formatv("constexpr std::span<const char *const> {0}{{};\n", array);
  else
    os << formatv("constexpr const char *{0}[] = {{{1}};\n", array, texts);
}
