//===- Scoped.cpp - namespaces of a plug-in's nodes -----------------------===//
// SPDX-License-Identifier: MIT

#include "Emit/language/Emit.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// Emits Node definitions with scoped names, for nodes whose names the library
/// has too: mlir-tblgen derives the C++ name from the record's name.
static bool emitScopedNodes(const Model &model, raw_ostream &os) {
  for (const NodeModel *node : model.ownNodes())
    if (isScoped(node->record))
      os << formatv("def {0} : Node<{1}, {2}.inputs, {2}.outputs, "
                    "{2}.attributes>;\n",
                    node->className, quoted(node->mnemonic),
                    node->record.getName());
  return false;
}

/// Emits macros from record names to the C++ names of scoped classes, for
/// sources of the plug-in. GLOW_UNSCOPED removes the macros. Headers of the
/// plug-in include them both ways, since headers of the library use the record
/// names, too.
static bool emitScopedNames(const Model &model, raw_ostream &os) {
  std::string defines, undefines;
  auto add = [&](StringRef name, StringRef cxx, StringRef ending) {
    defines += formatv("#define {0}{2} {1}{2}\n", name, cxx, ending);
    undefines += formatv("#undef {0}{1}\n", name, ending);
  };
  for (const NodeModel *node : model.ownNodes())
    if (isScoped(node->record))
      for (StringRef ending : {"", "Adaptor", "Call", "Instr", "Shape"})
        add(node->record.getName(), node->className, ending);
  for (const Record *choice : model.own("Choice"))
    if (isScoped(*choice))
      add(choice->getName(), cxxName(*choice), "");
  if (!defines.empty())
    os << "#ifdef GLOW_UNSCOPED\n"
       << undefines << "#else\n"
       << defines << "#endif\n";
  return false;
}

static Emitter scopedNodes("gen-scoped-nodes",
                           "emit nodes whose names the library has, as records",
                           emitScopedNodes);
static Emitter scopedNames("gen-scoped-names",
                           "emit what their classes are to the plug-in's C++",
                           emitScopedNames);
