//===- RecurrentWeights.cpp - packed weights of recurrences ---------------===//
// SPDX-License-Identifier: MIT
//
// From [direction, k, gate, unit] to [direction][pass][group][k][block of the
// group][gate][16]. Weights of a training are packed in each run: a chunk has
// 16 rows, which are read in order of memory.
//
//===----------------------------------------------------------------------===//

#include "RecurrentSteps.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

int64_t RecurrentWeights::elements() const {
  return directions * depth * blocks * lanes * (columns / hidden);
}

Packing RecurrentWeights::packing(const Operand &weights) const {
  return {weights, elements(), [form = *this](const float *from, float *to) {
            for (int64_t d = 0; d < form.directions; ++d)
              for (const GatePass &pass : form.passes)
                to = form.packPass(pass, from + d * form.depth * form.columns,
                                   to);
          }};
}

float *RecurrentWeights::packPass(const GatePass &pass, const float *from,
                                  float *to) const {
  for (int64_t group = 0; group < blocks; group += pass.units)
    for (int64_t k = 0; k < depth; ++k)
      for (int64_t b = group; b < group + pass.units; ++b)
        for (int64_t g = pass.firstGate; g < pass.firstGate + pass.gates;
             ++g, to += lanes) {
          int64_t there = std::min(lanes, hidden - b * lanes);
          std::copy_n(from + k * columns + g * hidden + b * lanes, there, to);
          std::fill_n(to + there, lanes - there, 0.0f);
        }
  return to;
}

NativeStep::Phase RecurrentWeights::phase(CodeModule &module,
                                          const Operand &weights,
                                          int64_t before,
                                          const Twine &name) const {
  Emitter code(module, module.addStep(name + ".weights"));
  const int64_t parts = (depth + lanes - 1) / lanes;
  code.loop(code.function->getArg(2), code.function->getArg(3),
            [&](Value *chunk) {
              Value *part = code.CreateURem(chunk, code.integer(parts));
              Value *direction = code.CreateUDiv(chunk, code.integer(parts));
              Value *from = code.at(code.buffer(weights),
                                    code.times(direction, depth * columns));
              Value *to = code.at(code.buffer(weights.shared()), before);
              to = code.at(to, code.times(direction, elements() / directions));
              for (const GatePass &pass : passes)
                emitRows(code, pass, from,
                         code.at(to, depth * blocks * lanes * pass.firstGate),
                         code.times(part, lanes));
            });
  code.CreateRetVoid();
  return {code.function, directions * parts};
}

/// Packs up to 16 rows from `first` on, for all groups of a pass.
void RecurrentWeights::emitRows(Emitter &code, const GatePass &pass,
                                Value *from, Value *to, Value *first) const {
  const int64_t size = pass.gates * pass.units * lanes;
  Value *end =
      code.smaller(code.add(first, code.integer(lanes)), code.integer(depth));
  auto packGroup = [&](Value *group, bool isLast) {
    code.loop(first, end, [&](Value *k) {
      Value *row = code.at(from, code.times(k, columns));
      row = code.at(row, code.times(group, pass.units * lanes));
      Value *out = code.at(to, code.times(group, depth * size));
      out = code.at(out, code.times(k, size));
      for (int64_t b = 0; b < pass.units; ++b)
        for (int64_t g = 0; g < pass.gates; ++g) {
          const bool isPart = isLast && b + 1 == pass.units && hidden % lanes;
          Value *units = code.loadVector(
              code.at(row, (pass.firstGate + g) * hidden + b * lanes),
              isPart ? hidden % lanes : lanes);
          code.storeVector(units, code.at(out, (b * pass.gates + g) * lanes));
        }
    });
  };
  if (pass.groups > 1)
    code.loop(code.integer(0), code.integer(pass.groups - 1),
              [&](Value *group) { packGroup(group, false); });
  packGroup(code.integer(pass.groups - 1), true);
}
