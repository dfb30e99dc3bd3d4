//===- NodeSamples.cpp - every sample of every node, in every kind --------===//
// SPDX-License-Identifier: MIT
//
// Samples are tested with all element kinds that their signatures allow. A
// sample must build, verify, survive text, bytecode and generic form, pass
// every phase and run; its loops must survive text. Its result must equal that
// of the widest kind on the same values. Every backend must agree, also at the
// limits of a kind, with each kernel within the bound of its record. A refused
// sample must be refused with the label of the requirement it breaks. Every
// rule must apply to some sample, and compute the same result as the node.
//
//===----------------------------------------------------------------------===//

#include "CaseMaker.h"
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
#include <limits>

using namespace mlir;
using namespace glow;

namespace {

/// The kind that replaces a variable in one run; empty for the sample's own
/// kinds.
struct Substitution {
  StringRef variable, kind;
};

class NodeTest {
public:
  NodeTest(MLIRContext &context, const SampleInfo &sample)
      : context(context), sample(sample) {}

  /// Runs on the reference. Empty when the test passes.
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
    if (std::string why = loopFault(*direct.module); !why.empty())
      return why;
    std::vector<glow::Tensor> results;
    if (std::string why = execute(direct, true, results); !why.empty())
      return why;
    return compareWidest(choice, results);
  }

  /// Runs on a backend and compares with the reference.
  CaseOutcome runOn(const std::string &backend, const CaseMaker &maker,
                    Substitution choice) {
    SampleModule direct = build(choice, choice);
    if (!direct.built)
      return {"is refused: " + direct.said};
    if (std::string why = maker.notTaken(*direct.module, backend); !why.empty())
      return {why, /*skipped=*/true};
    std::vector<glow::Tensor> results;
    std::string why = execute(direct, true, results);
    if (why.empty())
      why = compareBackend(backend, choice, results);
    if (why.empty())
      why = compareKernels(backend, choice, results);
    if (why.empty())
      why = compareEnds(backend, choice);
    return {why};
  }

