//===- Legality.cpp - refusals that concern backends ----------------------===//
// SPDX-License-Identifier: MIT

#include "Check/Check.h"
#include "Check/Conditions.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Model/node/Node.h"
#include "Model/rules/InstrCall.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/TableGen/Record.h"
#include <set>

using namespace glow::gen;
using namespace llvm;

/// Whether the code is there whatever the kinds, sizes and operands are.
static bool holdsAlways(const Record &code) {
  return !textField<"CodeFor.emitter">(code).empty() &&
         !bitField<"CodeFor.mayDecline">(code) &&
         textField<"CodeFor.condition">(code).trim().empty() &&
         dagField<"CodeFor.kinds">(code)->arg_empty() &&
         textsField<"CodeFor.known">(code).empty() &&
         textsField<"CodeFor.absent">(code).empty();
}

/// Whether the backend runs the node in every kind that it has: by code of its
/// own, or by the reference.
static bool isBackedWhole(const Model &model, const Record &backend,
                          const NodeModel &node) {
  bool reference = bitField<"Backend.runsReference">(backend) ||
                   bitField<"Backend.stepwise">(backend);
  std::vector<StringRef> memories;
  for (const Record *memory : recordsField<"Backend.memories">(backend))
    memories.push_back(textField<"MemorySpace.name">(*memory));
  return (reference && hasKernels(model, node, memories)) ||
         any_of(recordsField<"Backend.codes">(backend),
                [&](const Record *code) {
                  return holdsAlways(*code) &&
                         is_contained(recordsField<"CodeFor.nodes">(*code),
                                      &node.record);
                });
}

/// The kinds of the first operand for which the backend has kernels.
static std::vector<StringRef> kernelKinds(const Record &backend,
                                          const NodeModel &node) {
  std::vector<StringRef> kinds;
  for (const Record *kernel : recordsField<"Backend.kernels">(backend))
    if (recordField<"Kernel.node">(*kernel) == &node.record)
      kinds.push_back(textField<"Kernel.kind">(*kernel));
  return kinds;
}

/// The kinds of the first operand for which the Legal record claims the node.
static std::vector<std::string> claimedKinds(const Record &legal,
                                             const NodeModel &node) {
  if (node.inputs.empty())
    return {};
  std::vector<std::string> kinds = node.kindsOf(node.inputs.front());
  for (const KindBinding &binding :
       kindBindings(legal, dagField<"Legal.kinds">(legal)))
    if (binding.variable == node.inputs.front().kind)
      erase_if(kinds, [&](const std::string &kind) {
        return !is_contained(binding.kinds, kind);
      });
  return kinds;
}

/// The tensor whose kind chooses the kernel of a node: the first operand, or
/// the first result of a node without operands.
static const TensorSignature &decidingTensor(const NodeModel &node) {
  return node.inputs.empty() ? node.outputs.front() : node.inputs.front();
}

/// The kinds of a variable that the kind bindings of a record allow.
static std::vector<std::string> kindsLeft(const Record &record,
                                          const DagInit *dag,
                                          const NodeModel &node,
                                          StringRef variable) {
  std::vector<std::string> kinds;
  for (const TensorSignature &input : node.inputs)
    if (input.kind == variable)
      kinds = node.kindsOf(input);
  for (const KindBinding &binding : kindBindings(record, dag))
    if (binding.variable == variable)
      erase_if(kinds, [&](const std::string &kind) {
        return !is_contained(binding.kinds, kind);
      });
  return kinds;
}

/// A kernel lists the kinds of every other variable that may be of several
/// kinds.
static void checkOtherKinds(const Record &kernel, const NodeModel &node,
                            function_ref<void(const Twine &)> fail) {
  const DagInit *dag = dagField<"Kernel.kinds">(kernel);
  std::vector<StringRef> named;
  for (const KindBinding &binding : kindBindings(kernel, dag)) {
    named.push_back(binding.variable);
    if (!is_contained(node.kindVariables(), binding.variable) ||
        binding.variable == decidingTensor(node).kind)
      fail("names kinds of '" + binding.variable +
           "', which is no other kind variable of '" + node.className + "'");
  }
  for (const std::string &variable : node.kindVariables())
    if (variable != decidingTensor(node).kind &&
        !is_contained(named, variable) &&
        kindsLeft(kernel, dag, node, variable).size() > 1)
      fail("does not say for which kinds of '" + variable + "' of '" +
           node.className + "' it is; (kinds ...:$" + variable +
           ") behind its bound would");
}

