//===- Node.cpp - typed views of Node and Instr records -------------------===//
// SPDX-License-Identifier: MIT
//
// Records are read once, into classes that the checks and the emitters share:
// what an operand is called, which kinds it may have, and which dimensions its
// signature names. Syntax errors in a record are found here, with their
// position; no later code asks whether a text can be parsed.
//
//===----------------------------------------------------------------------===//

#include "Model/node/Node.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Model/node/Compute.h"
#include "Model/node/Scans.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static std::vector<TensorSignature> signatures(const Record &record,
                                               const DagInit *dag) {
  std::vector<TensorSignature> result;
  for (auto [argument, name] : llvm::zip(dag->getArgs(), dag->getArgNames())) {
    auto *text = dyn_cast<StringInit>(argument);
    if (!text || !name)
      fatalAt(nullptr, record,
              "an operand or a result is written \"T[n]\":$name");
    result.push_back(
        parseSignature(name->getValue(), text->getValue(), record));
  }
  return result;
}

std::vector<Attribute> glow::gen::attributesOf(const Record &record) {
  std::vector<Attribute> result;
  const DagInit *dag = dagField<"Node.attributes", "Instr.attributes">(record);
  for (auto [argument, name] : llvm::zip(dag->getArgs(), dag->getArgNames())) {
    const Record *kind = cast<DefInit>(argument)->getDef();
    result.push_back({name->getValue().str(),
                      *typeNamed(textField<"AttributeKind.language">(*kind)),
                      textField<"AttributeKind.initially">(*kind).str(),
                      textField<"AttributeKind.parameter">(*kind).str(), kind});
  }
  return result;
}

static std::vector<SampleModel> samplesOf(const Record &record) {
  std::vector<SampleModel> result;
  for (const Record *sample : recordsField<"Node.samples">(record)) {
    SampleModel model{textField<"Sample.label">(*sample).str(),
                      textField<"Sample.refuses">(*sample).str(),
                      textField<"Sample.attributes">(*sample).str(),
                      {},
                      sample,
                      bitField<"Sample.asWritten">(*sample)};
    for (const Init *operand :
         dagField<"Sample.operands">(*sample)->getArgs()) {
      auto *text = dyn_cast<StringInit>(operand);
      if (!text)
        fatalAt(nullptr, *sample, "an operand of a sample is a text");
      model.operands.push_back(text->getValue().str());
    }
    result.push_back(std::move(model));
  }
  return result;
}

static std::vector<Requirement> requirementsOf(const Record &record) {
  std::vector<Requirement> result;
  for (const Record *require :
       recordsField<"Node.requires", "Instr.requires">(record)) {
    Parser parser(textField<"Require.condition">(*require), *require);
    ExprPtr condition = parser.expression();
    parser.expectEnd();
    result.push_back({textField<"Require.label">(*require).str(),
                      textField<"Require.message">(*require).str(), condition,
                      require});
  }
  return result;
}

SignedModel::SignedModel(const Record &record,
                         std::vector<TensorSignature> inputs,
                         std::vector<TensorSignature> outputs)
    : record(record), className(cxxName(record)), inputs(std::move(inputs)),
      outputs(std::move(outputs)), attributes(attributesOf(record)),
      requirements(requirementsOf(record)) {
  readKinds();
  bindDimensions();
}

NodeModel::NodeModel(const Record &record, const Functions &functions)
    : SignedModel(record, signatures(record, dagField<"Node.inputs">(record)),
                  signatures(record, dagField<"Node.outputs">(record))),
      mnemonic(mnemonicOf(record)), family(familyOf(record)),
      samples(samplesOf(record)),
      formula(textField<"Node.formula">(record).trim().str()),
      compute(textField<"Node.compute">(record).trim().str()),
      hand(textField<"Node.hand">(record).str()),
      irgen(textField<"Node.irgen">(record).trim().str()),
      lowering(textField<"Node.lowering">(record).trim().str()),
      gradient(textField<"Node.gradient">(record).trim().str()),
      tier(intField<"Node.tier">(record)),
      forward(record.isValueUnset("gradientOf")
                  ? nullptr
                  : recordField<"Node.gradientOf">(record)),
      scratch(signatures(record, dagField<"Node.scratch">(record))),
      functions(functions) {
  readTolerances();
}

const TensorSignature *NodeModel::inoutOperand() const {
  StringRef name = textField<"Node.inout">(record);
  return name.empty() ? nullptr : findInput(name);
}

ExprPtr NodeModel::formulaTree() const {
  Parser parser(formula, record);
  ExprPtr tree = parser.expression();
  parser.expectEnd();
  return functions.written(tree, record);
}

std::vector<const TensorSignature *> NodeModel::buffers() const {
  std::vector<const TensorSignature *> result;
  for (const auto *list : {&outputs, &inputs, &scratch})
    for (const TensorSignature &tensor : *list)
      if (hasBuffer(tensor))
        result.push_back(&tensor);
  return result;
}

