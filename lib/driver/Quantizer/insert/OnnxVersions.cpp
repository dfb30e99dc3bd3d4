//===- OnnxVersions.cpp - a model of ONNX in integers ---------------------===//
// SPDX-License-Identifier: MIT

#include "Insert.h"
#include "Prepare.h"
#include "glow/Quantization/FitBlocks.h"
#include "model/Versions.h"
#include <algorithm>
#include <array>

using namespace glow;

namespace {

class OnnxVersions final : public ModelVersions {
public:
  Status open(const std::string &path, const Profile *profile,
              const QuantizeOptions &options, const QuantizationRun &how);

  Result<std::string> floats(const std::vector<std::string> &shown) override;
  Result<std::string> quantized(const LayerKinds &kinds,
                                const std::vector<std::string> &shown) override;
  Result<std::string> beside(const LayerKinds &kinds,
                             const std::vector<std::string> &shown,
                             std::vector<std::string> &copies) override;
  Result<std::string> file(const LayerKinds &kinds, ModelForm form,
                           const CompileRequest &request) override;
  Parameters parametersOf(const std::string &value, unsigned bits) override {
    return glow::parametersOf(source, value, bits);
  }
  Status fit(const std::map<std::string, Moments> &moments) override;

private:
  void raise();
  Status readConstants();
  void keepUsable();
  void report();
  bool isUsable(Layer &layer);
  bool isUsable(const std::string &value, const Layer &layer);
  bool isUsable(const Layer &layer, const Operand &operand);

  Source source;
  QuantizationRun run;
};

} // namespace

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// Whether a value is floats with a range for which a float scale is precise
/// enough.
bool OnnxVersions::isUsable(const std::string &value, const Layer &layer) {
  auto found = source.values.find(value);
  if (found == source.values.end() || found->second.kind != ElementKind::F32)
    return false;
  const ValueProfile &profile = found->second;
  const bool fits = hasScale(std::array{profile.low, profile.high});
  if (!fits)
    theRemarks.push_back("'" + layer.name + "' stays in floats: '" + value +
                         "' has elements beyond 1e30");
  return fits;
}

/// The same for a constant.
bool OnnxVersions::isUsable(const Layer &layer, const Operand &operand) {
  auto found = source.constants.find(operand.value);
  if (found == source.constants.end() ||
      found->second.type().kind != ElementKind::F32 ||
      found->second.type().elements() == 0)
    return false;
  const bool isFinite = hasScale(found->second.elements<float>());
  if (!isFinite)
    theRemarks.push_back("'" + layer.name +
                         "' stays in floats: its constant '" + operand.value +
                         "' has elements that are not finite");
  return isFinite;
}

bool OnnxVersions::isUsable(Layer &layer) {
  const QuantizeOptions &options = source.options;
  const Wish wish =
      options.wish ? options.wish(layer.name, layer.op) : Wish::None;
  layer.isAsked = wish == Wish::Integers;
  if (wish == Wish::Floats)
    return false;
  auto isFloat = [&](const Operand &operand) {
    return isUsable(layer, operand);
  };
  if (options.activationBits == 0)
    return layer.weights && isFloat(*layer.weights) &&
           (!layer.activations.empty() ||
            std::ranges::all_of(layer.others, isFloat));
  return std::ranges::all_of(layer.activations,
                             [&](const Operand &operand) {
                               return isUsable(operand.value, layer);
                             }) &&
         std::ranges::all_of(layer.others, isFloat) &&
         (!layer.weights || isFloat(*layer.weights)) &&
         (!layer.bias || isFloat(*layer.bias));
}

Status OnnxVersions::readConstants() {
  std::set<std::string> names;
  for (const Layer &layer : source.layers) {
    for (const Operand &operand : layer.others)
      names.insert(operand.value);
    if (layer.weights)
      names.insert(layer.weights->value);
    if (layer.bias)
      names.insert(layer.bias->value);
  }
  Result<std::map<std::string, Tensor>> constants =
      constantsOf(source.model, names, run);
  if (!constants)
    return constants.status();
  source.constants = constants.take();
  return Status();
}

