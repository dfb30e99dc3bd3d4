//===- PrintC.cpp - LLVM IR as portable C ---------------------------------===//
// SPDX-License-Identifier: MIT

#include "PrintC.h"
#include "CLoops.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/ADCE.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

std::string cpu::literal(StringRef text) {
  std::string result;
  raw_string_ostream os(result);
  os << '"';
  for (unsigned char c : text)
    if (isPrint(c) && c != '"' && c != '\\' && c != '?')
      os << char(c);
    else
      os << format("\\%03o", c);
  os << '"';
  return result;
}

/// Whether memory is written through a pointer.
static bool isWritten(const Value &pointer) {
  return any_of(pointer.users(), [&](const User *user) {
    return isa<GetElementPtrInst>(user)
               ? isWritten(*user)
               : cast<Instruction>(user)->mayWriteToMemory();
  });
}

/// The declaration of an entry point; null for other functions.
static const CSignature *signatureIn(const CSignatures &visible,
                                     const Function &function) {
  auto found = isEntry(function) ? visible.find(function.getName().str())
                                 : visible.end();
  return found == visible.end() ? nullptr : &found->second;
}

/// The type of a parameter, with a space where its name follows.
static std::string typeOf(CNames &names, const CSignatures &visible,
                          const Argument &argument) {
  if (auto *given = signatureIn(visible, *argument.getParent()))
    return given->parameters[argument.getArgNo()].type;
  llvm::Type *element =
      argument.getType()->isPointerTy() ? elementOf(argument) : nullptr;
  if (element)
    return (isWritten(argument) ? "" : "const ") + names.aliased(element) +
           " *";
  std::string type = isSize(argument) ? names.signedType(argument.getType())
                                      : names.type(argument.getType());
  return type.back() == '*' ? type : type + " ";
}

static std::string signatureOf(CNames &names, const CSignatures &visible,
                               const Function &function) {
  std::string text = function.hasLocalLinkage() ? "static " : "";
  auto *given = signatureIn(visible, function);
  text += (given ? given->result : names.type(function.getReturnType()) + " ") +
          names.global(&function);
  std::string parameters;
  for (const Argument &argument : function.args())
    parameters += (parameters.empty() ? "" : ", ") +
                  typeOf(names, visible, argument) + argument.getName().str();
  return text + "(" + (parameters.empty() ? "void" : parameters) + ")";
}

/// Names parameters as in the header or, for steps, after the operands.
static void nameParameters(const CSignatures &visible, Function &function) {
  auto *given = signatureIn(visible, function);
  StringSet<> used;
  for (Argument &argument : function.args()) {
    unsigned number = argument.getArgNo();
    std::string name;
    for (char c : argument.getName())
      name += isAlnum(c) ? c : '_';
    if (given)
      name = given->parameters[number].name;
    else if (name.empty() || CNames::isWord(name) || !used.insert(name).second)
      name = "a" + std::to_string(number) + "_" + name;
    argument.setName(name);
  }
}

/// Indents lines by two spaces for each brace around them.
static std::string indented(StringRef text) {
  std::string result;
  size_t depth = 1;
  for (StringRef line : split(text, '\n')) {
    if (line.starts_with("}"))
      --depth;
    if (!line.empty())
      result += std::string(2 * depth, ' ') + line.str() + "\n";
    if (line.ends_with("{"))
      ++depth;
  }
  return result;
}

static std::string bodyOf(CNames &names, Function &function) {
  StringSet<> unknown = names.unknown;
  if (auto text = LoopPrinter(names, function).printLoops())
    return *text;
  names.unknown = unknown;
  return BodyPrinter(names, function).print();
}

/// Removes compiler hints, and then unused values, of which a C compiler would
/// warn.
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

Result<std::string> cpu::printC(Module &module, const std::string &header,
                                const CSignatures &visible) {
  dropUnused(module);
  CNames names(module);
  std::string prototypes, data, functions;
  for (GlobalVariable &variable : module.globals()) {
    std::string spelled = (variable.hasLocalLinkage() ? "static " : "") +
                          names.type(variable.getValueType()) + " " +
                          names.global(&variable);
    prototypes += spelled + ";\n";
    if (!variable.hasInitializer())
      continue;
    auto *text =
        variable.getName().starts_with(mistakeText)
            ? dyn_cast<ConstantDataSequential>(variable.getInitializer())
            : nullptr;
    data += spelled + " = " +
            (text ? "{" + literal(text->getAsCString()) + "}"
                  : names.initializer(variable.getInitializer())) +
            ";\n";
  }
  for (Function &function : module)
    if (!function.isDeclaration())
      nameParameters(visible, function);
  for (Function &function : module) {
    if (function.isIntrinsic())
      continue;
    if (!is_contained({"memcpy", "memmove", "memset"}, function.getName()))
      prototypes += signatureOf(names, visible, function) + ";\n";
    if (!function.isDeclaration())
      functions += "\n" + signatureOf(names, visible, function) + " {\n" +
                   indented(bodyOf(names, function)) + "}\n";
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
         "typedef union { char *at; uint64_t bytes; } glow_address;\n"
         "/* Memory has elements of one type now and of another later. */\n"
         "#ifdef __GNUC__\n"
         "#define GLOW_ALIASED __attribute__((may_alias))\n"
         "#else\n"
         "#define GLOW_ALIASED\n"
         "#endif\n"
         "typedef float GLOW_ALIASED glow_f32;\n"
         "typedef double GLOW_ALIASED glow_f64;\n"
         "typedef uint8_t GLOW_ALIASED glow_u8;\n"
         "typedef uint16_t GLOW_ALIASED glow_u16;\n"
         "typedef uint32_t GLOW_ALIASED glow_u32;\n"
         "typedef uint64_t GLOW_ALIASED glow_u64;\n" +
         names.definitions +
         "\nvoid *memcpy(void *, const void *, size_t);\n"
         "void *memmove(void *, const void *, size_t);\n"
         "void *memset(void *, int, size_t);\n" +
         prototypes + "\n" + data + functions;
}
