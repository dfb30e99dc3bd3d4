//===- Sample.cpp - samples of records as modules that run ----------------===//

#include "Sample.h"
#include "glow/Backend/Backend.h"
#include "glow/Base/VisitKind.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Structure.h"
#include "glow/Pipeline/Pipeline.h"
#include <cmath>
#include <random>

using namespace mlir;
using namespace glow;
using namespace glow::test;

static OperandText readOperand(MLIRContext *context, StringRef text,
                               StringRef floats) {
  OperandText result;
  auto [type, range] = text.split(" in ");
  auto [kind, sizes] = type.trim().split('[');
  Ints shape;
  SmallVector<StringRef> parts;
  sizes.rtrim(']').split(parts, ',', -1, false);
  for (StringRef part : parts)
    shape.push_back(std::stoll(part.trim().str()));
  mlir::Type element = kindNamed(context, kind);
  if (!floats.empty() && expr::isFloat(element))
    element = kindNamed(context, floats);
  result.type = RankedTensorType::get(shape, element);
  if (!range.empty()) {
    auto [low, high] = range.split("..");
    result.low = std::stod(low.trim().str());
    result.high = std::stod(high.trim().str());
  }
  return result;
}

glow::Tensor glow::test::randomTensor(const OperandText &operand,
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

SampleModule::SampleModule(MLIRContext &context, const SampleInfo &sample,
                           StringRef floats)
    : builder(&context) {
  Location location = UnknownLoc::get(&context);
  module = ModuleOp::create(location);
  builder.setInsertionPointToEnd(module->getBody());
  function = FuncOp::create(builder, location, builder.getStringAttr("main"));
  if (function.getBody().empty())
    function.getBody().emplaceBlock();
  builder.setInsertionPointToEnd(&function.getBody().front());
  SmallVector<Value> values;
  for (auto [i, text] : llvm::enumerate(sample.operands)) {
    operands.push_back(readOperand(&context, text, floats));
    values.push_back(input("x" + Twine(i), operands.back().type));
  }
  node = sample.build(builder, location, values);
}

void SampleModule::place(const Twine &name, mlir::Type type, StringRef role) {
  OpBuilder storage(function);
  PlaceholderOp::create(storage, function.getLoc(), storage.getStringAttr(name),
                        TypeAttr::get(type), storage.getStringAttr(role),
                        ArrayAttr());
}

Value SampleModule::input(const Twine &name, mlir::Type type) {
  place(name, type, "input");
  return ReadOp::create(builder, function.getLoc(), type,
                        FlatSymbolRefAttr::get(builder.getStringAttr(name)));
}

void SampleModule::output(const Twine &name, Value value) {
  place(name, value.getType(), "output");
  SaveOp::create(builder, function.getLoc(), value,
                 FlatSymbolRefAttr::get(builder.getStringAttr(name)));
}

void SampleModule::saveResults() {
  for (auto [i, result] : llvm::enumerate(node->getResults()))
    output("y" + Twine(i), result);
}

std::string Executable::compile(ModuleOp module) {
  PassManager passes(module.getContext());
  addRooms(passes, "interpreter", Room::Plan);
  if (mlir::failed(passes.run(module)))
    return "does not walk through the rooms:";
  auto made = findBackend("interpreter")
                  ->compile(*module.getOps<ir::FuncOp>().begin(), nullptr);
  if (mlir::failed(made))
    return "does not compile:";
  program = std::move(*made);
  auto admitted = host.admit(program);
  if (!admitted)
    return admitted.status().message();
  network = *admitted;
  return "";
}

std::string
Executable::run(const std::function<glow::Tensor(const std::string &)> &input,
                std::vector<NamedTensor> &outputs) {
  std::vector<NamedTensor> inputs;
  for (const Binding &binding : program.inputs)
    inputs.push_back({binding.name, input(binding.name)});
  glow::Status status = host.run(network, inputs, outputs);
  return status.ok() ? "" : "does not run: " + status.message();
}
