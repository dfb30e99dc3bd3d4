//===- Rates.cpp - measured rates of the processor ------------------------===//
// SPDX-License-Identifier: MIT

#include "Rates.h"
#include "Multipliers.h"
#include "glow/Values/Tensor.h"
#include <cstring>
#include <ctime>
#include <vector>

using namespace glow;
using namespace glow::cpu;

using Words = uint64_t __attribute__((vector_size(64)));

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

/// CPU seconds of this thread, without the time that other threads ran.
static double secondsOfThread() {
  timespec time;
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

/// The work of all threads together in a second. `body(i)` does `work`.
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
  // A thread that found no chunk is counted with the mean rate of the others.
  return rates / ran * threads.count();
}

Result<DeviceRates> cpu::measureRates(Threads &threads) {
  std::atomic<uint64_t> kept = 0; // keeps the optimizer from removing the work
  const int64_t chunks = 16 * int64_t(threads.count());
  constexpr int64_t rounds = 20000;
  DeviceRates rates;
  for (const Multiplier &multiplier : multipliers())
    rates.multipliesPerSecond[multiplier.kind] =
        rateOf(threads, chunks, double(rounds) * multiplier.productsOfRound,
               [&](int64_t) { kept += uint64_t(multiplier.multiply(rounds)); });
  // More bytes than caches hold.
  constexpr int64_t bytes = int64_t(128) << 20;
  Result<Tensor> memory = Tensor::zeros({ElementKind::U8, {bytes}});
  if (!memory)
    return memory.status();
  auto *data = static_cast<char *>(memory->data());
  const int64_t share = bytes / chunks / 64 * 64;
  // Written first: all unwritten pages share one physical page.
  threads.run(chunks, [&](int64_t begin, int64_t end, unsigned) {
    std::memset(data + begin * share, 1, size_t((end - begin) * share));
  });
  rates.bytesPerSecond =
      rateOf(threads, chunks, double(share), [&](int64_t chunk) {
        kept += readAll(data + chunk * share, share);
      });
  return rates;
}
