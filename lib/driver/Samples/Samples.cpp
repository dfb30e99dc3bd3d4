//===- Samples.cpp - runs and checks of samples ---------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Samples/Samples.h"
#include "glow/Backend/Backend.h"
#include "glow/Base/VisitKind.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Shape.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Structure.h"
#include "glow/IRGen/IRGen.h"
#include "glow/Lowering/Passes.h"
#include "glow/Memory/Passes.h"
#include "glow/Pipeline/Pipeline.h"
#include "glow/Program/BackendRecord.h"
#include "glow/Program/Size.h"
#include "glow/Runtime/Host.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include <cmath>

using namespace mlir;
using namespace glow;

OperandText glow::readOperand(MLIRContext *context, StringRef text,
                              StringRef kind) {
  OperandText result;
  result.constant = text.trim().consume_back("constant");
  if (result.constant)
    text = text.trim().drop_back(8);
  auto [type, range] = text.split(" in ");
  auto [written, sizes] = type.trim().split('[');
  Ints shape;
  SmallVector<StringRef> parts;
  sizes.trim().rtrim(']').split(parts, ',', -1, false);
  for (StringRef part : parts)
    shape.push_back(std::stoll(part.trim().str()));
  result.type = RankedTensorType::get(
      shape, kindNamed(context, kind.empty() ? written : kind));
  if (!range.empty()) {
    auto [low, high] = range.split("..");
    result.low = std::stod(low.trim().str());
    result.high = std::stod(high.trim().str());
  }
  return result;
}

/// The number rounded to a value that the kind can hold.
template <typename T> static double held(double value) {
  if constexpr (std::is_same_v<T, bool>)
    return value > 0;
  else if constexpr (std::is_integral_v<T>)
    return std::floor(std::is_unsigned_v<T> ? std::abs(value) : value);
  else
    return double(T(float(value)));
}

glow::Tensor glow::randomTensor(const OperandText &operand, ElementKind through,
                                unsigned seed) {
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
      visitKind(through, [&](auto narrow) {
        value = held<typename decltype(narrow)::type>(value);
      });
      if constexpr (std::is_integral_v<T>)
        data[i] = T(int64_t(held<T>(value)));
      else if constexpr (std::is_same_v<T, double>)
        data[i] = value;
      else
        data[i] = T(float(value));
    }
  });
  return tensor;
}

static Value readStorage(OpBuilder &storage, OpBuilder &builder,
                         const OperandText &operand, StringRef name,
                         const glow::Tensor &tensor) {
  Location location = builder.getUnknownLoc();
  auto symbol = storage.getStringAttr(name);
  if (operand.constant) {
    const char *data = static_cast<const char *>(tensor.data());
    auto bytes =
        std::make_shared<std::vector<char>>(data, data + tensor.type().bytes());
    ConstantOp::create(storage, location, name,
                       elementsOf(operand.type,
                                  {{bytes->data(), bytes->size()}, bytes},
                                  name));
  } else {
    PlaceholderOp::create(storage, location, symbol, operand.type,
                          PlaceholderRole::Input);
  }
  return ReadOp::create(builder, location, operand.type,
                        FlatSymbolRefAttr::get(symbol));
}

/// The folder of a record, from its location as "cpu/Cpu.td:12".
static StringRef folderOf(StringRef place) { return place.split('/').first; }

std::string glow::placeOf(StringRef node) {
  const NodeInfo *info = findNode(node);
  return info ? info->place : "";
}

bool glow::isOfBackend(StringRef node, StringRef backend) {
  const NodeInfo *info = findNode(node); // null for what is no node
  // A plug-in may have nodes of models as well as its backend.
  return info && node.split('.').second.starts_with((backend + "_").str()) &&
         folderOf(info->place) == folderOf(findBackendInfo(backend)->place);
}

bool glow::isOfBackend(StringRef node) {
  return llvm::any_of(allBackends(), [&](const BackendInfo &backend) {
    return isOfBackend(node, backend.name);
  });
}

