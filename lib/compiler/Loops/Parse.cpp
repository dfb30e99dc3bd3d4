//===- Parse.cpp - statements of a program from text ----------------------===//
// SPDX-License-Identifier: MIT
//
// A statement names its terms' indices behind its value, so the parser reads
// the indices first.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace glow;
using namespace glow::loops;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

std::string loops::shown(const Token &token) {
  return token.kind == Token::End ? "the end of the text"
                                  : "'" + token.text.str() + "'";
}

bool Parser::failAt(const Token &at, const Twine &message) {
  if (hasFailed)
    return false;
  hasFailed = true;
  if (at.kind != Token::Wrong)
    report(at.text.data(), message);
  else if (at.text == "\"")
    report(at.text.data(), "the string has no end in its line");
  else
    report(at.text.data(), shown(at) + " begins no word of a program");
  return false;
}

bool Parser::take(StringRef word) {
  bool isThere = isOn(word);
  next += isThere;
  return isThere;
}

bool Parser::expect(StringRef word) {
  return take(word) || fail("expected '" + word + "', not " + shown(token()));
}
bool Parser::expectName(StringRef &name, StringRef what) {
  if (token().kind != Token::Name)
    return fail("expected " + what + ", not " + shown(token()));
  name = tokens[next++].text;
  return true;
}
bool Parser::expectInteger(int64_t &number, StringRef what) {
  if (token().kind != Token::Integer)
    return fail("expected " + what + ", not " + shown(token()));
  if (token().text.getAsInteger(10, number))
    return fail(shown(token()) + " does not fit into 64 bits");
  ++next;
  return true;
}

/// Parses a size, an extent or a number of steps.
bool Parser::expectLength(Length &length, StringRef what) {
  if (program->sizes.empty()) {
    int64_t number;
    if (!expectInteger(number, what))
      return false;
    length = number;
    return true;
  }
  const Token &at = token();
  Term value = parseBinary(3);
  if (!value)
    return false;
  std::optional<Length> known = lengthOf(value);
  if (!known)
    return failAt(at, what + " is an expression of integers and sizes");
  const LengthRange range = known->range();
  if (range.low < 0 || range.high == std::numeric_limits<int64_t>::max())
    return failAt(at, what + " may be " +
                          (range.low < 0 ? "negative" : "beyond 64 bits") +
                          ": '" + known->text() + "'");
  length = *known;
  return true;
}

