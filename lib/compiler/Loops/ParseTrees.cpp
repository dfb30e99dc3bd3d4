//===- ParseTrees.cpp - trees of programs from text -----------------------===//
// SPDX-License-Identifier: MIT
//
// Trees are built like the loops of records: folded, with equal trees shared.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include <charconv>

using namespace glow;
using namespace glow::loops;
using llvm::StringRef;
using llvm::Twine;

// Passes over trees visit every word, and recurse into nested operations.
static constexpr size_t mostWords = 1000000;
static constexpr size_t mostDepth = 5000;
static constexpr size_t mostNesting = 1000;

Parser::TreeSize Parser::sizeOf(Term term) {
  if (auto known = sizes.find(term.get()); known != sizes.end())
    return known->second;
  TreeSize whole;
  for (Term operand : term->operands) {
    TreeSize part = sizeOf(operand);
    whole.words = std::min(whole.words + part.words, mostWords + 1);
    whole.depth = std::max(whole.depth, part.depth + 1);
  }
  return sizes[term.get()] = whole;
}

/// Checks the size of a tree after folding, which may have given the tree other
/// parts than the text has.
Term Parser::checked(Term term) {
  if (hasFailed || !term)
    return Term();
  auto [words, depth] = sizeOf(term);
  if (words > mostWords)
    fail("the value has more than " + Twine(mostWords) +
         " words where its parts are written out");
  if (depth > mostDepth)
    fail("more than " + Twine(mostDepth) + " operations are within each other");
  return hasFailed ? Term() : term;
}

namespace {
struct Operator {
  unsigned level;
  Op op;
  bool isSwapped = false, isNegated = false;
};
} // namespace

static std::optional<Operator> operatorOf(const Token &token) {
  static const std::pair<StringRef, Operator> known[] = {
      {"||", {0, Op::Either}},    {"&&", {1, Op::Both}},
      {"<", {2, Op::Less}},       {"<=", {2, Op::LessEqual}},
      {">", {2, Op::Less, true}}, {">=", {2, Op::LessEqual, true}},
      {"==", {2, Op::Equal}},     {"!=", {2, Op::Equal, false, true}},
      {"+", {3, Op::Add}},        {"-", {3, Op::Subtract}},
      {"*", {4, Op::Multiply}},   {"/", {4, Op::Divide}},
      {"%", {4, Op::Modulo}}};
  for (const auto &[symbol, op] : known)
    if (token.is(symbol))
      return op;
  return std::nullopt;
}

/// Builds a binary operation. `%` is an integer modulo only if both operands
/// are integers.
static Term makeBinary(const Operator &given, Term a, Term b) {
  bool areIntegers = a->form == Form::Index && b->form == Form::Index;
  Op op = given.op == Op::Modulo && !areIntegers ? Op::Remainder : given.op;
  Term made = given.isSwapped ? make(op, {b, a}) : make(op, {a, b});
  return given.isNegated ? make(Op::Not, made) : made;
}

Term Parser::parseBinary(unsigned level) {
  constexpr unsigned unary = 5, comparison = 2;
  if (level == unary)
    return parseUnary();
  Term left = parseBinary(level + 1);
  while (left) {
    std::optional<Operator> found = operatorOf(token());
    // An operator of another level ends the operand, as "<=" ends an index's
    // lower bound.
    if (!found || found->level != level)
      return left;
    ++next;
    Term right = parseBinary(level + 1);
    left = right ? checked(makeBinary(*found, left, right)) : Term();
    if (level == comparison)
      return left;
  }
  return left;
}

Term Parser::parseUnary() {
  if (++nesting > mostNesting)
    fail("more than " + Twine(mostNesting) + " values are within each other");
  llvm::scope_exit leave([&] { --nesting; });
  if (hasFailed)
    return Term();
  const Token &sign = token();
  if (take("!")) {
    Term operand = parseUnary();
    return operand ? checked(make(Op::Not, operand)) : Term();
  }
  if (!take("-"))
    return parsePrimary();
  bool isNumber = token().kind == Token::Integer ||
                  token().kind == Token::Real || isOn("inf") || isOn("nan");
  if (isNumber && sign.text.end() == token().text.data())
    return parseNumber(/*isNegative=*/true);
  Term operand = parseUnary();
  return operand ? checked(make(Op::Negate, operand)) : Term();
}

Term Parser::parseNumber(bool isNegative) {
  const Token &number = tokens[next++];
  std::string text = (isNegative ? "-" : "") + number.text.str();
  if (number.kind == Token::Integer) {
    int64_t value;
    if (!StringRef(text).getAsInteger(10, value))
      return program->number(value);
    failAt(number, "'" + text + "' does not fit into 64 bits");
    return Term();
  }
  double value = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc())
    return program->real(value);
  failAt(number, "'" + text + "' is no number of 64 bits");
  return Term();
}

