//===- Signature.cpp - the shapes that operands and results have ----------===//

#include "Model/Signature.h"
#include "Expr/Parser.h"

using namespace glow::gen;

static int rankBound(Parser &parser) {
  ExprPtr bound = parser.expression();
  if (bound->kind != Expr::Kind::Integer)
    parser.fail("a bound of a rank must be an integer", bound->at);
  return std::stoi(bound->text);
}

static Dimension parseDimension(Parser &parser) {
  Dimension dim;
  if (!parser.eat("*")) {
    dim.value = parser.expression();
    if (parser.eat("..."))
      dim.form = Dimension::Form::Each;
    return dim;
  }
  if (parser.peek("]") || parser.peek(",")) {
    dim.form = Dimension::Form::Any;
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
  if (first->kind != Expr::Kind::Integer)
    parser.fail("a bound of a rank must be an integer", first->at);
  dim.ranks = {std::stoi(first->text), rankBound(parser)};
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
