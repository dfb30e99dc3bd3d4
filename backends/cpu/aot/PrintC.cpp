//===- PrintC.cpp - LLVM IR as portable C ---------------------------------===//

#include "PrintC.h"
#include "CBody.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/ADCE.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

static std::string signatureOf(CNames &names, const Function &function) {
  std::string text = function.hasLocalLinkage() ? "static " : "";
  bool entry = isEntry(function);
  text += (entry ? "int" : names.type(function.getReturnType())) + " " +
          names.global(&function);
  std::string parameters;
  for (const Argument &argument : function.args())
    parameters += (parameters.empty() ? "" : ", ") +
                  (!entry                     ? names.type(argument.getType())
                   : argument.getArgNo() == 0 ? "const uint8_t *"
                                              : "uint8_t *") +
                  " a" + std::to_string(argument.getArgNo());
  return text + "(" + (parameters.empty() ? "void" : parameters) + ")";
}

/// Takes away what says something to a compiler alone, and then what nothing
/// uses: a compiler of C would warn of it.
static void dropUnused(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
          call && is_contained({Intrinsic::lifetime_start,
                                Intrinsic::lifetime_end, Intrinsic::assume,
                                Intrinsic::experimental_noalias_scope_decl,
                                Intrinsic::prefetch},
                               call->getIntrinsicID()))
        call->eraseFromParent();
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graphs;
  ModuleAnalysisManager modules;
  PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  ModulePassManager passes;
  passes.addPass(createModuleToFunctionPassAdaptor(ADCEPass()));
  passes.addPass(GlobalDCEPass());
  passes.run(module, modules);
}

Result<std::string> cpu::printC(Module &module, const std::string &header) {
  dropUnused(module);
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
    if (function.isIntrinsic())
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
  for (const std::string &prototype : names.functions)
    prototypes = prototype + ";\n" + prototypes;
  return "/* Made by glow compile --emit=c: C99 without its library, but for\n"
         "   the functions of <string.h> and <math.h> that are declared here. "
         "*/\n\n"
         "#include \"" +
         header +
         "\"\n\n"
         "typedef union { char *at; uint64_t bytes; } glow_address;\n" +
         names.definitions +
         "\nvoid *memcpy(void *, const void *, size_t);\n"
         "void *memmove(void *, const void *, size_t);\n"
         "void *memset(void *, int, size_t);\n" +
         prototypes + "\n" + data + functions;
}
