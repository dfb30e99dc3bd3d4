//===- Regex.cpp - regular expressions, by PCRE2 --------------------------===//
// SPDX-License-Identifier: MIT
//
// PCRE2 and not RE2, as in other parts of Glow: the expressions of tokenizers
// look ahead. Limits bound the steps and the memory of an expression that
// backtracks without end.
//
//===----------------------------------------------------------------------===//

#include "Pattern.h"
#include "RegexSyntax.h"
#include "Unicode.h"
#include <memory>
#include <optional>
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

using namespace glow;
using namespace glow::tokenizer;

namespace {

template <auto release> struct Release {
  template <typename T> void operator()(T *pointer) const { release(pointer); }
};
template <typename T, auto release>
using Owner = std::unique_ptr<T, Release<release>>;

constexpr uint32_t mostSteps = 10'000'000;
constexpr uint32_t mostKiB = 64 << 10;

/// A compiled expression; several threads may match at once.
class Regex {
public:
  static Result<std::shared_ptr<Regex>> compile(std::string_view regex);

  Status operator()(std::string_view text, std::vector<Span> &spans) const;

private:
  struct Range {
    size_t begin, end;
  };
  /// The first match from `from` on; nothing if there is none.
  Result<std::optional<Range>> next(std::string_view text, size_t from) const;

  Owner<pcre2_code, &pcre2_code_free> code;
  Owner<pcre2_match_context, &pcre2_match_context_free> limits;
};

} // namespace

static std::string messageOf(int error) {
  PCRE2_UCHAR text[128];
  if (pcre2_get_error_message(error, text, sizeof text) < 0)
    return "error " + std::to_string(error);
  return reinterpret_cast<const char *>(text);
}

Result<std::shared_ptr<Regex>> Regex::compile(std::string_view regex) {
  Result<std::string> syntax = syntaxOfPcre2(regex);
  if (!syntax)
    return syntax.status();
  int error = 0;
  size_t place = 0;
  Owner<pcre2_compile_context, &pcre2_compile_context_free> context(
      pcre2_compile_context_create(nullptr));
  auto made = std::make_shared<Regex>();
  made->limits.reset(pcre2_match_context_create(nullptr));
  if (!context || !made->limits)
    throw std::bad_alloc();
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  pcre2_set_match_limit(made->limits.get(), mostSteps);
  pcre2_set_heap_limit(made->limits.get(), mostKiB);
  made->code.reset(pcre2_compile(
      reinterpret_cast<PCRE2_SPTR>(syntax->data()), syntax->size(),
      PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NO_UTF_CHECK |
          PCRE2_NEVER_BACKSLASH_C,
      &error, &place, context.get()));
  if (!made->code)
    return failure(Code::Unsupported,
                   "is no supported regular expression: ", messageOf(error));
  return made;
}

Result<std::optional<Regex::Range>> Regex::next(std::string_view text,
                                                size_t from) const {
  // The memory of a match is that of its thread, for all expressions.
  thread_local const Owner<pcre2_match_data, &pcre2_match_data_free> data(
      pcre2_match_data_create(1, nullptr));
  if (!data)
    throw std::bad_alloc();
  const int count = pcre2_match(
      code.get(), reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), from,
      PCRE2_NO_UTF_CHECK, data.get(), limits.get());
  if (count == PCRE2_ERROR_NOMATCH)
    return std::optional<Range>();
  if (count < 0)
    return failure(
        Code::InvalidArgument,
        "a regular expression of the tokenizer fails: ", messageOf(count));
  const size_t *found = pcre2_get_ovector_pointer(data.get());
  return std::optional(Range{found[0], found[1]});
}

Status Regex::operator()(std::string_view text,
                         std::vector<Span> &spans) const {
  size_t last = 0; // end of the last match
  bool isFirst = true;
  for (size_t from = 0; from <= text.size();) {
    Result<std::optional<Range>> found = next(text, from);
    if (!found)
      return found.status();
    if (!*found)
      break;
    const auto [begin, end] = **found;
    // An empty match at the end of the last one is none.
    if (begin == end && end == last && !isFirst) {
      if (from == text.size())
        break;
      nextCharacter(text, from);
      continue;
    }
    if (last < begin)
      spans.push_back({last, begin, false});
    spans.push_back({begin, end, true});
    last = from = end;
    isFirst = false;
  }
  if (last < text.size())
    spans.push_back({last, text.size(), false});
  return Status();
}

Result<Pattern> tokenizer::regexPattern(std::string_view regex) {
  Result<std::shared_ptr<Regex>> compiled = Regex::compile(regex);
  if (!compiled)
    return compiled.status();
  return Pattern([compiled = compiled.take()](std::string_view text,
                                              std::vector<Span> &spans) {
    return text.empty() ? Status() : (*compiled)(text, spans);
  });
}
