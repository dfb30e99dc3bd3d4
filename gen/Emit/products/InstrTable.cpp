//===- InstrTable.cpp - instruction tables and verifiers ------------------===//
// SPDX-License-Identifier: MIT
//
// An instruction is checked by the signature of its node: the buffers that it
// reads are the operands. The buffers that it writes must be of the types that
// the operands imply. An instruction without a node has a signature of its own.
//
//===----------------------------------------------------------------------===//

#include "Emit/language/Calls.h"
#include "Emit/language/Shapes.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

/// The tensors of the buffers that stand for a tensor of the signature.
static std::string tensorsOf(const TensorSignature &tensor, StringRef instr) {
  return formatv("::glow::ir::{0}({1}.{2}())",
                 tensor.variadic ? "tensorsOf" : "tensorOf", instr,
                 getterOf(tensor.name));
}

static std::string tensorList(ArrayRef<const TensorSignature *> tensors,
                              StringRef instr) {
  std::string code;
  for (const TensorSignature *tensor : tensors)
    code += ", " + tensorsOf(*tensor, instr);
  return code;
}

std::string glow::gen::tensorArguments(const InstrModel &model,
                                       StringRef instr) {
  return tensorList(to_vector(make_pointer_range(model.inputs)), instr);
}

std::string glow::gen::tensorArguments(const NodeModel &node, StringRef instr) {
  SmallVector<const TensorSignature *> tensors;
  for (const TensorSignature &tensor : node.inputs)
    tensors.push_back(node.hasBuffer(tensor) ? &tensor : &node.outputs.front());
  return tensorList(tensors, instr);
}

/// `if (failed(shape.bind(...)))`, without what follows.
static void emitBindCall(const Model &model, const Record &record,
                         raw_ostream &os) {
  auto emit = [&](const auto &of, StringRef type) {
    os << formatv("  {0}Shape shape;\n  if (failed(shape.bind(report{1}{2}))",
                  type, tensorArguments(of, "instr"),
                  attributeArguments(of, "instr"));
  };
  if (const NodeModel *node = nodeOf(model, record))
    emit(*node, qualified(*node));
  else
    emit(InstrModel(record), record.getName());
}

/// The names of the shape that is bound.
static Scope scopeOf(const Model &model, const Record &record) {
  if (const NodeModel *node = nodeOf(model, record))
    return node->scope("shape.");
  return InstrModel(record).scope("shape.");
}

/// Checks the types of written buffers against those that follow from the rest.
static void emitResultCheck(const NodeModel &node, raw_ostream &os) {
  os << " ||\n      failed(shape.results(op->getContext(), report, types)))\n"
        "    return ::llvm::failure();\n"
        "  ::llvm::SmallVector<::mlir::Type> written;\n";
  for (const TensorSignature &tensor : node.outputs)
    os << formatv(tensor.variadic ? "  ::llvm::append_range(written, {0});\n"
                                  : "  written.push_back({0});\n",
                  tensorsOf(tensor, "instr"));
  os << "  if (failed(::glow::verifyTypes(report, written, types)))\n"
        "    return ::llvm::failure();\n";
}

/// Emits a function that computes the types of the instruction's scratch from
/// its other buffers. Returns the name of the function.
static std::string emitScratch(const Model &model, const Record &record,
                               raw_ostream &os) {
  std::vector<TensorSignature> all = scratchOf(record);
  if (all.empty())
    return "nullptr";
  std::string function = "scratchOf" + record.getName().str();
  os << formatv("::llvm::LogicalResult {0}(::mlir::Operation *op, "
                "::glow::Report report,\n    "
                "::llvm::SmallVectorImpl<::mlir::Type> &types) {{\n"
                "  auto instr = ::llvm::cast<{1}>(op);\n"
                "  [[maybe_unused]] auto *context = op->getContext();\n",
                function, record.getName());
  const NodeModel *node = nodeOf(model, record);
  emitBindCall(model, record, os);
  os << ")\n    return ::llvm::failure();\n";
  Scope scope = scopeOf(model, record);
  for (const TensorSignature &tensor : all)
    os << formatv("  types.push_back({0});\n  if (!types.back())\n"
                  "    return ::llvm::failure();\n",
                  node ? bufferType(model, *node, tensor, scope)
                       : bufferType(model, InstrModel(record), tensor, scope));
  os << "  return ::llvm::success();\n}\n";
  return function;
}

/// Emits the check that scratch buffers are of these types.
static void emitScratchCheck(const Record &record, StringRef scratch,
                             raw_ostream &os) {
  std::vector<TensorSignature> all = scratchOf(record);
  if (all.empty())
    return;
  os << formatv("  ::llvm::SmallVector<::mlir::Type> own;\n"
                "  if (failed({0}(op, report, own)))\n"
                "    return ::llvm::failure();\n",
                scratch);
  for (auto [i, tensor] : enumerate(all))
    os << formatv("  if (failed(::glow::verifyScratch(report, {0}, {1}, "
                  "own[{2}])))\n    return ::llvm::failure();\n",
                  quoted(tensor.name), tensorsOf(tensor, "instr"), i);
}

static void emitShape(const Model &model, const Record &record,
                      raw_ostream &os) {
  InstrModel instr(record);
  declareShape(instr, os);
  os << "};\n";
  defineBind(model, instr, os);
}

