//===- IRGen.cpp - IRGen of nodes -----------------------------------------===//
// SPDX-License-Identifier: MIT
//
// Most nodes become the instruction that is derived from them, or that an Instr
// record declares. Where a record lists instructions, these are made in its
// order, each buffer before the first of them that may need it.
//
//===----------------------------------------------------------------------===//

#include "Emit/language/Emit.h"
#include "Emit/language/Shapes.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Expr/Statements.h"
#include "Model/rules/InstrCall.h"
#include "Model/rules/Tiling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

//===----------------------------------------------------------------------===//
// One instruction
//===----------------------------------------------------------------------===//

/// Gives the instruction its next buffer.
static void emitBuffer(const NodeModel &node, StringRef name, raw_ostream &os) {
  const TensorSignature *inout = node.inoutOperand();
  if (inout && name == node.outputs.front().name)
    os << formatv("  instr.update(node.{0}(), node.{1}());\n", getterOf(name),
                  getterOf(inout->name));
  else
    os << formatv("  instr.{0}(node.{1}());\n",
                  node.findOutput(name) ? "write" : "read", getterOf(name));
}

/// Begins a function of the table and adds its row; gives its name.
static std::string openGenerator(const NodeModel &node, const Record &record,
                                 std::string &table, raw_ostream &os) {
  std::string name = ("generate" + record.getName()).str();
  os << formatv("/// {0}\n::llvm::LogicalResult {1}(::mlir::Operation *op, "
                "::glow::InstrBuilder &instr) {{\n"
                "  auto node = ::llvm::cast<{2}>(op);\n",
                placeOf(record), name, qualified(node));
  table += formatv("    {{\"glow.{0}\", {1}},\n", node.mnemonic, name);
  return name;
}

static void emitOne(const NodeModel &node, const Record &record,
                    std::string &table, raw_ostream &os) {
  openGenerator(node, record, table, os);
  const DagInit *dag = dagField<"Instr.buffers">(record);
  for (auto [init, name] : llvm::zip(dag->getArgs(), dag->getArgNames()))
    if (!cast<DefInit>(init)->getDef()->isSubClassOf("Scratch"))
      emitBuffer(node, name->getValue(), os);
  for (const Attribute &attribute : node.attributes)
    os << formatv("  instr.attribute({0}, node.{1}Attr());\n",
                  quoted(attribute.name), getterOf(attribute.name));
  os << formatv("  return instr.create(\"glowir.{0}\");\n}\n\n",
                record.getValueAsString("opName"));
}

//===----------------------------------------------------------------------===//
// Several
//===----------------------------------------------------------------------===//

namespace {

/// Writes the function of one node. Check/IRGen.cpp has refused all errors in
/// its text, except in values.
class IRGenEmitter final : public StatementEmitter {
public:
  IRGenEmitter(const Model &model, const NodeModel &node, raw_ostream &os)
      : StatementEmitter(node.record, node.scope("shape."), os), model(model),
        node(node), memories(memoriesOf(model, node)),
        values(model.functions, scope, node.record) {}

  void emitAll() {
    os() << formatv("  [[maybe_unused]] auto *context = op->getContext();\n"
                    "  auto report = [&](const ::llvm::Twine &message) {{\n"
                    "    op->emitOpError(message);\n  };\n"
                    "  {0}Shape shape;\n  if (failed(shape.bind(node, "
                    "report)))\n    return ::llvm::failure();\n",
                    node.className);
    for (StringRef cut : cutsOf(model, node)) {
      os() << formatv("  auto {0} = ::glow::tileSize(op, {1});\n"
                      "  if (failed({0}))\n    return ::llvm::failure();\n",
                      local(cut), quoted(cut));
      scope.define(cut, Type::Int, "(*" + local(cut) + ")");
    }
    for (const TensorSignature &tensor : node.inputs)
      declare(tensor.name,
              "instr.buffersOf(node." + getterOf(tensor.name) + "())");
    for (const TensorSignature &tensor : node.outputs)
      declare(tensor.name, "instr.begin(node." + getterOf(tensor.name) + "())");
    statements(Parser(node.irgen, node.record).statements());
    os() << "  return ::llvm::success();\n}\n\n";
  }

  void statement(const Statement &one) override {
    if (one.isLoop() || one.targets.empty())
      return StatementEmitter::statement(one);
    const std::string &target = one.targets[0]->text;
    if (std::optional<TensorSignature> buffer = bufferOf(one, node.record)) {
      declare(target, "instr.allocate(" + quoted(target) + ", " +
                          bufferType(model, node, *buffer, scope) + ", " +
                          quoted(memories.lookup(target)) + ")");
      os() << formatv("  if ({0}.empty())\n    return ::llvm::failure();\n",
                      local(target));
    } else if (buffers.contains(target)) {
      os() << formatv("  if (failed(instr.copy({0}, {1})))\n"
                      "    return ::llvm::failure();\n",
                      local(target), local(one.value->text));
    } else {
      StatementEmitter::statement(one);
    }
  }

private:
  void declare(StringRef name, const Twine &made) {
    buffers.insert(name);
    os() << formatv("  [[maybe_unused]] ::llvm::SmallVector<::mlir::Value> {0} "
                    "= {1};\n",
                    local(name), made.str());
  }

  TypedCode emit(const ExprPtr &expr) override { return values.emit(expr); }

  void unpack(const Statement &one) override {
    fail(one.targets[0], "a statement gives one name a value");
  }

  void call(const Statement &one) override {
    const ExprPtr &call = one.value;
    InstrSignature instr = *instrNamed(model, call->text);
    InstrArguments arguments = argumentsOf(instr, call, node.record);
    for (const ExprPtr &given : arguments.buffers) {
      std::string lists;
      for (const ExprPtr &name : bufferNames(given))
        lists += (lists.empty() ? "" : ", ") + local(name->text);
      os() << "  instr.use({" << lists << "});\n";
    }
    for (auto [value, attribute] :
         zip_equal(arguments.attributes, instr.attributes))
      os() << formatv("  instr.attribute({0}, {1});\n", quoted(attribute.name),
                      attributeCode(value, attribute));
    os() << formatv("  if (failed(instr.create(\"glowir.{0}\")))\n"
                    "    return ::llvm::failure();\n",
                    instr.mnemonic);
  }

  std::string attributeCode(const ExprPtr &value, const Attribute &attribute) {
    values.checkWords(value, attribute.kind);
    std::string code = values.emitAs(value, attribute.type,
                                     "attribute '" + attribute.name + "'");
    if (textField<"AttributeKind.form">(*attribute.kind) == "Formula")
      return "::glow::FormulaAttr::get(context, " + code + ")";
    return formatv("{0}({1})", cxxType(attribute.type), code);
  }

  const Model &model;
  const NodeModel &node;
  StringMap<StringRef> memories;
  ValueEmitter values;
  StringSet<> buffers; // names
};

} // namespace

static bool emitIRGen(const Model &model, raw_ostream &os) {
  std::string table;
  os << "namespace {\n\n";
  for (const Record *record : model.own("Instr"))
    if (const NodeModel *node = nodeOf(model, *record);
        node && node->irgen.empty())
      emitOne(*node, *record, table, os);
  for (const NodeModel *node : model.ownNodes())
    if (!node->irgen.empty()) {
      openGenerator(*node, node->record, table, os);
      IRGenEmitter(model, *node, os).emitAll();
    }
  os << "const ::std::vector<::glow::IRGenEntry> irgenTable = {\n"
     << table << "};\n\n} // namespace\n";
  return false;
}

static Emitter irgen("gen-irgen", "emit how nodes become instructions",
                     emitIRGen);
