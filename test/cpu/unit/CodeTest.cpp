//===- CodeTest.cpp - every node is machine code --------------------------===//
// SPDX-License-Identifier: MIT
//
// Prints the samples, in each element kind, that need an instruction without
// code in the CPU backend: a bundle would refuse them. Names of nodes as
// arguments restrict the list to these nodes.
//
//===----------------------------------------------------------------------===//

#include "compile/Compile.h"
#include "compile/Native.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Access.h"
#include "glow/Pipeline/Pipeline.h"
#include "glow/Samples/Samples.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace glow;
using namespace glow::cpu;
using llvm::StringRef;

namespace {

/// A kind for a kind variable; empty for a sample in its own kinds.
struct Choice {
  StringRef variable, kind;
};

} // namespace

static std::vector<Choice> choicesOf(const SampleInfo &sample) {
  std::vector<Choice> choices;
  for (const KindVariable &variable : sample.variables)
    for (const char *kind : variable.kinds)
      choices.push_back({variable.name, kind});
  return choices.empty() ? std::vector<Choice>{{}} : choices;
}

static SampleModule build(mlir::MLIRContext &context, const SampleInfo &sample,
                          Choice choice) {
  std::vector<OperandText> operands;
  std::vector<ElementKind> kinds;
  for (const SampleOperand &operand : sample.operands) {
    operands.push_back(
        readOperand(&context, operand.text,
                    choice.variable == operand.variable ? choice.kind : ""));
    kinds.push_back(*kindOf(operands.back().type.getElementType()));
  }
  auto kind = [&](const char *variable, const char *written) {
    return kindNamed(&context,
                     choice.variable == variable ? choice.kind : written);
  };
  return buildModule(context, operands, kinds,
                     [&](mlir::OpBuilder &builder, mlir::ValueRange values,
                         llvm::SmallVectorImpl<mlir::Value> &results) {
                       mlir::Operation *node = sample.build(
                           builder, builder.getUnknownLoc(), values, kind);
                       if (node)
                         llvm::append_range(results, node->getResults());
                       return bool(node);
                     });
}

/// The instructions without code; or the reason why there are no instructions.
static std::string withoutCode(SampleModule &sample, const Target &target) {
  if (!sample.built)
    return "is refused: " + sample.said;
  mlir::PassManager passes(sample.module->getContext());
  addPhases(passes, "cpu", Phase::Plan);
  if (failed(passes.run(*sample.module)))
    return "does not walk through the phases";
  llvm::LLVMContext context;
  CodeModule unit(context, target);
  auto native = buildProgram(unit, *sample.module->getOps<ir::FuncOp>().begin(),
                             nullptr, "");
  if (failed(native))
    return "does not compile";
  std::string names;
  for (auto [step, symbols] : llvm::zip(native->steps.steps, native->symbols))
    if (symbols.phases.empty())
      names += (names.empty() ? "" : ", ") + step.instruction;
  return names.empty() ? "" : "has no code for " + names;
}

int main(int argc, char **argv) {
  llvm::StringSet<> chosen;
  for (int i = 1; i < argc; ++i)
    chosen.insert(argv[i]);
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  Target target = Target::create({}).take();
  unsigned count = 0, without = 0;
  for (const SampleInfo &sample : allSamples()) {
    if (*sample.refuses || isOfBackend(sample.node) ||
        (!chosen.empty() && !chosen.contains(sample.node)))
      continue;
    for (Choice choice : choicesOf(sample)) {
      SampleModule module = build(context, sample, choice);
      std::string why = withoutCode(module, target);
      ++count;
      without += !why.empty();
      if (!why.empty())
        llvm::outs() << sample.node << " sample '" << sample.label << "' as "
                     << choice.kind << " " << why << "\n";
    }
  }
  llvm::outs() << count << " samples, " << without << " without code\n";
  return without != 0;
}
