//===- StepEmitters.cpp - what emits code of instructions, as a table -----===//

#include "Emit/Emit.h"
#include "Expr/Fields.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static cl::opt<std::string>
    emittersOf("emitters-of",
               cl::desc("the backend whose emitters are listed"));

/// GLOW_STEP_EMITTER(mnemonic, function) of each CodeEmitter record, and
/// GLOW_STEP_EMITTER_FUNCTION(function) of each function.
static bool emitStepEmitters(const Model &model, raw_ostream &os) {
  StringMap<const Record *> claimed;
  bool wrong = false;
  auto add = [&](StringRef mnemonic, const Record *emitter) {
    if (!claimed.try_emplace(mnemonic, emitter).second) {
      PrintError(emitter->getLoc(), "two emitters are for '" + mnemonic + "'");
      wrong = true;
    }
    os << formatv("GLOW_STEP_EMITTER({0}, {1})\n", quoted(mnemonic),
                  textField<"CodeEmitter.function">(*emitter));
  };
  os << "#ifndef GLOW_STEP_EMITTER\n#define GLOW_STEP_EMITTER(mnemonic, "
        "function)\n#endif\n#ifndef GLOW_STEP_EMITTER_FUNCTION\n#define "
        "GLOW_STEP_EMITTER_FUNCTION(function)\n#endif\n";
  for (const Record *backend : model.own("Backend")) {
    if (textField<"Backend.name">(*backend) != emittersOf)
      continue;
    for (const Record *emitter : recordsField<"Backend.emitters">(*backend)) {
      os << formatv("GLOW_STEP_EMITTER_FUNCTION({0})\n",
                    textField<"CodeEmitter.function">(*emitter));
      for (const Record *node : recordsField<"CodeEmitter.nodes">(*emitter))
        add(model.findNode(node->getName())->mnemonic, emitter);
      for (StringRef mnemonic : textsField<"CodeEmitter.instrs">(*emitter))
        add(mnemonic, emitter);
    }
  }
  os << "#undef GLOW_STEP_EMITTER\n#undef GLOW_STEP_EMITTER_FUNCTION\n";
  return wrong;
}

static Emitter stepEmitters("gen-step-emitters",
                            "list what emits the code of a backend's steps",
                            emitStepEmitters);
