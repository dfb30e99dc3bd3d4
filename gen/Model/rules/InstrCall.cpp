//===- InstrCall.cpp - the instructions that a node's record lists --------===//
// SPDX-License-Identifier: MIT

#include "Model/rules/InstrCall.h"
#include "Expr/Builtin.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static InstrSignature signatureOf(const Model &model, const Record &instr) {
  InstrSignature result = {instr.getValueAsString("opName").str(),
                           {},
                           {},
                           !textField<"Instr.hand">(instr).empty(),
                           {},
                           bitField<"Instr.asynchronous">(instr)};
  for (const Init *memory : dagField<"Instr.memories">(instr)->getArgs())
    result.memories.push_back(
        textField<"MemorySpace.name">(*cast<DefInit>(memory)->getDef()));
  const DagInit *dag = dagField<"Instr.buffers">(instr);
  for (auto [init, name] : llvm::zip(dag->getArgs(), dag->getArgNames())) {
    const Record *qualifier = cast<DefInit>(init)->getDef();
    if (!qualifier->isSubClassOf("Scratch"))
      result.buffers.push_back({name->getValue().str(),
                                textField<"Qual.qualifier">(*qualifier),
                                textField<"Qual.count">(*qualifier),
                                memoryOf(instr, name->getValue())});
  }
  result.attributes = attributesOf(instr);
  if (const NodeModel *node = nodeOf(model, instr))
    result.hasKernel = node->hasKernel();
  return result;
}

/// The signature of the instruction that is derived from a node.
static InstrSignature signatureOf(const NodeModel &node) {
  InstrSignature result = {node.mnemonic, {}, node.attributes, true, {}};
  for (const TensorSignature *tensor : node.buffers())
    if (StringRef qualifier = node.qualifierOf(*tensor); qualifier != "scratch")
      result.buffers.push_back({tensor->name, qualifier,
                                tensor->variadic   ? "..."
                                : tensor->optional ? "?"
                                                   : "",
                                ""});
  return result;
}

std::optional<InstrSignature> glow::gen::instrNamed(const Model &model,
                                                    StringRef name) {
  const Record *record = model.records.getDef((name + "Instr").str());
  if (!record)
    record = model.records.getDef(name);
  if (record && record->isSubClassOf("Instr"))
    return signatureOf(model, *record);
  const NodeModel *node = model.findNode(name);
  if (!node || !node->hasKernel())
    return std::nullopt;
  for (const Record *instr : model.records.getAllDerivedDefinitions("Instr"))
    if (nodeOf(model, *instr) == node)
      return signatureOf(model, *instr);
  return signatureOf(*node);
}

/// The place of an argument by its name, buffers first.
static size_t slotOf(const InstrSignature &instr, StringRef label,
                     const ExprPtr &call, const Record &record) {
  for (auto [i, buffer] : enumerate(instr.buffers))
    if (buffer.name == label)
      return i;
  for (auto [i, attribute] : enumerate(instr.attributes))
    if (attribute.name == label)
      return instr.buffers.size() + i;
  fatalAt(call->at, record,
          "instruction '" + call->text + "' has no buffer or attribute '" +
              label + "'");
}

InstrArguments glow::gen::argumentsOf(const InstrSignature &instr,
                                      const ExprPtr &call,
                                      const Record &record) {
  size_t buffers = instr.buffers.size(),
         all = buffers + instr.attributes.size(), next = 0;
  std::vector<ExprPtr> given(all);
  for (auto [child, label] : zip_equal(call->children, call->labels)) {
    size_t slot = label.empty() ? next++ : slotOf(instr, label, call, record);
    if (slot >= all || given[slot])
      fatalAt(child->at, record,
              "instruction '" + call->text + "' takes " +
                  (slot < all ? "this argument once"
                              : "at most " + counted(all, "argument")));
    given[slot] = child;
  }
  for (auto [i, buffer] : enumerate(instr.buffers))
    if (given[i] && given[i]->isName("none"))
      given[i] = nullptr;
    else if (!given[i] && buffer.count.empty())
      fatalAt(call->at, record,
              "instruction '" + call->text + "' needs buffer '" + buffer.name +
                  "'");
  for (auto [i, attribute] : enumerate(instr.attributes)) {
    ExprPtr &value = given[buffers + i];
    if (!value && attribute.initially.empty())
      fatalAt(call->at, record,
              "instruction '" + call->text + "' needs attribute '" +
                  attribute.name + "'");
    if (!value)
      value = Parser(attribute.initially, *attribute.kind).expression();
  }
  auto middle = given.begin() + long(buffers);
  return {{given.begin(), middle}, {middle, given.end()}};
}

std::vector<ExprPtr> glow::gen::bufferNames(const ExprPtr &given) {
  if (!given)
    return {};
  return given->kind == Expr::Kind::List ? given->children
                                         : std::vector<ExprPtr>{given};
}

std::optional<TensorSignature> glow::gen::bufferOf(const Statement &statement,
                                                   const Record &record) {
  if (!isCallOf(statement.value, Builtin::Buffer))
    return std::nullopt;
  const Expr &call = *statement.value;
  if (statement.targets.size() != 1 || call.children.size() != 1 ||
      call.children[0]->kind != Expr::Kind::Text)
    fatalAt(call.at, record,
            "a buffer is written name = buffer(\"kind[sizes]\")");
  return parseSignature(statement.targets[0]->text, call.children[0]->text,
                        record);
}

static void addFlat(const std::vector<Statement> &statements,
                    std::vector<Statement> &all) {
  for (const Statement &one : statements)
    if (one.isLoop())
      addFlat(one.body, all);
    else
      all.push_back(one);
}

std::vector<Statement> glow::gen::irgenOf(const NodeModel &node) {
  std::vector<Statement> all;
  addFlat(Parser(node.irgen, node.record).statements(), all);
  return all;
}

StringMap<StringRef> glow::gen::memoriesOf(const Model &model,
                                           const NodeModel &node) {
  StringMap<StringRef> memories;
  for (const TensorSignature &tensor : node.inputs)
    memories[tensor.name] = "";
  for (const TensorSignature &tensor : node.outputs)
    memories[tensor.name] = "";
  for (const Statement &one : irgenOf(node)) {
    if (bufferOf(one, node.record))
      continue;
    if (!one.targets.empty()) {
      // The name of a value is no buffer's name: its entry has no effect.
      memories.try_emplace(one.targets[0]->text, "");
      if (one.value->kind == Expr::Kind::Name)
        memories.try_emplace(one.value->text, "");
      continue;
    }
    InstrSignature instr = *instrNamed(model, one.value->text);
    InstrArguments arguments = argumentsOf(instr, one.value, node.record);
    for (auto [buffer, given] : zip_equal(instr.buffers, arguments.buffers))
      for (const ExprPtr &name : bufferNames(given))
        memories.try_emplace(name->text, buffer.memory);
  }
  return memories;
}

bool glow::gen::hasKernels(const Model &model, const NodeModel &node,
                           ArrayRef<StringRef> memories) {
  if (node.irgen.empty() || node.hasKernel())
    return node.hasKernel();
  return all_of(irgenOf(node), [&](const Statement &statement) {
    if (!statement.targets.empty())
      return true;
    auto instr = instrNamed(model, statement.value->text);
    return instr && instr->hasKernel &&
           all_of(instr->memories, [&](StringRef memory) {
             return is_contained(memories, memory);
           });
  });
}

bool glow::gen::hasReference(const Model &model, const NodeModel &node) {
  return hasKernels(model, node, {});
}
