//===- Sampler.h - the next token of a text ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_TEXT_SAMPLER_H
#define GLOW_TOOLS_GLOW_TEXT_SAMPLER_H

#include "glow/Runtime/Host.h"
#include "glow/Session/Session.h"
#include "glow/Tokenizer/Tokenizer.h"

namespace glow::tool {

struct SamplerOptions {
  double temperature = 0;       ///< 0: the token with the highest score
  int64_t topK = 0;             ///< only so many of the likeliest; 0: all
  double topP = 1;              ///< only the likeliest, up to this probability
  double repetitionPenalty = 1; ///< divides scores of tokens that were there
  uint64_t seed = 0;
};

/// The nodes that choose a token, as a module in text: of scores `logits`
/// [1,words], flags `seen` [1,words], and `random` [1], a number from 0 to less
/// than 1, they give `token` [1]. Inputs that the options do not need are
/// absent.
std::string samplerModule(const SamplerOptions &options, ElementKind kind,
                          int64_t words);

/// Chooses tokens by the module above. The choice is a function of the scores,
/// the options and the tokens before.
class Sampler {
public:
  /// Compiles the module. Fails as Session::compile and Host::load do.
  static Result<std::unique_ptr<Sampler>>
  create(const SamplerOptions &options, SessionFactory &sessions, Host &host,
         const CompileRequest &like, ElementKind kind, int64_t words);

  /// Marks a token as repeated. Fails with Code::InvalidArgument for
  /// a token without a score.
  Status see(TokenId token);

  /// The next token for scores of `words` elements.
  Result<TokenId> next(void *scores);

private:
  Sampler(const SamplerOptions &options, Host &host, Program program,
          ModelId model, Tensor seen)
      : options(options), host(host), program(std::move(program)), model(model),
        seen(std::move(seen)) {}

  const SamplerOptions options;
  Host &host;
  const Program program;
  const ModelId model;
  Tensor seen;
  uint64_t steps = 0;
};

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_TEXT_SAMPLER_H
