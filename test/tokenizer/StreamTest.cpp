//===- StreamTest.cpp - ids that arrive one by one, and threads -----------===//
// SPDX-License-Identifier: MIT

#include "glow/Tokenizer/Tokenizer.h"
#include <gtest/gtest.h>
#include <random>
#include <thread>

using namespace glow;

/// Tokens of each sort, with the ids 0, 1, ...
static const std::vector<std::string> tokens = {
    "a",      "▁b",    "Ã", "©", "<0xC3>", "<0xA9>",
    "<0xE2>", "c</w>", "é", " ", "x ",     "<s>"};

static Tokenizer tokenizerWith(const std::string &decoder) {
  std::string vocabulary;
  for (size_t id = 0; id < tokens.size(); ++id)
    vocabulary +=
        (id ? ", \"" : "\"") + tokens[id] + "\": " + std::to_string(id);
  Result<Tokenizer> tokenizer = Tokenizer::parse(
      R"({"added_tokens": [{"id": 11, "content": "<s>", "single_word": false,
          "lstrip": false, "rstrip": false, "normalized": false,
          "special": true}], "decoder": )" +
      decoder + R"(, "model": {"type": "BPE", "merges": [], "vocab": {)" +
      vocabulary + "}}}");
  EXPECT_TRUE(tokenizer) << tokenizer.status().message();
  return tokenizer.take();
}

static std::string taken(TextStream &stream, TokenId id) {
  Result<std::string> text = stream.take(id);
  EXPECT_TRUE(text) << text.status().message();
  return text ? *text : "";
}

TEST(TextStream, WaitsForTheBytesOfACharacter) {
  TextStream stream(tokenizerWith(R"({"type": "ByteLevel"})"));
  EXPECT_EQ(taken(stream, 0), "a");
  EXPECT_EQ(taken(stream, 2), "");
  EXPECT_EQ(taken(stream, 3), "é");
  // A byte that completes nothing is wrong at once; one may wait behind it.
  EXPECT_EQ(taken(stream, 3), "\xef\xbf\xbd");
  EXPECT_EQ(taken(stream, 2), "");
  EXPECT_EQ(*stream.finish(), "\xef\xbf\xbd");
  EXPECT_EQ(taken(stream, 3), "\xef\xbf\xbd");
}

TEST(TextStream, WaitsForTheEndOfARunOfBytes) {
  TextStream stream(tokenizerWith(
      R"({"type": "Sequence", "decoders": [{"type": "ByteFallback"},
          {"type": "Fuse"},
          {"type": "Strip", "content": " ", "start": 1, "stop": 0}]})"));
  EXPECT_EQ(taken(stream, 9), "");
  EXPECT_EQ(taken(stream, 9), " ");
  EXPECT_EQ(taken(stream, 4), "");
  EXPECT_EQ(taken(stream, 5), "");
  EXPECT_EQ(taken(stream, 0), "éa");
  EXPECT_EQ(taken(stream, 4), "");
  EXPECT_EQ(*stream.finish(), "\xef\xbf\xbd");
}

TEST(TextStream, IsAsBeforeAfterAFailure) {
  TextStream stream(tokenizerWith(R"({"type": "ByteLevel"})"));
  EXPECT_EQ(taken(stream, 2), "");
  Result<std::string> text = stream.take(99);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.status().code(), Code::NotFound);
  EXPECT_EQ(taken(stream, 3), "é");
}

TEST(TextStream, JoinedTextsAreThatOfAllIds) {
  const char *decoders[] = {
      "null",
      R"({"type": "ByteLevel"})",
      R"({"type": "BPEDecoder", "suffix": "</w>"})",
      R"({"type": "Metaspace", "replacement": "▁"})",
      R"({"type": "Sequence", "decoders": [{"type": "ByteFallback"},
          {"type": "ByteLevel"}, {"type": "Strip", "content": " ", "start": 1,
           "stop": 2}]})",
      R"({"type": "Sequence", "decoders": [{"type": "Fuse"},
          {"type": "Replace", "pattern": {"Regex": "a+"}, "content": "b"}]})"};
  std::mt19937 random(1);
  for (const char *decoder : decoders) {
    const Tokenizer tokenizer = tokenizerWith(decoder);
    for (int round = 0; round < 200; ++round) {
      std::vector<TokenId> ids(random() % 8);
      for (TokenId &id : ids)
        id = TokenId(random() % tokens.size());
      for (bool special : {false, true}) {
        TextStream stream(tokenizer, special);
        std::string joined;
        for (TokenId id : ids)
          joined += taken(stream, id);
        joined += *stream.finish();
        EXPECT_EQ(joined, *tokenizer.decode(ids, special)) << decoder;
      }
    }
  }
}

TEST(Tokenizer, ThreadsShareIt) {
  const Tokenizer tokenizer = tokenizerWith("null");
  const std::vector<TokenId> expected = *tokenizer.encode("aé aé");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 500; ++round)
        EXPECT_EQ(*tokenizer.encode("aé aé"), expected);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(tokenizer.idOf("<s>"), 11u);
  EXPECT_EQ(tokenizer.tokenOf(8), "é");
  EXPECT_EQ(tokenizer.tokenOf(12), std::nullopt);
}
