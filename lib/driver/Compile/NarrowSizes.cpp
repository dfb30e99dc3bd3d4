//===- NarrowSizes.cpp - the sizes of a module in a request ---------------===//
// SPDX-License-Identifier: MIT
//
// The text of a module has a range for each open size. A request may ask for
// one size, or for a part of the range. The expressions of all types and
// attributes are then parsed again, with the new ranges of their variables: a
// variable of one value is a number, and a list of numbers has no expressions.
//
// The result is valid: each decision that depends on a size holds for the whole
// range of the text, or is a condition of the module.
//
//===----------------------------------------------------------------------===//

#include "NarrowSizes.h"
#include "glow/Base/Status.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/FormulaAttr.h"
#include "glow/Graph/Shape.h"
#include "glow/Program/SizeValues.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace glow;

namespace {
class Narrower {
public:
  Narrower(ModuleOp module, const CompileRequest &request)
      : module(module), request(request) {}

  LogicalResult run();

private:
  LogicalResult findRanges();
  LogicalResult take(const SizeVariable &own, SizeVariable asked);
  LogicalResult narrowConditions();
  LogicalResult checkConstants();
  std::vector<Length> narrowed(const std::vector<Length> &lengths) const;
  RankedTensorType narrowed(RankedTensorType type, LengthsAttr lengths) const;
  bool isKnown(const SizeVariable &variable) const {
    return llvm::is_contained(known, variable.name);
  }

  ModuleOp module;
  const CompileRequest &request;
  std::vector<std::string> known;     ///< variables of inputs
  std::vector<SizeVariable> narrower; ///< those that change
};
} // namespace

static bool areFixed(const std::vector<Length> &lengths) {
  return llvm::all_of(lengths,
                      [](const Length &length) { return length.isFixed(); });
}

/// Takes the range that a request has for a variable, which may be one size.
LogicalResult Narrower::take(const SizeVariable &own, SizeVariable asked) {
  if (asked.high == chosenSize) // the greatest of the module
    asked = {own.name, std::max(own.low, asked.low), own.high,
             std::max(own.multiple, asked.multiple)};
  const bool isOne = asked.low == asked.high;
  if (isOne)
    asked.multiple = 1;
  const bool fits = asked.low >= own.low && asked.high <= own.high &&
                    (isOne ? asked.low : asked.multiple) % own.multiple == 0;
  if (!fits)
    return module.emitError()
           << "size '" << own.text() << "' of the module cannot be "
           << (isOne ? std::to_string(asked.low) : "'" + asked.text() + "'")
           << ": other sizes take the model of which it was made";
  auto first = llvm::find_if(
      narrower, [&](const SizeVariable &one) { return one.name == own.name; });
  if (first != narrower.end())
    return *first == asked ? success()
                           : LogicalResult(module.emitError()
                                           << "size '" << own.name
                                           << "' is both '" << first->text()
                                           << "' and '" << asked.text() << "'");
  if (asked != own)
    narrower.push_back(std::move(asked));
  return success();
}

LogicalResult Narrower::findRanges() {
  for (auto port : module.getOps<PlaceholderOp>()) {
    auto type = cast<RankedTensorType>(port.getType());
    auto lengths = dyn_cast_or_null<LengthsAttr>(type.getEncoding());
    if (!lengths || port.getRole() == PlaceholderRole::Output)
      continue;
    auto shape = request.shapes.find(port.portName().str());
    const bool hasShape = shape != request.shapes.end() &&
                          int64_t(shape->second.size()) == type.getRank();
    for (auto [d, length] : llvm::enumerate(lengths.lengths())) {
      const SizeVariable *own = length.variable();
      if (!own)
        continue;
      auto asked = llvm::find_if(request.sizes, [&](const SizeVariable &one) {
        return one.name == own->name;
      });
      if (asked != request.sizes.end()) {
        if (!isKnown(*own) && failed(take(*own, *asked)))
          return failure();
      } else if (hasShape) {
        const int64_t size = shape->second[d];
        if (failed(take(*own, {own->name, size, size})))
          return failure();
      }
      known.push_back(own->name);
    }
  }
  return success();
}

