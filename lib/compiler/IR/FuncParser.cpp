//===- FuncParser.cpp - from the text of a function to the function -------===//
// SPDX-License-Identifier: MIT
//
// Each line is one instruction. Types belong to buffers, so only a declaration
// has a type; operands and attributes are checked against the record.
//
//===----------------------------------------------------------------------===//

#include "Text.h"
#include "glow/Base/Counted.h"
#include "glow/IR/Names.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace glow;
using namespace glow::ir;

namespace {
using Name = OpAsmParser::UnresolvedOperand;

/// One operand as it stands in the text, before it is checked.
struct Given {
  enum Form { Buffer, None, List } form = Buffer;
  SMLoc where;
  std::string qualifier;
  SmallVector<Name> buffers;
};

/// The meaning of a name in the text.
struct Meaning {
  Value buffer; ///< null for the name of an instruction
  SMLoc defined;
  SMLoc freed = {};
};

class BodyParser {
public:
  BodyParser(OpAsmParser &parser, Block &block)
      : parser(parser), builder(parser.getContext()), block(block) {
    builder.setInsertionPointToEnd(&block);
  }

  /// Reads `%w = binding float<2 x 3>, constant, "name"`.
  ParseResult parseBinding();
  /// Reads one line of the program.
  ParseResult parseLine();

  SmallVector<Attribute> storage, kinds;

private:
  OpAsmParser &parser;
  OpBuilder builder;
  Block &block;
  llvm::StringMap<Meaning> names;

  ParseResult parseOther(StringRef keyword, Value &other);
  ParseResult parsePlace(StringRef keyword, IntegerAttr &place);
  ParseResult parseAlloc(const Name &name);
  ParseResult parseDealloc(SMLoc where);
  ParseResult parseInstr(std::optional<Name> name, StringRef mnemonic,
                         SMLoc where);
  ParseResult parseGiven(SmallVector<Given> &given);
  ParseResult parseBuffers(Given &operand);
  ParseResult check(const InstrInfo &info, ArrayRef<Given> given, SMLoc where);
  ParseResult checkCount(const InstrInfo &info, ArrayRef<Given> given,
                         SMLoc where);
  ParseResult checkForm(const InstrInfo &info, const OperandInfo &declared,
                        const Given &operand);
  ParseResult define(const Name &name, Value buffer);
  ParseResult resolve(const Name &name, Value &buffer);
  ParseResult parseLocation(std::optional<Name> name, SMLoc where,
                            Location &location);
  std::vector<StringRef> bufferNames() const;
};
} // namespace

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

ParseResult BodyParser::define(const Name &name, Value buffer) {
  auto [entry, added] =
      names.try_emplace(name.name, Meaning{buffer, name.location});
  if (added)
    return success();
  InFlightDiagnostic error = refuse(parser, name.location);
  error << "'" << name.name << "' is defined already";
  error.attachNote(parser.getEncodedSourceLoc(entry->second.defined))
      << "it is defined here";
  return error;
}

std::vector<StringRef> BodyParser::bufferNames() const {
  std::vector<StringRef> all;
  for (const auto &entry : names)
    if (entry.second.buffer && !entry.second.freed.isValid())
      all.push_back(entry.first());
  // The order of a hash table must not show in a message.
  llvm::sort(all);
  return all;
}

ParseResult BodyParser::resolve(const Name &name, Value &buffer) {
  auto found = names.find(name.name);
  if (found == names.end()) {
    InFlightDiagnostic error = refuse(parser, name.location);
    error << "no buffer is named '" << name.name << "'";
    if (StringRef suggestion = nearest(name.name, bufferNames());
        !suggestion.empty())
      error << ", did you mean '" << suggestion << "'";
    return error;
  }
  const Meaning &meaning = found->second;
  if (!meaning.buffer)
    return refuse(parser, name.location)
           << "'" << name.name << "' is an instruction, but should be a buffer";
  if (meaning.freed.isValid()) {
    InFlightDiagnostic error = refuse(parser, name.location);
    error << "'" << name.name << "' is used after its dealloc";
    error.attachNote(parser.getEncodedSourceLoc(meaning.freed))
        << "its dealloc is here";
    return error;
  }
  buffer = meaning.buffer;
  return success();
}