  /// Runs the result of a rule, if the rule matches.
  std::string runBy(const RuleInfo &rule, Substitution choice, bool &matches) {
    SampleModule lowered = build(choice, choice);
    matches = lowered.built && apply(rule);
    if (!matches)
      return "";
    SampleModule direct = build(choice, choice);
    std::vector<glow::Tensor> results, other;
    std::string why = execute(direct, true, results);
    if (why.empty())
      why = execute(lowered, true, other);
    return why.empty() ? compare(sample.node, other, results) : why;
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

  /// The node in the kind of `choice`, on values of kind `values`.
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

  /// Every element of a result is compared.
  std::string compareBackend(const std::string &backend, Substitution choice,
                             const std::vector<glow::Tensor> &results) {
    SampleModule compiled = build(choice, choice);
    std::vector<glow::Tensor> other;
    std::string why = execute(compiled, true, other, backend);
    return why.empty() ? compare(sample.node, other, results) : why;
  }

  /// Runs without the backend's rewrites, so that the kernel of the record is
  /// tested.
  std::string compareKernels(const std::string &backend, Substitution choice,
                             const std::vector<glow::Tensor> &results) {
    if (!hasKernel(sample.node, backend))
      return "";
    SampleModule compiled = build(choice, choice);
    std::vector<glow::Tensor> other;
    std::string why = execute(compiled, false, other, backend);
    return why.empty() ? compareKernel(*compiled.module, backend,
                                       compiled.inputs, other, results)
                       : why;
  }

  /// Tests the limits of the kind. Elements of the first operand, and of
  /// operands of its type, are NaN, infinite, the least or the largest. The
  /// results must match the reference. Algorithms with fewer products spread
  /// non-finite values to further elements.
  std::string compareEnds(const std::string &backend, Substitution choice) {
    for (const End &end : endsOf(choice.kind)) {
      std::vector<glow::Tensor> expected, other;
      std::string why = runEnd(end, choice, referenceBackend(), expected);
      if (why.empty())
        why = runEnd(end, choice, backend, other);
      if (why.empty())
        why = compare(sample.node, other, expected);
      if (!why.empty())
        return std::string("with ") + end.name + " " + why;
    }
    return "";
  }

  struct End {
    const char *name;
    double value;
    bool isLast; ///< whether only the last element has it
  };
  static std::vector<End> endsOf(StringRef kind) {
    const double infinity = std::numeric_limits<double>::infinity();
    auto whole = [](auto least) {
      using Limits = std::numeric_limits<decltype(least)>;
      return std::vector<End>{
          {"the least everywhere", double(Limits::min()), false},
          {"the largest everywhere", double(Limits::max()), false},
          {"the least", double(Limits::min()), true}};
    };
    if (kind == "f32")
      return {{"a NaN", NAN, true},
              {"an infinity", infinity, true},
              {"a negative infinity", -infinity, true},
              {"infinities", infinity, false},
              {"negative infinities", -infinity, false}};
    if (kind == "i8")
      return whole(int8_t());
    if (kind == "u8")
      return whole(uint8_t());
    return kind == "i32" ? whole(int32_t()) : std::vector<End>();
  }

  std::string runEnd(const End &end, Substitution choice,
                     const std::string &backend,
                     std::vector<glow::Tensor> &results) {
    SampleModule compiled = build(choice, choice);
    for (auto [operand, input] : llvm::zip(sample.operands, compiled.inputs)) {
      bool isFree = !StringRef(operand.text).contains(" in ") ||
                    (std::isnan(end.value) && end.isLast);
      if (isFree && input.type() == compiled.inputs.front().type() &&
          name(input.type().kind) == std::string_view(choice.kind) &&
          input.type().elements())
        put(end, input);
    }
    Executable executable;
    CodeOptions options;
    options.math = Math::Strict;
    std::string why = executable.compile(*compiled.module, /*optimise=*/true,
                                         backend, options);
    return why.empty() ? executable.run(compiled.inputs, results) : why;
  }

  static void put(const End &end, glow::Tensor &tensor) {
    visitKind(tensor.type().kind, [&]<typename T>(std::type_identity<T>) {
      if constexpr (std::is_arithmetic_v<T>) {
        std::span<T> elements = tensor.elements<T>();
        std::fill(end.isLast ? elements.end() - 1 : elements.begin(),
                  elements.end(), T(end.value));
      }
    });
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

  /// Compares the results with those of the same values as f64, i64 or u64.
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

static std::string nameOf(const SampleInfo &sample, Substitution choice) {
  return " sample '" + std::string(sample.label) + "' as " +
         (choice.kind.empty() ? "written" : choice.kind.str());
}

/// A rule must apply to some sample of its node. For each sample that it
/// applies to, it must compute the same result as the node.
static std::string testRule(MLIRContext &context, const RuleInfo &rule) {
  bool applies = false;
  for (const SampleInfo &sample : allSamples()) {
    if (StringRef(sample.node) != rule.node || *sample.refuses)
      continue;
    for (Substitution choice : choicesOf(sample)) {
      bool matches = false;
      std::string why = NodeTest(context, sample).runBy(rule, choice, matches);
      applies |= matches;
      if (!why.empty())
        return "on" + nameOf(sample, choice) + " " + why;
    }
  }
  return applies ? "" : "applies to no sample";
}

static void addSample(const std::shared_ptr<CaseMaker> &maker,
                      const SampleInfo &sample, Substitution choice) {
  std::string name =
      " sample '" + std::string(sample.label) + "' as " + choice.kind.str();
  if (maker->isChosen(sample.node))
    maker->add(CaseKind::Node, sample.node, name, placeOf(sample.node),
               [&sample, choice](MLIRContext &context) {
                 return CaseOutcome{NodeTest(context, sample).run(choice)};
               });
  if (*sample.refuses || isOfBackend(sample.node))
    return;
  for (const std::string &backend : maker->backendsFor(sample.node))
    maker->add(
        CaseKind::Backend, sample.node, name + " on backend '" + backend + "'",
        placeOf(sample.node),
        [maker, &sample, choice, backend](MLIRContext &context) {
          return NodeTest(context, sample).runOn(backend, *maker, choice);
        });
}

void glow::addNodeCases(const std::shared_ptr<CaseMaker> &maker) {
  for (const SampleInfo &sample : allSamples())
    for (Substitution choice : choicesOf(sample))
      addSample(maker, sample, choice);
  const CaseChoice &choice = maker->choice;
  for (const NodeInfo &node : allNodes())
    for (const RuleInfo &rule : rulesFor(node.name))
      if (!choice.known.rules.contains(rule.name) &&
          (choice.nodes.empty() || choice.nodes.contains(node.name)))
        maker->add(CaseKind::Node, node.name,
                   " by rule '" + Twine(rule.name) + "'", rule.place,
                   [rule](MLIRContext &context) {
                     return CaseOutcome{testRule(context, rule)};
                   });
}
