// The product of the chip. Says when it is called, so that a test sees it.
#include "glow/Program/Kernel.h"
#include <cstdio>
#include <cstdlib>

namespace glow::kernels {

Status chipMatMul(const KernelCall &call) {
  const TensorView &out = call.buffers[0], &lhs = call.buffers[1],
                   &rhs = call.buffers[2];
  const Ints &shape = out.type->shape;
  int64_t k = lhs.type->shape.back(), m = shape.back(),
          size = shape[shape.size() - 2] * m;
  std::puts("chipMatMul is called");
  const char *error = std::getenv("CHIP_ERROR");
  auto *y = static_cast<float *>(out.data);
  auto *a = static_cast<const float *>(lhs.data);
  auto *b = static_cast<const float *>(rhs.data);
  for (int64_t i = 0; i < out.type->elements(); ++i) {
    y[i] = error ? float(std::atof(error)) : 0;
    const float *matrix = b + i / size * k * m;
    for (int64_t j = 0; j < k; ++j)
      y[i] += a[i / m * k + j] * matrix[j * m + i % m];
  }
  return Status();
}

} // namespace glow::kernels
