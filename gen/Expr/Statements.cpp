//===- Statements.cpp - assignments and loops, in C++ ---------------------===//
// SPDX-License-Identifier: MIT

#include "Expr/Statements.h"
#include "Expr/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace glow::gen;
using namespace llvm;

std::optional<Type> glow::gen::elementType(Type list) {
  return list == Type::Ints      ? std::optional(Type::Int)
         : list == Type::Reals   ? std::optional(Type::Real)
         : list == Type::Tensors ? std::optional(Type::Tensor)
                                 : std::nullopt;
}

std::optional<Type> glow::gen::listType(Type element) {
  return element == Type::Int      ? std::optional(Type::Ints)
         : element == Type::Real   ? std::optional(Type::Reals)
         : element == Type::Tensor ? std::optional(Type::Tensors)
                                   : std::nullopt;
}

void StatementEmitter::fail(const ExprPtr &at, const Twine &message) const {
  fatalAt(at->at, record, message);
}

std::string StatementEmitter::fresh(StringRef prefix) {
  return prefix.str() + std::to_string(counter++);
}

void StatementEmitter::assign(StringRef name, const TypedCode &value) {
  // Each assignment makes a new variable, since a name may change its type
  // between assignments. Only loops assign to an existing variable.
  std::string variable = fresh(local(name));
  os() << formatv("  {0} {1} = {2};\n", cxxType(value.type), variable,
                  value.code);
  scope.define(name, value.type, variable);
}

std::string StatementEmitter::openLoop(const std::vector<std::string> &names,
                                       ArrayRef<ExprPtr> lists) {
  std::vector<TypedCode> values;
  for (const ExprPtr &list : lists) {
    values.push_back(emit(list));
    if (!elementType(values.back().type))
      fail(list, "'for' goes through a list, not through a value of type " +
                     nameOf(values.back().type));
  }
  std::string index = fresh("i"), count, elements;
  for (auto [name, value] : zip_equal(names, values)) {
    std::string variable = fresh(local(name)), list = fresh();
    os() << formatv("  {0} {1} = {2};\n", cxxType(value.type), list,
                    value.code);
    std::string size = "int64_t(" + list + ".size())";
    count = count.empty() ? size : "std::min(" + count + ", " + size + ")";
    Type element = *elementType(value.type);
    elements += formatv("  {0} {1} = {2}[{3}];\n", cxxType(element), variable,
                        list, index);
    scope.define(name, element, variable);
  }
  return formatv("  for (int64_t {0} = 0; {0} < {1}; ++{0}) {{\n{2}", index,
                 count, elements);
}

/// An outer name to which the body assigns is a variable that the loop changes;
/// other names are local to the body.
void StatementEmitter::loop(const Statement &statement) {
  std::map<std::string, Scope::Entry> carried;
  for (const ExprPtr &target : targetsOf(statement.body))
    if (const Scope::Entry *before = scope.find(target->text);
        before && !carried.count(target->text)) {
      assign(target->text, {before->type, before->spelling});
      carried[target->text] = *scope.find(target->text);
    }
  // Names of the body end with it.
  Scope outside = scope;
  os() << openLoop(statement.names, statement.lists);
  statements(statement.body);
  for (const ExprPtr &target : targetsOf(statement.body)) {
    auto before = carried.find(target->text);
    if (before == carried.end())
      continue;
    const Scope::Entry &after = *scope.find(target->text);
    if (after.type != before->second.type)
      fail(target, "'" + target->text + "' is of type " +
                       nameOf(before->second.type) +
                       " before the loop, and of type " + nameOf(after.type) +
                       " in it");
    os() << formatv("  {0} = {1};\n", before->second.spelling, after.spelling);
    carried.erase(before);
  }
  os() << "  }\n";
  scope = std::move(outside);
}

void StatementEmitter::statement(const Statement &statement) {
  if (statement.isLoop())
    return loop(statement);
  if (statement.targets.empty())
    return call(statement);
  const ExprPtr &target = statement.targets[0];
  if (statement.targets.size() > 1)
    return unpack(statement);
  assign(target->text, emit(statement.value));
}
