//===- Activations.cpp - activations of recurrent nodes -------------------===//
// SPDX-License-Identifier: MIT
//
// defs/functions/Activations.td declares the functions.
//
//===----------------------------------------------------------------------===//

#include "glow/Graph/Activations.h"
#include "glow/Base/Activations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <charconv>
#include <cmath>

using namespace glow;

static std::vector<CellActivation> &known() {
  static std::vector<CellActivation> all;
  return all;
}

void glow::registerCellActivations(const std::vector<CellActivation> &table) {
  llvm::append_range(known(), table);
}

static const CellActivation *
activationOf(llvm::StringRef CellActivation::*field, llvm::StringRef name) {
  auto found = llvm::find_if(
      known(), [&](const CellActivation &row) { return row.*field == name; });
  return found == known().end() ? nullptr : &*found;
}

namespace glow::expr {

bool areActivations(const std::string &text, int64_t count) {
  std::vector<Activation> list = parseActivations(text);
  for (const Activation &activation : list) {
    const CellActivation *row =
        activationOf(&CellActivation::mnemonic, activation.mnemonic);
    if (!row || activation.values.size() != row->defaults.size())
      return false;
    for (double value : activation.values)
      if (!std::isfinite(value))
        return false;
  }
  return int64_t(list.size()) == count;
}

std::string activationList(const std::string &given, const Reals &alphas,
                           const Reals &betas, const std::string &missing,
                           int64_t directions) {
  std::string names = given.empty() ? missing : given;
  if (given.empty() && directions == 2)
    names += "," + missing;
  const Reals *sources[2] = {&alphas, &betas};
  size_t used[2] = {0, 0};
  std::string result;
  // The default that ONNX documents is for two directions, also of a node that
  // has one.
  size_t left = directions * (llvm::StringRef(missing).count(',') + 1);
  for (llvm::StringRef name : llvm::split(names, ',')) {
    if (!left--)
      break;
    const CellActivation *row = activationOf(&CellActivation::onnx, name);
    result += (result.empty() ? "" : ", ") + (row ? row->mnemonic : name).str();
    for (size_t i = 0; row && i < row->defaults.size(); ++i) {
      bool there = used[i] < sources[i]->size();
      // Attributes of a model are of f32, and so are their defaults.
      double value =
          there ? (*sources[i])[used[i]++] : double(float(row->defaults[i]));
      char digits[32];
      auto end = std::to_chars(digits, std::end(digits), value).ptr;
      result += " " + std::string(digits, end);
    }
  }
  return result;
}

} // namespace glow::expr