static void emitVerifier(const Model &model, const Record &record,
                         StringRef scratch, raw_ostream &os) {
  os << formatv("/// {0}\n::llvm::LogicalResult verify{1}(::mlir::Operation "
                "*op, ::glow::Report report) {{\n  auto instr = "
                "::llvm::cast<{1}>(op);\n  (void)instr;\n",
                placeOf(record), record.getName());
  if (const NodeModel *node = nodeOf(model, record)) {
    os << "  ::llvm::SmallVector<::mlir::Type> types;\n";
    emitBindCall(model, record, os);
    emitResultCheck(*node, os);
  } else {
    emitBindCall(model, record, os);
    os << ")\n    return ::llvm::failure();\n";
  }
  emitScratchCheck(record, scratch, os);
  os << "  return ::llvm::success();\n}\n";
}

/// Emits a function that returns the instruction's cycles. Returns its name.
static std::string emitCost(const Model &model, const Record &record,
                            raw_ostream &os) {
  StringRef text = textField<"Instr.cost">(record);
  if (text.empty())
    return "nullptr";
  Scope scope = scopeOf(model, record);
  Parser parser(text, record);
  ExprPtr cost = parser.expression();
  parser.expectEnd();
  std::string function = "costOf" + record.getName().str();
  os << formatv("int64_t {0}(::mlir::Operation *op) {{\n"
                "  auto instr = ::llvm::cast<{1}>(op);\n  (void)instr;\n"
                "  auto report = [](const ::llvm::Twine &) {{};\n",
                function, record.getName());
  emitBindCall(model, record, os);
  os << formatv(")\n    return 0;\n  return "
                "::glow::extentOf(::glow::expr::max({0}, int64_t(0)));\n}\n",
                ValueEmitter(model.functions, scope, record)
                    .emitAs(cost, Type::Int, "the cost"));
  return function;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static std::string operandRows(const Record &instr) {
  std::string rows;
  const DagInit *dag = dagField<"Instr.buffers">(instr);
  for (auto [init, name] : llvm::zip(dag->getArgs(), dag->getArgNames())) {
    const Record *qualifier = cast<DefInit>(init)->getDef();
    StringRef word = textField<"Qual.qualifier">(*qualifier);
    StringRef count = textField<"Qual.count">(*qualifier);
    rows += formatv("{{{0}, Qualifier::{1}, Count::{2}, {3}}, ",
                    quoted(name->getValue()),
                    word == "in"      ? "In"
                    : word == "out"   ? "Out"
                    : word == "inout" ? "InOut"
                                      : "Scratch",
                    count == "?"    ? "Optional"
                    : count.empty() ? "One"
                                    : "Many",
                    quoted(memoryOf(instr, name->getValue())));
  }
  return rows;
}

static std::string attributeRows(const Record &instr) {
  std::string rows;
  for (const Attribute &attribute : attributesOf(instr)) {
    bool isChoice = !wordsOf(*attribute.kind).empty();
    rows +=
        formatv("{{{0}, AttributeForm::{1}, {2}{3}}, ", quoted(attribute.name),
                textField<"AttributeKind.form">(*attribute.kind),
                isChoice ? "::glow::wordsOf" : "{}",
                isChoice ? cxxName(*attribute.kind) : "");
  }
  return rows;
}

static void emitArray(StringRef type, const Twine &name, StringRef values,
                      raw_ostream &os) {
  if (values.empty())
    os << formatv("constexpr std::span<{0}> {1}{{};\n", type, name.str());
  else
    os << formatv("{0} {1}[] = {{{2}};\n", type, name.str(), values);
}

/// Writes what the row of an instruction refers to; returns the row.
static std::string emitInstr(const Model &model, const Record &record,
                             raw_ostream &os) {
  std::string id = record.getName().str(), inPlace, boxes;
  for (StringRef name : textsField<"Instr.inPlace">(record))
    inPlace += quoted(name) + ", ";
  const DagInit *box = dagField<"Instr.box">(record);
  for (auto [starts, name] : zip(box->getArgs(), box->getArgNames()))
    boxes += formatv("{{{0}, {1}}, ", quoted(name->getValue()),
                     quoted(cast<StringInit>(starts)->getValue()));
  os << "// " << placeOf(record) << "\n";
  emitArray("const OperandInfo", id + "Operands", operandRows(record), os);
  emitArray("const AttributeInfo", id + "Attributes", attributeRows(record),
            os);
  emitArray("const char *const", id + "InPlace", inPlace, os);
  emitArray("const BoxInfo", id + "Boxes", boxes, os);
  if (!hasNode(record))
    emitShape(model, record, os);
  std::string scratch = emitScratch(model, record, os);
  emitVerifier(model, record, scratch, os);
  std::string cost = emitCost(model, record, os);
  StringRef joins = textField<"Instr.joins">(record);
  StringRef engine =
      record.isValueUnset("engine")
          ? ""
          : textField<"DmaEngine.name">(*recordField<"Instr.engine">(record));
  return formatv("    {{{0}, {1}Operands, {1}Attributes, {2}, {1}InPlace, {3}, "
                 "verify{1}, {4}, {5}, {1}Boxes, {6}, {7}},\n",
                 quoted(record.getValueAsString("opName")), id,
                 bitField<"Instr.asynchronous">(record) ? "true" : "false",
                 joins.empty() ? "nullptr" : quoted(joins), scratch,
                 quoted(engine), cost,
                 quoted(textField<"Instr.lengthFrom">(record)));
}

static bool emitInstrTable(const Model &model, raw_ostream &os) {
  std::string table;
  os << "namespace {\n\nusing namespace ::glow::ir;\n"
        "using ::glow::AttributeForm, ::glow::Count;\n\n";
  for (const Record *record : model.own("Instr"))
    table += emitInstr(model, *record, os);
  os << "\nconst ::std::vector<InstrInfo> instrTable = {\n"
     << table << "};\n\n} // namespace\n";
  return false;
}

static Emitter table("gen-instr-table", "emit the table of instructions",
                     emitInstrTable);
