//===- SamplesTest.cpp - every sample of every record ---------------------===//
//
// What is generated of a node is held to what its record says: a sample builds,
// verifies, survives text and bytecode, walks every room and runs; where the
// node has a kernel and a rule, both give the same. A refused sample is refused
// with the label of the requirement it breaks.
//
//===----------------------------------------------------------------------===//

#include "glow/Backend/Backend.h"
#include "glow/Base/VisitKind.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Structure.h"
#include "glow/Lowering/Rules.h"
#include "glow/Pipeline/Pipeline.h"
#include "glow/Runtime/Host.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <random>

namespace glow {
struct SampleInfo {
  const char *node, *label, *refuses;
  std::vector<const char *> operands;
  mlir::Operation *(*build)(mlir::OpBuilder &, mlir::Location,
                            mlir::ValueRange);
};
} // namespace glow

#include "glow/Generated/GlowSamples.cpp.inc"

using namespace mlir;
using namespace glow;

namespace {

/// "f32[2,3] in 0.5..2".
struct OperandText {
  RankedTensorType type;
  double low = -2, high = 2;
};

OperandText readOperand(MLIRContext *context, StringRef text) {
  OperandText result;
  auto [type, range] = text.split(" in ");
  auto [kind, sizes] = type.trim().split('[');
  Ints shape;
  SmallVector<StringRef> parts;
  sizes.rtrim(']').split(parts, ',', -1, false);
  for (StringRef part : parts)
    shape.push_back(std::stoll(part.trim().str()));
  result.type = RankedTensorType::get(shape, kindNamed(context, kind));
  if (!range.empty()) {
    auto [low, high] = range.split("..");
    result.low = std::stod(low.trim().str());
    result.high = std::stod(high.trim().str());
  }
  return result;
}

/// Random values in the sample's range, as the bytes of a tensor.
glow::Tensor randomTensor(const OperandText &operand, unsigned seed) {
  glow::TensorType type{*kindOf(operand.type.getElementType()),
                        Ints(operand.type.getShape())};
  glow::Tensor tensor = glow::Tensor::zeros(type).take();
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> distribution(operand.low,
                                                      operand.high);
  visitKind(type.kind, [&](auto identity) {
    using T = typename decltype(identity)::type;
    T *data = static_cast<T *>(tensor.data());
    for (int64_t i = 0; i < type.elements(); ++i) {
      double value = distribution(generator);
      if constexpr (std::is_same_v<T, bool>)
        data[i] = value > 0;
      else if constexpr (std::is_integral_v<T>)
        data[i] = T(int64_t(
            std::floor(std::is_unsigned_v<T> ? std::abs(value) : value)));
      else
        data[i] = T(float(value));
    }
  });
  return tensor;
}

class SampleTest {
public:
  SampleTest(MLIRContext &context, const SampleInfo &sample)
      : context(context), sample(sample) {}

  /// Empty when all is well.
  std::string run() {
    std::string said;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      said += diagnostic.str() + "\n";
      return success();
    });
    OwningOpRef<ModuleOp> module = build();
    if (*sample.refuses) {
      if (node)
        return "is accepted";
      return StringRef(said).contains("[" + std::string(sample.refuses) + "]")
                 ? ""
                 : "is refused for another reason: " + said;
    }
    if (!node)
      return "is refused: " + said;
    if (mlir::failed(verify(*module)))
      return "does not verify: " + said;
    if (std::string why = roundTrip(*module); !why.empty())
      return why;
    OwningOpRef<ModuleOp> lowered = build();
    bool hasRule = lowerOnce(node);
    std::vector<glow::Tensor> first, second;
    std::string why = execute(*module, first);
    if (why.empty() && hasRule) {
      why = execute(*lowered, second);
      if (why.empty())
        why = compare(first, second);
    }
    return why.empty() ? "" : why + " " + said;
  }