std::vector<std::string> glow::computingBackends() {
  std::vector<std::string> names;
  for (const BackendInfo &backend : allBackends())
    if (backend.computes && backend.name != referenceBackend() &&
        findBackend(backend.name))
      names.push_back(backend.name);
  return names;
}

SampleModule glow::buildModule(MLIRContext &context,
                               ArrayRef<OperandText> operands,
                               ArrayRef<ElementKind> through,
                               BuildResults build) {
  SampleModule sample;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    sample.said += diagnostic.str() + "\n";
    return success();
  });
  Location location = UnknownLoc::get(&context);
  sample.module = ModuleOp::create(location);
  OpBuilder storage(sample.module->getBodyRegion());
  auto function =
      FuncOp::create(storage, location, storage.getStringAttr("main"));
  OpBuilder builder(function.getBody());
  storage.setInsertionPoint(function);
  SmallVector<Value> values, results;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    glow::Tensor tensor = randomTensor(operand, through[i], i + 1);
    values.push_back(readStorage(storage, builder, operand,
                                 "x" + std::to_string(i), tensor));
    sample.inputs.push_back(std::move(tensor));
  }
  SizeDecisions decisions;
  sample.built = build(builder, values, results);
  addConditions(*sample.module, decisions.conditions());
  if (!sample.built)
    return sample;
  for (auto [i, result] : llvm::enumerate(results)) {
    auto name = storage.getStringAttr("y" + std::to_string(i));
    PlaceholderOp::create(storage, location, name, result.getType(),
                          PlaceholderRole::Output);
    SaveOp::create(builder, location, result, FlatSymbolRefAttr::get(name));
  }
  return sample;
}

std::vector<OperandText> glow::operandsOf(MLIRContext &context,
                                          const SampleInfo &sample) {
  std::vector<OperandText> operands;
  for (const SampleOperand &operand : sample.operands)
    operands.push_back(readOperand(&context, operand.text, ""));
  return operands;
}

SampleModule glow::buildSample(
    MLIRContext &context, const SampleInfo &sample,
    ArrayRef<OperandText> operands,
    llvm::function_ref<void(OpBuilder &, Operation *, SmallVectorImpl<Value> &)>
        results) {
  SmallVector<ElementKind> through;
  for (const OperandText &operand : operands)
    through.push_back(*kindOf(operand.type.getElementType()));
  auto kind = [&](const char *, const char *written) {
    return kindNamed(&context, written);
  };
  return buildModule(
      context, operands, through,
      [&](OpBuilder &builder, ValueRange values, SmallVectorImpl<Value> &list) {
        Operation *node =
            sample.build(builder, builder.getUnknownLoc(), values, kind);
        if (node && results)
          results(builder, node, list);
        else if (node)
          llvm::append_range(list, node->getResults());
        return node && !list.empty();
      });
}

void glow::addNeededPhases(PassManager &passes, StringRef backend) {
  LowerForBackendOptions lower;
  lower.backend = backend.str();
  passes.addPass(createLowerForBackend(lower));
  passes.addPass(createGenerateInstrs());
  passes.nest<ir::FuncOp>().addPass(ir::createPlaceBuffers());
}

std::string Executable::compile(ModuleOp module, bool optimise,
                                StringRef backend, const CodeOptions &options) {
  std::string said;
  MLIRContext *context = module.getContext();
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    said += diagnostic.str() + " ";
    return success();
  });
  std::string name = backend.empty() ? referenceBackend() : backend.str();
  PassManager passes(context);
  if (optimise)
    addPhases(passes, name, Phase::Plan, {}, /*alone=*/true);
  else
    addNeededPhases(passes, name);
  SizeDecisions decisions;
  if (mlir::failed(passes.run(module)))
    return "does not walk through the phases: " + said;
  auto made = findBackend(name)->compile(*module.getOps<ir::FuncOp>().begin(),
                                         nullptr, options);
  if (mlir::failed(made))
    return "does not compile: " + said;
  addConditions(module, decisions.conditions());
  made->conditions = conditionsOf(module);
  program = std::move(*made);
  auto loaded = host.load(program);
  if (!loaded)
    return loaded.status().message();
  network = *loaded;
  return "";
}

