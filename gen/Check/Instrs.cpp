//===- Instrs.cpp - refusals that concern one instruction -----------------===//
// SPDX-License-Identifier: MIT
//
// The buffers that an instruction reads and writes can be checked only if a
// signature describes each of them.
//
//===----------------------------------------------------------------------===//

#include "Check/Check.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Model/node/Node.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// The number of buffers of each operand, by its name: "", "?" or "...".
static StringMap<StringRef> countsOf(const Record &instr) {
  StringMap<StringRef> counts;
  const DagInit *dag = dagField<"Instr.buffers">(instr);
  for (auto [init, name] : llvm::zip(dag->getArgs(), dag->getArgNames())) {
    const Record *qualifier = cast<DefInit>(init)->getDef();
    if (!qualifier->isSubClassOf("Scratch"))
      counts[name->getValue()] = textField<"Qual.count">(*qualifier);
  }
  return counts;
}

/// The names of buffers that are given to the instruction, in order.
static std::vector<const StringInit *> givenNames(const Record &instr) {
  std::vector<const StringInit *> names;
  const DagInit *dag = dagField<"Instr.buffers">(instr);
  for (auto [init, name] : llvm::zip(dag->getArgs(), dag->getArgNames()))
    if (!cast<DefInit>(init)->getDef()->isSubClassOf("Scratch"))
      names.push_back(name);
  return names;
}

/// Scratch is behind all other buffers, and of one kind and known sizes.
static void checkScratch(const Record &instr, const SignedModel &of,
                         const Model &model) {
  std::vector<TensorSignature> all = scratchOf(instr);
  ArrayRef<const StringInit *> names =
      dagField<"Instr.buffers">(instr)->getArgNames();
  for (auto [name, tensor] : zip(names.take_back(all.size()), all))
    if (name->getValue() != tensor.name)
      fatalAt(positionOf("$" + tensor.name, instr), instr,
              "'" + tensor.name + "' of '" + instr.getName() +
                  "' is scratch, which stands behind all other buffers");
  for (const TensorSignature &tensor : all) {
    bool isSized = all_of(tensor.dims, [](const Dimension &dim) {
      return dim.form == Dimension::Form::Size ||
             (dim.form == Dimension::Form::Rest && !dim.count && !dim.ranks);
    });
    if (!isSized || tensor.optional || tensor.variadic)
      fatalAt(tensor.at, instr,
              "scratch '" + tensor.name +
                  "' is one buffer of known sizes, as "
                  "a result");
    const Attribute *attribute = of.findAttribute(tensor.kind);
    if (!model.isKind(tensor.kind) &&
        !is_contained(of.kindVariables(), tensor.kind) &&
        !(attribute && attribute->type == Type::Kind))
      fatalAt(tensor.at, instr,
              "'" + tensor.kind + "' of scratch '" + tensor.name +
                  "' is no element kind, and no operand of '" +
                  instr.getName() + "' has one of that name");
  }
}

static StringRef countOf(const TensorSignature &tensor) {
  return tensor.variadic ? "..." : tensor.optional ? "?" : "";
}

/// Every tensor of the signature is a buffer of the instruction, with the same
/// multiplicity. Operand `inout` is the exception: it shares the buffer of
/// the first result.
static void checkTensors(const Record &instr, StringMap<StringRef> &counts,
                         ArrayRef<TensorSignature> tensors, const Twine &whose,
                         const TensorSignature *inout = nullptr) {
  for (const TensorSignature &tensor : tensors) {
    if (&tensor == inout)
      continue;
    auto count = counts.find(tensor.name);
    if (count == counts.end())
      fatalAt(nullptr, instr,
              "'" + instr.getName() + "' has no buffer '" + tensor.name +
                  "', which " + whose + " has");
    if (count->second != countOf(tensor))
      fatalAt(positionOf("$" + tensor.name, instr), instr,
              "operand '" + tensor.name + "' of '" + instr.getName() +
                  "' may be there as often as '" + count->second +
                  "' says, in " + whose + " as '" + countOf(tensor) + "'");
    // Entries left in `counts` at the end match no tensor of the signature.
    counts.erase(count);
  }
}

