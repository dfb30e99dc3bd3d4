//===- Decoder.h - a language model that is given tokens --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_TEXT_DECODER_H
#define GLOW_TOOLS_GLOW_TEXT_DECODER_H

#include "cli/Tool.h"
#include "glow/Runtime/Host.h"
#include "glow/Runtime/SessionStates.h"
#include "glow/Session/SizedPrograms.h"
#include "glow/Tokenizer/Tokenizer.h"
#include <functional>

namespace glow::tool {

/// A language model as one program for all lengths. Its inputs are ids of
/// tokens [1,S] and, if it has them, their positions, a mask of all tokens, and
/// caches that it gives back longer. Without caches, each run reads all tokens
/// again.
class Decoder {
public:
  /// Compiles and loads the model for up to `context` tokens. Fails, naming it,
  /// with Code::Unsupported for an input or output that has no such meaning,
  /// and as Session::compile does.
  static Result<std::unique_ptr<Decoder>> open(const ModelOptions &options,
                                               Session &model, Host &host,
                                               int64_t context);

  /// Reads tokens, in pieces; `goesOn` is asked before each piece. Fails with
  /// Code::InvalidArgument, changing nothing, if the context is too small for
  /// them, and with Code::Cancelled if `goesOn` is false.
  Status feed(std::span<const TokenId> ids,
              const std::function<bool()> &goesOn);

  /// The scores of the next token, after the last one that was read.
  void *scores();
  ElementKind kind() const { return logits.type().kind; }
  int64_t words() const { return logits.type().shape[2]; }

  int64_t length() const { return int64_t(tokens.size()); }
  int64_t room() const { return context - length(); }
  bool hasCache() const { return states != nullptr; }
  const CompileRequest &request() const { return asked; }
  /// The number of programs of one size beside that of ranges.
  size_t specialized() const { return sized ? sized->count() : 0; }

private:
  Decoder(Host &host, int64_t context) : host(host), context(context) {}

  Status findInputs(const std::vector<Binding> &inputs,
                    const std::vector<Binding> &outputs);
  bool isState(const std::string &input) const;
  Status compile(ModelOptions options, Session &model);
  Status prepare();
  std::vector<std::string> ranges(const std::vector<Binding> &inputs) const;
  Status runPiece(std::span<const TokenId> ids, int64_t first);

  Host &host;
  int64_t context;
  int64_t longest = 0;                          ///< tokens of a piece
  std::string ids, positions, mask, scoresName; ///< of inputs and the output
  std::vector<StatePair> caches;
  CompileRequest asked;
  Program program;
  ModelId model{};
  std::unique_ptr<SizedPrograms> sized;  ///< null without any
  std::unique_ptr<SessionStates> states; ///< null without caches
  std::vector<Tensor> inputs, others;    ///< memory for the longest piece
  Tensor logits;
  int64_t rows = 0; ///< tokens of the last piece
  std::vector<TokenId> tokens;
};

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_TEXT_DECODER_H
