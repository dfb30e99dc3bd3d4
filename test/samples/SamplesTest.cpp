//===- SamplesTest.cpp - what is generated, held to its record ------------===//
//
// A sample builds, verifies, survives text and bytecode, walks every room and
// runs; where the node has a kernel and a rule, both give the same. A refused
// sample is refused with the label of the requirement it breaks.
//
//===----------------------------------------------------------------------===//

#include "Sample.h"
#include "glow/Base/VisitKind.h"
#include "glow/Lowering/Rules.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include <cmath>

using namespace mlir;
using namespace glow;
using namespace glow::test;

static std::string roundTrip(ModuleOp module) {
  MLIRContext *context = module.getContext();
  std::string text, again, bytes;
  llvm::raw_string_ostream(text) << module;
  OwningOpRef<ModuleOp> parsed = parseSourceString<ModuleOp>(text, context);
  if (!parsed)
    return "does not parse: " + text;
  llvm::raw_string_ostream(again) << *parsed;
  if (text != again)
    return "prints another text than it parsed: " + again;
  llvm::raw_string_ostream os(bytes);
  if (mlir::failed(writeBytecodeToFile(module, os)))
    return "does not go into bytecode";
  parsed = parseSourceString<ModuleOp>(bytes, context);
  again.clear();
  llvm::raw_string_ostream(again) << *parsed;
  return text == again ? "" : "comes back from bytecode as " + again;
}

/// Applies the node's rule, if it has one that matches.
static bool lowerOnce(Operation *op) {
  RewritePatternSet patterns(op->getContext());
  for (const RuleInfo &rule : rulesFor(op->getName().getStringRef()))
    if (!*rule.backend)
      rule.add(patterns);
  FrozenRewritePatternSet frozen(std::move(patterns));
  PatternApplicator applicator(frozen);
  applicator.applyDefaultCostModel();
  PatternRewriter rewriter(op->getContext());
  rewriter.setInsertionPoint(op);
  return succeeded(applicator.matchAndRewrite(op, rewriter));
}

static std::string execute(SampleModule &sample,
                           std::vector<NamedTensor> &results) {
  Executable executable;
  if (std::string why = executable.compile(*sample); !why.empty())
    return why;
  return executable.run(
      [&](const std::string &name) {
        unsigned index = std::stoul(name.substr(1));
        return randomTensor(sample.operands[index], index + 1);
      },
      results);
}

static std::string compare(const glow::Tensor &a, const glow::Tensor &b) {
  std::string why;
  visitKind(a.type().kind, [&](auto identity) {
    using T = typename decltype(identity)::type;
    const T *x = static_cast<const T *>(a.data());
    const T *y = static_cast<const T *>(b.data());
    for (int64_t i = 0; i < a.type().elements(); ++i) {
      double difference = std::abs(double(x[i]) - double(y[i]));
      if (!(difference <= 1e-5 * std::max(1.0, std::abs(double(x[i])))) &&
          !(std::isnan(double(x[i])) && std::isnan(double(y[i]))))
        why = "its kernel gives " + std::to_string(double(x[i])) +
              ", its rule " + std::to_string(double(y[i]));
    }
  });
  return why;
}

std::string glow::test::checkSample(MLIRContext &context,
                                    const SampleInfo &sample) {
  std::string said;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    said += diagnostic.str() + "\n";
    return success();
  });
  SampleModule module(context, sample);
  if (*sample.refuses) {
    if (module.node)
      return "is accepted";
    return StringRef(said).contains("[" + std::string(sample.refuses) + "]")
               ? ""
               : "is refused for another reason: " + said;
  }
  if (!module.node)
    return "is refused: " + said;
  module.saveResults();
  if (mlir::failed(verify(*module)))
    return "does not verify: " + said;
  if (std::string why = roundTrip(*module); !why.empty())
    return why;
  SampleModule lowered(context, sample);
  lowered.saveResults();
  bool hasRule = lowerOnce(lowered.node);
  std::vector<NamedTensor> first, second;
  std::string why = execute(module, first);
  if (why.empty() && hasRule)
    why = execute(lowered, second);
  if (why.empty())
    for (auto [x, y] : llvm::zip(first, second))
      if (why = compare(x.tensor, y.tensor); !why.empty())
        break;
  return why.empty() ? "" : why + " " + said;
}