Term Parser::parsePrimary() {
  if (token().kind == Token::Integer || token().kind == Token::Real ||
      isOn("inf") || isOn("nan"))
    return parseNumber(/*isNegative=*/false);
  if (take("(")) {
    Term inner = parseValue();
    return inner && expect(")") ? inner : Term();
  }
  if (token().kind == Token::Name)
    return parseName();
  fail("expected a value, not " + shown(token()));
  return Term();
}

Term Parser::parseName() {
  StringRef name = token().text;
  if (name == "true" || name == "false") {
    ++next;
    return asBoolean(program->number(name == "true"));
  }
  if (tokens[next + 1].is("["))
    return parseLoad(name, /*asIndex=*/false);
  if (tokens[next + 1].is("("))
    return parseCall(name);
  if (auto known = names.find(name); known != names.end()) {
    ++next;
    return known->second;
  }
  fail("'" + name + "' is no index of the statement, and no name of a 'let'");
  return Term();
}

/// `element(v)`, `boolean(v)` and `index(t[...])`.
Term Parser::parseIndexForm(StringRef form) {
  if (form == "index") {
    StringRef tensor = token().text;
    return parseLoad(tensor, /*asIndex=*/true);
  }
  Term operand = parseValue();
  if (!operand)
    return Term();
  return form == "element" ? asElement(operand) : asBoolean(operand);
}

Term Parser::parseFormula() {
  if (token().kind != Token::String) {
    fail("expected the text of a formula in quotes, not " + shown(token()));
    return Term();
  }
  std::string text = tokens[next++].text.str();
  llvm::SmallVector<Term> operands;
  while (take(","))
    if (Term operand = parseValue())
      operands.push_back(operand);
    else
      return Term();
  if (operands.empty()) {
    fail("a formula has an operand");
    return Term();
  }
  return program->formula(text, operands);
}

/// The number of operands of a ScalarFunction record; nullopt for other names.
static std::optional<size_t> operandsOf(StringRef function) {
#include "glow/Loops/ScalarArities.cpp.inc"
  return std::nullopt;
}

Term Parser::parseCall(StringRef name) {
  const Token &at = token();
  next += 2;
  if (name == "element" || name == "boolean" || name == "index") {
    Term term = parseIndexForm(name);
    return term && expect(")") ? checked(term) : Term();
  }
  if (name == "formula") {
    Term term = parseFormula();
    return term && expect(")") ? checked(term) : Term();
  }
  llvm::SmallVector<Term> operands;
  auto one = [&] {
    operands.push_back(parseValue());
    return bool(operands.back());
  };
  if (!listOf(")", one))
    return Term();
  std::optional<size_t> count = name == "if" ? 3 : operandsOf(name);
  if (!count)
    failAt(at, "'" + name + "' is no function");
  else if (operands.size() != *count)
    failAt(at, "'" + name + "' has " + Twine(*count) + " operands, not " +
                   Twine(operands.size()));
  if (hasFailed)
    return Term();
  auto isInteger = [](Term operand) { return operand->form == Form::Index; };
  if ((name == "max" || name == "min") && llvm::all_of(operands, isInteger))
    return checked(greatest(operands[0], operands[1], name == "max"));
  return checked(name == "if" ? make(Op::Select, operands)
                              : program->call(name, operands));
}

/// The subscripts of an element, and its guard where it may have one.
bool Parser::parseSubscripts(unsigned tensor, Terms &subscripts,
                             Outside *outside) {
  const Token &at = token();
  if (!expect("["))
    return false;
  while (!isOn("]") && !isOn("else")) {
    const Token &start = token();
    Term one = parseValue();
    if (one && one->form != Form::Index)
      failAt(start, "a subscript is an integer, not " +
                        Twine(one->form == Form::Boolean ? "a boolean"
                                                         : "an element"));
    if (hasFailed)
      return false;
    subscripts.push_back(one);
    if (!take(","))
      break;
  }
  if (outside && take("else")) {
    *outside = isOn("skip")   ? Outside::Skips
               : isOn("zero") ? Outside::Zero
                              : Outside::Fails;
    if (*outside == Outside::Fails && !isOn("fail"))
      return fail("expected 'skip', 'zero' or 'fail', not " + shown(token()));
    ++next;
  }
  const Ints &shape = program->tensors[tensor].shape;
  // A single subscript counts elements from the first one on.
  if (subscripts.size() != shape.size() && subscripts.size() != 1)
    return failAt(at, "tensor '" + nameOf(*program, tensor) + "' has " +
                          Twine(shape.size()) + " dimensions, and " +
                          Twine(subscripts.size()) + " subscripts here");
  return expect("]");
}

Term Parser::parseLoad(StringRef name, bool asIndex) {
  auto known = tensors.find(name);
  if (known == tensors.end() || token().kind != Token::Name) {
    fail(shown(token()) + " is no tensor of the program");
    return Term();
  }
  ++next;
  Terms subscripts;
  Outside outside = Outside::Never;
  if (!parseSubscripts(known->second, subscripts, &outside))
    return Term();
  return checked(program->load(known->second, subscripts, outside,
                               asIndex ? Form::Index
                                       : plainForm(*program, known->second)));
}