/// Each kernel takes all kinds of other variables that the Legal record allows.
static void checkOthersBacked(const Record &backend, const Record &legal,
                              const NodeModel &node, const std::string &claim) {
  for (const Record *kernel : recordsField<"Backend.kernels">(backend)) {
    if (recordField<"Kernel.node">(*kernel) != &node.record)
      continue;
    for (const KindBinding &binding :
         kindBindings(*kernel, dagField<"Kernel.kinds">(*kernel))) {
      std::vector<std::string> missing = kindsLeft(
          legal, dagField<"Legal.kinds">(legal), node, binding.variable);
      erase_if(missing, [&](const std::string &kind) {
        return is_contained(binding.kinds, kind);
      });
      if (!missing.empty())
        fatalAt(nullptr, legal,
                claim + " with '" + binding.variable + "' in " +
                    join(missing, ", ") + ", but kernel '" +
                    textField<"Kernel.function">(*kernel) + "' takes " +
                    join(binding.kinds, ", ") + " only");
    }
  }
}

static void checkBacked(const Model &model, const Record &backend,
                        const Record &legal, const NodeModel &node) {
  // No record describes how a backend with its own compiler runs nodes.
  if (bitField<"Backend.takesNodes">(backend) ||
      isBackedWhole(model, backend, node))
    return;
  std::vector<StringRef> backed = kernelKinds(backend, node);
  std::string claim = "backend '" + textField<"Backend.name">(backend).str() +
                      "' claims to run '" + node.className + "'";
  if (backed.empty())
    fatalAt(nullptr, legal, claim + ", but has no kernel for it");
  std::vector<std::string> missing = claimedKinds(legal, node);
  erase_if(missing,
           [&](const std::string &kind) { return is_contained(backed, kind); });
  if (!missing.empty())
    fatalAt(nullptr, legal,
            claim + " in " + join(missing, ", ") + ", but has kernels for " +
                join(backed, ", ") + " only");
  checkOthersBacked(backend, legal, node, claim);
}

static bool isLegal(const Record &backend, const NodeModel &node) {
  return bitField<"Backend.runsReference">(backend) ||
         bitField<"Backend.runsLoops">(backend) ||
         any_of(recordsField<"Backend.runs">(backend),
                [&](const Record *legal) {
                  return is_contained(recordsField<"Legal.nodes">(*legal),
                                      &node.record);
                });
}

static void
checkKernel(const Record &backend, const Record &kernel, const NodeModel &node,
            std::set<std::pair<const NodeModel *, StringRef>> &seen) {
  StringRef function = textField<"Kernel.function">(kernel);
  StringRef kind = textField<"Kernel.kind">(kernel);
  auto fail = [&](const Twine &message) {
    fatalAt(nullptr, backend, "kernel '" + function + "' " + message);
  };
  if (none_of(node.samples,
              [](const SampleModel &sample) { return sample.refuses.empty(); }))
    fail("is for '" + Twine(node.className) + "', which has no sample");
  const TensorSignature &first = decidingTensor(node);
  if (!is_contained(node.kindsOf(first), kind))
    fail("is for kind '" + kind + "', which '" + first.name + "' of '" +
         node.className + "' cannot be");
  if (!isLegal(backend, node))
    fail("is never called: no Legal record of backend '" +
         textField<"Backend.name">(backend) + "' lets '" + node.className +
         "' run");
  if (!seen.insert({&node, kind}).second)
    fail("is the second one for '" + Twine(node.className) + "' and kind '" +
         kind + "'");
  if (intField<"Ulp.count">(*recordField<"Kernel.bound">(kernel)) < 0)
    fail("has a negative bound");
  checkOtherKinds(kernel, node, fail);
}

