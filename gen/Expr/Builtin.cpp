//===- Builtin.cpp - calls that the language itself knows -----------------===//
// SPDX-License-Identifier: MIT

#include "Expr/Builtin.h"
#include "llvm/ADT/StringSwitch.h"

using namespace glow::gen;

std::optional<Builtin> glow::gen::builtinNamed(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Builtin>>(name)
      .Case("if", Builtin::If)
      .Case("none", Builtin::None)
      .Case("require", Builtin::Require)
      .Case("buffer", Builtin::Buffer)
      .Case("extent", Builtin::Extent)
      .Case("fold", Builtin::Fold)
      .Case("every", Builtin::Every)
      .Case("apply", Builtin::Apply)
      .Case("present", Builtin::Present)
      .Case("shape", Builtin::Shape)
      .Case("rank", Builtin::Rank)
      .Case("kind", Builtin::Kind)
      .Case("elements", Builtin::Elements)
      .Case("count", Builtin::Count)
      .Case("isConstant", Builtin::IsConstant)
      .Case("numberOf", Builtin::NumberOf)
      .Case("progressionOf", Builtin::ProgressionOf)
      .Case("largestAlong", Builtin::LargestAlong)
      .Case("elementKind", Builtin::ElementKind)
      .Case("ints", Builtin::IntList)
      .Case("reals", Builtin::RealList)
      .Case("intOf", Builtin::IntOf)
      .Case("realOf", Builtin::RealOf)
      .Case("onnxKind", Builtin::OnnxKind)
      .Case("axesOf", Builtin::AxesOf)
      .Case("computedLength", Builtin::ComputedLength)
      .Case("isOfRun", Builtin::IsOfRun)
      .Case("mostOf", Builtin::MostOf)
      .Default(std::nullopt);
}

std::optional<Builtin> glow::gen::builtinOf(const ExprPtr &expr) {
  return expr->kind == Expr::Kind::Call ? builtinNamed(expr->text)
                                        : std::nullopt;
}