/// A location that is written out takes precedence over the position in the
/// text.
ParseResult BodyParser::parseLocation(std::optional<Name> name, SMLoc where,
                                      Location &location) {
  std::optional<Location> written;
  if (parser.parseOptionalLocationSpecifier(written))
    return failure();
  location = parser.getEncodedSourceLoc(name ? name->location : where);
  if (name)
    location =
        NameLoc::get(builder.getStringAttr(name->name.drop_front()), location);
  if (written)
    location = *written;
  return success();
}

//===----------------------------------------------------------------------===//
// Bindings
//===----------------------------------------------------------------------===//

/// Reads `constant`, `mutable` or `mutable output` as the attribute it becomes.
static ParseResult parseBindingKind(OpAsmParser &parser, StringRef &kind) {
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseKeyword(&kind))
    return failure();
  if (kind != "constant" && kind != "mutable")
    return refuse(parser, where) << "a binding is '" << kind
                                 << "', but should be constant or mutable";
  if (kind == "mutable" && succeeded(parser.parseOptionalKeyword("output")))
    kind = "output";
  return success();
}

ParseResult BodyParser::parseBinding() {
  Name name;
  BufferType type;
  StringRef kind;
  if (parser.parseOperand(name, /*allowResultNumber=*/false) ||
      parser.parseEqual() || parser.parseKeyword("binding") ||
      parseBuffer(parser, type) || parser.parseComma() ||
      parseBindingKind(parser, kind))
    return failure();
  std::string symbol = name.name.drop_front().str();
  if (succeeded(parser.parseOptionalComma()) && parser.parseString(&symbol))
    return failure();
  Location location = builder.getUnknownLoc();
  if (parseLocation(name, name.location, location))
    return failure();
  storage.push_back(FlatSymbolRefAttr::get(builder.getContext(), symbol));
  kinds.push_back(builder.getStringAttr(kind));
  return define(name, block.addArgument(type, location));
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

ParseResult BodyParser::parseLine() {
  std::optional<Name> name;
  Name read;
  OptionalParseResult named =
      parser.parseOptionalOperand(read, /*allowResultNumber=*/false);
  if (named.has_value()) {
    if (*named || parser.parseEqual())
      return failure();
    name = read;
  }
  SMLoc where = parser.getCurrentLocation();
  StringRef mnemonic;
  if (parser.parseKeyword(&mnemonic))
    return failure();
  if (mnemonic == "dealloc" && !name)
    return parseDealloc(where);
  if (mnemonic != "alloc")
    return parseInstr(name, mnemonic, where);
  if (!name)
    return refuse(parser, where)
           << "alloc has no name; it should be '%name = alloc ...'";
  return parseAlloc(*name);
}

/// `KEYWORD %b`, or nothing.
ParseResult BodyParser::parseOther(StringRef keyword, Value &other) {
  Name name;
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  return failure(parser.parseOperand(name, /*allowResultNumber=*/false) ||
                 resolve(name, other));
}

/// `KEYWORD 4096`, or nothing.
ParseResult BodyParser::parsePlace(StringRef keyword, IntegerAttr &place) {
  int64_t bytes = 0;
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  if (parser.parseInteger(bytes))
    return failure();
  place = builder.getI64IntegerAttr(bytes);
  return success();
}

// %a = alloc float<2 x 3> reuse %b at 4096
// %a = alloc float<2 x 3> within %c from 256 at 4352
ParseResult BodyParser::parseAlloc(const Name &name) {
  BufferType type;
  Value reused, whole;
  IntegerAttr from, offset;
  if (parseBuffer(parser, type) || parseOther("reuse", reused) ||
      parseOther("within", whole) || parsePlace("from", from) ||
      parsePlace("at", offset))
    return failure();
  Location location = builder.getUnknownLoc();
  if (parseLocation(name, name.location, location))
    return failure();
  auto alloc = AllocOp::create(builder, location, type);
  if (reused)
    alloc.getReusedMutable().assign(reused);
  if (whole)
    alloc.getWholeMutable().assign(whole);
  if (from)
    alloc.setFromAttr(from);
  if (offset)
    alloc.setOffsetAttr(offset);
  return define(name, alloc.getBuffer());
}

// dealloc @out %a
ParseResult BodyParser::parseDealloc(SMLoc where) {
  SmallVector<Given> given;
  Value buffer;
  static constexpr OperandInfo operands[] = {
      {"buffer", Qualifier::Out, Count::One}};
  static constexpr InstrInfo info = {"dealloc", operands, {},     false,
                                     {},        nullptr,  nullptr};
  if (parseGiven(given) || check(info, given, where))
    return failure();
  const Name &name = given.front().buffers.front();
  if (resolve(name, buffer))
    return failure();
  Location location = builder.getUnknownLoc();
  if (parseLocation(std::nullopt, where, location))
    return failure();
  // The name stays known, for a message about a later use.
  names.find(name.name)->second.freed = name.location;
  DeallocOp::create(builder, location, buffer);
  return success();
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Reads `%a`, `none` or `[%a, %b]`.
ParseResult BodyParser::parseBuffers(Given &operand) {
  auto parseOne = [&] {
    return parser.parseOperand(operand.buffers.emplace_back(),
                               /*allowResultNumber=*/false);
  };
  if (succeeded(parser.parseOptionalKeyword("none"))) {
    operand.form = Given::None;
    return success();
  }
  if (succeeded(parser.parseOptionalLSquare())) {
    operand.form = Given::List;
    if (succeeded(parser.parseOptionalRSquare()))
      return success();
    return failure(parser.parseCommaSeparatedList(parseOne) ||
                   parser.parseRSquare());
  }
  return parseOne();
}

/// Reads `@out %a, @in [%b, %c], @in none`.
ParseResult BodyParser::parseGiven(SmallVector<Given> &given) {
  StringAttr qualifier;
  SMLoc where = parser.getCurrentLocation();
  if (failed(parser.parseOptionalSymbolName(qualifier)))
    return success();
  while (true) {
    Given &operand = given.emplace_back();
    operand.where = where;
    operand.qualifier = qualifier.str();
    if (parseBuffers(operand))
      return failure();
    if (failed(parser.parseOptionalComma()))
      return success();
    where = parser.getCurrentLocation();
    if (parser.parseSymbolName(qualifier))
      return failure();
  }
}

ParseResult BodyParser::checkCount(const InstrInfo &info, ArrayRef<Given> given,
                                   SMLoc where) {
  size_t declared = info.operands.size();
  if (given.size() == declared)
    return success();
  bool extra = given.size() > declared;
  InFlightDiagnostic error =
      refuse(parser, extra ? given[declared].where : where);
  error << "'" << info.mnemonic << "' takes " << counted(declared, "operand")
        << ", found " << given.size();
  if (extra && declared > 0)
    return error << ": the last is '" << info.operands.back().name << "'";
  if (extra)
    return error;
  // The first operand that is out of order: one in the middle is as likely to
  // be forgotten as the last.
  size_t missing = 0;
  while (missing < given.size() &&
         given[missing].qualifier == textOf(info.operands[missing].qualifier))
    ++missing;
  const OperandInfo &operand = info.operands[missing];
  return error << ": @" << textOf(operand.qualifier) << " '" << operand.name
               << "' is missing";
}

ParseResult BodyParser::checkForm(const InstrInfo &info,
                                  const OperandInfo &declared,
                                  const Given &operand) {
  static constexpr StringLiteral written[] = {"one buffer", "none", "a list"};
  static constexpr StringLiteral wanted[] = {"one buffer", "one buffer or none",
                                             "a list, such as [%a, %b]"};
  static_assert(static_cast<int>(Count::Many) == 2);
  bool right = declared.count == Count::Many
                   ? operand.form == Given::List
                   : operand.form == Given::Buffer ||
                         (operand.form == Given::None &&
                          declared.count == Count::Optional);
  if (right)
    return success();
  return refuse(parser, operand.where)
         << "operand '" << declared.name << "' of '" << info.mnemonic << "' is "
         << wanted[static_cast<int>(declared.count)] << ", found "
         << written[operand.form];
}

ParseResult BodyParser::check(const InstrInfo &info, ArrayRef<Given> given,
                              SMLoc where) {
  if (checkCount(info, given, where))
    return failure();
  for (const auto &[declared, operand] : llvm::zip(info.operands, given)) {
    StringRef qualifier = textOf(declared.qualifier);
    if (qualifier != operand.qualifier)
      return refuse(parser, operand.where)
             << "operand '" << declared.name << "' of '" << info.mnemonic
             << "' is @" << qualifier << ", found @" << operand.qualifier;
    if (checkForm(info, declared, operand))
      return failure();
  }
  return success();
}

static ParseResult refuseUnknown(OpAsmParser &parser, SMLoc where,
                                 StringRef mnemonic) {
  InFlightDiagnostic error = refuse(parser, where);
  error << "no instruction is named '" << mnemonic << "'";
  std::vector<StringRef> known = knownInstrs();
  known.insert(known.end(), {"alloc", "dealloc"});
  if (StringRef suggestion = nearest(mnemonic, known); !suggestion.empty())
    error << ", did you mean '" << suggestion << "'";
  return error;
}

// %conv = conv2d @out %a, @in %b, @in %filter, @in none {group = 1}
ParseResult BodyParser::parseInstr(std::optional<Name> name, StringRef mnemonic,
                                   SMLoc where) {
  // The record describes the text, and MLIR creates the operation: an
  // instruction of a library that is not loaded has neither.
  const InstrInfo *info = findInstr(mnemonic);
  auto registered = RegisteredOperationName::lookup(
      ("glowir." + mnemonic).str(), builder.getContext());
  if (!info || !registered)
    return refuseUnknown(parser, where, mnemonic);

  SmallVector<Given> given;
  Location location = builder.getUnknownLoc();
  OperationState state(location, *registered);
  if (parseGiven(given) || check(*info, given, where))
    return failure();
  SmallVector<int32_t> sizes;
  for (const Given &operand : given) {
    sizes.push_back(operand.buffers.size());
    for (const Name &buffer : operand.buffers)
      if (resolve(buffer, state.operands.emplace_back()))
        return failure();
  }
  if (parseAttributes(parser, *info, where, state.attributes) ||
      parseLocation(name, where, state.location))
    return failure();
  if (registered->hasTrait<OpTrait::AttrSizedOperandSegments>())
    state.addAttribute("operandSegmentSizes",
                       builder.getDenseI32ArrayAttr(sizes));
  // The name of an instruction is reserved as well, so that no buffer gets it.
  if (name && define(*name, Value()))
    return failure();
  builder.create(state);
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &state) {
  StringAttr name;
  if (parser.parseSymbolName(name, getSymNameAttrName(state.name),
                             state.attributes) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.parseKeyword("declare") || parser.parseLBrace())
    return failure();
  Block &block = state.addRegion()->emplaceBlock();
  BodyParser body(parser, block);
  while (failed(parser.parseOptionalRBrace()))
    if (body.parseBinding())
      return failure();
  if (parser.parseKeyword("program") || parser.parseLBrace())
    return failure();
  while (failed(parser.parseOptionalRBrace()))
    if (body.parseLine())
      return failure();
  Builder &builder = parser.getBuilder();
  state.addAttribute(getStorageAttrName(state.name),
                     builder.getArrayAttr(body.storage));
  state.addAttribute(getKindsAttrName(state.name),
                     builder.getArrayAttr(body.kinds));
  return success();
}
