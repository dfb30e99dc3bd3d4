//===- Inputs.cpp - tensors from files and random tensors -----------------===//
// SPDX-License-Identifier: MIT

#include "Inputs.h"
#include "cli/CommandLine.h"
#include "cli/Numbers.h"
#include "glow/Base/Counted.h"
#include "glow/Base/MemorySize.h"
#include "glow/Base/VisitKind.h"
#include "glow/TensorFiles/File.h"
#include "glow/TensorFiles/Numpy.h"
#include "glow/TensorFiles/OnnxValue.h"
#include "glow/TensorFiles/TensorFile.h"
#include <algorithm>
#include <filesystem>

using namespace glow;
using namespace glow::tool;
namespace fs = std::filesystem;

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
      !takesPixels(*input, tensor->type())) {
    std::string how;
    tensor = preprocess(*tensor, *input, options.pictures, &how);
    if (tensor && options.tells)
      note(fs::path(path).filename().string() + " " + how);
  }
  if (!tensor)
    return tensor.status().prefixed("input '" + name + "': ");
  return inputs.add(name, tensor.take()).prefixed("'" + path + "': ");
}

/// An element of the kind, or nothing if the kind has no such number.
template <typename T> static std::optional<T> parseElement(std::string text) {
  if constexpr (std::is_same_v<T, bool>) {
    text = text == "true" ? "1" : text == "false" ? "0" : text;
    std::optional<int> number = numberIn<int>(text, 0, 1);
    return number ? std::optional<T>(*number) : std::nullopt;
  } else if constexpr (std::integral<T>) {
    return numberIn<T>(text, std::numeric_limits<T>::min(),
                       std::numeric_limits<T>::max());
  } else {
    std::optional<double> number = numberIn(text, -1e308, 1e308);
    if constexpr (std::is_same_v<T, double>)
      return number;
    return number ? std::optional<T>(T(float(*number))) : std::nullopt;
  }
}

/// "16000" or "1,-2,0.5" as what an input takes; a single number is for all of
/// its elements.
static Result<Tensor> parseValue(const std::string &text,
                                 const Binding &input) {
  std::vector<std::string> words = CLI::detail::split(text, ',');
  TensorType type = input.type;
  if (!input.ranked)
    type.shape = {int64_t(words.size())};
  for (int64_t &size : type.shape)
    size = size >= 0                ? size
           : type.shape.size() == 1 ? int64_t(words.size())
                                    : 1;
  if (words.size() != 1 && int64_t(words.size()) != type.elements())
    return failure(Code::ShapeMismatch, counted(words.size(), "number"),
                   wordFor(words.size(), " is", " are"), " given, but ",
                   type.text(), " takes ", type.elements());
  Result<Tensor> tensor = Tensor::zeros(type);
  if (!tensor)
    return tensor;
  Status status;
  visitKind(type.kind, [&]<typename T>(std::type_identity<T>) {
    std::span<T> elements = tensor->elements<T>();
    for (size_t i = 0; i < elements.size() && status.ok(); ++i) {
      const std::string &word = words[words.size() == 1 ? 0 : i];
      if (std::optional<T> element = parseElement<T>(word))
        elements[i] = *element;
      else
        status = failure(Code::InvalidArgument, "'", word,
                         "' should be a number of kind ", name(type.kind));
    }
  });
  return status.ok() ? std::move(tensor) : Result<Tensor>(status);
}

/// "sr=16000".
static Status addValue(const std::string &flag, Collected &inputs) {
  const std::string place = "--value '" + flag + "': ";
  size_t equals = flag.rfind('=');
  if (equals == std::string::npos)
    return failure(Code::InvalidArgument, "--value '", flag,
                   "' should be NAME=NUMBERS, as sr=16000");
  std::string name = flag.substr(0, equals);
  const Binding *input = inputs.shapes.find(name);
  if (!input) // says which there are
    return inputs.shapes.setType(name, {}).prefixed(place);
  if (!input->other.empty())
    return failure(Code::InvalidArgument, place, "input '", name, "' is ",
                   input->other, ", it should be a tensor of numbers");
  Result<Tensor> tensor = parseValue(flag.substr(equals + 1), *input);
  if (!tensor)
    return tensor.status().prefixed(place);
  return inputs.add(name, tensor.take()).prefixed(place);
}

/// Adds the inputs for which no file is given.
static Status addRest(const InputOptions &options, Collected &inputs) {
  // A copy: adding one may give another its size.
  const std::vector<Binding> all = inputs.shapes.inputs();
  uint64_t limit =
      options.memoryLimit ? options.memoryLimit : defaultMemoryLimit();
  std::vector<std::string> missing;
  for (const Binding &declared : all)
    if (!inputs.has(declared.name))
      missing.push_back(declared.name);
  if (options.seed && !missing.empty()) {
    Status status = inputs.shapes.assumeBatch();
    if (status.ok())
      status = inputs.shapes.checkKnown(missing);
    if (status.ok())
      status = inputs.shapes.setLargest();
    if (!status.ok())
      return status;
  }
  for (const Binding &declared : all) {
    if (inputs.has(declared.name))
      continue;
    const Binding &input = *inputs.shapes.find(declared.name);
    if (!options.seed)
      return failure(Code::NotFound, "input '", input.name,
                     "' is not given; it should be ", typeText(input),
                     ": say --input ", input.name, "=FILE or --random");
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
  for (const std::string &flag : options.values)
    if (Status status = addValue(flag, inputs); !status.ok())
      return status;
  if (Status status = addRest(options, inputs); !status.ok())
    return status;
  return inputs;
}

InputOptions tool::inputsOf(const ModelOptions &options, const Session &session,
                            InputOptions given) {
  given.pictures = imagesOf(session, std::move(given.pictures));
  given.shapes = options.shapes;
  given.values = options.values;
  given.memoryLimit = options.code.memoryLimit;
  return given;
}

Result<CompileRequest>
tool::completeRequest(const ModelOptions &options,
                      const std::vector<Binding> &bindings) {
  Collected inputs{InputShapes(bindings), {}, {}};
  Status status = inputs.shapes.apply(options.shapes);
  for (const std::string &flag : options.values)
    if (status.ok())
      status = addValue(flag, inputs);
  if (status.ok())
    status = inputs.shapes.assumeBatch();
  if (status.ok())
    status = inputs.shapes.checkKnown();
  if (!status.ok())
    return status;
  Result<std::vector<Constant>> values = smallValues(inputs.tensors);
  if (!values)
    return values.status();
  CompileRequest request = requestOf(options, inputs.shapes.known());
  request.sizes = inputs.shapes.sizes();
  request.values = values.take();
  return request;
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
