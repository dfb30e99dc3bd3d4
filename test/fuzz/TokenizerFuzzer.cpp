//===- TokenizerFuzzer.cpp - changed files of tokenizers ------------------===//
// SPDX-License-Identifier: MIT
//
// Changes values and bytes of tokenizer.json files, and uses the results. A
// message is as good as ids; a crash is a finding, which ends the program.
// Usage: GlowTokenizerFuzzer FILES FILE...; file N is always the same.
//
//===----------------------------------------------------------------------===//

#include "glow/Tokenizer/Tokenizer.h"
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>

using namespace glow;
using Json = nlohmann::json;
using Random = std::mt19937;

/// A value of the file at random, as deep as it comes.
static Json &someValue(Json &json, Random &random) {
  if (!json.is_structured() || json.empty() || random() % 4 == 0)
    return json;
  return someValue(*std::next(json.begin(), long(random() % json.size())),
                   random);
}

static Json otherValue(Json &file, Random &random) {
  static const char *const texts[] = {
      "",   " ",       "a",           "\xc3\xa9",  "\xe2\x96\x81",
      "(",  "(?:a|b)", "\\s+(?!\\S)", "[^a",       "<0x41>",
      "x*", "Regex",   "Sequence",    "ByteLevel", "BPE"};
  switch (random() % 8) {
  case 0:
    return nullptr;
  case 1:
    return random() % 2 == 0;
  case 2:
    return int64_t(random()) - 3;
  case 3:
    return double(random()) / 7;
  case 4:
    return Json::array({someValue(file, random)});
  case 5:
    return texts[random() % std::size(texts)];
  default:
    return someValue(file, random);
  }
}

static void changeValue(Json &file, Random &random) {
  Json &value = someValue(file, random);
  if (value.is_structured() && !value.empty() && random() % 3 == 0)
    value.erase(std::next(value.begin(), long(random() % value.size())));
  else
    value = Json(otherValue(file, random));
}

static void changeByte(std::string &text, Random &random) {
  if (text.empty())
    return;
  const size_t at = random() % text.size();
  switch (random() % 4) {
  case 0:
    text[at] = char(random());
    return;
  case 1:
    text.erase(at, random() % 8);
    return;
  case 2:
    text.insert(at, text.substr(random() % text.size(), random() % 32));
    return;
  default:
    text[at] = "[]{}\",:0"[random() % 8];
  }
}

static std::string someText(Random &random) {
  static const char *const parts[] = {"a",        "b",   "hello ",       "  ",
                                      "\xc3\xa9", "<s>", "\xe6\x97\xa5", "\n",
                                      "1",        "!"};
  std::string text;
  for (size_t i = random() % 12; i > 0; --i)
    text += parts[random() % std::size(parts)];
  if (random() % 8 == 0)
    changeByte(text, random);
  return text;
}

namespace {
struct Counts {
  unsigned files = 0, read = 0, encoded = 0, decoded = 0;
};
} // namespace

static void use(const std::string &json, Random &random, Counts &counts) {
  ++counts.files;
  Result<Tokenizer> tokenizer = Tokenizer::parse(json);
  if (!tokenizer)
    return;
  ++counts.read;
  std::vector<TokenId> ids;
  for (int i = 0; i < 3; ++i)
    if (auto more = tokenizer->encode(someText(random), i > 0)) {
      ++counts.encoded;
      ids.insert(ids.end(), more->begin(), more->end());
    }
  std::ranges::shuffle(ids, random);
  counts.decoded += bool(tokenizer->decode(ids, random() % 2));
}

int main(int count, char **arguments) {
  std::vector<std::string> texts;
  for (int i = 2; i < count; ++i) {
    std::ifstream file(arguments[i], std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file),
                       std::istreambuf_iterator<char>());
  }
  if (texts.empty()) {
    std::fputs("usage: GlowTokenizerFuzzer FILES FILE...\n", stderr);
    return 2;
  }
  Counts counts;
  for (unsigned seed = 0; seed < unsigned(std::atoi(arguments[1])); ++seed) {
    Random random(seed);
    std::string text = texts[seed % texts.size()];
    Json file = Json::parse(text);
    for (size_t changes = random() % 4; changes > 0; --changes)
      changeValue(file, random);
    text = file.dump(-1, ' ', false, Json::error_handler_t::replace);
    for (size_t changes = random() % 3; changes > 1; --changes)
      changeByte(text, random);
    use(text, random, counts);
  }
  std::printf("%u files, %u read; %u texts encoded, %u decoded\n", counts.files,
              counts.read, counts.encoded, counts.decoded);
  return 0;
}
