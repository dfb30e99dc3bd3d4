//===- PrintC.cpp - LLVM IR as portable C ---------------------------------===//

#include "PrintC.h"
#include "CBody.h"
#include "llvm/ADT/StringExtras.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

static std::string signatureOf(CNames &names, const Function &function) {
  std::string text = function.hasLocalLinkage() ? "static " : "";
  text += names.type(function.getReturnType()) + " " + names.global(&function);
  std::string parameters;
  for (const Argument &argument : function.args())
    parameters += (parameters.empty() ? "" : ", ") +
                  names.type(argument.getType()) + " a" +
                  std::to_string(argument.getArgNo());
  return text + "(" + (parameters.empty() ? "void" : parameters) + ")";
}

Result<std::string> cpu::printC(Module &module) {
  CNames names(module);
  std::string prototypes, data, functions;
  for (GlobalVariable &variable : module.globals()) {
    std::string spelled = (variable.hasLocalLinkage() ? "static " : "") +
                          names.type(variable.getValueType()) + " " +
                          names.global(&variable);
    prototypes += spelled + ";\n";
    if (variable.hasInitializer())
      data += spelled + " = " + names.initializer(variable.getInitializer()) +
              ";\n";
  }
  for (Function &function : module) {
    if (function.isIntrinsic() ||
        (function.isDeclaration() && function.use_empty()))
      continue;
    if (!is_contained({"memcpy", "memmove", "memset"}, function.getName()))
      prototypes += signatureOf(names, function) + ";\n";
    if (!function.isDeclaration())
      functions += "\n" + signatureOf(names, function) + " {\n" +
                   BodyPrinter(names, function).print() + "}\n";
  }
  if (!names.unknown.empty()) {
    std::vector<std::string> all;
    for (auto &what : names.unknown)
      all.push_back(what.getKey().str());
    llvm::sort(all);
    return Status(glow::Code::Unsupported,
                  "C has no words yet for " + llvm::join(all, ", "));
  }
  return "/* Made by glow compile --emit=c: C99, to be linked with -lm. */\n\n"
         "#include <math.h>\n#include <stdint.h>\n#include <stdlib.h>\n"
         "#include <string.h>\n\n" +
         names.definitions + "\n" + prototypes + "\n" + data + functions;
}
