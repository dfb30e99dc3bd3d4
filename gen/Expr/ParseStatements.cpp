//===- ParseStatements.cpp - from text in a record to statements ----------===//
// SPDX-License-Identifier: MIT
//
// Each text of a record has statements of one kind. A clause that belongs to
// another kind is refused where it stands: nothing is read and then left out.
//
//===----------------------------------------------------------------------===//

#include "Expr/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace glow::gen;
using namespace llvm;

std::optional<std::string> Parser::assignment() {
  for (StringRef op : {"+=", "*=", "argmax=", "argmin=", "max=", "min=",
                       "mean=", "or=", "and="})
    if (eat(op))
      return op.str();
  if (peek("=") && !peek("==") && !peek("=>")) {
    expect("=");
    return "=";
  }
  return std::nullopt;
}

/// for NAMES in LISTS { statements }
Statement Parser::loop(Statement begun) {
  bindings(begun.names, begun.lists, begun.at);
  expect("{");
  while (!eat("}")) {
    begun.body.push_back(statement());
    if (!eat(";") && !peek("}") && !begun.body.back().isLoop())
      fail("expected ';'");
  }
  return begun;
}

/// Refuses clauses that a statement of a rule does not take.
void Parser::refuseClauses() {
  if (peekWord("where"))
    fail("no statement takes 'where'; what depends on a condition is "
         "if(condition, a, b)");
  for (StringRef word : {"else", "over"})
    if (peekWord(word))
      fail("'" + word + "' belongs to index notation");
}

Statement Parser::statement() {
  Statement result;
  result.at = here();
  if (eatWord("for"))
    return loop(std::move(result));
  ExprPtr first = primary();
  std::vector<ExprPtr> targets{first};
  while (eat(","))
    targets.push_back(primary());
  std::optional<std::string> op = assignment();
  if (!op) {
    if (first->kind != Expr::Kind::Call || targets.size() > 1)
      fail("expected '='");
    result.value = first;
    refuseClauses();
    return result;
  }
  if (*op != "=")
    fail("'" + *op + "' belongs to index notation; a rule uses '='", first->at);
  for (const ExprPtr &target : targets)
    if (target->kind != Expr::Kind::Name)
      fail("only a name can be assigned to", target->at);
  result.targets = std::move(targets);
  result.op = *op;
  result.value = expression();
  refuseClauses();
  return result;
}

/// Whether `NAME <` or `*NAME <` follows, and no bound.
bool Parser::peekRanged() {
  const char *before = cursor;
  eat("*");
  bool found = peekName() && !name().empty() && peek("<") && !peek("<=");
  cursor = before;
  return found;
}

/// NAME < EXTENT, *NAME < EXTENT, or LOW <= NAME < HIGH
IndexRange Parser::range() {
  // Above comparisons: `i < n` has its own `<`.
  constexpr int sums = 4;
  IndexRange range;
  range.isGiven = peekRanged();
  if (!range.isGiven) {
    range.low = binary(sums);
    expect("<=");
  }
  range.at = here();
  range.spread = eat("*");
  if (range.spread && range.low)
    fail("an index with bounds is one, and no list", range.at);
  range.name = name();
  expect("<");
  (range.low ? range.high : range.extent) = binary(sums);
  return range;
}

/// Merges the range that gives an index its size with the range that gives its
/// bounds. Returns false for ranges that do not belong together.
static bool join(IndexRange &known, const IndexRange &more) {
  if (known.name != more.name || known.spread || more.spread ||
      (known.low && more.low) || (known.extent && more.extent))
    return false;
  known.isGiven = true;
  known.extent = known.extent ? known.extent : more.extent;
  known.low = known.low ? known.low : more.low;
  known.high = known.high ? known.high : more.high;
  return true;
}

std::vector<IndexRange> Parser::ranges() {
  std::vector<IndexRange> result;
  do {
    IndexRange next = range();
    bool joined = false;
    for (IndexRange &known : result)
      joined |= join(known, next);
    if (!joined)
      result.push_back(std::move(next));
  } while (eat(","));
  return result;
}

Statement Parser::indexedStatement() {
  Statement result;
  result.at = here();
  if (peekWord("for"))
    fail("index notation has no 'for': an index runs over its size by itself");
  if (peekWord("scan"))
    fail("a scan does not stand in another one");
  ExprPtr target = primary();
  if (peek(","))
    fail("a statement of index notation has one target");
  std::optional<std::string> op = assignment();
  if (!op)
    fail("expected '='");
  if (target->kind != Expr::Kind::Name && target->kind != Expr::Kind::Subscript)
    fail("only elements of a result, or a name, can be assigned to",
         target->at);
  result.targets = {target};
  result.op = *op;
  result.value = expression();
  if (eatWord("else"))
    result.otherwise = expression();
  if (eatWord("over"))
    result.ranges = ranges();
  if (peekWord("where"))
    refuseClauses();
  return result;
}

Statement Parser::valueStatement() {
  if (!peekName() || peekWord("for"))
    fail("expected 'name = value'");
  Statement result = statement();
  if (result.targets.size() != 1)
    fail("expected 'name = value'", result.at);
  return result;
}

/// scan NAME from 0, scan NAME to 0, scan NAME to 0 if CONDITION, and with
/// `< EXTENT` behind the name
std::shared_ptr<const Scan> Parser::scanHead() {
  auto scan = std::make_shared<Scan>();
  scan->at = here();
  scan->index = name();
  scan->isGiven = eat("<");
  if (scan->isGiven)
    scan->extent = binary(4);
  scan->backwards = eatWord("to");
  if (!scan->backwards && !eatWord("from"))
    fail("expected 'from 0' or 'to 0'");
  if (!eat("0"))
    fail("a scan goes from 0 or to 0");
  if (eatWord("if")) {
    if (!scan->backwards)
      fail("a direction that a condition chooses is 'to 0 if condition', and "
           "from 0 otherwise");
    scan->condition = expression();
  }
  return scan;
}

/// Statements up to the end, or to `last`.
std::vector<Statement> Parser::sequence(Statement (Parser::*one)(),
                                        StringRef last) {
  std::vector<Statement> result;
  auto atLast = [&] { return last.empty() ? atEnd() : peek(last); };
  while (!atLast()) {
    result.push_back((this->*one)());
    // The last semicolon may be left out, and that behind a loop.
    if (!eat(";") && !atLast() && !result.back().isLoop())
      fail("expected ';'");
  }
  return result;
}

std::vector<Statement> Parser::statements() {
  return sequence(&Parser::statement);
}

std::vector<Statement> Parser::indexed() {
  std::vector<Statement> result;
  while (!atEnd()) {
    if (!eatWord("scan")) {
      result.push_back(indexedStatement());
      if (!eat(";") && !atEnd())
        fail("expected ';'");
      continue;
    }
    std::shared_ptr<const Scan> scan = scanHead();
    expect("{");
    std::vector<Statement> body = sequence(&Parser::indexedStatement, "}");
    if (body.empty())
      fail("a scan has statements");
    expect("}");
    eat(";");
    for (Statement &statement : body) {
      statement.scan = scan;
      result.push_back(std::move(statement));
    }
  }
  return result;
}

std::vector<Statement> Parser::values() {
  std::vector<Statement> given = sequence(&Parser::valueStatement);
  StringSet<> names;
  for (const Statement &statement : given)
    if (!names.insert(statement.targets[0]->text).second)
      fail("'" + statement.targets[0]->text + "' is given a value already",
           statement.at);
  return given;
}