private:
  OwningOpRef<ModuleOp> build() {
    Location location = UnknownLoc::get(&context);
    OwningOpRef<ModuleOp> module = ModuleOp::create(location);
    OpBuilder storage(module->getBodyRegion());
    auto function =
        FuncOp::create(storage, location, storage.getStringAttr("main"));
    if (function.getBody().empty())
      function.getBody().emplaceBlock();
    OpBuilder builder(function.getBody());
    storage.setInsertionPoint(function);
    operands.clear();
    SmallVector<Value> values;
    for (auto [i, text] : llvm::enumerate(sample.operands)) {
      operands.push_back(readOperand(&context, text));
      auto name = storage.getStringAttr("x" + std::to_string(i));
      PlaceholderOp::create(storage, location, name,
                            TypeAttr::get(operands.back().type),
                            storage.getStringAttr("input"), ArrayAttr());
      values.push_back(ReadOp::create(builder, location, operands.back().type,
                                      FlatSymbolRefAttr::get(name)));
    }
    node = sample.build(builder, location, values);
    if (!node)
      return module;
    for (auto [i, result] : llvm::enumerate(node->getResults())) {
      auto name = storage.getStringAttr("y" + std::to_string(i));
      PlaceholderOp::create(storage, location, name,
                            TypeAttr::get(result.getType()),
                            storage.getStringAttr("output"), ArrayAttr());
      SaveOp::create(builder, location, result, FlatSymbolRefAttr::get(name));
    }
    return module;
  }

  std::string roundTrip(ModuleOp module) {
    std::string text, again, bytes;
    llvm::raw_string_ostream(text) << module;
    OwningOpRef<ModuleOp> parsed = parseSourceString<ModuleOp>(text, &context);
    if (!parsed)
      return "does not parse: " + text;
    llvm::raw_string_ostream(again) << *parsed;
    if (text != again)
      return "prints another text than it parsed: " + again;
    llvm::raw_string_ostream os(bytes);
    if (mlir::failed(writeBytecodeToFile(module, os)))
      return "does not go into bytecode";
    parsed = parseSourceString<ModuleOp>(bytes, &context);
    again.clear();
    llvm::raw_string_ostream(again) << *parsed;
    return text == again ? "" : "comes back from bytecode as " + again;
  }

  /// Applies the node's rule, if it has one that matches.
  bool lowerOnce(Operation *op) {
    RewritePatternSet patterns(&context);
    for (const RuleInfo &rule : rulesFor(sample.node))
      if (!*rule.backend)
        rule.add(patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    PatternApplicator applicator(frozen);
    applicator.applyDefaultCostModel();
    PatternRewriter rewriter(&context);
    rewriter.setInsertionPoint(op);
    return succeeded(applicator.matchAndRewrite(op, rewriter));
  }

  std::string execute(ModuleOp module, std::vector<glow::Tensor> &results) {
    PassManager passes(&context);
    addRooms(passes, "interpreter", Room::Plan);
    if (mlir::failed(passes.run(module)))
      return "does not walk through the rooms:";
    auto program = findBackend("interpreter")
                       ->compile(*module.getOps<ir::FuncOp>().begin(), nullptr);
    if (mlir::failed(program))
      return "does not compile:";
    Host host;
    auto network = host.admit(*program);
    if (!network)
      return network.status().message();
    std::vector<NamedTensor> inputs, outputs;
    for (const Binding &binding : program->inputs) {
      unsigned index = std::stoul(binding.name.substr(1));
      inputs.push_back(
          {binding.name, randomTensor(operands[index], index + 1)});
    }
    glow::Status status = host.run(*network, inputs, outputs);
    if (!status.ok())
      return "does not run: " + status.message();
    for (NamedTensor &output : outputs)
      results.push_back(std::move(output.tensor));
    return "";
  }

  static std::string compare(const std::vector<glow::Tensor> &a,
                             const std::vector<glow::Tensor> &b) {
    for (auto [x, y] : llvm::zip(a, b))
      if (std::string why = compareOne(x, y); !why.empty())
        return why;
    return "";
  }

  static std::string compareOne(const glow::Tensor &a, const glow::Tensor &b) {
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

  MLIRContext &context;
  const SampleInfo &sample;
  std::vector<OperandText> operands;
  Operation *node = nullptr;
};

} // namespace

int main() {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  unsigned failures = 0;
  for (const SampleInfo &sample : sampleTable) {
    std::string why = SampleTest(context, sample).run();
    if (why.empty())
      continue;
    ++failures;
    llvm::errs() << sample.node << " sample '" << sample.label << "' " << why
                 << "\n";
  }
  llvm::outs() << sampleTable.size() - failures << " of " << sampleTable.size()
               << " samples hold\n";
  return failures ? 1 : 0;
}
