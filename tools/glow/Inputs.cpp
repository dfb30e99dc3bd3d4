//===- Inputs.cpp - tensors from files and from chance --------------------===//

#include "Inputs.h"
#include "Preprocess.h"
#include "glow/Base/MemorySize.h"
#include "glow/Base/VisitKind.h"
#include "glow/TensorFiles/File.h"
#include "glow/TensorFiles/Numpy.h"
#include "glow/TensorFiles/OnnxValue.h"
#include "glow/TensorFiles/TensorFile.h"
#include <algorithm>

using namespace glow;
using namespace glow::tool;

namespace {

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
/// generators, 2014).
struct Random {
  uint64_t state;

  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
};

/// Tensors as they come in, and the shapes they fix.
struct Collected {
  InputShapes shapes;
  std::vector<NamedTensor> tensors;
  std::vector<NamedValue> others; ///< that are no tensors

  bool has(const std::string &name) const {
    auto isIt = [&](const auto &given) { return given.name == name; };
    return std::ranges::any_of(tensors, isIt) ||
           std::ranges::any_of(others, isIt);
  }

  Status add(const std::string &name, Tensor tensor) {
    if (has(name))
      return failure(Code::InvalidArgument, "input '", name,
                     "' is given twice");
    const Binding *input = shapes.find(name);
    Status status = input ? takeAs(input->type.kind, tensor) : Status();
    if (status.ok())
      status = shapes.setType(name, tensor.type());
    if (status.ok())
      tensors.push_back({name, std::move(tensor)});
    return status;
  }
};

} // namespace

Result<Tensor> tool::randomTensor(const std::string &name,
                                  const TensorType &type, uint64_t seed) {
  Result<Tensor> tensor = Tensor::zeros(type);
  if (!tensor)
    return tensor.status().prefixed("input '" + name + "': ");
  Random random{seed};
  for (char c : name) // so that two inputs of one type differ
    random.state = random.next() ^ uint8_t(c);
  visitKind(type.kind, [&]<typename T>(std::type_identity<T>) {
    for (T &element : tensor->elements<T>())
      if constexpr (isIntegral<T> && isBits<T>)
        element = T(random.next() >> 60);
      else if constexpr (!std::integral<T>)
        element = T(float(random.next() >> 40) * 0x1p-23f - 1);
      else if constexpr (sizeof(T) == 1 && !std::is_same_v<T, bool>)
        element = static_cast<T>(random.next() >> 56);
      else
        element = static_cast<T>(random.next() >> 63);
  });
  return tensor;
}

/// All arrays of an .npz, by their own names.
static Status addArchive(const std::string &path, Collected &inputs) {
  Result<std::string> bytes = readFile(path);
  if (!bytes)
    return bytes.status();
  Result<std::vector<NamedTensor>> arrays = parseNpz(*bytes);
  if (!arrays)
    return arrays.status().prefixed("'" + path + "': ");
  for (NamedTensor &array : *arrays)
    if (Status status = inputs.add(array.name, std::move(array.tensor));
        !status.ok())
      return status.prefixed("'" + path + "': ");
  return Status();
}

/// An image goes in as it is where it fits, and preprocessed elsewhere.
static bool takesPixels(const Binding &input, const TensorType &image) {
  return input.ranked && input.type.kind == image.kind &&
         input.type.shape.size() == image.shape.size();
}

/// Strings, a sequence, an optional or a map, as the model declares.
static Status addOther(const std::string &path, const Binding &input,
                       Collected &inputs) {
  if (inputs.has(input.name))
    return failure(Code::InvalidArgument, "input '", input.name,
                   "' is given twice");
  Result<std::string> bytes = readFile(path);
  if (!bytes)
    return bytes.status();
  Result<NamedValue> value = parseOnnxValue(*bytes, formOf(input.other));
  if (!value)
    return value.status().prefixed("'" + path + "': ");
  inputs.others.push_back({input.name, std::move(value->value)});
  return Status();
}

