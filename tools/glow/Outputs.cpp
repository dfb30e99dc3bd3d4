//===- Outputs.cpp - results, on the screen and in files ------------------===//

#include "Outputs.h"
#include "glow/Base/VisitKind.h"
#include "glow/TensorFiles/File.h"
#include "glow/TensorFiles/Numpy.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <set>

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
    std::printf("  min %.6g  max %.6g  mean %.6g", least, most,
                sum / double(finite));
  if (finite < count)
    std::printf("  not finite: %lld of %lld",
                static_cast<long long>(count - finite),
                static_cast<long long>(count));
}

void tool::printTensors(const std::vector<NamedTensor> &tensors) {
  constexpr int64_t shown = 10;
  for (const NamedTensor &named : tensors) {
    int64_t count = named.tensor.type().elements();
    std::printf("%s: %s", oneLine(named.name).c_str(),
                named.tensor.type().text().c_str());
    printRange(named.tensor);
    std::printf("\n ");
    for (int64_t i = 0; i < std::min(count, shown); ++i)
      std::printf(" %s", elementText(named.tensor, i).c_str());
    std::printf(count == 0      ? " no elements\n"
                : count > shown ? " ...\n"
                                : "\n");
  }
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
                     return elementText(tensor, index);
                   });
}

Json tool::tensorsAsJson(const std::vector<NamedTensor> &tensors) {
  constexpr int64_t mostValues = 1000;
  Json array = Json::array();
  for (const NamedTensor &named : tensors) {
    const TensorType &type = named.tensor.type();
    Json &entry = array.emplace_back(Json{{"name", named.name},
                                          {"kind", name(type.kind)},
                                          {"shape", type.shape}});
    if (type.elements() > mostValues)
      continue;
    Json &values = entry["values"] = Json::array();
    for (int64_t i = 0; i < type.elements(); ++i)
      values.push_back(elementAsJson(named.tensor, i));
  }
  return array;
}

/// A name that stays inside its folder, whatever the model calls the tensor.
static std::string fileName(const std::string &name,
                            std::set<std::string> &used) {
  std::string safe = name;
  for (char &c : safe)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.')
      c = '_';
  safe = safe.substr(0, 200);
  if (safe.empty() || safe[0] == '.')
    safe = "_" + safe;
  for (int i = 1; !used.insert(safe).second; ++i)
    safe += "_" + std::to_string(i);
  return safe + ".npy";
}

Status tool::writeTensors(const std::string &folder,
                          const std::vector<NamedTensor> &tensors) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return failure(Code::InvalidArgument, "cannot make folder '", folder,
                   "': ", error.message());
  std::set<std::string> used;
  for (const NamedTensor &named : tensors) {
    std::string path = folder + "/" + fileName(named.name, used);
    Status status = writeFile(path, npyBytes(named.tensor.view()));
    if (!status.ok())
      return status;
  }
  return Status();
}
