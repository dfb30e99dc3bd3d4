//===- TrainingWords.cpp - words of a training ----------------------------===//
// SPDX-License-Identifier: MIT

#include "TrainingWords.h"
#include "glow/Program/Failure.h"
#include <algorithm>
#include <charconv>
#include <span>

using namespace glow;
using namespace glow::capi;

namespace {

/// An option by the name of its flag. `set` returns a text that describes valid
/// values if the value is none.
struct Word {
  const char *name;
  std::string (*set)(TrainerOptions &options, const std::string &value);
};

} // namespace

template <typename T>
static std::string setNumber(T &number, const std::string &value, T least,
                             T most) {
  const char *end = value.data() + value.size();
  T given = 0;
  auto [rest, error] = std::from_chars(value.data(), end, given);
  if (error != std::errc() || rest != end || !(given >= least && given <= most))
    return "a number from " + std::to_string(least) + " to " +
           std::to_string(most);
  number = given;
  return "";
}

static std::string setChoice(std::string &word, const std::string &value,
                             std::span<const char *const> words) {
  if (std::ranges::find(words, value) != words.end()) {
    word = value;
    return "";
  }
  std::string all;
  for (const char *one : words)
    all += (all.empty() ? "" : ", ") + std::string(one);
  return "one of " + all;
}

// The limits of the flags of `glow train`.
static constexpr double anyReal = 1e9;
static constexpr int64_t anyCount = int64_t(1) << 40;
static constexpr const char *schedules[] = {"constant", "cosine", "step"};

#define GLOW_WORD(NAME, BODY)                                                  \
  {                                                                            \
    NAME, [](TrainerOptions &o, const std::string &v) -> std::string { BODY }  \
  }
#define GLOW_REAL(NAME, MEMBER, MOST)                                          \
  GLOW_WORD(NAME, return setNumber(o.MEMBER, v, 0.0, double(MOST));)
#define GLOW_COUNT(NAME, MEMBER, LEAST, MOST)                                  \
  GLOW_WORD(NAME, return setNumber(o.MEMBER, v, int64_t(LEAST), int64_t(MOST));)
#define GLOW_CHOICE(NAME, MEMBER, WORDS)                                       \
  GLOW_WORD(NAME, return setChoice(o.MEMBER, v, WORDS);)
#define GLOW_TEXT(NAME, MEMBER) GLOW_WORD(NAME, o.MEMBER = v; return "";)
#define GLOW_TEXTS(NAME, MEMBER)                                               \
  GLOW_WORD(NAME, o.MEMBER.push_back(v); return "";)

static const Word words[] = {
    GLOW_TEXTS("data", data),
    GLOW_TEXT("labels", labels),
    GLOW_TEXT("compare", training.output),
    GLOW_TEXTS("trainable", training.weights),
    GLOW_TEXT("checkpoint", checkpoint),
    GLOW_CHOICE("loss", training.loss, lossNames),
    GLOW_CHOICE("batch-norm", training.batchNorm, batchNormNames),
    GLOW_CHOICE("dropout", training.dropout, dropoutNames),
    GLOW_CHOICE("optimizer", training.optimizer.name, optimizerNames),
    GLOW_REAL("momentum", training.optimizer.momentum, 1),
    GLOW_REAL("beta1", training.optimizer.beta1, 0.9999999),
    GLOW_REAL("beta2", training.optimizer.beta2, 0.9999999),
    GLOW_REAL("keep", training.optimizer.keep, 1),
    GLOW_REAL("decay", training.optimizer.decay, anyReal),
    GLOW_REAL("l1", training.optimizer.l1, anyReal),
    GLOW_REAL("l2", training.optimizer.l2, anyReal),
    GLOW_REAL("clip-value", training.optimizer.clipValue, anyReal),
    GLOW_REAL("clip-norm", training.optimizer.clipNorm, anyReal),
    GLOW_REAL("rate", schedule.rate, anyReal),
    GLOW_CHOICE("schedule", schedule.name, schedules),
    GLOW_COUNT("warm-up", schedule.warmUp, 0, anyCount),
    GLOW_COUNT("step-epochs", schedule.every, 0, anyCount),
    GLOW_REAL("step-factor", schedule.factor, 1),
    GLOW_COUNT("epochs", epochs, 1, anyCount),
    GLOW_COUNT("batch", batch, 1, int64_t(1) << 30),
    GLOW_WORD("seed", return setNumber(o.seed, v, uint64_t(0), ~uint64_t(0));),
    GLOW_REAL("validation", validation, 0.99),
};

Status capi::setTrainingWord(TrainerOptions &options, const std::string &word) {
  const size_t middle = std::min(word.find('='), word.size());
  const std::string name = word.substr(0, middle);
  const auto found = std::ranges::find(words, name, &Word::name);
  if (found == std::end(words)) {
    std::string names;
    for (const Word &one : words)
      names += (names.empty() ? "" : ", ") + std::string(one.name);
    return failureOf(Code::NotFound, {"no word of a training is named '", name,
                                      "'; there are: ", names});
  }
  const std::string value =
      middle == word.size() ? "" : word.substr(middle + 1);
  const std::string wanted = found->set(options, value);
  if (wanted.empty())
    return Status();
  return failureOf(Code::InvalidArgument,
                   {"'", name, "' is '", value, "', it should be ", wanted});
}