std::string Executable::run(ArrayRef<glow::Tensor> values,
                            std::vector<glow::Tensor> &results) {
  std::vector<NamedTensor> inputs;
  for (const Binding &binding : program.inputs)
    inputs.push_back(
        {binding.name,
         glow::Tensor::copyOf(values[std::stoul(binding.name.substr(1))].view())
             .take()});
  return run(inputs, results);
}

std::string Executable::run(ArrayRef<NamedTensor> inputs,
                            std::vector<glow::Tensor> &results) {
  std::vector<NamedTensor> outputs;
  glow::Status status = host.run(network, inputs, outputs);
  if (!status.ok())
    return "does not run: " + status.message();
  for (NamedTensor &output : outputs)
    results.push_back(std::move(output.tensor));
  return "";
}

std::string glow::execute(SampleModule &sample, bool optimise,
                          std::vector<glow::Tensor> &results,
                          StringRef backend) {
  Executable executable;
  std::string why = executable.compile(*sample.module, optimise, backend);
  return why.empty() ? executable.run(sample.inputs, results) : why;
}

template <typename A, typename E>
static bool agree(A actual, E expected, double tolerance) {
  if constexpr (std::is_integral_v<A> && std::is_integral_v<E>) {
    // A narrow integer wraps around where a wide one does not.
    if (tolerance == 0)
      return actual == A(expected);
  }
  double a = double(actual), e = double(expected);
  if (std::isnan(a) || std::isnan(e))
    return std::isnan(a) == std::isnan(e);
  return a == e || std::abs(a - e) <= tolerance * std::max(1.0, std::abs(e));
}

static std::string compareOne(StringRef node, const glow::Tensor &actual,
                              const glow::Tensor &expected, int roundings) {
  std::string why;
  if (actual.type().shape != expected.type().shape)
    return "has another shape";
  double tolerance = roundings * toleranceOf(node, actual.type().kind);
  visitKind(actual.type().kind, [&](auto first) {
    visitKind(expected.type().kind, [&](auto second) {
      using A = typename decltype(first)::type;
      using E = typename decltype(second)::type;
      const A *a = static_cast<const A *>(actual.data());
      const E *e = static_cast<const E *>(expected.data());
      for (int64_t i = 0; i < actual.type().elements(); ++i)
        if (!agree(a[i], e[i], tolerance))
          why = "gives " + std::to_string(double(a[i])) + ", not " +
                std::to_string(double(e[i]));
    });
  });
  return why;
}

std::string glow::compare(StringRef node,
                          const std::vector<glow::Tensor> &actual,
                          const std::vector<glow::Tensor> &expected,
                          int roundings) {
  if (actual.size() != expected.size())
    return "has another number of results";
  for (auto [a, e] : llvm::zip(actual, expected))
    if (std::string why = compareOne(node, a, e, roundings); !why.empty())
      return why;
  return "";
}

std::string glow::roundTrip(ModuleOp module) {
  MLIRContext *context = module.getContext();
  auto print = [](ModuleOp module, OpPrintingFlags flags) {
    std::string text;
    llvm::raw_string_ostream os(text);
    module.print(os, flags);
    return text;
  };
  auto bytecode = [](ModuleOp module) {
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    return mlir::failed(writeBytecodeToFile(module, os)) ? "" : bytes;
  };
  std::string text = print(module, OpPrintingFlags());
  std::pair<const char *, std::string> forms[] = {
      {"text", text},
      {"bytecode", bytecode(module)},
      // Only the locations have names.
      {"generic form",
       print(module,
             OpPrintingFlags().printGenericOpForm().enableDebugInfo())}};
  for (const auto &[form, written] : forms) {
    OwningOpRef<ModuleOp> parsed =
        parseSourceString<ModuleOp>(written, context);
    if (!parsed)
      return std::string("does not parse from ") + form + ": " + text;
    std::string again = print(*parsed, OpPrintingFlags());
    if (text != again)
      return std::string("comes back from ") + form + " as " + again;
  }
  return "";
}
