// The engine copies when it is waited for: what is freed or changed too early
// would be seen.
#include "glow/Generated/EngineCalls.h"
#include <cstring>
#include <vector>

using namespace glow;

namespace {
struct Copy {
  char *to;
  const char *from;
  size_t bytes;
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
  std::memcpy(copy.to, copy.from, copy.bytes);
  return Status();
}

Status kernels::engineStart(const EngineStartCall &call) { return start(call); }
Status kernels::engineWait(const EngineWaitCall &call) { return wait(call); }
Status kernels::engineFetch(const EngineFetchCall &call) { return start(call); }
Status kernels::engineArrive(const EngineArriveCall &call) {
  return wait(call);
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
