//===- Rates.cpp - how fast the processor is ------------------------------===//

#include "Rates.h"
#include "glow/Values/Tensor.h"
#include <cstring>
#include <ctime>
#include <vector>

using namespace glow;
using namespace glow::cpu;

// As many lanes as the longest vectors have; others take several registers.
using Floats = float __attribute__((vector_size(64)));
using Words = uint64_t __attribute__((vector_size(64)));

/// As many as a core begins to multiply before the first is done.
static constexpr int vectors = 12;
static constexpr int64_t lanes = sizeof(Floats) / sizeof(float);

[[gnu::always_inline]] static inline float multiplyAll(int64_t rounds,
                                                       float factor) {
#pragma clang fp contract(fast)
  Floats sums[vectors];
  for (int i = 0; i < vectors; ++i)
    sums[i] = Floats{} + float(i);
  const Floats by = Floats{} + factor, more = Floats{} + 0.5f;
  for (int64_t round = 0; round < rounds; ++round)
#pragma clang loop unroll(full)
    for (int i = 0; i < vectors; ++i)
      sums[i] = sums[i] * by + more;
  Floats all = sums[0];
  for (int i = 1; i < vectors; ++i)
    all += sums[i];
  return all[0];
}

#ifdef __x86_64__
__attribute__((target("avx512f,fma"), min_vector_width(512))) static float
multiplyBy512(int64_t rounds, float factor) {
  return multiplyAll(rounds, factor);
}

__attribute__((target("avx2,fma"))) static float multiplyBy256(int64_t rounds,
                                                               float factor) {
  return multiplyAll(rounds, factor);
}
#endif

/// By the instructions that the processor has for it.
static float multiply(int64_t rounds, float factor) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f"))
    return multiplyBy512(rounds, factor);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return multiplyBy256(rounds, factor);
#endif
  return multiplyAll(rounds, factor);
}

static uint64_t readAll(const char *data, int64_t bytes) {
  Words all[4] = {};
  for (int64_t i = 0; i + int64_t(sizeof all) <= bytes; i += sizeof all) {
    Words words[4];
    std::memcpy(words, data + i, sizeof words);
    for (int k = 0; k < 4; ++k)
      all[k] ^= words[k];
  }
  return all[0][0] ^ all[1][0] ^ all[2][0] ^ all[3][0];
}

/// Seconds that this thread ran, which leave out those that others did.
static double secondsOfThread() {
  timespec time;
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

/// What all threads do in a second together, of which `body(i)` does `work`.
template <typename Body>
static double rateOf(Threads &threads, int64_t chunks, double work, Body body) {
  struct alignas(64) Share {
    double work = 0, seconds = 0;
  };
  std::vector<Share> shares(threads.count());
  for (int i = 0; i < 8; ++i)
    threads.run(chunks, [&](int64_t begin, int64_t end, unsigned thread) {
      const double from = secondsOfThread();
      for (int64_t chunk = begin; chunk < end; ++chunk)
        body(chunk);
      shares[thread].seconds += secondsOfThread() - from;
      shares[thread].work += work * double(end - begin);
    });
  double rates = 0, ran = 0;
  for (const Share &share : shares)
    if (share.seconds > 0) {
      rates += share.work / share.seconds;
      ++ran;
    }
  // One that found nothing to do would have done as much as another.
  return rates / ran * threads.count();
}

Result<DeviceRates> cpu::measureRates(Threads &threads) {
  std::atomic<uint64_t> kept = 0; // so that nothing is left out
  const int64_t chunks = 16 * int64_t(threads.count());
  constexpr int64_t rounds = 20000;
  DeviceRates rates;
  rates.multipliesPerSecond =
      rateOf(threads, chunks, double(rounds * vectors * lanes),
             [&](int64_t) { kept += uint64_t(multiply(rounds, 0.9f)); });
  // More than caches have.
  constexpr int64_t bytes = int64_t(128) << 20;
  Result<Tensor> memory = Tensor::zeros({ElementKind::U8, {bytes}});
  if (!memory)
    return memory.status();
  auto *data = static_cast<char *>(memory->data());
  const int64_t share = bytes / chunks / 64 * 64;
  // Pages that were never written are all the same one.
  threads.run(chunks, [&](int64_t begin, int64_t end, unsigned) {
    std::memset(data + begin * share, 1, size_t((end - begin) * share));
  });
  rates.bytesPerSecond =
      rateOf(threads, chunks, double(share), [&](int64_t chunk) {
        kept += readAll(data + chunk * share, share);
      });
  return rates;
}
