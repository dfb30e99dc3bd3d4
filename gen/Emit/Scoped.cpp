//===- Scoped.cpp - a plug-in's nodes of which Glow has the names ---------===//

#include "Emit/Emit.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// What mlir-tblgen, which takes the C++ from the name, makes nodes of whose
/// names the library has too.
static bool emitScopedNodes(const Model &model, raw_ostream &os) {
  for (const NodeModel *node : model.ownNodes())
    if (isScoped(node->record))
      os << formatv("def {0} : Node<{1}, {2}.inputs, {2}.outputs, "
                    "{2}.attributes>;\n",
                    node->className, quoted(node->mnemonic),
                    node->record.getName());
  return false;
}

/// What sources of the plug-in call what begins with its name, while
/// GLOW_UNSCOPED is not there. Its headers say both, since the library's say
/// the names, too.
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
