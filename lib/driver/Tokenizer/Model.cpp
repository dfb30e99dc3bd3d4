//===- Model.cpp - ids of words -------------------------------------------===//
// SPDX-License-Identifier: MIT

#include "Model.h"
#include "Fields.h"
#include "Unicode.h"
#include <array>

using namespace glow;
using namespace glow::tokenizer;

void Vocabulary::add(std::string token, TokenId id) {
  auto place = ids.insert_or_assign(std::move(token), id).first;
  tokens[id] = &place->first;
  ++count;
}

std::optional<TokenId> Vocabulary::idOf(std::string_view token) const {
  auto found = ids.find(token);
  if (found == ids.end())
    return std::nullopt;
  return found->second;
}

const std::string *Vocabulary::tokenOf(TokenId id) const {
  auto found = tokens.find(id);
  return found == tokens.end() ? nullptr : found->second;
}

bool tokenizer::appendBytes(const Vocabulary &vocabulary, std::string_view text,
                            std::vector<TokenId> &to) {
  const size_t before = to.size();
  for (char byte : text) {
    auto id = vocabulary.idOf(tokenOfByte(static_cast<unsigned char>(byte)));
    if (!id) {
      to.resize(before);
      return false;
    }
    to.push_back(*id);
  }
  return true;
}

std::unique_ptr<const Model> tokenizer::modelOf(const Fields &of) {
  static constexpr std::array<std::string_view, 2> names = {"BPE", "Unigram"};
  // Early files have no type; merges are those of byte pairs.
  if (!of.has("type") && of.has("merges"))
    return bpeOf(of);
  return of.choice("type", names) == 0 ? bpeOf(of) : unigramOf(of);
}
