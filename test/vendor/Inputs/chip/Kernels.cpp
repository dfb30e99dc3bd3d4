// The product of the chip. Says when it is called, so that a test sees it.
#include "glow/Generated/ChipCalls.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>

using namespace glow;

Status kernels::chipMatMul(const MatMulCall &call) {
  const Ints &shape = call.out.type->shape;
  int64_t k = call.lhs.type->shape.back(), m = shape.back(),
          size = shape[shape.size() - 2] * m;
  std::puts("chipMatMul is called");
  const char *error = std::getenv("CHIP_ERROR");
  static int calls = 0;
  const char *tires = std::getenv("CHIP_TIRES");
  if (tires && ++calls > std::atoi(tires))
    error = "1";
  if (std::getenv("CHIP_ALIGNED") && uintptr_t(call.out.data) % 64)
    return Status(Code::Internal, "the chip wants lines of 64 bytes");
  auto *y = call.out.as<float>();
  auto *a = call.lhs.as<const float>(), *b = call.rhs.as<const float>();
  for (int64_t i = 0; i < call.out.type->elements(); ++i) {
    y[i] = error ? float(std::atof(error)) : 0;
    const float *matrix = b + i / size * k * m;
    for (int64_t j = 0; j < k; ++j)
      y[i] += a[i / m * k + j] * matrix[j * m + i % m];
  }
  return Status();
}