static Status addFile(const std::string &flag, const InputOptions &options,
                      Collected &inputs) {
  size_t equals = flag.find('=');
  bool named = equals != std::string::npos;
  std::string name = named ? flag.substr(0, equals) : "";
  std::string path = named ? flag.substr(equals + 1) : flag;
  const std::vector<Binding> &all = inputs.shapes.inputs();
  if (!named && formatOf(path) == FileFormat::Npz && all.size() != 1)
    return addArchive(path, inputs);
  if (!named && all.size() == 1)
    name = all[0].name;
  const Binding *input = inputs.shapes.find(name);
  if (!input) // says which there are
    return inputs.shapes.setType(name, {}).prefixed("--input '" + flag + "': ");
  if (!input->other.empty() && formatOf(path) == FileFormat::OnnxTensor)
    return addOther(path, *input, inputs).prefixed("input '" + name + "': ");
  TensorType type = input->type;
  if (!input->ranked)
    type.shape = {-1}; // no shape: not that of a scalar
  Result<Tensor> tensor = readTensor(path, type, name);
  if (tensor && formatOf(path) == FileFormat::Image &&
      !takesPixels(*input, tensor->type()))
    tensor = preprocess(*tensor, *input, options.preset);
  if (!tensor)
    return tensor.status().prefixed("input '" + name + "': ");
  return inputs.add(name, tensor.take()).prefixed("'" + path + "': ");
}

/// What no file was given for.
static Status addRest(const InputOptions &options, Collected &inputs) {
  // A copy: adding one may give another its size.
  const std::vector<Binding> all = inputs.shapes.inputs();
  uint64_t limit =
      options.memoryLimit ? options.memoryLimit : defaultMemoryLimit();
  for (const Binding &declared : all) {
    if (inputs.has(declared.name))
      continue;
    const Binding &input = *inputs.shapes.find(declared.name);
    if (!options.seed)
      return failure(Code::NotFound, "input '", input.name,
                     "' is not given; it should be ", typeText(input),
                     ": say --input ", input.name, "=FILE or --random");
    if (Status status = inputs.shapes.checkKnown(input); !status.ok())
      return status;
    if (input.type.bytes() > limit)
      return failure(Code::OutOfMemory, "input '", input.name, "' ",
                     typeText(input), " needs ", sizeText(input.type.bytes()),
                     "; the limit is ", sizeText(limit),
                     ": give another one with --memory-limit");
    Result<Tensor> tensor = randomTensor(input.name, input.type, *options.seed);
    if (!tensor)
      return tensor.status();
    if (Status status = inputs.add(input.name, tensor.take()); !status.ok())
      return status;
  }
  return Status();
}

static Result<Collected> collect(std::vector<Binding> bindings,
                                 const InputOptions &options) {
  Collected inputs{InputShapes(std::move(bindings)), {}, {}};
  if (Status status = inputs.shapes.apply(options.shapes); !status.ok())
    return status;
  for (const std::string &flag : options.files)
    if (Status status = addFile(flag, options, inputs); !status.ok())
      return status;
  if (Status status = addRest(options, inputs); !status.ok())
    return status;
  return inputs;
}

Result<std::vector<NamedValue>> tool::makeValues(std::vector<Binding> bindings,
                                                 const InputOptions &options) {
  Result<Collected> inputs = collect(std::move(bindings), options);
  if (!inputs)
    return inputs.status();
  std::vector<NamedValue> values = std::move(inputs->others);
  for (NamedTensor &tensor : inputs->tensors)
    values.push_back({tensor.name, std::move(tensor.tensor)});
  return values;
}

Result<std::vector<NamedTensor>> tool::makeInputs(std::vector<Binding> bindings,
                                                  const InputOptions &options) {
  Result<Collected> inputs = collect(std::move(bindings), options);
  if (!inputs)
    return inputs.status();
  if (!inputs->others.empty())
    return failure(Code::Unsupported, "input '", inputs->others.front().name,
                   "' is ", inputs->others.front().value.text(),
                   ", it should be a tensor");
  return std::move(inputs->tensors);
}
