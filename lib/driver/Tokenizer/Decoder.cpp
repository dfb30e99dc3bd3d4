//===- Decoder.cpp - texts of tokens --------------------------------------===//
// SPDX-License-Identifier: MIT

#include "Decoder.h"
#include "Fields.h"
#include "Pattern.h"
#include "PreTokenizer.h"
#include "Unicode.h"
#include <array>
#include <utility>

using namespace glow;
using namespace glow::tokenizer;

namespace {

/// A step that `Step`, a class that can be copied, implements.
template <typename Step> class StepOf : public DecoderStep {
public:
  std::unique_ptr<DecoderStep> copy() const final {
    return std::make_unique<Step>(static_cast<const Step &>(*this));
  }
};

/// A step that looks at whole tokens.
template <typename Step> class TokenStepOf : public StepOf<Step> {
public:
  Status take(Fragment fragment, Fragments &to) final {
    token += fragment.text;
    if (!fragment.ends)
      return Status();
    return takeToken(std::exchange(token, {}), to);
  }

  Status finish(Fragments &) override { return Status(); }

private:
  virtual Status takeToken(std::string whole, Fragments &to) = 0;

  std::string token;
};

/// Characters for bytes become bytes, and all tokens become one. Bytes that are
/// no character become U+FFFD, one for each longest part of a character.
class ByteLevelStep final : public TokenStepOf<ByteLevelStep> {
public:
  Status finish(Fragments &to) override {
    emit(to, /*isLast=*/true);
    return Status();
  }

private:
  Status takeToken(std::string token, Fragments &to) override {
    const size_t before = bytes.size();
    for (size_t at = 0; at < token.size();) {
      const int byte = byteOfCharacter(nextCharacter(token, at));
      if (byte < 0) {
        bytes.resize(before);
        bytes += token;
        break;
      }
      bytes += char(byte);
    }
    emit(to, /*isLast=*/false);
    return Status();
  }

  void emit(Fragments &to, bool isLast) {
    std::string text;
    for (;;) {
      const size_t valid = validPrefix(bytes);
      text += bytes.substr(0, valid);
      bytes.erase(0, valid);
      const size_t part = partOfCharacter(bytes);
      // More bytes may complete the character.
      if (bytes.empty() || (part == bytes.size() && !isLast && isPart()))
        break;
      text += replacementCharacter;
      bytes.erase(0, part);
    }
    if (!text.empty() || isLast)
      to.push_back({std::move(text), std::exchange(isFirst, false), isLast});
  }

  /// Whether `bytes` can begin a character.
  bool isPart() const {
    return bytes.size() > 1 ||
           (uint8_t(bytes[0]) >= 0xc2 && uint8_t(bytes[0]) < 0xf5);
  }

  std::string bytes;
  bool isFirst = true;
};

/// A run of tokens `<0xHH>` becomes its text, or U+FFFD for each if it is none.
/// The text is known when the run ends.
class ByteFallbackStep final : public TokenStepOf<ByteFallbackStep> {
public:
  Status finish(Fragments &to) override {
    if (validPrefix(bytes) != bytes.size())
      for (size_t i = std::exchange(bytes, {}).size(); i > 0; --i)
        to.push_back({std::string(replacementCharacter)});
    if (!bytes.empty())
      to.push_back({std::exchange(bytes, {})});
    return Status();
  }

private:
  Status takeToken(std::string token, Fragments &to) override {
    if (const int byte = byteOfToken(token); byte >= 0) {
      bytes += char(byte);
      return Status();
    }
    Status status = finish(to);
    to.push_back({std::move(token)});
    return status;
  }

  std::string bytes;
};

/// The mark becomes a blank, but for the one that was put before the text.
class MetaspaceStep final : public TokenStepOf<MetaspaceStep> {
public:
  MetaspaceStep(std::string mark, bool prepends)
      : mark(textPattern(std::move(mark))), prepends(prepends) {}

private:
  Status takeToken(std::string token, Fragments &to) override {
    const bool isPrefix = std::exchange(isFirst, false) && prepends;
    to.push_back({*replaced(token, mark, isPrefix ? "" : " ")});
    return Status();
  }

  Pattern mark;
  bool prepends, isFirst = true;
};

class ReplaceStep final : public TokenStepOf<ReplaceStep> {
public:
  ReplaceStep(Pattern pattern, std::string by)
      : pattern(std::move(pattern)), by(std::move(by)) {}

private:
  Status takeToken(std::string token, Fragments &to) override {
    Result<std::string> text = replaced(token, pattern, by);
    if (text)
      to.push_back({text.take()});
    return text.status();
  }

  Pattern pattern;
  std::string by;
};

/// The suffix of words becomes a blank, but for that of the last token.
class BpeStep final : public TokenStepOf<BpeStep> {
public:
  explicit BpeStep(std::string suffix)
      : suffix(textPattern(std::move(suffix))) {}