StringRef NodeModel::qualifierOf(const TensorSignature &buffer) const {
  auto isIn = [&](const std::vector<TensorSignature> &list) {
    return any_of(list, [&](const TensorSignature &tensor) {
      return &tensor == &buffer;
    });
  };
  if (inoutOperand() && &buffer == &outputs.front())
    return "inout";
  return isIn(outputs) ? "out" : isIn(inputs) ? "in" : "scratch";
}

const TensorSignature *NodeModel::findScratch(StringRef name) const {
  auto found = find_if(scratch, [&](const TensorSignature &tensor) {
    return tensor.name == name;
  });
  return found == scratch.end() ? nullptr : &*found;
}

const TensorSignature *NodeModel::findWritten(StringRef name) const {
  const TensorSignature *result = findOutput(name);
  return result ? result : findScratch(name);
}

std::vector<Statement> NodeModel::computeTree() const {
  std::vector<Statement> result = statements();
  resolveScans(*this, result);
  return result;
}

std::vector<Statement> NodeModel::statements() const {
  std::vector<Statement> statements =
      withoutNames(*this, Parser(compute, record).indexed());
  auto write = [&](ExprPtr &expr) {
    if (expr)
      expr = functions.written(expr, record);
  };
  for (Statement &statement : statements) {
    write(statement.targets[0]);
    for (IndexRange &range : statement.ranges)
      for (ExprPtr *expr : {&range.extent, &range.low, &range.high})
        write(*expr);
    write(statement.value);
    write(statement.otherwise);
  }
  sizeScans(*this, statements);
  for (Statement &statement : statements) {
    resolveRanges(*this, statement);
    nameExtents(*this, statement);
  }
  return statements;
}

InstrModel::InstrModel(const Record &record)
    : SignedModel(record, signatures(record, dagField<"Instr.shapes">(record)),
                  {}) {}

StringRef glow::gen::memoryOf(const Record &instr, StringRef buffer) {
  const DagInit *dag = dagField<"Instr.memories">(instr);
  for (auto [init, name] : llvm::zip(dag->getArgs(), dag->getArgNames()))
    if (name && name->getValue() == buffer)
      return textField<"MemorySpace.name">(*cast<DefInit>(init)->getDef());
  return "";
}

std::vector<TensorSignature> glow::gen::scratchOf(const Record &instr) {
  std::vector<TensorSignature> result;
  const DagInit *dag = dagField<"Instr.buffers">(instr);
  for (auto [init, name] : llvm::zip(dag->getArgs(), dag->getArgNames())) {
    const Record *qualifier = cast<DefInit>(init)->getDef();
    if (qualifier->isSubClassOf("Scratch"))
      result.push_back(parseSignature(
          name->getValue(), textField<"Scratch.signature">(*qualifier), instr));
  }
  return result;
}

bool glow::gen::hasNode(const Record &instr) {
  return !instr.isValueUnset("from");
}

const NodeModel *glow::gen::nodeOf(const Model &model, const Record &instr) {
  return hasNode(instr)
             ? model.findNode(recordField<"Instr.from">(instr)->getName())
             : nullptr;
}

/// The names in a Kinds record.
static std::vector<StringRef> kindNames(const Init *kinds,
                                        const Record &record) {
  auto *def = dyn_cast<DefInit>(kinds);
  if (!def || !def->getDef()->isSubClassOf("Kinds"))
    fatalAt(nullptr, record,
            "'" + kinds->getAsString() +
                "' is no set of element kinds; one is Floats, another "
                "Kinds<[\"f32\"]>");
  return textsField<"Kinds.names">(*def->getDef());
}

std::vector<KindBinding> glow::gen::kindBindings(const Record &record,
                                                 const DagInit *dag) {
  std::vector<KindBinding> result;
  for (auto [argument, name] : llvm::zip(dag->getArgs(), dag->getArgNames())) {
    std::string text = argument->getAsString();
    std::vector<StringRef> names = kindNames(argument, record);
    if (!name)
      fatalAt(positionOf("(kinds " + text, record), record,
              "a set of kinds is given to a variable, as 'Floats:$T'");
    text += ":$" + name->getValue().str();
    result.push_back({name->getValue(), names, positionOf(text, record)});
  }
  return result;
}

void SignedModel::readKinds() {
  for (const KindBinding &binding :
       kindBindings(record, dagField<"Node.types", "Instr.types">(record)))
    kinds[binding.variable.str()].assign(binding.kinds.begin(),
                                         binding.kinds.end());
}

/// "f32: 1e-5, f16: 1e-2".
void NodeModel::readTolerances() {
  StringRef text = textField<"Node.tolerance">(record).trim();
  if (text.empty())
    return;
  Parser parser(text, record);
  do {
    const char *at = parser.here();
    std::string kind = parser.name();
    auto mayHave = [&](const TensorSignature &tensor) {
      return is_contained(kindsOf(tensor), kind);
    };
    if (none_of(inputs, mayHave) && none_of(outputs, mayHave))
      parser.fail("tolerance for '" + kind +
                      "', which no operand or result "
                      "of '" +
                      className + "' may be",
                  at);
    if (any_of(tolerances, [&](auto &given) { return given.first == kind; }))
      parser.fail("a second tolerance for '" + kind + "'", at);
    parser.expect(":");
    ExprPtr number = parser.expression();
    if (number->kind != Expr::Kind::Real && number->kind != Expr::Kind::Integer)
      parser.fail("a tolerance is a number of at least 0", number->at);
    tolerances.emplace_back(kind, number->text);
  } while (parser.eat(","));
  parser.expectEnd();
}

