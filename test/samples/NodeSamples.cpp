//===- NodeSamples.cpp - every sample of every node, in every kind --------===//
//
// A sample builds, verifies, survives text, bytecode and generic form, walks
// every room and runs, for each element kind that the signature allows; its
// result is that of the widest kind of the same values; where the node has a
// kernel and rules, all give the same, and so does every backend, also where
// there is a NaN, each of its kernels within the bound of its record. A refused
// sample is refused with the label of the requirement it breaks. Every rule
// applies to some sample.
//
//===----------------------------------------------------------------------===//

#include "Samples.h"
#include "glow/Backend/Backend.h"
#include "glow/Base/VisitKind.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Storage.h"
#include "glow/Lowering/Rules.h"
#include "glow/Program/BackendRecord.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>

using namespace mlir;
using namespace glow;

namespace {

/// The kind that stands for a variable in one run; empty for what is written.
struct Substitution {
  StringRef variable, kind;
};

class NodeTest {
public:
  NodeTest(MLIRContext &context, const SampleInfo &sample,
           llvm::StringSet<> &applied)
      : context(context), sample(sample), applied(applied) {}

  /// Empty when all is well.
  std::string run(Substitution choice) {
    SampleModule direct = build(choice, choice);
    if (*sample.refuses)
      return refusal(direct);
    if (!direct.built)
      return "is refused: " + direct.said;
    if (mlir::failed(verify(*direct.module)))
      return "does not verify";
    if (std::string why = roundTrip(*direct.module); !why.empty())
      return why;
    std::vector<glow::Tensor> results;
    if (std::string why = execute(direct, true, results); !why.empty())
      return why;
    if (std::string why = compareRules(choice, results); !why.empty())
      return why;
    if (std::string why = compareBackends(choice, results); !why.empty())
      return why;
    if (std::string why = compareKernels(choice, results); !why.empty())
      return why;
    if (std::string why = compareNotNumbers(choice); !why.empty())
      return "with a NaN " + why;
    return compareWidest(choice, results);
  }

private:
  std::string refusal(const SampleModule &direct) {
    if (direct.built)
      return "is accepted";
    std::string label = "[" + std::string(sample.refuses) + "]";
    return StringRef(direct.said).contains(label)
               ? ""
               : "is refused for another reason: " + direct.said;
  }

  /// The node in the kind of `choice`, on values that are of kind `values`.
  SampleModule build(Substitution choice, Substitution values) {
    SmallVector<OperandText> operands;
    SmallVector<ElementKind> through;
    for (const SampleOperand &operand : sample.operands) {
      auto kindIn = [&](Substitution in) {
        return readOperand(&context, operand.text,
                           in.variable == operand.variable ? in.kind : "");
      };
      operands.push_back(kindIn(choice));
      through.push_back(*kindOf(kindIn(values).type.getElementType()));
    }
    auto kind = [&](const char *variable, const char *written) {
      return kindNamed(&context,
                       choice.variable == variable ? choice.kind : written);
    };
    return buildModule(context, operands, through,
                       [&](OpBuilder &builder, ValueRange values,
                           SmallVectorImpl<Value> &results) {
                         node = sample.build(builder, builder.getUnknownLoc(),
                                             values, kind);
                         if (node)
                           llvm::append_range(results, node->getResults());
                         return bool(node);
                       });
  }

  /// Every element of a result is one that the model sees, unless the node is
  /// the backend's own.
  std::string compareBackends(Substitution choice,
                              const std::vector<glow::Tensor> &results) {
    if (isOfBackend(sample.node))
      return "";
    for (const std::string &backend : computingBackends()) {
      SampleModule compiled = build(choice, choice);
      std::vector<glow::Tensor> other;
      std::string why = execute(compiled, true, other, backend);
      if (why.empty())
        why = compare(sample.node, other, results);
      if (!why.empty())
        return "on backend '" + backend + "' " + why;
    }
    return "";
  }

  /// Without the rewrites of the backend, so that the kernel of the record is
  /// what runs.
  std::string compareKernels(Substitution choice,
                             const std::vector<glow::Tensor> &results) {
    for (const std::string &backend : computingBackends()) {
      if (isOfBackend(sample.node) || !hasKernel(sample.node, backend))
        continue;
      SampleModule compiled = build(choice, choice);
      std::vector<glow::Tensor> other;
      std::string why = execute(compiled, false, other, backend);
      if (why.empty())
        why = compareKernel(*compiled.module, backend, compiled.inputs, other,
                            results);
      if (!why.empty())
        return "on backend '" + backend + "' " + why;
    }
    return "";
  }

