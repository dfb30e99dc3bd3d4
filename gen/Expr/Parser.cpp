//===- Parser.cpp - from text in a record to a syntax tree ----------------===//
// SPDX-License-Identifier: MIT
//
// By recursive descent. Every node keeps where it stands in the .td file, as a
// pointer into TableGen's own buffer, so that a message has its line and a
// caret.
//
//===----------------------------------------------------------------------===//

#include "Expr/Parser.h"
#include "Expr/Fields.h"
#include "Expr/Type.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"
#include <cstring>

using namespace glow::gen;
using namespace llvm;

void glow::gen::fatalAt(const char *at, const Record &record,
                        const Twine &message) {
  if (at)
    PrintFatalError(SMLoc::getFromPointer(at), message);
  PrintFatalError(&record, message);
}

/// As StringRef::find, which takes a third of the time of ClassGen.
static size_t findText(StringRef file, StringRef text, size_t from) {
  if (from > file.size())
    return StringRef::npos;
  const void *found =
      memmem(file.data() + from, file.size() - from, text.data(), text.size());
  return found ? size_t(static_cast<const char *>(found) - file.data())
               : StringRef::npos;
}

/// The first place at or after `from` where `text` is a literal, else where it
/// begins one, else where it stands at all.
static size_t findLiteral(StringRef file, StringRef text, size_t from) {
  size_t first = findText(file, text, from), begun = StringRef::npos;
  for (size_t at = first; at != StringRef::npos;
       at = findText(file, text, at + 1)) {
    // The same text may be part of a comment or of a longer literal before.
    bool begins = file[at - 1] == '"' || file.substr(0, at).ends_with("[{");
    StringRef rest = file.substr(at + text.size());
    if (begins && (rest.starts_with("\"") || rest.starts_with("}]")))
      return at;
    if (begins)
      begun = std::min(begun, at);
  }
  return begun == StringRef::npos ? first : begun;
}

// A literal that TableGen put together from pieces is not found, and messages
// then point at the record.
const char *glow::gen::positionOf(StringRef text, const Record &record) {
  if (text.trim().empty())
    return nullptr;
  auto find = [&](unsigned buffer, const char *from) -> const char * {
    StringRef file = SrcMgr.getMemoryBuffer(buffer)->getBuffer();
    size_t found = findLiteral(file, text, from ? from - file.begin() : 0);
    return found == StringRef::npos ? nullptr : file.begin() + found;
  };
  // From the record on: equal texts of other records may stand before it.
  for (SMLoc location : record.getLoc())
    if (unsigned buffer = SrcMgr.FindBufferContainingLoc(location))
      if (const char *found = find(buffer, location.getPointer()))
        return found;
  // The class of a record may be in another file.
  for (unsigned buffer = 1; buffer <= SrcMgr.getNumBuffers(); ++buffer)
    if (const char *found = find(buffer, nullptr))
      return found;
  return nullptr;
}

Parser::Parser(StringRef text, const Record &record)
    : owned(text.str()), cursor(owned.data()), end(owned.data() + owned.size()),
      base(positionOf(text, record)), record(record) {
  // Between quotes, a quote is written \".
  if (!base && text.contains('"')) {
    base = positionOf(quoted(text).substr(1, quoted(text).size() - 2), record);
    isEscaped = true;
  }
  if (!base && !text.trim().empty())
    fatalAt(nullptr, record,
            "a text of '" + record.getName() +
                "' is put together from pieces, so that no caret can be put "
                "into it; a Let is a function, and `with` gives names to the "
                "parameters of a class: `" +
                text.trim() + "`");
}

Parser::Parser(StringRef text, StringRef literal, const Record &record)
    : Parser(text, record) {
  const char *at = positionOf(literal, record);
  base = at ? at + (text.data() - literal.data()) : nullptr;
}

const char *Parser::inFile(const char *where) const {
  if (!base)
    return nullptr;
  // Each quote before it is two characters in the file.
  auto escapes = isEscaped ? std::count(owned.data(), where, '"') : 0;
  return base + (where - owned.data()) + escapes;
}

const char *Parser::here() {
  skipSpace();
  return inFile(cursor);
}

void Parser::fail(const Twine &message, const char *where) {
  skipSpace();
  const char *at = where ? where : inFile(cursor);
  if (at)
    fatalAt(at, record, message);
  fatalAt(nullptr, record, message + " in `" + owned + "`");
}

void Parser::skipSpace() {
  while (cursor < end) {
    if (isSpace(*cursor)) {
      ++cursor;
    } else if (end - cursor > 1 && cursor[0] == '/' && cursor[1] == '/') {
      while (cursor < end && *cursor != '\n')
        ++cursor;
    } else {
      return;
    }
  }
}

bool Parser::peek(StringRef token) {
  skipSpace();
  return StringRef(cursor, end - cursor).starts_with(token);
}

bool Parser::eat(StringRef token) {
  if (!peek(token))
    return false;
  cursor += token.size();
  return true;
}