/// A name in a signature keeps the meaning of its first occurrence: there it is
/// bound, and at any other occurrence compared.
void SignedModel::bindDimensions() {
  StringSet<> known;
  for (const Attribute &attribute : attributes)
    known.insert(attribute.name);
  for (const TensorSignature &tensor : inputs) {
    int open = 0;
    for (const Dimension &dim : tensor.dims) {
      if (dim.form == Dimension::Form::Any ||
          dim.value->kind != Expr::Kind::Name ||
          known.contains(dim.value->text))
        continue;
      // Of two lists without a count the sizes would not say where one ends.
      open += dim.form == Dimension::Form::Rest && !dim.count;
      if (open > 1)
        fatalAt(dim.value->at, record,
                "only one '*' of an operand may be of unknown length; give "
                "the other a count, '*" +
                    dim.value->text + ":count'");
      known.insert(dim.value->text);
      dimensions.emplace_back(dim.value->text, dim.form == Dimension::Form::Size
                                                   ? Type::Int
                                                   : Type::Ints);
    }
  }
}

template <typename List> static auto *findNamed(List &list, StringRef name) {
  auto found = llvm::find_if(list, [&](auto &x) { return x.name == name; });
  return found == list.end() ? nullptr : &*found;
}

const Attribute *SignedModel::findAttribute(StringRef name) const {
  return findNamed(attributes, name);
}
const TensorSignature *SignedModel::findInput(StringRef name) const {
  return findNamed(inputs, name);
}
const TensorSignature *SignedModel::findOutput(StringRef name) const {
  return findNamed(outputs, name);
}

std::vector<std::string> SignedModel::kindVariables() const {
  std::vector<std::string> result;
  for (const TensorSignature &tensor : inputs)
    if (isUpper(tensor.kind[0]) && !is_contained(result, tensor.kind))
      result.push_back(tensor.kind);
  return result;
}

std::vector<std::string>
SignedModel::kindsOf(const TensorSignature &tensor) const {
  auto found = kinds.find(tensor.kind);
  if (found != kinds.end())
    return found->second;
  // A kind by its name, as `i64`; a variable begins with a capital, and an
  // attribute may be one, too.
  if (isLower(tensor.kind[0]) && !findAttribute(tensor.kind))
    return {tensor.kind};
  std::vector<std::string> all;
  for (StringRef name :
       textsField<"Kinds.names">(*record.getRecords().getDef("Everything")))
    all.push_back(name.str());
  return all;
}

Scope SignedModel::scope(StringRef prefix) const {
  Scope scope;
  for (const TensorSignature &tensor : inputs)
    if (llvm::isUpper(tensor.kind[0]))
      scope.define(tensor.kind, Type::Kind, prefix.str() + tensor.kind);
  for (const Attribute &attribute : attributes)
    scope.define(attribute.name, attribute.type, prefix.str() + attribute.name,
                 attribute.kind);
  for (const auto &[name, type] : dimensions) {
    scope.define(name, type, prefix.str() + name);
    scope.define(extentName(name), type, prefix.str() + name);
  }
  return scope;
}

Model::Model(const RecordKeeper &records)
    : records(records), functions(records) {
  for (const Record *record : records.getAllDerivedDefinitions("Node"))
    nodes.push_back(std::make_unique<NodeModel>(*record, functions));
  for (const auto &node : nodes) {
    byName.try_emplace(node->record.getName(), node.get());
    byClass.try_emplace(node->className, node.get());
    byInfix.try_emplace(textField<"Node.infix">(node->record), node.get());
  }
}

const NodeModel *Model::findNode(StringRef name) const {
  return byName.lookup(name);
}

const NodeModel *Model::nodeOfClass(StringRef className) const {
  return byClass.lookup(className);
}

const NodeModel *Model::nodeFor(StringRef infix) const {
  return byInfix.lookup(infix);
}

bool Model::isKind(StringRef name) const {
  return is_contained(textsField<"Kinds.names">(*records.getDef("Everything")),
                      name);
}

bool Model::isOwn(const Record &record) const { return !isOfLibrary(record); }

std::vector<const NodeModel *> Model::ownNodes() const {
  std::vector<const NodeModel *> result;
  for (const auto &node : nodes)
    if (isOwn(node->record))
      result.push_back(node.get());
  return result;
}

std::vector<const Record *> Model::own(StringRef className) const {
  std::vector<const Record *> result;
  for (const Record *record :
       records.getAllDerivedDefinitionsIfDefined(className))
    if (isOwn(*record))
      result.push_back(record);
  return result;
}
