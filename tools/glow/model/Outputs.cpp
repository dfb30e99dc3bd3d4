//===- Outputs.cpp - results, on the screen and in files ------------------===//
// SPDX-License-Identifier: MIT
//
// The screen shows a few elements and the range of all. JSON has all elements
// of small tensors. Infinities and NaN are counted separately, since a mean
// with one of them has no other information.
//
//===----------------------------------------------------------------------===//

#include "Outputs.h"
#include "glow/Base/VisitKind.h"
#include "glow/TensorFiles/File.h"
#include "glow/TensorFiles/Numpy.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

using namespace glow;
using namespace glow::tool;

double tool::elementAt(const Tensor &tensor, int64_t index) {
  return visitKind(tensor.type().kind, [&]<typename T>(std::type_identity<T>) {
    return double(tensor.elements<T>()[size_t(index)]);
  });
}

/// Element `index`, integers exact.
static std::string elementText(const Tensor &tensor, int64_t index) {
  return visitKind(tensor.type().kind, [&]<typename T>(std::type_identity<T>) {
    T element = tensor.elements<T>()[size_t(index)];
    if constexpr (std::is_same_v<T, bool>)
      return std::string(element ? "true" : "false");
    else if constexpr (std::integral<T>)
      return std::to_string(element);
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", double(element));
    return std::string(text);
  });
}

static void printRange(const Tensor &tensor) {
  double least = INFINITY, most = -INFINITY, sum = 0;
  int64_t count = tensor.type().elements(), finite = 0;
  for (int64_t i = 0; i < count; ++i) {
    double value = elementAt(tensor, i);
    if (!std::isfinite(value))
      continue;
    least = std::min(least, value);
    most = std::max(most, value);
    sum += value;
    ++finite;
  }
  if (finite > 0)
    printText("  min %.6g  max %.6g  mean %.6g", least, most,
              sum / double(finite));
  if (finite < count)
    printText("  not finite: %lld of %lld",
              static_cast<long long>(count - finite),
              static_cast<long long>(count));
}

static constexpr int64_t shownElements = 10;

/// Element `index` of a tensor or of strings, these as a line in quotes.
static std::string elementText(const HostValue &value, int64_t index) {
  if (value.tensor())
    return elementText(*value.tensor(), index);
  return '"' + oneLine(value.strings()->elements[size_t(index)]) + '"';
}

/// Prints the first elements. For a map, `keys` has the key of each.
static void printElements(const HostValue &value, int64_t count,
                          const HostValue *keys = nullptr) {
  printText("\n ");
  for (int64_t i = 0; i < std::min(count, shownElements); ++i)
    printText(" %s%s%s", keys ? elementText(*keys, i).c_str() : "",
              keys ? ": " : "", elementText(value, i).c_str());
  printText(count == 0              ? " no elements\n"
            : count > shownElements ? " ...\n"
                                    : "\n");
}

static void printSequence(const std::string &name,
                          const HostValue::Sequence &sequence);

static void printValue(const std::string &name, const HostValue &value) {
  printText("%s: %s", oneLine(name).c_str(), value.text().c_str());
  if (const Tensor *tensor = value.tensor()) {
    printRange(*tensor);
    printElements(value, tensor->type().elements());
  } else if (const Strings *strings = value.strings()) {
    printElements(value, int64_t(strings->elements.size()));
  } else if (const Map *map = value.map()) {
    printElements(map->values, map->size(), &map->keys);
  } else {
    printText("\n");
    if (value.sequence())
      printSequence(name, *value.sequence());
  }
}

static void printSequence(const std::string &name,
                          const HostValue::Sequence &sequence) {
  for (size_t i = 0; i < sequence.size(); ++i) {
    if (i == size_t(shownElements)) {
      printText("  ...\n");
      return;
    }
    printValue(name + "[" + std::to_string(i) + "]", sequence[i]);
  }
}

void tool::printValues(std::span<const NamedValue> values) {
  for (const NamedValue &named : values)
    printValue(named.name, named.value);
}