void OnnxVersions::keepUsable() {
  std::erase_if(source.layers, [&](Layer &layer) { return !isUsable(layer); });
}

/// Adds remarks on values of a profile that are 0 in all runs.
static void remarkZeros(const Source &source,
                        std::vector<std::string> &remarks) {
  std::set<std::string> reported;
  for (const Layer &layer : source.layers)
    for (const Operand &operand : layer.activations) {
      auto found = source.values.find(operand.value);
      if (found != source.values.end() && isZero(found->second) &&
          reported.insert(operand.value).second)
        remarks.push_back(zeroRemark(operand.value, found->second));
    }
}

/// Raises the opset: integer operators exist from opset 10 on, axes of scales
/// from 13.
void OnnxVersions::raise() {
  constexpr int64_t least = 10, wanted = 13;
  const int64_t opset = source.model.opset("");
  if (opset == 0 || opset >= least || source.options.block)
    return;
  const std::string blocker = raiseOpset(source.model, least, wanted);
  if (!blocker.empty())
    theRemarks.push_back("the model stays in opset " + std::to_string(opset) +
                         ", since " + blocker +
                         " may mean something else in opset 10: other runtimes "
                         "may refuse the file");
}

Status OnnxVersions::open(const std::string &path, const Profile *profile,
                          const QuantizeOptions &options,
                          const QuantizationRun &how) {
  Result<ModelEdit> model = ModelEdit::read(path, how);
  if (!model)
    return model.status();
  if (profile && profile->model != model->hash.text())
    return failure(Code::InvalidArgument,
                   "the profile is of a model with hash ", profile->model,
                   ", but ", path, " has hash ", model->hash.text());
  source.model = model.take(), source.options = options, run = how;
  theOptions = options;
  source.model.tidy();
  raise();
  source.layers = layersOf(source.model);
  if (profile)
    source.values = profile->values;
  if (Status status = readConstants(); !status.ok())
    return status;
  if (profile)
    if (Status status = foldAffine(source, run); !status.ok())
      return status;
  if (options.equalize && profile)
    theRemarks.push_back(std::to_string(glow::equalize(source)) +
                         " pairs of neighbours are equalized");
  keepUsable();
  if (const size_t gone = keepBetween(source))
    theRemarks.push_back(std::to_string(gone) +
                         " nodes without weights stay in floats: what they "
                         "read, or what reads them, does");
  if (source.layers.empty())
    return failure(Code::NotFound, path,
                   ": no node can be integers, or is asked to be");
  if (options.activationBits)
    remarkZeros(source, theRemarks);
  report();
  return Status();
}

//===----------------------------------------------------------------------===//
// Reporting
//===----------------------------------------------------------------------===//

static double elementsOf(const ValueProfile &value) {
  double count = 1;
  for (int64_t size : value.shape)
    count *= double(size);
  return count;
}

/// The number of products in a run; for a layer without weights, its elements.
static double workOf(const Source &source, const Layer &layer) {
  auto result = source.values.find(layer.result);
  const double elements =
      result == source.values.end() ? 1 : elementsOf(result->second);
  if (!layer.weights)
    return elements;
  const Tensor &weights = source.constants.at(layer.weights->value);
  const Ints &shape = weights.type().shape;
  const int64_t out = wrapped(layer.weights->axis, shape.size());
  const double channels = out < 0 ? 1 : double(shape[size_t(out)]);
  return elements * double(weights.type().elements()) / std::max(1.0, channels);
}

