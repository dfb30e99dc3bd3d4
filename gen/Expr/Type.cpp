//===- Type.cpp - types, names and functions of the record language -------===//

#include "Expr/Type.h"
#include "Expr/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static constexpr std::pair<const char *, Type> typeNames[] = {
    {"int", Type::Int},   {"bool", Type::Bool},     {"real", Type::Real},
    {"text", Type::Text}, {"ints", Type::Ints},     {"reals", Type::Reals},
    {"kind", Type::Kind}, {"tensor", Type::Tensor}, {"tensors", Type::Tensors}};

StringRef glow::gen::nameOf(Type type) {
  for (auto [name, candidate] : typeNames)
    if (candidate == type)
      return name;
  return "";
}

std::optional<Type> glow::gen::typeNamed(StringRef name) {
  for (auto [candidate, type] : typeNames)
    if (name == candidate)
      return type;
  return std::nullopt;
}

static std::vector<std::string> strings(const Record &record, StringRef field) {
  std::vector<std::string> result;
  for (StringRef value : record.getValueAsListOfStrings(field))
    result.push_back(value.str());
  return result;
}

Functions::Functions(const RecordKeeper &records) {
  for (const Record *record : records.getAllDerivedDefinitions("Function")) {
    FunctionType function{record->getValueAsString("name").str(),
                          strings(*record, "parameters"),
                          record->getValueAsString("result").str()};
    functions.emplace(function.name, function);
  }
  for (const Record *record :
       records.getAllDerivedDefinitions("ScalarFunction")) {
    ScalarType function{record->getValueAsString("name").str(),
                        unsigned(record->getValueAsInt("arity")),
                        strings(*record, "derivatives"),
                        unsigned(record->getValueAsInt("operations")), record};
    scalars.emplace(function.name, function);
  }
}

const FunctionType *Functions::find(StringRef name) const {
  auto found = functions.find(std::string_view(name));
  return found == functions.end() ? nullptr : &found->second;
}

const ScalarType &Functions::scalarOf(const ExprPtr &call,
                                      const Record &record) const {
  auto found = scalars.find(call->text);
  if (found == scalars.end())
    fatalAt(call->at, record, "unknown function '" + call->text + "'");
  const ScalarType &function = found->second;
  if (call->children.size() != function.arity)
    fatalAt(call->at, record,
            "'" + call->text + "' takes " +
                counted(function.arity, "argument") + ", not " +
                Twine(call->children.size()));
  return function;
}

void Scope::define(StringRef name, Type type, StringRef spelling) {
  entries[name.str()] = {type, spelling.str()};
}

const Scope::Entry *Scope::find(StringRef name) const {
  auto found = entries.find(std::string_view(name));
  return found == entries.end() ? nullptr : &found->second;
}

std::string glow::gen::counted(size_t count, StringRef noun) {
  return (Twine(count) + " " + noun + (count == 1 ? "" : "s")).str();
}

std::optional<std::string> Scope::closest(StringRef name) const {
  std::optional<std::string> best;
  unsigned distance = 3;
  for (const auto &[candidate, entry] : entries) {
    // What is no capital means no kind.
    if (entry.type == Type::Kind && isUpper(candidate.front()) &&
        !isUpper(name.front()))
      continue;
    unsigned d = name.edit_distance(candidate, true, distance);
    if (d < distance) {
      distance = d;
      best = candidate;
    }
  }
  return best;
}

std::string glow::gen::quoted(StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + "\"";
}