static Json elementAsJson(const Tensor &tensor, int64_t index) {
  return visitKind(tensor.type().kind,
                   [&]<typename T>(std::type_identity<T>) -> Json {
                     T element = tensor.elements<T>()[size_t(index)];
                     if constexpr (std::integral<T>)
                       return element;
                     else if constexpr (isIntegral<T>)
                       return int(float(element));
                     else if (double value = element; std::isfinite(value))
                       return value;
                     // JSON has no number for what is not finite: it is a text
                     // there.
                     return elementText(tensor, index);
                   });
}

static constexpr int64_t mostValues = 1000;

/// The elements of a tensor or of strings.
static Json elementsAsJson(const HostValue &value, int64_t count) {
  Json array = Json::array();
  for (int64_t i = 0; i < count; ++i)
    if (value.tensor())
      array.push_back(elementAsJson(*value.tensor(), i));
    else
      array.push_back(value.strings()->elements[size_t(i)]);
  return array;
}

static Json valueAsJson(const std::string &name, const HostValue &value) {
  Json entry{{"name", name}};
  auto list = [&](std::string_view kind, const Ints &shape, int64_t count) {
    entry["kind"] = kind;
    entry["shape"] = shape;
    if (count <= mostValues)
      entry["values"] = elementsAsJson(value, count);
  };
  if (const Tensor *tensor = value.tensor()) {
    list(glow::name(tensor->type().kind), tensor->type().shape,
         tensor->type().elements());
  } else if (const Strings *strings = value.strings()) {
    list("string", strings->shape, int64_t(strings->elements.size()));
  } else if (const Map *map = value.map()) {
    entry["kind"] = "map";
    if (map->size() <= mostValues) {
      entry["keys"] = elementsAsJson(map->keys, map->size());
      entry["values"] = elementsAsJson(map->values, map->size());
    }
  } else if (const HostValue::Sequence *sequence = value.sequence()) {
    entry["kind"] = "sequence";
    Json &elements = entry["elements"] = Json::array();
    for (size_t i = 0; i < sequence->size() && int64_t(i) < mostValues; ++i)
      elements.push_back(
          valueAsJson(name + "[" + std::to_string(i) + "]", (*sequence)[i]));
  } else {
    entry["kind"] = "nothing";
  }
  return entry;
}

Json tool::valuesAsJson(std::span<const NamedValue> values) {
  Json array = Json::array();
  for (const NamedValue &named : values)
    array.push_back(valueAsJson(named.name, named.value));
  return array;
}

/// A name that stays inside its folder, whatever the model calls the tensor.
std::string tool::fileName(const std::string &name, size_t number,
                           const std::string &ending) {
  constexpr size_t longest = 200; // of the 255 that file systems have
  std::string safe;
  for (char c : name) {
    auto byte = static_cast<unsigned char>(c);
    bool plain = byte < 0x80 && (std::isalnum(byte) || c == '-' || c == '_' ||
                                 (c == '.' && !safe.empty()));
    char escape[4];
    std::snprintf(escape, sizeof escape, "%%%02X", byte);
    safe += plain ? std::string(1, c) : escape;
  }
  if (safe.empty() || safe.size() > longest)
    safe = safe.substr(0, longest) + "%%" + std::to_string(number);
  return safe + ending;
}

Status tool::writeTensors(NewFiles &files, const std::string &folder,
                          const std::vector<NamedTensor> &tensors,
                          const std::vector<std::string> &inputs) {
  if (Status status = files.makeFolder(folder); !status.ok())
    return status;
  std::vector<std::string> paths;
  for (size_t number = 0; const NamedTensor &named : tensors)
    paths.push_back(folder + "/" + fileName(named.name, number++, ".npy"));
  if (Status status = checkOutputs(paths, inputs); !status.ok())
    return status;
  for (size_t i = 0; i < tensors.size(); ++i)
    if (Status status = files.add(paths[i], npyBytes(tensors[i].tensor.view()));
        !status.ok())
      return status;
  return Status();
}
