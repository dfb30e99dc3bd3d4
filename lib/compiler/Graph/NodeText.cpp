//===- NodeText.cpp - text format of nodes --------------------------------===//
// SPDX-License-Identifier: MIT
//
// Printing and parsing use the table of nodes, so no node has code of its own.
//
//===----------------------------------------------------------------------===//

#include "glow/Base/Counted.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/TextName.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace glow;

static constexpr StringLiteral segments = "operandSegmentSizes";

namespace {
using Name = OpAsmParser::UnresolvedOperand;

/// The text at the position of one operand.
struct Given {
  enum Form { Value, None, List } form = Value;
  llvm::SMLoc where;
  SmallVector<Name, 1> values;
};
} // namespace

/// The number of operands that may be absent, or more than one.
static unsigned varyingOf(const NodeInfo &node) {
  return llvm::count_if(node.operands, [](const NodeOperand &operand) {
    return operand.count != Count::One;
  });
}

/// Whether a variadic operand needs no brackets: no other operand varies.
static bool isFlat(const NodeInfo &node) {
  return varyingOf(node) == 1 &&
         llvm::any_of(node.operands, [](const NodeOperand &operand) {
           return operand.count == Count::Many;
         });
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

StringRef glow::nameIn(Location location) {
  if (auto named = dyn_cast<NameLoc>(location))
    return named.getName();
  if (auto called = dyn_cast<CallSiteLoc>(location))
    return nameIn(called.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (StringRef name = nameIn(part); !name.empty())
        return name;
  return {};
}

std::string glow::textName(StringRef name) {
  std::string result;
  if (name.empty() ||
      (llvm::isDigit(name.front()) && !llvm::all_of(name, llvm::isDigit)))
    result = "_";
  for (char letter : name)
    result += llvm::isAlnum(letter) || StringRef("_$.-").contains(letter)
                  ? letter
                  : '_';
  return result;
}

void glow::keepName(OpAsmParser &parser, OperationState &state) {
  StringRef name = parser.getResultName(0).first;
  if (name.empty() || llvm::all_of(name, llvm::isDigit))
    return;
  state.location =
      NameLoc::get(parser.getBuilder().getStringAttr(name), state.location);
}

void glow::nameResults(Operation *op, OpAsmSetValueNameFn setName,
                       StringRef otherwise) {
  StringRef name = nameIn(op->getLoc());
  if (name.empty())
    name = otherwise;
  if (!name.empty() && op->getNumResults() > 0)
    setName(op->getResult(0), textName(name));
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// Reads `%a`, `none` or `[%a, %b]`, if one of the forms follows.
static OptionalParseResult parseGiven(OpAsmParser &parser, Given &given) {
  given.where = parser.getCurrentLocation();
  Name name;
  OptionalParseResult value = parser.parseOptionalOperand(name);
  if (value.has_value()) {
    given.values.push_back(name);
    return value;
  }
  if (succeeded(parser.parseOptionalKeyword("none"))) {
    given.form = Given::None;
    return success();
  }
  if (failed(parser.parseOptionalLSquare()))
    return std::nullopt;
  given.form = Given::List;
  return ParseResult(
      failure(parser.parseOperandList(given.values) || parser.parseRSquare()));
}

/// Reads `%a, none, [%b, %c]`.
static ParseResult parseGiven(OpAsmParser &parser,
                              SmallVectorImpl<Given> &all) {
  do {
    Given given;
    OptionalParseResult read = parseGiven(parser, given);
    if (!read.has_value() && all.empty())
      return success();
    if (!read.has_value())
      return parser.emitError(given.where,
                              "expected an operand, none or a list");
    if (*read)
      return failure();
    all.push_back(std::move(given));
  } while (succeeded(parser.parseOptionalComma()));
  return success();
}

/// Collects values without brackets into the list of a flat variadic operand,
/// if enough values are left for the other operands.
static void gather(const NodeInfo &node, SmallVectorImpl<Given> &all) {
  size_t others = node.operands.size() - 1;
  if (!isFlat(node) || all.size() < others ||
      llvm::any_of(all, [](auto &one) { return one.form != Given::Value; }))
    return;
  auto many = llvm::find_if(node.operands, [](const NodeOperand &operand) {
    return operand.count == Count::Many;
  });
  auto first = all.begin() + (many - node.operands.begin());
  auto end = first + (all.size() - others);
  Given list{Given::List, first == all.end() ? SMLoc() : first->where, {}};
  for (const Given &one : llvm::make_range(first, end))
    llvm::append_range(list.values, one.values);
  all.insert(all.erase(first, end), std::move(list));
}

static ParseResult refuseForm(OpAsmParser &parser, const NodeInfo &node,
                              const NodeOperand &operand, const Given &given) {
  static constexpr StringLiteral found[] = {"one value", "none", "a list"};
  static constexpr StringLiteral wanted[] = {"one value", "one value or none",
                                             "a list, such as [%a, %b]"};
  return parser.emitError(given.where)
         << "operand '" << operand.name << "' of '" << node.name << "' is "
         << wanted[size_t(operand.count)] << ", found " << found[given.form];
}

static ParseResult check(OpAsmParser &parser, llvm::SMLoc where,
                         const NodeInfo &node, ArrayRef<Given> all) {
  static constexpr Given::Form forms[] = {Given::Value, Given::Value,
                                          Given::List};
  size_t declared = node.operands.size();
  for (const auto &[operand, given] : llvm::zip(node.operands, all))
    if (given.form != forms[size_t(operand.count)] &&
        !(given.form == Given::None && operand.count == Count::Optional))
      return refuseForm(parser, node, operand, given);
  auto error = [&](llvm::SMLoc at) {
    return parser.emitError(at)
           << "'" << node.name << "' takes " << counted(declared, "operand")
           << ", found " << all.size() << ": ";
  };
  if (all.size() > declared)
    return declared == 0 ? error(all.front().where) << "it has none"
                         : error(all[declared].where)
                               << "the last is '" << node.operands.back().name
                               << "'";
  for (const NodeOperand &operand : llvm::drop_begin(node.operands, all.size()))
    if (operand.count == Count::One)
      return error(where) << "'" << operand.name << "' is missing";
  return success();
}

/// Reads the attributes of the record, then others in braces.
static ParseResult parseAttributes(OpAsmParser &parser, const NodeInfo &node,
                                   NamedAttrList &attributes) {
  for (const NodeAttribute &attribute : node.attributes) {
    Attribute value;
    if (parser.parseKeyword(attribute.name) ||
        parseValue(parser, attribute.form, value))
      return failure();
    attributes.append(attribute.name, value);
  }
  NamedAttrList others;
  llvm::SMLoc where = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(others))
    return failure();
  for (NamedAttribute other : others) {
    if (attributes.get(other.getName()) || other.getName() == segments)
      return parser.emitError(where)
             << "'" << other.getName().strref() << "' of '" << node.name
             << "' follows from what stands before the braces";
    attributes.push_back(other);
  }
  return success();
}

ParseResult glow::parseNode(OpAsmParser &parser, OperationState &state) {
  const NodeInfo &node = *findNode(state.name.getStringRef());
  llvm::SMLoc where = parser.getCurrentLocation();
  SmallVector<Given> all;
  FunctionType type;
  if (parseGiven(parser, all))
    return failure();
  gather(node, all);
  if (check(parser, where, node, all) ||
      parseAttributes(parser, node, state.attributes))
    return failure();
  llvm::SMLoc typesAt = parser.getCurrentLocation();
  if (parser.parseColonType(type))
    return failure();
  SmallVector<Name> names;
  SmallVector<int32_t> sizes(node.operands.size());
  for (const auto &[given, size] : llvm::zip(all, sizes)) {
    size = given.values.size();
    llvm::append_range(names, given.values);
  }
  if (varyingOf(node) > 1)
    state.addAttribute(segments,
                       parser.getBuilder().getDenseI32ArrayAttr(sizes));
  state.addTypes(type.getResults());
  keepName(parser, state);
  return parser.resolveOperands(names, type.getInputs(), typesAt,
                                state.operands);
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

SmallVector<int32_t> glow::sizesOfOperands(const NodeInfo &node,
                                           Operation *op) {
  if (auto stored = op->getAttrOfType<DenseI32ArrayAttr>(segments))
    return llvm::to_vector(stored.asArrayRef());
  SmallVector<int32_t> sizes;
  int32_t varying = int32_t(op->getNumOperands()) -
                    int32_t(node.operands.size()) + int32_t(varyingOf(node));
  for (const NodeOperand &operand : node.operands)
    sizes.push_back(operand.count == Count::One ? 1 : varying);
  return sizes;
}

static void printOperands(OpAsmPrinter &printer, const NodeInfo &node,
                          Operation *op) {
  SmallVector<int32_t> sizes = sizesOfOperands(node, op);
  while (!sizes.empty() && sizes.back() == 0)
    sizes.pop_back();
  OperandRange rest = op->getOperands();
  StringRef before = " ";
  for (const auto &[operand, size] : llvm::zip(node.operands, sizes)) {
    OperandRange values = rest.take_front(size);
    rest = rest.drop_front(size);
    bool isList = operand.count == Count::Many && !isFlat(node);
    if (size == 0 && !isList && operand.count == Count::Many)
      continue;
    printer << before;
    before = ", ";
    if (isList)
      printer << "[";
    if (size == 0 && !isList)
      printer << "none";
    printer << values;
    if (isList)
      printer << "]";
  }
}

void glow::printNode(OpAsmPrinter &printer, Operation *op) {
  const NodeInfo &node = *findNode(op->getName().getStringRef());
  printOperands(printer, node, op);
  for (const NodeAttribute &attribute : node.attributes) {
    printer << " " << attribute.name << " ";
    printValue(printer, op->getAttr(attribute.name));
  }
  printer.printOptionalAttrDict(llvm::to_vector(op->getDiscardableAttrs()));
  printer << " : ";
  printer.printFunctionalType(op);
}
