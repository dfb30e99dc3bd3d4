//===- MpiGroup.cpp - all ranks as a group --------------------------------===//
// SPDX-License-Identifier: MIT

#include "Ranks.h"

using namespace glow;
using namespace glow::remote;

namespace {

class MpiGroup final : public ProcessGroup {
public:
  unsigned rank() const override { return unsigned(Ranks::instance().rank()); }
  unsigned count() const override {
    return unsigned(Ranks::instance().count());
  }
  Status begin(std::span<const TensorView> tensors) override {
    for (const TensorView &tensor : tensors) {
      const ElementKind kind = tensor.type->kind;
      if ((kind != ElementKind::F32 && kind != ElementKind::F64) ||
          tensor.type->elements() > INT32_MAX)
        return failure(Code::Unsupported, tensor.type->text(),
                       " is not added up over ranks: f32 and f64 are, with "
                       "fewer than 2^31 elements");
    }
    Ranks::instance().beginSums(tensors);
    return Status();
  }
  Status finish() override {
    Ranks::instance().finishSums();
    return Status();
  }
};

} // namespace

Result<std::unique_ptr<ProcessGroup>> remote::joinRanks() {
  if (Status status = Ranks::instance().start(); !status.ok())
    return status;
  return std::unique_ptr<ProcessGroup>(new MpiGroup());
}