  Status finish(Fragments &to) override {
    if (last)
      to.push_back({*replaced(*std::exchange(last, {}), suffix, "")});
    return Status();
  }

private:
  Status takeToken(std::string token, Fragments &to) override {
    if (last)
      to.push_back({*replaced(*last, suffix, " ")});
    last = std::move(token);
    return Status();
  }

  Pattern suffix;
  std::optional<std::string> last;
};

/// Blanks between tokens.
class JoinStep final : public TokenStepOf<JoinStep> {
  Status takeToken(std::string token, Fragments &to) override {
    to.push_back({(std::exchange(isFirst, false) ? "" : " ") + token});
    return Status();
  }

  bool isFirst = true;
};

/// All tokens become one.
class FuseStep final : public StepOf<FuseStep> {
public:
  Status take(Fragment fragment, Fragments &to) override {
    to.push_back({std::move(fragment.text), std::exchange(isFirst, false),
                  /*ends=*/false});
    return Status();
  }

  Status finish(Fragments &to) override {
    to.push_back({"", isFirst, /*ends=*/true});
    return Status();
  }

private:
  bool isFirst = true;
};

/// Up to `start` times, a character is removed at the begin of each token, and
/// up to `stop` times at its end.
class StripStep final : public StepOf<StripStep> {
public:
  StripStep(std::string character, uint32_t start, uint32_t stop)
      : character(std::move(character)), start(start), stop(stop) {}

  Status take(Fragment fragment, Fragments &to) override {
    if (fragment.begins)
      left = start;
    std::string &text = fragment.text;
    for (; left > 0 && text.starts_with(character); --left)
      text.erase(0, character.size());
    if (!text.empty())
      left = 0;
    // The text may end where its token ends.
    if (stop > 0) {
      text = std::exchange(kept, {}) + text;
      size_t end = text.size();
      for (uint32_t i = 0; i < stop && text.substr(0, end).ends_with(character);
           ++i)
        end -= character.size();
      if (!fragment.ends)
        kept = text.substr(end);
      text.resize(end);
    }
    to.push_back(std::move(fragment));
    return Status();
  }

  Status finish(Fragments &) override { return Status(); }

private:
  std::string character, kept;
  uint32_t start, stop, left = 0;
};

} // namespace

using Steps = DecoderSteps;

template <typename Step, typename... Arguments>
static Steps only(Arguments &&...arguments) {
  Steps steps;
  steps.push_back(
      std::make_unique<Step>(std::forward<Arguments>(arguments)...));
  return steps;
}

static Steps byteLevel(const Fields &of) {
  of.allow({"add_prefix_space", "trim_offsets", "use_regex"});
  return only<ByteLevelStep>();
}

static Steps metaspace(const Fields &of) {
  of.allow({"replacement", "prepend_scheme", "split", "add_prefix_space",
            "str_rep"});
  return only<MetaspaceStep>(of.character("replacement"),
                             prependSchemeOf(of) != PrependScheme::Never);
}

static Steps replace(const Fields &of) {
  of.allow({"pattern", "content"});
  return only<ReplaceStep>(patternOf(of, "pattern"), of.text("content"));
}

static Steps strip(const Fields &of) {
  of.allow({"content", "start", "stop"});
  return only<StripStep>(of.character("content"), of.number("start"),
                         of.number("stop"));
}

static Steps bpe(const Fields &of) {
  of.allow({"suffix"});
  std::string suffix = of.textOr("suffix", "</w>");
  if (suffix.empty())
    of.fail("suffix", "a text of at least one character");
  return only<BpeStep>(std::move(suffix));
}

static Steps byteFallback(const Fields &of) {
  of.allow({});
  return only<ByteFallbackStep>();
}

static Steps fuse(const Fields &of) {
  of.allow({});
  return only<FuseStep>();
}

static Steps sequence(const Fields &of) {
  of.allow({"decoders"});
  Steps steps;
  for (const Fields &step : of.objects("decoders"))
    for (auto &each : decoderOf(step))
      steps.push_back(std::move(each));
  return steps;
}

Steps tokenizer::decoderOf(const Fields &of) {
  static constexpr std::array<std::string_view, 8> names = {
      "ByteLevel", "ByteFallback", "Metaspace",  "Replace",
      "Fuse",      "Strip",        "BPEDecoder", "Sequence"};
  using Reader = Steps (*)(const Fields &);
  static constexpr std::array<Reader, 8> readers = {
      byteLevel, byteFallback, metaspace, replace, fuse, strip, bpe, sequence};
  return readers[of.choice("type", names)](of);
}

Steps tokenizer::joiningDecoder() { return only<JoinStep>(); }

Steps tokenizer::copyOf(const Steps &steps) {
  Steps copies;
  for (const auto &step : steps)
    copies.push_back(step->copy());
  return copies;
}
