//===- Settings.cpp - options of the provider -----------------------------===//
// SPDX-License-Identifier: MIT

#include "Settings.h"
#include "Elements.h"
#include <algorithm>
#include <charconv>

using namespace glow;
using namespace glow::ort;

static constexpr const char *rangesName = "ranges";

/// Reads a number and removes it from the text.
static bool readNumber(std::string_view &text, int64_t &number) {
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, number);
  text.remove_prefix(rest - text.data());
  return error == std::errc();
}

static bool readWord(std::string_view &text, std::string_view word) {
  if (!text.starts_with(word))
    return false;
  text.remove_prefix(word.size());
  return true;
}

/// "N=1..16" or "S=8..512:8"; a name may have any other characters.
static bool readRange(std::string_view text, Range &range) {
  const size_t name = text.rfind('=');
  if (name == 0 || name == text.npos)
    return false;
  range.dimension = text.substr(0, name);
  text.remove_prefix(name + 1);
  range.multiple = 1;
  return readNumber(text, range.least) && readWord(text, "..") &&
         readNumber(text, range.most) &&
         (!readWord(text, ":") || readNumber(text, range.multiple)) &&
         text.empty();
}

std::vector<Range> ort::rangesOf(const Settings &settings) {
  std::vector<Range> ranges;
  for (const auto &[name, value] : settings) {
    if (name != rangesName)
      continue;
    for (size_t at = 0; at <= value.size();) {
      const size_t end = std::min(value.find(',', at), value.size());
      if (!readRange(std::string_view(value).substr(at, end - at),
                     ranges.emplace_back()))
        throw Failure(ORT_INVALID_ARGUMENT,
                      "option 'ranges' is '" + value +
                          "', it should be as N=1..16,S=8..512:8");
      at = end + 1;
    }
  }
  return ranges;
}

/// ONNX Runtime writes names of options with underscores.
static std::string optionName(std::string name) {
  std::ranges::replace(name, '_', '-');
  return name;
}

api::Options ort::optionsOf(const Settings &settings) {
  api::Options options;
  for (const auto &[name, value] : settings)
    if (name != rangesName)
      options.set(optionName(name), value);
  return options;
}
