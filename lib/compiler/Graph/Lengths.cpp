//===- Lengths.cpp - sizes of a run as an attribute -----------------------===//
// SPDX-License-Identifier: MIT
//
// Attributes are unique by their texts. The text of a list of lengths has its
// variables in the order of their names, so that equal lists are one attribute.
//
//===----------------------------------------------------------------------===//

#include "glow/Base/Status.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/FormulaAttr.h"
#include "glow/Graph/Shape.h"
#include "glow/Program/SizeValues.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace glow;
using llvm::StringRef;

detail::LengthsAttrStorage::LengthsAttrStorage(StringRef text)
    : text(text.str()) {
  Result<std::vector<Length>> list = parseLengths(this->text);
  if (list)
    lengths = list.take();
  else
    wrong = list.status().message();
  for (const Length &length : lengths)
    extents.push_back(length.range().high);
}

LengthsAttr LengthsAttr::get(mlir::MLIRContext *context,
                             const std::vector<Length> &lengths) {
  return Base::get(context, StringRef(lengthsText(lengths)));
}
StringRef LengthsAttr::getText() const { return getImpl()->text; }
const std::vector<Length> &LengthsAttr::lengths() const {
  return getImpl()->lengths;
}
llvm::ArrayRef<int64_t> LengthsAttr::extents() const {
  return getImpl()->extents;
}
const std::string &LengthsAttr::wrong() const { return getImpl()->wrong; }

mlir::Attribute LengthsAttr::parse(mlir::AsmParser &parser, mlir::Type) {
  LengthsAttr lengths;
  if (parser.parseLess() || parseText(parser, lengths) || parser.parseGreater())
    return {};
  return lengths;
}

mlir::ParseResult LengthsAttr::parseText(mlir::AsmParser &parser,
                                         LengthsAttr &lengths) {
  std::string text;
  llvm::SMLoc at = parser.getCurrentLocation();
  if (parser.parseString(&text))
    return mlir::failure();
  LengthsAttr written = get(parser.getContext(), text);
  if (!written.wrong().empty())
    return parser.emitError(at) << written.wrong();
  lengths = get(parser.getContext(), written.lengths());
  return mlir::success();
}

void LengthsAttr::print(mlir::AsmPrinter &printer) const {
  printer << '<';
  printText(printer);
  printer << '>';
}
void LengthsAttr::printText(mlir::AsmPrinter &printer) const {
  printer.printString(getText());
}

llvm::LogicalResult LengthsAttr::verifyEncoding(
    llvm::ArrayRef<int64_t> shape, mlir::Type,
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError) const {
  if (shape.size() != lengths().size())
    return emitError() << "lengths of " << lengths().size()
                       << " dimensions, but the tensor has " << shape.size();
  for (auto [axis, extent] : llvm::enumerate(extents())) {
    if (shape[axis] != extent)
      return emitError() << "dimension " << axis << " is " << shape[axis]
                         << ", but the greatest value of its length "
                         << lengths()[axis].text() << " is " << extent;
    if (lengths()[axis].range().low < 0)
      return emitError() << "dimension " << axis << " has the length "
                         << lengths()[axis].text() << ", which may be negative";
  }
  return llvm::success();
}

mlir::Attribute glow::attributeOf(mlir::MLIRContext *context,
                                  const Size &value) {
  return mlir::Builder(context).getI64IntegerAttr(value);
}
mlir::Attribute glow::attributeOf(mlir::MLIRContext *context,
                                  const Sizes &value) {
  if (value.areFixed())
    return mlir::Builder(context).getDenseI64ArrayAttr(value.extents());
  std::vector<Length> lengths;
  for (const Size &size : value)
    lengths.push_back(size.length());
  return LengthsAttr::get(context, lengths);
}
//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

// A condition is [#glow.lengths<"[N, 16], N = 1..16">, "==", "label"].

using Relation = SizeCondition::Relation;
static constexpr std::pair<Relation, StringRef> relations[] = {
    {Relation::Equal, "=="},
    {Relation::Differ, "!="},
    {Relation::Below, "<"},
    {Relation::AtMost, "<="}};

static std::optional<SizeCondition> conditionIn(mlir::Attribute attribute) {
  auto parts = llvm::dyn_cast<mlir::ArrayAttr>(attribute);
  if (!parts || parts.size() != 3)
    return std::nullopt;
  auto lengths = llvm::dyn_cast<LengthsAttr>(parts[0]);
  auto word = llvm::dyn_cast<mlir::StringAttr>(parts[1]);
  auto label = llvm::dyn_cast<mlir::StringAttr>(parts[2]);
  if (!lengths || lengths.lengths().size() != 2 || !word || !label)
    return std::nullopt;
  for (auto [relation, text] : relations)
    if (word.getValue() == text)
      return SizeCondition{relation, lengths.lengths()[0], lengths.lengths()[1],
                           label.str()};
  return std::nullopt;
}

bool glow::areConditions(mlir::Attribute attribute) {
  auto list = llvm::dyn_cast<mlir::ArrayAttr>(attribute);
  return list && llvm::all_of(list, [](mlir::Attribute one) {
           return conditionIn(one).has_value();
         });
}

std::vector<SizeCondition> glow::conditionsOf(mlir::Operation *module) {
  std::vector<SizeCondition> conditions;
  if (auto list = module->getAttrOfType<mlir::ArrayAttr>(sizeConditions))
    for (mlir::Attribute one : list)
      if (std::optional<SizeCondition> condition = conditionIn(one))
        conditions.push_back(std::move(*condition));
  return conditions;
}

void glow::addConditions(mlir::Operation *module,
                         const std::vector<SizeCondition> &conditions) {
  std::vector<SizeCondition> all = conditionsOf(module);
  for (const SizeCondition &condition : conditions)
    addCondition(all, condition);
  if (all.empty())
    return;
  mlir::Builder builder(module->getContext());
  llvm::SmallVector<mlir::Attribute> list;
  for (const SizeCondition &condition : all)
    for (auto [relation, text] : relations)
      if (relation == condition.relation)
        list.push_back(builder.getArrayAttr(
            {LengthsAttr::get(module->getContext(),
                              {condition.left, condition.right}),
             builder.getStringAttr(text),
             builder.getStringAttr(condition.label)}));
  module->setAttr(sizeConditions, builder.getArrayAttr(list));
}