  /// Where the last element of the first operand is NaN, and of those of its
  /// type, the same elements of the results are. Algorithms with fewer products
  /// spread it to more.
  std::string compareNotNumbers(Substitution choice) {
    if (isOfBackend(sample.node) || choice.kind != "f32")
      return "";
    std::vector<glow::Tensor> expected;
    std::string why = runNotNumbers(choice, referenceBackend(), expected);
    for (const std::string &backend : computingBackends()) {
      std::vector<glow::Tensor> other;
      if (why.empty())
        why = runNotNumbers(choice, backend, other);
      if (why.empty())
        why = compare(sample.node, other, expected);
      if (!why.empty())
        return "on backend '" + backend + "' " + why;
    }
    return "";
  }

  std::string runNotNumbers(Substitution choice, const std::string &backend,
                            std::vector<glow::Tensor> &results) {
    SampleModule compiled = build(choice, choice);
    for (glow::Tensor &input : compiled.inputs)
      if (input.type() == compiled.inputs.front().type() &&
          input.type().kind == ElementKind::F32 && input.type().elements())
        input.elements<float>().back() = NAN;
    Executable executable;
    CodeOptions options;
    options.math = Math::Strict;
    std::string why = executable.compile(*compiled.module, /*optimise=*/true,
                                         backend, options);
    return why.empty() ? executable.run(compiled.inputs, results) : why;
  }

  /// Applies each rule of the node that matches, and runs what it gives.
  std::string compareRules(Substitution choice,
                           const std::vector<glow::Tensor> &results) {
    for (const RuleInfo &rule : rulesFor(sample.node)) {
      SampleModule lowered = build(choice, choice);
      if (!apply(rule))
        continue;
      applied.insert(rule.name);
      std::vector<glow::Tensor> other;
      std::string why = execute(lowered, true, other);
      if (why.empty())
        why = compare(sample.node, other, results);
      if (!why.empty())
        return "by rule '" + std::string(rule.name) + "' " + why;
    }
    return "";
  }

  bool apply(const RuleInfo &rule) {
    RewritePatternSet patterns(&context);
    rule.add(patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    PatternApplicator applicator(frozen);
    applicator.applyDefaultCostModel();
    PatternRewriter rewriter(&context);
    rewriter.setInsertionPoint(node);
    return succeeded(applicator.matchAndRewrite(node, rewriter));
  }

  /// Holds the results to those of the same values as f64, i64 or u64.
  std::string compareWidest(Substitution choice,
                            const std::vector<glow::Tensor> &results) {
    auto kind = elementKindNamed(std::string_view(choice.kind));
    if (!kind || !follows(choice.variable))
      return "";
    StringRef widest = glow::isFloat(*kind)    ? "f64"
                       : choice.kind[0] == 'i' ? "i64"
                       : choice.kind[0] == 'u' ? "u64"
                                               : "";
    if (widest.empty() || widest == choice.kind ||
        !allows(choice.variable, widest))
      return "";
    SampleModule reference = build({choice.variable, widest}, choice);
    std::vector<glow::Tensor> wide;
    std::string why = reference.built ? execute(reference, true, wide)
                                      : "is refused: " + reference.said;
    if (why.empty())
      why = compare(sample.node, results, wide);
    return why.empty() ? "" : "beside " + widest.str() + " " + why;
  }

  bool follows(StringRef variable) {
    return llvm::any_of(sample.operands, [&](const SampleOperand &operand) {
      return variable == operand.variable;
    });
  }
  bool allows(StringRef variable, StringRef kind) {
    for (const KindVariable &known : sample.variables)
      if (variable == known.name)
        return llvm::is_contained(known.kinds, kind);
    return false;
  }

  MLIRContext &context;
  const SampleInfo &sample;
  llvm::StringSet<> &applied;
  Operation *node = nullptr;
};

} // namespace

static std::vector<Substitution> choicesOf(const SampleInfo &sample) {
  if (*sample.refuses || sample.variables.empty())
    return {{}};
  std::vector<Substitution> choices;
  for (const KindVariable &variable : sample.variables)
    for (const char *kind : variable.kinds)
      choices.push_back({variable.name, kind});
  return choices;
}

unsigned glow::testNodes(MLIRContext &context, IsChosen isChosen,
                         unsigned &runs) {
  unsigned failures = 0;
  llvm::StringSet<> applied;
  for (const SampleInfo &sample : allSamples()) {
    if (!isChosen(sample.node))
      continue;
    for (Substitution choice : choicesOf(sample)) {
      ++runs;
      std::string why = NodeTest(context, sample, applied).run(choice);
      if (why.empty())
        continue;
      ++failures;
      llvm::errs() << sample.node << " sample '" << sample.label << "' as "
                   << choice.kind << " " << why << "\n";
    }
  }
  for (const NodeInfo &node : allNodes())
    for (const RuleInfo &rule : rulesFor(node.name))
      if (isChosen(node.name) && !applied.contains(rule.name)) {
        ++failures;
        llvm::errs() << "rule '" << rule.name << "' (" << rule.place
                     << ") applies to no sample\n";
      }
  return failures;
}