static void checkCode(const Record &backend, const Record &code) {
  StringRef name = textField<"Backend.name">(backend);
  checkCanHold(conditionOf(textField<"CodeFor.condition">(code), code), code,
               "code of backend '" + name + "'");
  bool emits = !textField<"CodeFor.emitter">(code).empty();
  if (emits != code.isValueUnset("becomes"))
    fatalAt(nullptr, code,
            "code of backend '" + name + "' has " +
                (emits ? "both" : "neither") +
                " an 'emitter' and a node that it 'becomes', and should have "
                "one of them");
  if (emits == textField<"CodeFor.algorithm">(code).empty())
    fatalAt(nullptr, code,
            "code of backend '" + name + "' has " +
                (emits ? "no algorithm" : "an algorithm, but no emitter"));
  bool ofInstrs = !textsField<"CodeFor.instrs">(code).empty();
  if (ofInstrs &&
      (!recordsField<"CodeFor.nodes">(code).empty() || !holdsAlways(code)))
    fatalAt(nullptr, code,
            "code of instructions of the core has no condition, and is for no "
            "node beside them");
}

static void checkAlignment(const Record &backend) {
  int64_t alignment = intField<"Backend.alignment">(backend);
  if (alignment < 1 || !isPowerOf2_64(uint64_t(alignment)))
    fatalAt(nullptr, backend,
            "alignment " + Twine(alignment) + " should be a power of two");
}

/// Backends of libraries are known where a model is compiled.
static const Record *backendNamed(const Model &model, StringRef name) {
  for (const Record *record : model.records.getAllDerivedDefinitions("Backend"))
    if (textField<"Backend.name">(*record) == name)
      return record;
  return nullptr;
}

static void checkFallback(const Model &model, const Record &backend) {
  std::string way = ("'" + textField<"Backend.name">(backend) + "'").str();
  std::set<const Record *> seen;
  for (const Record *at = &backend; at && seen.insert(at).second;) {
    StringRef next = textField<"Backend.fallback">(*at);
    at = backendNamed(model, next);
    way += (" to '" + next + "'").str();
    if (at == &backend)
      fatalAt(positionOf("fallback", backend), backend,
              "what a backend cannot run comes back to it, from " + way);
  }
}

/// Refuses records of `kind` that no backend has in its list `field`.
template <FieldName field>
static void checkListed(const Model &model, StringRef kind) {
  std::set<const Record *> listed;
  for (const Record *backend :
       model.records.getAllDerivedDefinitions("Backend")) {
    auto records = recordsField<field>(*backend);
    listed.insert(records.begin(), records.end());
  }
  for (const Record *record : model.own(kind))
    if (!listed.contains(record))
      fatalAt(nullptr, *record,
              "'" + record->getName() + "' is in no '" + field.field() +
                  "' of a backend, so nothing reads it");
}

void glow::gen::checkLegality(const Model &model) {
  checkListed<"Backend.runs">(model, "Legal");
  checkListed<"Backend.kernels">(model, "Kernel");
  checkListed<"Backend.codes">(model, "CodeFor");
  for (const Record *backend : model.own("Backend")) {
    checkAlignment(*backend);
    checkFallback(model, *backend);
    if (bitField<"Backend.takesNodes">(*backend) &&
        bitField<"Backend.stepwise">(*backend))
      fatalAt(positionOf("takesNodes", *backend), *backend,
              "backend '" + textField<"Backend.name">(*backend) +
                  "' runs stepwise, one instruction after the other, and so "
                  "takes no nodes");
    std::set<std::pair<const NodeModel *, StringRef>> seen;
    for (const Record *kernel : recordsField<"Backend.kernels">(*backend))
      checkKernel(
          *backend, *kernel,
          *model.findNode(recordField<"Kernel.node">(*kernel)->getName()),
          seen);
    for (const Record *code : recordsField<"Backend.codes">(*backend))
      checkCode(*backend, *code);
    for (const Record *legal : recordsField<"Backend.runs">(*backend)) {
      checkCanHold(
          conditionOf(textField<"Legal.condition">(*legal), *legal), *legal,
          "legality on backend '" + textField<"Backend.name">(*backend) + "'");
      for (const Record *node : recordsField<"Legal.nodes">(*legal))
        checkBacked(model, *backend, *legal, *model.findNode(node->getName()));
    }
  }
}
