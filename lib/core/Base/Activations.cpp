//===- Activations.cpp - what recurrent nodes do to gates -----------------===//

#include "glow/Base/Activations.h"
#include <charconv>
#include <cmath>
#include <sstream>

using namespace glow;

namespace {

/// The values are alpha and beta.
struct Row {
  const char *onnx, *mnemonic;
  size_t values;
  double defaults[2];
};

} // namespace

static constexpr Row rows[] = {
    {"Relu", "relu", 0, {}},
    {"Tanh", "tanh", 0, {}},
    {"Sigmoid", "sigmoid", 0, {}},
    {"Affine", "affine", 2, {1, 0}},
    {"LeakyRelu", "leaky_relu", 1, {0.01}},
    {"ThresholdedRelu", "thresholded_relu", 1, {1}},
    {"ScaledTanh", "scaled_tanh", 2, {1, 1}},
    {"HardSigmoid", "hard_sigmoid", 2, {0.2, 0.5}},
    {"Elu", "elu", 1, {1}},
    {"Softsign", "softsign", 0, {}},
    {"Softplus", "softplus", 0, {}},
};

static std::vector<std::string> partsOf(const std::string &text, char between) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, between);)
    parts.push_back(part);
  return parts;
}

static const Row *find(const char *Row::*field, const std::string &name) {
  for (const Row &row : rows)
    if (name == row.*field)
      return &row;
  return nullptr;
}

std::vector<Activation> glow::parseActivations(const std::string &text) {
  std::vector<Activation> list;
  for (const std::string &part : partsOf(text, ',')) {
    Activation &activation = list.emplace_back();
    for (const std::string &word : partsOf(part, ' ')) {
      if (word.empty())
        continue;
      const char *end = word.data() + word.size();
      double value = 0;
      auto [stop, error] = std::from_chars(word.data(), end, value);
      if (activation.mnemonic.empty())
        activation.mnemonic = word;
      else
        activation.values.push_back(error == std::errc() && stop == end ? value
                                                                        : NAN);
    }
  }
  return list;
}

bool expr::areActivations(const std::string &text, int64_t count) {
  std::vector<Activation> list = parseActivations(text);
  for (const Activation &activation : list) {
    const Row *row = find(&Row::mnemonic, activation.mnemonic);
    if (!row || activation.values.size() != row->values)
      return false;
    for (double value : activation.values)
      if (!std::isfinite(value))
        return false;
  }
  return int64_t(list.size()) == count;
}

std::string expr::activationList(const std::string &given, const Reals &alphas,
                                 const Reals &betas, const std::string &missing,
                                 int64_t directions) {
  std::string names = given.empty() ? missing : given;
  if (given.empty() && directions == 2)
    names += "," + missing;
  const Reals *sources[2] = {&alphas, &betas};
  size_t used[2] = {0, 0};
  std::string result;
  for (const std::string &name : partsOf(names, ',')) {
    const Row *row = find(&Row::onnx, name);
    result += (result.empty() ? "" : ", ") + (row ? row->mnemonic : name);
    for (size_t i = 0; row && i < row->values; ++i) {
      bool there = used[i] < sources[i]->size();
      double value = there ? (*sources[i])[used[i]++] : row->defaults[i];
      char digits[32];
      auto end = std::to_chars(digits, std::end(digits), value).ptr;
      result += " " + std::string(digits, end);
    }
  }
  return result;
}
