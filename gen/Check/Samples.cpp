//===- Samples.cpp - refusals that concern types in samples ---------------===//
// SPDX-License-Identifier: MIT

#include "Check/Check.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Model/node/Node.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// A bound of random values.
static double bound(Parser &parser) {
  bool negative = parser.eat("-");
  const char *at = parser.here();
  ExprPtr number = parser.expression();
  double value;
  if (!isLiteral(number) || StringRef(number->text).getAsDouble(value))
    parser.fail("a bound of random values must be a number", at);
  return negative ? -value : value;
}

/// `f32[2,3] in 0.5..2 constant`.
static void checkType(Parser &parser, const Model &model) {
  const char *at = parser.here();
  std::string kind = parser.name();
  if (!model.isKind(kind))
    parser.fail("'" + kind + "' is no element kind", at);
  parser.expect("[");
  while (!parser.peek("]")) {
    const char *place = parser.here();
    if (parser.expression()->kind != Expr::Kind::Integer)
      parser.fail("a size in a sample must be an integer", place);
    if (!parser.eat(","))
      break;
  }
  parser.expect("]");
  if (parser.eatWord("in")) {
    const char *range = parser.here();
    double low = bound(parser);
    parser.expect("..");
    if (bound(parser) < low)
      parser.fail("no value is in a range that ends before it begins", range);
  }
  parser.eatWord("constant");
}

/// Checks `f32[2]; f32[3]` of a variadic operand; the text of an absent operand
/// is empty. `holder` is the record that has the text.
static void checkOperands(const Record &record, const Record &holder,
                          const Model &model) {
  for (const Init *operand : dagField<"Sample.operands", "Rewrite.operands",
                                      "PatternSample.operands">(record)
                                 ->getArgs()) {
    auto *text = dyn_cast<StringInit>(operand);
    if (!text)
      fatalAt(nullptr, record,
              "an operand of a sample is written \"f32[2,3]\":$name");
    Parser parser(text->getValue(), holder);
    while (!parser.atEnd()) {
      checkType(parser, model);
      if (!parser.eat(";"))
        break;
    }
    parser.expectEnd();
  }
}

void glow::gen::checkSamples(const Model &model) {
  for (const NodeModel *node : model.ownNodes())
    for (const SampleModel &sample : node->samples)
      checkOperands(*sample.record, node->record, model);
  for (StringRef className : {"Rewrite", "PatternSample"})
    for (const Record *record : model.own(className))
      checkOperands(*record, *record, model);
}