std::vector<Length>
Narrower::narrowed(const std::vector<Length> &lengths) const {
  std::vector<SizeVariable> variables = narrower;
  for (const Length &length : lengths)
    length.visitVariables([&](const SizeVariable &one) {
      if (llvm::none_of(variables, [&](const SizeVariable &other) {
            return other.name == one.name;
          }))
        variables.push_back(one);
    });
  std::vector<Length> result;
  for (const Length &length : lengths)
    result.push_back(Length::parse(length.text(), variables).take());
  return result;
}

RankedTensorType Narrower::narrowed(RankedTensorType type,
                                    LengthsAttr old) const {
  auto lengths = LengthsAttr::get(type.getContext(), narrowed(old.lengths()));
  return RankedTensorType::get(lengths.extents(), type.getElementType(),
                               areFixed(lengths.lengths()) ? Attribute()
                                                           : lengths);
}

/// A condition of sizes that are numbers now holds or fails.
LogicalResult Narrower::narrowConditions() {
  std::vector<SizeCondition> left;
  for (const SizeCondition &condition : conditionsOf(module)) {
    const std::vector<Length> sides =
        narrowed({condition.left, condition.right});
    if (!areFixed(sides))
      left.push_back({condition.relation, sides[0], sides[1], condition.label});
    else if (!condition.holds(sides[0].fixed(), sides[1].fixed()))
      return module.emitError() << needText(condition);
  }
  module->removeAttr(sizeConditions);
  addConditions(module, left);
  return success();
}

/// A constant has as many elements as its type had, unless all are equal.
LogicalResult Narrower::checkConstants() {
  auto isOpen = [](Attribute value) {
    auto elements = dyn_cast<ElementsAttr>(value);
    if (!elements || isa<SplatElementsAttr>(elements))
      return false;
    auto type = dyn_cast<RankedTensorType>(elements.getShapedType());
    return type && type.getEncoding();
  };
  WalkResult result = module.walk([&](Operation *op) {
    for (NamedAttribute one : op->getAttrs())
      if (isOpen(one.getValue())) {
        op->emitError() << "the constant has the greatest size: give the range "
                           "of the module";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult Narrower::run() {
  if (failed(findRanges()))
    return failure();
  if (narrower.empty())
    return success();
  if (failed(checkConstants()) || failed(narrowConditions()))
    return failure();
  AttrTypeReplacer replacer;
  using TypeResult = std::pair<Type, WalkResult>;
  replacer.addReplacement(
      [&](RankedTensorType type) -> std::optional<TypeResult> {
        auto lengths = dyn_cast_or_null<LengthsAttr>(type.getEncoding());
        if (!lengths)
          return std::nullopt;
        return TypeResult(narrowed(type, lengths), WalkResult::skip());
      });
  using AttributeResult = std::pair<Attribute, WalkResult>;
  replacer.addReplacement(
      [&](SplatElementsAttr value) -> std::optional<AttributeResult> {
        auto type = dyn_cast<RankedTensorType>(value.getType());
        auto lengths = type ? dyn_cast_or_null<LengthsAttr>(type.getEncoding())
                            : LengthsAttr();
        if (!lengths)
          return std::nullopt;
        return AttributeResult(value.resizeSplat(narrowed(type, lengths)),
                               WalkResult::skip());
      });
  replacer.addReplacement(
      [&](LengthsAttr lengths) -> std::optional<AttributeResult> {
        auto result =
            LengthsAttr::get(module.getContext(), narrowed(lengths.lengths()));
        if (!areFixed(result.lengths()))
          return AttributeResult(result, WalkResult::skip());
        return AttributeResult(
            DenseI64ArrayAttr::get(module.getContext(), result.extents()),
            WalkResult::skip());
      });
  // Conditions keep lists of lengths, also of numbers.
  Attribute conditions = module->removeAttr(sizeConditions);
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  if (conditions)
    module->setAttr(sizeConditions, conditions);
  return success();
}

LogicalResult glow::narrowSizes(ModuleOp module,
                                const CompileRequest &request) {
  return Narrower(module, request).run();
}
