//===- StepInfo.h - description of a step -----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_DEVICE_STEPINFO_H
#define GLOW_BACKENDS_CPU_DEVICE_STEPINFO_H

#include "Kernel.h"
#include "glow/Program/Steps.h"
#include <deque>
#include <span>

namespace glow::cpu {

/// A StepInfo with the memory behind its pointers.
class OwnedStepInfo {
public:
  OwnedStepInfo(const Step &step, const std::vector<BufferPlace> &buffers);
  /// The same for runs that give the sizes of all buffers, attributes, and the
  /// values of size variables: their memory, which must outlive this, has the
  /// numbers of the current run.
  OwnedStepInfo(const Step &step, std::span<const TensorType> types,
                std::span<const AttributeValue> attributes,
                const int64_t *sizes);
  OwnedStepInfo(const OwnedStepInfo &) = delete;

  const StepInfo *get() const { return &info; }

private:
  const int64_t *keep(Ints list);
  void addShape(const TensorType &type, const int64_t *sizes);
  void addAttributes(std::span<const AttributeValue> values, bool areKept);
  void finish(const Step &step);

  std::deque<Ints> lists; // deques: addresses stay valid
  std::deque<Reals> reals;
  std::deque<std::string> texts;
  std::vector<Shape> shapes;
  std::vector<Attribute> attributes;
  StepInfo info;
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_DEVICE_STEPINFO_H