void Parser::expect(StringRef token) {
  if (!eat(token))
    fail("expected '" + token + "'");
}

bool Parser::atEnd() {
  skipSpace();
  return cursor == end;
}

void Parser::expectEnd() {
  if (!atEnd())
    fail("expected the end of the text");
}

static bool isNameCharacter(char c) { return isAlnum(c) || c == '_'; }

bool Parser::peekName() {
  skipSpace();
  return cursor < end && (isAlpha(*cursor) || *cursor == '_');
}

std::string Parser::name() {
  if (!peekName())
    fail("expected a name");
  const char *begin = cursor;
  while (cursor < end &&
         (isNameCharacter(*cursor) ||
          (*cursor == '.' && cursor + 1 < end && isAlpha(cursor[1]))))
    ++cursor;
  return std::string(begin, cursor);
}

bool Parser::peekWord(StringRef word) {
  if (!peek(word))
    return false;
  const char *after = cursor + word.size();
  return after == end || !isNameCharacter(*after);
}

bool Parser::eatWord(StringRef word) {
  if (!peekWord(word))
    return false;
  cursor += word.size();
  return true;
}

ExprPtr Parser::number() {
  const char *begin = cursor;
  bool real = false;
  while (cursor < end && isDigit(*cursor))
    ++cursor;
  // `0..3` is a range, not a real number.
  if (cursor < end && *cursor == '.' &&
      !(cursor + 1 < end && cursor[1] == '.')) {
    real = true;
    ++cursor;
    while (cursor < end && isDigit(*cursor))
      ++cursor;
  }
  if (cursor < end && (*cursor == 'e' || *cursor == 'E')) {
    real = true;
    ++cursor;
    if (cursor < end && (*cursor == '-' || *cursor == '+'))
      ++cursor;
    while (cursor < end && isDigit(*cursor))
      ++cursor;
  }
  StringRef digits(begin, cursor - begin);
  int64_t integer;
  if (!real && digits.getAsInteger(10, integer))
    fail("the integer " + digits + " does not fit into 64 bits", inFile(begin));
  return makeExpr(real ? Expr::Kind::Real : Expr::Kind::Integer, digits, {},
                  inFile(begin));
}

ExprPtr Parser::text() {
  const char *at = inFile(cursor);
  const char *begin = ++cursor;
  while (cursor < end && *cursor != '"')
    ++cursor;
  if (cursor == end)
    fail("this text has no closing quote", at);
  return makeExpr(Expr::Kind::Text, StringRef(begin, cursor++ - begin), {}, at);
}

/// Nodes and functions of Let records know their arguments by name.
static bool takesNames(StringRef callee, const Record &record) {
  const Record *called = record.getRecords().getDef(callee);
  return called &&
         (called->isSubClassOf("Node") || called->isSubClassOf("Let"));
}

ExprPtr Parser::call(std::string callee, const char *at) {
  auto expr = std::make_shared<Expr>();
  expr->kind = Expr::Kind::Call;
  expr->text = std::move(callee);
  expr->at = at;
  if (eat(")"))
    return expr;
  do {
    const char *start = cursor;
    std::string label;
    if (peekName()) {
      // `name: value` is an argument by name; otherwise the name begins an
      // expression, which is read from there.
      label = name();
      if (peek("::") || !eat(":")) {
        label.clear();
        cursor = start;
      } else if (!takesNames(expr->text, record)) {
        fail("'" + expr->text + "' takes its arguments by their places",
             inFile(start));
      }
    }
    expr->labels.push_back(label);
    expr->children.push_back(expression());
  } while (eat(","));
  expect(")");
  return expr;
}

ExprPtr Parser::subscriptItem() {
  const char *at = here();
  if (eat("*"))
    return makeExpr(Expr::Kind::Spread, "*", {unary()}, at);
  return expression();
}

ExprPtr Parser::given(StringRef name) {
  noteFields<"Let.with", "Node.with", "Require.with", "Lowering.with",
             "Rewrite.with", "OnnxImport.with">();
  const RecordVal *with = record.getValue("with");
  auto *dag = with ? dyn_cast<DagInit>(with->getValue()) : nullptr;
  if (!dag)
    return nullptr;
  for (auto [value, parameter] : zip(dag->getArgs(), dag->getArgNames())) {
    if (!parameter || parameter->getValue() != name)
      continue;
    if (auto *integer = dyn_cast<IntInit>(value))
      return makeInteger(integer->getValue());
    if (auto *def = dyn_cast<DefInit>(value))
      return makeName(def->getDef()->getName());
    if (auto *text = dyn_cast<StringInit>(value)) {
      if (is_contained(open, name))
        fail("'" + name + "' of 'with' leads back to itself");
      Parser parser(text->getValue(), record);
      // The names that are being replaced, so that a circle of them is refused
      // and not followed for ever.
      parser.open = open;
      parser.open.push_back(name.str());
      ExprPtr expr = parser.expression();
      parser.expectEnd();
      return expr;
    }
    fail("'" + name + "' of 'with' is given " + value->getAsString() +
         ", which is no number, no text and no record");
  }
  return nullptr;
}

