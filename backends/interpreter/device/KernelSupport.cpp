//===- KernelSupport.cpp - parts of generated kernels ---------------------===//
// SPDX-License-Identifier: MIT

#include "KernelSupport.h"

#include "glow/Values/Tensor.h"
#include <algorithm>
#include <deque>

using namespace glow;

Status kernels::wrongKind(const char *kernel, ElementKind kind) {
  return Status(Code::Unsupported, std::string("'") + kernel +
                                       "' has no kernel for element kind " +
                                       std::string(name(kind)));
}

Status kernels::wrongRank(int64_t rank) {
  return Status(Code::Internal,
                "a kernel was called with rank " + std::to_string(rank));
}

Status kernels::outOfRange(const char *tensor, const Position &) {
  return Status(Code::InvalidArgument,
                std::string("an index into '") + tensor + "' is out of range");
}

Status kernels::outOfRange(const char *index, int64_t low, int64_t high,
                           int64_t size) {
  return Status(Code::InvalidArgument,
                std::string("an index is out of range: '") + index +
                    "' goes from " + std::to_string(low) + " up to " +
                    std::to_string(high) + " of " + std::to_string(size));
}

static void widen(const TensorView &from, float *to) {
  visitKind(from.type->kind, [&]<typename T>(std::type_identity<T>) {
    std::transform(from.as<T>(), from.as<T>() + from.type->elements(), to,
                   [](T x) { return float(kernels::load(x)); });
  });
}
static void narrow(const float *from, const TensorView &to) {
  visitKind(to.type->kind, [&]<typename T>(std::type_identity<T>) {
    std::transform(from, from + to.type->elements(), to.as<T>(),
                   [](float x) { return kernels::store<T>(x); });
  });
}

Status kernels::widened(const KernelCall &given,
                        std::initializer_list<WideOperand> operands,
                        const std::function<Status(const KernelCall &)> &run) {
  std::vector<TensorView> buffers(given.buffers.begin(), given.buffers.end());
  std::deque<Tensor> wide; // a deque: addresses stay valid
  auto forEach = [&](auto visit) {
    for (const WideOperand &operand : operands) {
      size_t first = CallView::first(given, size_t(operand.number));
      for (int32_t i = 0; i < given.segments[size_t(operand.number)]; ++i)
        if (Status status = visit(operand, first + size_t(i)); !status.ok())
          return status;
    }
    return Status();
  };
  Status status = forEach([&](const WideOperand &operand, size_t i) {
    Result<Tensor> made =
        Tensor::zeros({ElementKind::F32, buffers[i].type->shape});
    if (!made)
      return made.status();
    wide.push_back(std::move(*made));
    buffers[i] = wide.back().view();
    if (operand.isRead)
      widen(given.buffers[i], buffers[i].as<float>());
    return Status();
  });
  if (status.ok())
    status = run({buffers, given.segments, given.attributes});
  if (!status.ok())
    return status;
  return forEach([&](const WideOperand &operand, size_t i) {
    if (operand.isWritten)
      narrow(buffers[i].as<float>(), given.buffers[i]);
    return Status();
  });
}