/// A result is written, and read before if it updates an operand; an operand is
/// read.
static void checkQualifiers(const Record &instr, const NodeModel &node) {
  const DagInit *dag = dagField<"Instr.buffers">(instr);
  for (auto [init, name] : llvm::zip(dag->getArgs(), dag->getArgNames())) {
    if (cast<DefInit>(init)->getDef()->isSubClassOf("Scratch"))
      continue;
    const TensorSignature *result = node.findOutput(name->getValue());
    bool updates = result == &node.outputs.front() && node.inoutOperand();
    StringRef expected = updates ? "inout" : result ? "out" : "in";
    StringRef qualifier =
        textField<"Qual.qualifier">(*cast<DefInit>(init)->getDef());
    if (qualifier == expected)
      continue;
    std::string why =
        updates  ? "a result that updates '" + node.inoutOperand()->name + "'"
        : result ? "a result that updates no operand: 'inout' of '" +
                       node.className + "' would name it"
                 : "an operand; only a result can update one";
    fatalAt(positionOf(("$" + name->getValue()).str(), instr), instr,
            "'" + name->getValue() + "' of '" + instr.getName() + "' is @" +
                qualifier + ", but must be @" + expected + ", as " + why);
  }
}

/// An asynchronous instruction writes one buffer `token`, which its waiting
/// instruction reads.
static void checkToken(const Record &instr) {
  if (!bitField<"Instr.asynchronous">(instr))
    return;
  const DagInit *dag = dagField<"Instr.buffers">(instr);
  bool hasToken = any_of(zip(dag->getArgs(), dag->getArgNames()), [](auto arg) {
    auto [init, name] = arg;
    const Record *qualifier = cast<DefInit>(init)->getDef();
    return name->getValue() == "token" &&
           textField<"Qual.qualifier">(*qualifier) == "out" &&
           textField<"Qual.count">(*qualifier).empty();
  });
  if (!hasToken)
    fatalAt(positionOf("asynchronous", instr), instr,
            "'" + instr.getName() +
                "' is asynchronous and has no @out operand 'token', which "
                "an instruction that waits would read");
}

static void checkWithNode(const Record &instr, const NodeModel &node) {
  StringMap<StringRef> counts = countsOf(instr);
  for (const StringInit *name : givenNames(instr))
    if (!node.findInput(name->getValue()) && !node.findOutput(name->getValue()))
      fatalAt(nullptr, instr,
              "operand '" + name->getValue() + "' of '" + instr.getName() +
                  "' names no operand or result of '" + node.className + "'");
  std::string whose = "'" + node.className + "'";
  checkTensors(instr, counts, node.outputs, whose);
  checkTensors(instr, counts, node.inputs, whose, node.inoutOperand());
  if (!counts.empty())
    fatalAt(nullptr, instr,
            "'" + instr.getName() + "' has a buffer '" +
                counts.begin()->first() +
                "' of its own, but its result updates that operand");
  checkQualifiers(instr, node);
  std::vector<Attribute> attributes = attributesOf(instr);
  bool same = std::equal(attributes.begin(), attributes.end(),
                         node.attributes.begin(), node.attributes.end(),
                         [](const Attribute &a, const Attribute &b) {
                           return a.name == b.name && a.type == b.type;
                         });
  if (!same)
    fatalAt(nullptr, instr,
            "'" + instr.getName() + "' has other attributes than '" +
                node.className + "', whose instruction it is");
}

static void checkAlone(const Record &instr) {
  StringMap<StringRef> counts = countsOf(instr);
  checkTensors(instr, counts, InstrModel(instr).inputs, "'shapes' of it");
  for (const StringInit *name : givenNames(instr))
    if (counts.contains(name->getValue()))
      fatalAt(positionOf(("$" + name->getValue()).str(), instr), instr,
              "'" + instr.getName() + "' is of no node, and 'shapes' says " +
                  "nothing of its buffer '" + name->getValue() + "'");
}

void glow::gen::checkInstrs(const Model &model) {
  for (const Record *instr : model.own("Instr")) {
    checkToken(*instr);
    if (const NodeModel *node = nodeOf(model, *instr)) {
      if (!model.isOwn(node->record))
        fatalAt(positionOf("from", *instr), *instr,
                "'" + node->className +
                    "' is a node of Glow's, whose instruction is there "
                    "already; '" +
                    instr->getName() +
                    "' is of a node of these records, or gives 'shapes' for "
                    "one of its own");
      checkWithNode(*instr, *node);
      checkScratch(*instr, *node, model);
    } else {
      checkAlone(*instr);
      checkScratch(*instr, InstrModel(*instr), model);
    }
  }
}
