//===- BackendReference.cpp - the page of backends ------------------------===//
// SPDX-License-Identifier: MIT

#include "Emit/language/Emit.h"
#include "Emit/language/Page.h"
#include "Expr/Fields.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static void emitOptions(const Record &backend, raw_ostream &os) {
  auto options = recordsField<"Backend.options">(backend);
  if (options.empty())
    return;
  os << "\n| option | type | without it | |\n|---|---|---|---|\n";
  for (const Record *option : options) {
    StringRef initially = textField<"BackendOption.initially">(*option);
    os << "| `" << textField<"BackendOption.name">(*option) << "` | "
       << textField<"BackendOption.type">(*option) << " | "
       << (initially.empty() ? "" : ("`" + initially + "`").str()) << " | "
       << textField<"BackendOption.summary">(*option) << " |\n";
  }
}

static std::string rateText(int64_t bytes) {
  return bytes == 0 ? "any number of" : std::to_string(bytes);
}

static void emitMemories(const Record &backend, raw_ostream &os) {
  auto memories = recordsField<"Backend.memories">(backend);
  if (memories.empty())
    return;
  os << "\n| memory | bytes | alignment | bytes a cycle | |\n"
        "|---|---|---|---|---|\n";
  for (const Record *memory : memories)
    os << "| `" << textField<"MemorySpace.name">(*memory) << "` | "
       << intField<"MemorySpace.bytes">(*memory) << " | "
       << intField<"MemorySpace.alignment">(*memory) << " | "
       << rateText(intField<"MemorySpace.bandwidth">(*memory)) << " | "
       << textField<"MemorySpace.summary">(*memory) << " |\n";
}

static void emitEngines(const Record &backend, raw_ostream &os) {
  auto engines = recordsField<"Backend.engines">(backend);
  if (engines.empty())
    return;
  os << "\n| DMA engine | joins the arena and | channels | bytes a cycle | "
        "latency | a run | |\n|---|---|---|---|---|---|---|\n";
  for (const Record *engine : engines) {
    std::string joins;
    for (const Record *memory : recordsField<"DmaEngine.joins">(*engine))
      joins += (joins.empty() ? "`" : ", `") +
               textField<"MemorySpace.name">(*memory).str() + "`";
    os << "| `" << textField<"DmaEngine.name">(*engine) << "` | " << joins
       << " | " << intField<"DmaEngine.channels">(*engine) << " | "
       << intField<"DmaEngine.bytesPerCycle">(*engine) << " | "
       << intField<"DmaEngine.latency">(*engine) << " | "
       << intField<"DmaEngine.perRun">(*engine) << " | "
       << textField<"DmaEngine.summary">(*engine) << " |\n";
  }
  os << "\nCopies move " << rateText(intField<"Backend.bandwidth">(backend))
     << " bytes of the arena in a cycle, all together.\n";
  if (int64_t clock = intField<"Backend.megahertz">(backend))
    os << "A second has " << clock << " million cycles.\n";
}

static bool emitBackendReference(const Model &model, raw_ostream &os) {
  os << "# Backends\n\nMade from the records; do not edit. What each runs is "
        "in "
        "Coverage.md.\nAn option is `--NAME=VALUE` of the commands, "
        "`--backend-option NAME=VALUE` where a\nplug-in has it, and an option "
        "of that name in C.\n";
  for (const Record *backend : model.own("Backend")) {
    os << "\n## `" << textField<"Backend.name">(*backend) << "`\n\n"
       << textField<"Backend.summary">(*backend)
       << "\n\nBuffers lie at multiples of "
       << intField<"Backend.alignment">(*backend) << " bytes.\n";
    if (StringRef other = textField<"Backend.fallback">(*backend);
        !other.empty())
      os << "What it does not run of a model, backend `" << other
         << "` does.\n";
    emitOptions(*backend, os);
    emitMemories(*backend, os);
    emitEngines(*backend, os);
    os << "\nDeclared in `" << placeOf(*backend) << "`.\n";
    emitNodesOf(model, textField<"Backend.name">(*backend), os);
  }
  return false;
}

static Emitter backendReference("gen-backend-reference",
                                "emit the reference of backends",
                                emitBackendReference);