/// Parses items separated by commas, up to and including `close`.
bool Parser::listOf(StringRef close, llvm::function_ref<bool()> one) {
  if (take(close))
    return true;
  do
    if (!one())
      return false;
  while (take(","));
  return expect(close);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

bool Parser::addIndex(const Token &at, StringRef name, const Length &length) {
  if (names.contains(name))
    return failAt(at, "'" + name + "' is already a name in the statement");
  names[name] = program->boundedIndex(Size(length), name);
  return program->complete() ||
         failAt(at, "the program has more than " + Twine(Program::mostIndices) +
                        " indices");
}

/// Parses `for n, m in 8, 16`.
bool Parser::addIndices() {
  std::vector<const Token *> found;
  StringRef name;
  do {
    found.push_back(&token());
    if (!expectName(name, "an index"))
      return false;
  } while (take(","));
  if (!expect("in"))
    return false;
  for (const Token *index : found) {
    Length length;
    if ((index != found.front() && !expect(",")) ||
        !expectLength(length, "the extent of '" + index->text.str() + "'") ||
        !addIndex(*index, index->text, length))
      return false;
  }
  return true;
}

/// Adds the indices of the `over` in the braces that begin at token `from`.
bool Parser::addTerms(size_t from) {
  size_t back = next, open = 0;
  for (next = from; !isAtEnd(); ++next) {
    open += isOn("{");
    open -= isOn("}");
    if (open == 0 || (open == 1 && isOn("over")))
      break;
  }
  bool holds = true;
  if (take("over") && !isOn("where"))
    do {
      const Token &at = token();
      StringRef name;
      Length length;
      holds = expectName(name, "an index") && expect("<") &&
              expectLength(length, "the extent of '" + name.str() + "'") &&
              addIndex(at, name, length);
    } while (holds && take(","));
  next = back;
  return holds;
}

bool Parser::parseLet() {
  const Token &at = token();
  StringRef name;
  if (!expectName(name, "a name") || !expect("="))
    return false;
  if (names.contains(name))
    return failAt(at, "'" + name + "' is already a name in the statement");
  Term value = parseValue();
  names[name] = value;
  return bool(value);
}

bool Parser::parseBounds() {
  const Token &at = token();
  Term low = parseBinary(3);
  if (!low || !expect("<="))
    return false;
  const Token &where = token();
  StringRef name;
  if (!expectName(name, "an index"))
    return false;
  auto known = names.find(name);
  Statement &statement = program->statements.back();
  if (known == names.end() || known->second->op != Op::Index ||
      !llvm::is_contained(statement.indices, unsigned(known->second->integer)))
    return failAt(where, "'" + name + "' is no index of the statement");
  Term index = known->second;
  if (statement.boundsOf(unsigned(index->integer)))
    return failAt(where, "'" + name + "' has bounds already");
  if (!expect("<"))
    return false;
  Term high = parseBinary(3);
  if (!high)
    return false;
  if (low->form != Form::Index || high->form != Form::Index)
    return failAt(at, "the bounds of '" + name + "' are integers");
  program->bound(index, low, high);
  return true;
}

/// Parses an `over`, whose names and extents were read before.
bool Parser::parseOver() {
  while (!isOn("where") && !isOn("}") && !isAtEnd())
    ++next;
  if (!take("where"))
    return true;
  do
    if (!parseBounds())
      return false;
  while (take(","));
  return true;
}

bool Parser::parseCombine(ReductionKind &combine) {
  std::string word = token().text.str();
  if (token().kind == Token::Name && tokens[next + 1].is("="))
    word += "=";
  std::optional<ReductionKind> known = combineNamed(word);
  if (!known)
    return fail("expected an assignment such as '=' or '+=', not " +
                shown(token()));
  next += token().kind == Token::Name ? 2 : 1;
  combine = *known;
  return true;
}

bool Parser::parseUpdate() {
  Statement &statement = program->statements.back();
  const Token &first = token();
  statement.accumulates = take("accumulate");
  const Token &at = token();
  StringRef name;
  if (!expectName(name, "a tensor"))
    return false;
  auto tensor = tensors.find(name);
  if (tensor == tensors.end())
    return failAt(at, "'" + name + "' is no tensor of the program");
  statement.tensor = tensor->second;
  Terms subscripts;
  if (!parseSubscripts(statement.tensor, subscripts, nullptr) ||
      !parseCombine(statement.combine))
    return false;
  if (statement.accumulates && (statement.combine == ReductionKind::Assign ||
                                statement.combine == ReductionKind::Mean ||
                                givesIndex(statement.combine)))
    return failAt(first,
                  "'" + wordOf(statement.combine) + "' does not accumulate");
  Term value = parseValue(), last;
  const Token &word = token();
  bool isPlace = givesIndex(statement.combine);
  if (value && (isOn("at") || isOn("else"))) {
    if (isOn("at") != isPlace)
      return fail(isPlace ? "expected 'at' and the integer that '" +
                                wordOf(statement.combine) + "' gives"
                          : "'at' stands behind 'argmax=' and 'argmin='");
    ++next;
    last = parseValue();
    if (last && isPlace && last->form != Form::Index)
      return failAt(word, "the place that is given is an integer");
  }
  if (hasFailed)
    return false;
  if (isPlace && !last)
    return fail("expected 'at' and the integer that '" +
                wordOf(statement.combine) + "' gives");
  Term finish;
  const Token &then = token();
  if (take("then")) {
    if (statement.combine == ReductionKind::Assign || isPlace)
      return failAt(then, "'then' stands behind a sum");
    if (finish = parseValue(); !finish)
      return false;
  }
  if (take("over") && !parseOver())
    return false;
  program->end(subscripts, value, last);
  program->statements.back().finish = finish ? asElement(finish) : Term();
  return true;
}

bool Parser::parsePart(PlanEntry &entry) {
  const Token &at = token();
  PlanEntry::Part part{};
  StringRef name;
  if (!expectName(name, "an index"))
    return false;
  auto known = names.find(name);
  const Statement &statement = program->statements.back();
  if (known == names.end() || known->second->op != Op::Index ||
      !llvm::is_contained(statement.indices, unsigned(known->second->integer)))
    return failAt(at, "'" + name + "' is no index of the statement");
  part.index = unsigned(known->second->integer);
  if (take(":")) {
    const Token &size = token();
    if (!expectInteger(part.size, "how many values are taken"))
      return false;
    if (part.size < 1)
      return failAt(size, "a size is at least 1");
  }
  for (const PlanEntry::Part &other : entry.parts)
    if (other.index == part.index)
      return failAt(at, "'" + name + "' stands in '" + entry.use + "' twice");
  entry.parts.push_back(part);
  return true;
}

bool Parser::parsePlan() {
  do {
    const Token &at = token();
    StringRef use;
    if (!expectName(use, "a use of indices, as 'lanes'") || !expect("="))
      return false;
    if (program->statements.back().planned(use))
      return failAt(at, "'" + use + "' is planned twice");
    PlanEntry entry{use.str()};
    auto one = [&] { return parsePart(entry); };
    if (take("[") ? !listOf("]", one) : !one())
      return false;
    program->statements.back().plan.push_back(std::move(entry));
  } while (take(","));
  return true;
}

bool Parser::parseStatement() {
  auto before = names;
  program->begin(ReductionKind::Assign, 0);
  if (take("for") && !addIndices())
    return false;
  if (!isOn("{"))
    return fail("expected 'for', 'scan' or '{', not " + shown(token()));
  if (!addTerms(next) || !expect("{"))
    return false;
  while (take("let"))
    if (!parseLet())
      return false;
  if (!parseUpdate() || !expect("}") || (take("plan") && !parsePlan()))
    return false;
  names = std::move(before);
  return true;
}

bool Parser::parseScan() {
  const Token &at = token();
  StringRef name;
  Length steps;
  if (!expectName(name, "the index of the scan") || !expect("<") ||
      !expectLength(steps, "the number of its steps"))
    return false;
  bool isBackwards = isOn("to");
  if (!take("to") && !expect("from"))
    return false;
  int64_t zero;
  const Token &end = token();
  if (!expectInteger(zero, "0") || zero != 0)
    return failAt(end, "a scan goes from 0 or to 0");
  if (steps == 1)
    return failAt(at, "a scan has no step or more than one");
  if (names.contains(name))
    return failAt(at, "'" + name + "' is already a name");
  names[name] = program->beginScan(Size(steps), isBackwards, name);
  if (!program->complete())
    return failAt(at, "the program has more than " +
                          Twine(Program::mostIndices) + " indices");
  if (!expect("{"))
    return false;
  while (!take("}"))
    if (!parseStatement())
      return false;
  program->endScan();
  names = sizeVariables;
  return true;
}
