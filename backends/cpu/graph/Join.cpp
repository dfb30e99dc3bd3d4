//===- Join.cpp - two formulas as one -------------------------------------===//
// SPDX-License-Identifier: MIT

#include "Join.h"
#include "glow/IR/Loops.h"

using namespace glow;
using namespace glow::cpu;

Formula cpu::joined(const Formula &first, const Formula &next, size_t inputs,
                    size_t place) {
  Formula result = first;
  Formula::Argument mine = Formula::Input{0};
  if (!first.calls.empty())
    mine = Formula::Value{first.calls.size() - 1};
  for (Formula::Call call : next.calls) {
    for (Formula::Argument &argument : call.arguments) {
      if (auto *value = std::get_if<Formula::Value>(&argument))
        value->index += first.calls.size();
      else if (auto *input = std::get_if<Formula::Input>(&argument)) {
        if (input->index == place)
          argument = mine;
        else
          // The operands of `next` follow the operands of `first`, without the
          // one that `first` computes.
          input->index = inputs + input->index - (input->index > place);
      }
    }
    // The order of operands is free; a canonical order lets tiles share code.
    const ir::LoopsInfo *info = ir::findLoops(call.mnemonic);
    if (info && info->commutes && call.arguments[1] == mine)
      std::swap(call.arguments[0], call.arguments[1]);
    result.calls.push_back(std::move(call));
  }
  return result;
}
