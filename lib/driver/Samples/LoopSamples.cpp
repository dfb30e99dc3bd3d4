//===- LoopSamples.cpp - the loops of samples, as text --------------------===//
// SPDX-License-Identifier: MIT
//
// The loops of a sample's instructions must parse back from their text. So must
// the plans of each backend that generates code from them. A complete plan must
// stay unchanged.
//
//===----------------------------------------------------------------------===//

#include "glow/Backend/Backend.h"
#include "glow/IR/Access.h"
#include "glow/IRGen/IRGen.h"
#include "glow/Loops/Text.h"
#include "glow/Samples/Samples.h"

using namespace mlir;
using namespace glow;

static std::string textOf(const loops::Program &program) {
  std::string text;
  llvm::raw_string_ostream os(text);
  loops::print(os, program, "sample \"a\\b\"");
  return text;
}

/// The only program of a text; null with the reason if the text has an error.
static std::unique_ptr<loops::Program> parse(StringRef text, std::string &why) {
  auto programs =
      loops::parsePrograms(text, [&](const char *place, const Twine &message) {
        why = "the text of its loops does not parse at '" +
              StringRef(place).take_front(20).str() + "': " + message.str() +
              "\n" + text.str();
      });
  return programs ? std::move(programs->front().program) : nullptr;
}

static std::string differing(StringRef what, StringRef before,
                             StringRef after) {
  return (what + " differs, before\n" + before + "and after\n" + after).str();
}

static std::string checkText(const loops::Program &program) {
  std::string why, text = textOf(program);
  std::unique_ptr<loops::Program> parsed = parse(text, why);
  if (!parsed)
    return why;
  std::string again = textOf(*parsed);
  return again == text ? "" : differing("the text of its loops", text, again);
}

static std::string checkPlan(const Backend &backend, loops::Program &program) {
  if (!backend.planLoops(program, "", {}).ok())
    return ""; // this backend has other code for the node
  std::string why, text = textOf(program);
  std::unique_ptr<loops::Program> parsed = parse(text, why);
  if (!parsed)
    return why;
  if (Status status = backend.planLoops(*parsed, "", {}); !status.ok())
    return "its own plan is refused: " + status.message() + "\n" + text;
  std::string again = textOf(*parsed);
  return again == text ? "" : differing("the plan of its loops", text, again);
}

std::string glow::loopFault(ModuleOp given) {
  OwningOpRef<ModuleOp> module = given.clone();
  ScopedDiagnosticHandler silent(module->getContext(), [](Diagnostic &) {});
  PassManager passes(module->getContext());
  passes.addPass(createGenerateInstrs());
  if (mlir::failed(passes.run(*module)))
    return ""; // a node that is always lowered
  std::string why;
  module->walk([&](Operation *op) {
    if (!why.empty() || !ir::isInstr(op))
      return;
    if (auto program = ir::loopsOf(op))
      why = checkText(*program);
    for (const std::string &name : computingBackends()) {
      const Backend &backend = *findBackend(name);
      if (auto program = why.empty() ? backend.loopsOf(op) : nullptr)
        why = checkPlan(backend, *program);
    }
  });
  return why;
}
