// The engine copies when it is waited for: what is freed or changed too early
// would be seen.
#include "glow/Generated/EngineCalls.h"
#include <cstring>
#include <vector>

using namespace glow;

namespace {
/// Of rows that lie apart.
struct Copy {
  char *to;
  const char *from;
  size_t bytes, rows = 1, toStep = 0, fromStep = 0;

  void carryOut() const {
    for (size_t row = 0; row < rows; ++row)
      std::memcpy(to + row * toStep, from + row * fromStep, bytes);
  }
};
} // namespace

static std::vector<Copy> &copies() {
  static thread_local std::vector<Copy> started;
  return started;
}

template <typename Call> static Status start(const Call &call) {
  *call.token.template as<int64_t>() = int64_t(copies().size());
  size_t bytes = call.dest.type->bytes();
  char *to = call.dest.template as<char>();
  std::memset(to, 0x55, bytes);
  copies().push_back({to, call.src.template as<const char>(), bytes});
  return Status();
}

template <typename Call> static Status wait(const Call &call) {
  const Copy &copy = copies()[size_t(*call.token.template as<const int64_t>())];
  if (copy.to != call.dest.template as<char>())
    return Status(Code::InvalidArgument, "the copy goes elsewhere");
  copy.carryOut();
  return Status();
}

Status kernels::engineStart(const EngineStartCall &call) { return start(call); }
Status kernels::engineWait(const EngineWaitCall &call) { return wait(call); }
Status kernels::engineFetch(const EngineFetchCall &call) { return start(call); }
Status kernels::engineArrive(const EngineArriveCall &call) {
  return wait(call);
}

/// Where a part of a matrix begins, and how far its rows are apart.
template <typename Matrix>
static std::pair<size_t, size_t> partOf(const Matrix &matrix,
                                        const Ints &starts) {
  size_t row = size_t(matrix.type->bytes() / matrix.type->shape[0]);
  size_t element = row / size_t(matrix.type->shape[1]);
  return {size_t(starts[0]) * row + size_t(starts[1]) * element, row};
}

template <typename Call>
static Status move(const Call &call, const Ints &to, const Ints &from) {
  auto [toBegin, toStep] = partOf(call.dest, to);
  auto [fromBegin, fromStep] = partOf(call.src, from);
  Copy copy{call.dest.template as<char>() + toBegin,
            call.src.template as<const char>() + fromBegin,
            std::min(toStep, fromStep), size_t(call.sizes[0]), toStep, fromStep};
  for (size_t row = 0; row < copy.rows; ++row)
    std::memset(copy.to + row * copy.toStep, 0x55, copy.bytes);
  *call.token.template as<int64_t>() = int64_t(copies().size());
  copies().push_back(copy);
  return Status();
}

Status kernels::engineTake(const EngineTakeCall &call) {
  return move(call, {0, 0}, call.starts);
}
Status kernels::engineGive(const EngineGiveCall &call) {
  return move(call, call.starts, {0, 0});
}
Status kernels::engineLanded(const EngineLandedCall &call) {
  copies()[size_t(*call.token.as<const int64_t>())].carryOut();
  return Status();
}

template <typename T> static void square(const kernels::EngineSquareCall &call) {
  for (int64_t i = 0; i < call.src.type->elements(); ++i)
    call.dest.as<T>()[i] = call.src.as<const T>()[i] * call.src.as<const T>()[i];
}

Status kernels::engineSquare(const EngineSquareCall &call) {
  if (call.src.type->kind == ElementKind::F32)
    square<float>(call);
  else
    square<double>(call);
  return Status();
}

template <typename T> static void add(const kernels::EngineSumCall &call) {
  int64_t count = call.dest.type->elements();
  for (int64_t i = 0; i < count; ++i)
    call.sums.as<T>()[i] =
        call.lhs.as<const T>()[i] + call.rhs.as<const T>()[i];
  std::memcpy(call.dest.as<T>(), call.sums.as<T>(), size_t(count) * sizeof(T));
}

Status kernels::engineSum(const EngineSumCall &call) {
  if (call.dest.type->kind == ElementKind::F32)
    add<float>(call);
  else
    add<double>(call);
  return Status();
}

template <typename T> static void sumRows(const kernels::RowSumsCall &call) {
  int64_t rows = call.in.type->shape[0], columns = call.in.type->shape[1];
  auto *in = call.in.as<const T>();
  auto *sums = call.sums.as<double>();
  for (int64_t i = 0; i < rows; ++i) {
    sums[0] = 0;
    for (int64_t j = 0; j < columns; ++j)
      sums[j + 1] = sums[j] + double(*in++);
    call.out.as<T>()[i] = T(sums[columns]);
  }
}

Status kernels::engineRowSums(const RowSumsCall &call) {
  if (call.in.type->kind == ElementKind::F32)
    sumRows<float>(call);
  else
    sumRows<double>(call);
  return Status();
}

template <typename T> static void square(const kernels::BentCall &call) {
  for (int64_t i = 0; i < call.in.type->elements(); ++i)
    call.out.as<T>()[i] = call.in.as<const T>()[i] * call.in.as<const T>()[i];
}

Status kernels::engineBent(const BentCall &call) {
  if (call.in.type->kind == ElementKind::F32)
    square<float>(call);
  else
    square<double>(call);
  return Status();
}