/// The nodes of the graph and their layers.
static std::vector<GraphNode> nodesOf(const Source &source) {
  std::vector<GraphNode> nodes;
  std::map<std::string, int> makers;
  const onnx::GraphProto &graph = source.model.graph();
  for (int i = 0; i < graph.node_size(); ++i) {
    nodes.emplace_back().name = nodeName(graph.node(i));
    for (const std::string &output : graph.node(i).output())
      makers[output] = i;
  }
  for (size_t i = 0; i < source.layers.size(); ++i)
    nodes[size_t(source.layers[i].node)].layer = int(i);
  for (int i = 0; i < graph.node_size(); ++i)
    for (const std::string &input : graph.node(i).input())
      if (auto maker = makers.find(input);
          maker != makers.end() && !input.empty())
        nodes[size_t(i)].operands.emplace_back(maker->second, input);
  return nodes;
}

void OnnxVersions::report() {
  const std::vector<bool> halves = mayBeBF16(source);
  for (size_t i = 0; i < source.layers.size(); ++i) {
    const Layer &layer = source.layers[i];
    GraphLayer row;
    row.name = layer.name, row.op = layer.op, row.result = layer.result;
    row.mayBeBF16 = halves[i];
    row.work = workOf(source, layer);
    if (hasBlocks(source, layer)) {
      row.blocks = layer.weights->value;
      row.inner = size_t(source.constants.at(row.blocks).type().shape[0]);
    }
    for (const Operand &operand : layer.activations) {
      row.activations.push_back(operand.value);
      auto found = source.values.find(operand.value);
      if (found != source.values.end())
        addStatistics(row, found->second, source.options);
    }
    theLayers.push_back(std::move(row));
  }
  for (const onnx::ValueInfoProto &output : source.model.graph().output())
    theOutputs.push_back(output.name());
  theNodes = nodesOf(source);
}

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

/// Makes values outputs, unless they are inputs or outputs.
static void show(ModelEdit &model, const std::vector<std::string> &values) {
  std::set<std::string> shown;
  for (const std::string &value : values)
    if (!model.isOutput(value) && model.producerOf(value) >= 0 &&
        shown.insert(value).second)
      model.graph().add_output()->set_name(value);
}

Result<std::string>
OnnxVersions::floats(const std::vector<std::string> &shown) {
  ModelEdit model = source.model;
  show(model, shown);
  return model.bytes();
}

Result<std::string>
OnnxVersions::quantized(const LayerKinds &kinds,
                        const std::vector<std::string> &shown) {
  ModelEdit model = glow::quantized(source, kinds);
  show(model, shown);
  return model.bytes();
}

Result<std::string> OnnxVersions::beside(const LayerKinds &kinds,
                                         const std::vector<std::string> &shown,
                                         std::vector<std::string> &copies) {
  ModelEdit model = shadowed(source, kinds, copies);
  show(model, shown);
  return model.bytes();
}

Result<std::string> OnnxVersions::file(const LayerKinds &kinds, ModelForm form,
                                       const CompileRequest &request) {
  Result<std::string> bytes = quantized(kinds, {});
  if (form == ModelForm::Onnx || !bytes)
    return bytes;
  const FileInMemory file(*bytes);
  Result<std::unique_ptr<Session>> session = run.sessions->open(file.path());
  if (!session)
    return session.status();
  CompileRequest own = request;
  own.path = file.path();
  return (*session)->print(own, "import", form == ModelForm::Bytecode);
}

Status OnnxVersions::fit(const std::map<std::string, Moments> &moments) {
  const QuantizeOptions &options = source.options;
  for (const auto &[name, own] : moments)
    source.fitted[name] = fitBlocks(
        columnsOf(source.constants.at(name), options.block), options.block,
        options.scheme, options.weightBits, own, run.threads);
  return Status();
}

Result<std::unique_ptr<ModelVersions>>
glow::onnxVersions(const std::string &path, const Profile *profile,
                   const QuantizeOptions &options, const QuantizationRun &run) {
  auto versions = std::make_unique<OnnxVersions>();
  if (Status status = versions->open(path, profile, options, run); !status.ok())
    return status;
  return std::unique_ptr<ModelVersions>(std::move(versions));
}
