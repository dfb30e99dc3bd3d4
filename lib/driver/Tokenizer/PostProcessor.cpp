//===- PostProcessor.cpp - tokens around a text ---------------------------===//
// SPDX-License-Identifier: MIT

#include "PostProcessor.h"
#include "Fields.h"
#include <array>

using namespace glow;
using namespace glow::tokenizer;

using Ids = std::vector<TokenId>;

/// Puts ids before and behind those of a text.
static PostProcessor around(Ids before, Ids behind) {
  return [=](Ids &ids) {
    ids.insert(ids.begin(), before.begin(), before.end());
    ids.insert(ids.end(), behind.begin(), behind.end());
  };
}

/// The ids of a special token of a template.
static Ids idsOf(const Fields &tokens, const Fields &piece) {
  piece.allow({"id", "type_id"});
  const std::string name = piece.text("id");
  if (!tokens.has(name.c_str()))
    piece.fail("id", "a key of special_tokens");
  if (!piece.ok())
    return {};
  const Fields token = tokens.object(name.c_str());
  token.allow({"id", "ids", "tokens"});
  const Json *list = token.find("ids");
  Ids ids;
  if (list && list->is_array())
    for (const Json &id : *list)
      if (id.is_number_unsigned() && id.get<uint64_t>() < mostIds)
        ids.push_back(id.get<TokenId>());
  if (!list || ids.size() != list->size())
    token.fail("ids", "a list of ids");
  return ids;
}

static PostProcessor templateProcessing(const Fields &of) {
  of.allow({"single", "pair", "special_tokens"});
  const Fields tokens = of.object("special_tokens");
  // Glow has one text at a time; the template for pairs is not used.
  Ids parts[2];
  size_t texts = 0;
  for (const Fields &piece : of.objects("single")) {
    piece.allow({"SpecialToken", "Sequence"});
    if (piece.has("Sequence") == piece.has("SpecialToken"))
      piece.fail(nullptr, "an object with either 'Sequence' or 'SpecialToken'");
    if (piece.has("Sequence")) {
      static constexpr std::array<std::string_view, 1> first = {"A"};
      piece.object("Sequence").choice("id", first);
      ++texts;
      continue;
    }
    Ids ids = idsOf(tokens, piece.object("SpecialToken"));
    Ids &to = parts[texts > 0];
    to.insert(to.end(), ids.begin(), ids.end());
  }
  if (texts != 1)
    of.fail("single", "a list with one Sequence", Code::Unsupported);
  return around(parts[0], parts[1]);
}

/// ["</s>", 2].
static TokenId pairOf(const Fields &of, const char *key) {
  const Json *pair = of.find(key);
  if (pair && pair->is_array() && pair->size() == 2 && (*pair)[0].is_string() &&
      (*pair)[1].is_number_unsigned() && (*pair)[1].get<uint64_t>() < mostIds)
    return (*pair)[1].get<TokenId>();
  of.fail(key, "a token and its id, as [\"</s>\", 2]");
  return 0;
}

static PostProcessor beginAndEnd(const Fields &of) {
  of.allow({"sep", "cls", "trim_offsets", "add_prefix_space"});
  return around({pairOf(of, "cls")}, {pairOf(of, "sep")});
}

/// The step moves offsets, and Glow has no offsets.
static PostProcessor byteLevel(const Fields &of) {
  of.allow({"add_prefix_space", "trim_offsets", "use_regex"});
  return around({}, {});
}

static PostProcessor sequence(const Fields &of) {
  of.allow({"processors"});
  std::vector<PostProcessor> steps;
  for (const Fields &step : of.objects("processors"))
    steps.push_back(postProcessorOf(step));
  return [steps = std::move(steps)](Ids &ids) {
    for (const PostProcessor &step : steps)
      step(ids);
  };
}

PostProcessor tokenizer::postProcessorOf(const Fields &of) {
  static constexpr std::array<std::string_view, 5> names = {
      "TemplateProcessing", "ByteLevel", "RobertaProcessing", "BertProcessing",
      "Sequence"};
  using Reader = PostProcessor (*)(const Fields &);
  static constexpr std::array<Reader, 5> readers = {
      templateProcessing, byteLevel, beginAndEnd, beginAndEnd, sequence};
  return readers[of.choice("type", names)](of);
}
