//===- Signature.cpp - the shapes that operands and results have ----------===//
// SPDX-License-Identifier: MIT

#include "Model/node/Signature.h"
#include "Expr/Parser.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;

static int rankBound(Parser &parser, const ExprPtr &bound) {
  int rank = 0;
  if (bound->kind != Expr::Kind::Integer ||
      llvm::StringRef(bound->text).getAsInteger(10, rank))
    parser.fail("a bound of a rank must be an integer", bound->at);
  return rank;
}

static Dimension parseDimension(Parser &parser) {
  Dimension dim;
  if (!parser.eat("*")) {
    dim.value = parser.expression();
    if (parser.eat("..."))
      dim.form = Dimension::Form::Each;
    return dim;
  }
  bool bounded = parser.eat("<=");
  if (bounded || parser.peek("]") || parser.peek(",")) {
    dim.form = Dimension::Form::Any;
    if (bounded)
      dim.within = parser.expression();
    return dim;
  }
  dim.form = Dimension::Form::Rest;
  dim.value = parser.expression();
  if (!parser.eat(":"))
    return dim;
  ExprPtr first = parser.expression();
  if (!parser.eat("..")) {
    dim.count = first;
    return dim;
  }
  int lowest = rankBound(parser, first);
  dim.ranks = {lowest, rankBound(parser, parser.expression())};
  return dim;
}

TensorSignature glow::gen::parseSignature(llvm::StringRef name,
                                          llvm::StringRef text,
                                          const llvm::Record &record) {
  Parser parser(text, record);
  TensorSignature result;
  result.name = name.str();
  result.text = text.str();
  result.at = parser.here();
  result.kind = parser.name();
  if (parser.atEnd() && record.isSubClassOf("Pointwise")) {
    result.text += "[*s]";
    Dimension rest;
    rest.form = Dimension::Form::Rest;
    rest.value = makeName("s");
    result.dims.push_back(rest);
    return result;
  }
  parser.expect("[");
  if (!parser.eat("]")) {
    do
      result.dims.push_back(parseDimension(parser));
    while (parser.eat(","));
    parser.expect("]");
  }
  result.variadic = parser.eat("...");
  result.optional = parser.eat("?");
  parser.expectEnd();
  return result;
}

std::string glow::gen::sizesText(const TensorSignature &tensor) {
  std::string dims;
  for (const Dimension &dim : tensor.dims)
    dims += (dims.empty() ? "" : ", ") +
            std::string(dim.form == Dimension::Form::Rest ? "*" : "") +
            textOf(dim.value);
  return "[" + dims + "]";
}
