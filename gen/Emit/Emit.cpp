//===- Emit.cpp - what the emitters share ---------------------------------===//

#include "Emit/Emit.h"
#include "Check/Check.h"
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

StringRef glow::gen::cxxType(Type type) {
  switch (type) {
  case Type::Int:
    return "int64_t";
  case Type::Bool:
    return "bool";
  case Type::Real:
    return "double";
  case Type::Text:
    return "std::string";
  case Type::Ints:
    return "::glow::Ints";
  case Type::Reals:
    return "::glow::Reals";
  case Type::Kind:
    return "::mlir::Type";
  case Type::Tensor:
    return "::mlir::Value";
  case Type::Tensors:
    return "::llvm::SmallVector<::mlir::Value>";
  }
  return "";
}

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
    auto [expression, after] = rest.split('}');
    Parser parser(expression, literal, record);
    code += " + ::glow::say(" + values.emit(parser.expression()).code + ")";
    message = after;
  }
  return first ? "std::string()" : code;
}

std::string glow::gen::qualified(const NodeModel &node) {
  return "::glow::" + node.className;
}

std::string glow::gen::getterOf(StringRef name) {
  return "get" + convertToCamelFromSnakeCase(name, /*capitalizeFirst=*/true);
}

std::string glow::gen::local(StringRef name) {
  std::string result = name.str();
  for (char &c : result)
    if (c == '.')
      c = '_';
  return result + "_";
}

std::string glow::gen::nodeNames(const Model &model,
                                 const std::set<std::string> &classes) {
  std::string code;
  for (const std::string &name : classes)
    code += quoted("glow." + model.findNode(name)->mnemonic) + ", ";
  return code;
}

void glow::gen::emitNames(StringRef array, StringRef texts, raw_ostream &os) {
  if (texts.empty())
    os << formatv("constexpr std::span<const char *const> {0}{{};\n", array);
  else
    os << formatv("constexpr const char *{0}[] = {{{1}};\n", array, texts);
}

Emitter::Emitter(StringRef name, StringRef description, EmitFunction function)
    : registration(name, description,
                   [function](const RecordKeeper &records, raw_ostream &os) {
                     Model model(records);
                     checkAll(model);
                     return function(model, os);
                   }) {}
