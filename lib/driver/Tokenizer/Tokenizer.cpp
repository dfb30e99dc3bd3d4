//===- Tokenizer.cpp - text to ids, and back ------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Tokenizer/Tokenizer.h"
#include "AddedTokens.h"
#include "Decoder.h"
#include "Fields.h"
#include "Model.h"
#include "Normalizer.h"
#include "PostProcessor.h"
#include "PreTokenizer.h"
#include "Unicode.h"
#include <array>

using namespace glow;
using namespace glow::tokenizer;

/// The parts of a file in the order of encoding. Functions are empty where the
/// file has null.
struct Tokenizer::Parts {
  AddedTokens added;
  Normalizer normalizer;
  PreTokenizer preTokenizer;
  std::unique_ptr<const Model> model;
  PostProcessor postProcessor;
  DecoderSteps decoder;

  void read(const Fields &file);
  /// Null if there is no token of the id.
  const std::string *tokenOf(TokenId id) const;
};

void Tokenizer::Parts::read(const Fields &file) {
  static constexpr std::array<std::string_view, 1> versions = {"1.0"};
  file.allow({"version", "truncation", "padding", "added_tokens", "normalizer",
              "pre_tokenizer", "post_processor", "decoder", "model"});
  if (file.has("version"))
    file.choice("version", versions);
  for (const char *key : {"truncation", "padding"})
    if (file.has(key))
      file.fail(key, "absent or null", Code::Unsupported);
  if (file.has("normalizer"))
    normalizer = normalizerOf(file.object("normalizer"));
  if (file.has("pre_tokenizer"))
    preTokenizer = preTokenizerOf(file.object("pre_tokenizer"));
  if (file.has("post_processor"))
    postProcessor = postProcessorOf(file.object("post_processor"));
  decoder = file.has("decoder") ? decoderOf(file.object("decoder"))
                                : joiningDecoder();
  if (file.ok())
    model = modelOf(file.object("model"));
  if (file.ok() && file.has("added_tokens"))
    added = AddedTokens(file, *model, normalizer);
}

const std::string *Tokenizer::Parts::tokenOf(TokenId id) const {
  const std::string *token = added.tokenOf(id);
  return token ? token : model->vocabulary().tokenOf(id);
}

Result<Tokenizer> Tokenizer::parse(std::string_view text) {
  if (text.size() > largestFile)
    return failure(Code::InvalidArgument, "has ", text.size(),
                   " bytes, a tokenizer.json at most ", largestFile);
  Result<Json> json = parseJson(text);
  if (!json)
    return json.status();
  Status status;
  auto parts = std::make_shared<Parts>();
  parts->read(Fields(*json, "", status));
  if (!status.ok())
    return status;
  return Tokenizer(std::move(parts));
}

Tokenizer::Tokenizer(std::shared_ptr<const Parts> parts)
    : parts(std::move(parts)) {}

Result<std::vector<TokenId>> Tokenizer::encode(std::string_view text,
                                               bool special) const {
  if (const size_t valid = validPrefix(text); valid != text.size())
    return failure(Code::InvalidArgument, "the text is not UTF-8 at byte ",
                   valid);
  Pieces pieces;
  Status status = parts->added.divide(text, parts->normalizer, pieces);
  if (status.ok() && parts->preTokenizer)
    status = parts->preTokenizer(pieces);
  std::vector<TokenId> ids;
  for (const Piece &piece : pieces) {
    if (!status.ok())
      return status;
    if (piece.token)
      ids.push_back(*piece.token);
    else
      status = parts->model->encode(piece.text, ids);
  }
  if (!status.ok())
    return status;
  if (special && parts->postProcessor)
    parts->postProcessor(ids);
  return ids;
}

Result<std::string> Tokenizer::decode(std::span<const TokenId> ids,
                                      bool special) const {
  TextStream stream(*this, special);
  std::string text;
  for (TokenId id : ids) {
    Result<std::string> more = stream.take(id);
    if (!more)
      return more;
    text += *more;
  }
  Result<std::string> rest = stream.finish();
  return rest ? text + *rest : rest;
}

std::optional<std::string> Tokenizer::tokenOf(TokenId id) const {
  const std::string *token = parts->tokenOf(id);
  if (!token)
    return std::nullopt;
  return *token;
}

std::optional<TokenId> Tokenizer::idOf(std::string_view token) const {
  std::optional<TokenId> id = parts->added.idOf(token);
  return id ? id : parts->model->vocabulary().idOf(token);
}

//===----------------------------------------------------------------------===//
// TextStream
//===----------------------------------------------------------------------===//

struct TextStream::State {
  std::shared_ptr<const Tokenizer::Parts> parts;
  bool special;
  DecoderSteps steps;

  /// Puts fragments through the steps. `ends` is true behind the last token.
  Result<std::string> run(Fragments fragments, bool ends);
};

Result<std::string> TextStream::State::run(Fragments fragments, bool ends) {
  for (const auto &step : steps) {
    Fragments changed;
    Status status;
    for (Fragment &fragment : fragments)
      if (status.ok())
        status = step->take(std::move(fragment), changed);
    if (status.ok() && ends)
      status = step->finish(changed);
    if (!status.ok())
      return status;
    fragments = std::move(changed);
  }
  std::string text;
  for (const Fragment &fragment : fragments)
    text += fragment.text;
  return text;
}

TextStream::TextStream(const Tokenizer &tokenizer, bool special)
    : state(new State{tokenizer.parts, special,
                      copyOf(tokenizer.parts->decoder)}) {}
TextStream::TextStream(TextStream &&) noexcept = default;
TextStream::~TextStream() = default;

Result<std::string> TextStream::take(TokenId id) {
  const std::string *token = state->parts->tokenOf(id);
  if (!token)
    return failure(Code::NotFound, "there is no token with the id ", id);
  if (!state->special && state->parts->added.isSpecial(*token))
    return std::string();
  return state->run({{*token}}, /*ends=*/false);
}

Result<std::string> TextStream::finish() {
  Result<std::string> rest = state->run({}, /*ends=*/true);
  state->steps = copyOf(state->parts->decoder);
  return rest;
}