/// A name, or a call of it.
ExprPtr Parser::named(const std::string &name, const char *at) {
  ExprPtr value = given(name);
  if (!eat("("))
    return value ? value : makeExpr(Expr::Kind::Name, name, {}, at);
  if (value && value->kind != Expr::Kind::Name)
    fail("'" + name + "' stands for " + textOf(value) +
             ", which cannot be called",
         at);
  return call(value ? value->text : name, at);
}

/// Parses the rest of a list, or of `[x + 1 for x in xs]`.
ExprPtr Parser::list(const char *at) {
  std::vector<ExprPtr> elements;
  if (eat("]"))
    return makeExpr(Expr::Kind::List, "", {}, at);
  elements.push_back(subscriptItem());
  if (!eatWord("for")) {
    while (eat(","))
      elements.push_back(subscriptItem());
    expect("]");
    return makeExpr(Expr::Kind::List, "", std::move(elements), at);
  }
  auto each = std::make_shared<Expr>();
  each->kind = Expr::Kind::Each;
  each->at = at;
  std::vector<ExprPtr> lists;
  bindings(each->labels, lists, at);
  expect("]");
  elements.insert(elements.end(), lists.begin(), lists.end());
  each->children = std::move(elements);
  return each;
}

/// Parses the names and lists after `for`: x, y in xs, ys
void Parser::bindings(std::vector<std::string> &names,
                      std::vector<ExprPtr> &lists, const char *at) {
  do
    names.push_back(name());
  while (eat(","));
  if (!eatWord("in"))
    fail("expected 'in'");
  do
    lists.push_back(expression());
  while (eat(","));
  if (names.size() != lists.size())
    fail("each name after 'for' takes a list after 'in'", at);
}

ExprPtr Parser::primary() {
  skipSpace();
  const char *at = inFile(cursor);
  ExprPtr result;
  if (eat("(")) {
    result = expression();
    expect(")");
  } else if (eat("[")) {
    result = list(at);
  } else if (cursor < end && isDigit(*cursor)) {
    result = number();
  } else if (cursor < end && *cursor == '"') {
    result = text();
  } else if (peekName()) {
    result = named(name(), at);
  } else {
    fail(atEnd() ? "expected an expression before the end of the text"
                 : "expected an expression");
  }
  for (unsigned subscripts = 0; eat("["); ++subscripts) {
    checkDepth(subscripts, at);
    std::vector<ExprPtr> children{result};
    if (!eat("]")) {
      do
        children.push_back(subscriptItem());
      while (eat(","));
      expect("]");
    }
    result = makeExpr(Expr::Kind::Subscript, "", std::move(children), at);
  }
  return result;
}

void Parser::checkDepth(unsigned depth, const char *at) {
  static constexpr unsigned deepest = 250;
  if (depth > deepest)
    fail("an expression more than " + Twine(deepest) +
             " deep; statements may give names to parts of it",
         at);
}

ExprPtr Parser::unary() {
  const char *at = here();
  checkDepth(++nesting, at);
  llvm::scope_exit leave([&] { --nesting; });
  if (eat("-"))
    return makeExpr(Expr::Kind::Unary, "-", {unary()}, at);
  if (peek("!") && !peek("!=")) {
    expect("!");
    return makeExpr(Expr::Kind::Unary, "!", {unary()}, at);
  }
  return primary();
}

static int binaryPrecedence(StringRef op) {
  return StringSwitch<int>(op)
      .Case("||", 1)
      .Case("&&", 2)
      .Cases({"==", "!=", "<=", ">=", "<", ">"}, 3)
      .Cases({"+", "-"}, 4)
      .Cases({"*", "/", "%"}, 5)
      .Default(0);
}

ExprPtr Parser::binary(int lowest) {
  ExprPtr left = unary();
  for (unsigned operators = 0;; ++operators) {
    checkDepth(operators, inFile(cursor));
    skipSpace();
    StringRef rest(cursor, end - cursor);
    StringRef found;
    // A longer operator comes before its prefixes.
    for (StringRef op : {"||", "&&", "==", "!=", "<=", ">=", "<", ">", "+", "-",
                         "*", "/", "%"})
      if (rest.starts_with(op)) {
        found = op;
        break;
      }
    // `x += ...` and `=>` belong to the statement or the rule.
    if (found.empty() || rest.drop_front(found.size()).starts_with("="))
      return left;
    int precedence = binaryPrecedence(found);
    if (precedence < lowest)
      return left;
    cursor += found.size();
    // Precedence climbing: what binds as strongly is left to this loop, from
    // left to right.
    ExprPtr right = binary(precedence + 1);
    left = makeBinary(found, left, right);
  }
}
