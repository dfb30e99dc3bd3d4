//===- Generate.cpp - glow generate: a text of a language model -----------===//
// SPDX-License-Identifier: MIT

#include "cli/Help.h"
#include "cli/Numbers.h"
#include "data/RunOptions.h"
#include "glow/Base/Counted.h"
#include "glow/TensorFiles/File.h"
#include "model/Runner.h"
#include "text/Decoder.h"
#include "text/Sampler.h"
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <limits>

using namespace glow;
using namespace glow::tool;

namespace {

struct GenerateOptions {
  ModelOptions model;
  SamplerOptions sampler;
  std::string tokens, tokenizer, json;
  std::optional<std::string> prompt;
  std::vector<TokenId> stops;
  int64_t context = 512, count = 100;
};

volatile std::sig_atomic_t wasInterrupted = 0;

/// While it lives, the first Ctrl-C is noted, and a second one ends the
/// process as before.
class Interruption {
public:
  Interruption() {
    struct sigaction action = {};
    action.sa_handler = [](int) { wasInterrupted = 1; };
    action.sa_flags = int(SA_RESETHAND);
    ::sigaction(SIGINT, &action, &before);
  }
  ~Interruption() { ::sigaction(SIGINT, &before, nullptr); }
  Interruption(const Interruption &) = delete;

  static bool goesOn() { return !wasInterrupted; }

private:
  struct sigaction before = {};
};

/// A text that is made: its prompt, and the tokens behind it.
class Generation {
public:
  explicit Generation(const GenerateOptions &options)
      : options(options), host(DeviceOptions{options.model.threads}) {}

  int run();

private:
  Status prepare();
  Result<std::vector<TokenId>> promptTokens() const;
  Status readPrompt();
  Status makeTokens();
  Status show(TokenId token);
  void print(const std::string &text) const;
  Status report();

  const GenerateOptions &options;
  Host host;
  std::shared_ptr<Session> session;
  std::optional<Tokenizer> tokenizer;
  std::optional<TextStream> stream;
  std::unique_ptr<Decoder> decoder;
  std::unique_ptr<Sampler> sampler;
  std::vector<TokenId> prompt, made;
  std::string text; ///< text of the made tokens
  const char *end = "all tokens were made";
  double promptTime = 0, time = 0; ///< in milliseconds
};

} // namespace

/// Numbers between blanks, commas and ends of lines.
static Result<std::vector<TokenId>> tokensIn(std::string text) {
  std::vector<TokenId> tokens;
  for (size_t begin = 0, end; begin < text.size(); begin = end + 1) {
    end = std::min(text.find_first_of(" ,\t\r\n", begin), text.size());
    if (begin == end)
      continue;
    const std::string word = text.substr(begin, end - begin);
    std::optional<TokenId> token =
        numberIn<TokenId>(word, 0, std::numeric_limits<int32_t>::max());
    if (!token)
      return failure(Code::InvalidArgument, "'", word,
                     "' is no id; there should be numbers between blanks");
    tokens.push_back(*token);
  }
  return tokens;
}

Result<std::vector<TokenId>> Generation::promptTokens() const {
  constexpr uint64_t largestFile = 16 << 20;
  if (options.prompt) {
    Result<std::vector<TokenId>> tokens = tokenizer->encode(*options.prompt);
    if (!tokens)
      return tokens.status().prefixed("--prompt: ");
    return tokens;
  }
  Result<std::string> text = readFile(options.tokens, largestFile);
  if (!text)
    return text.status();
  Result<std::vector<TokenId>> tokens = tokensIn(text.take());
  if (!tokens)
    return tokens.status().prefixed("'" + options.tokens + "': ");
  return tokens;
}

/// Wrong files are found before the model is compiled.
Status Generation::prepare() {
  if (!options.tokenizer.empty()) {
    Result<std::string> json =
        readFile(options.tokenizer, Tokenizer::largestFile);
    if (!json)
      return json.status();
    Result<Tokenizer> parsed = Tokenizer::parse(*json);
    if (!parsed)
      return parsed.status().prefixed("'" + options.tokenizer + "': ");
    tokenizer = parsed.take();
    stream.emplace(*tokenizer);
  }
  Result<std::vector<TokenId>> tokens = promptTokens();
  if (!tokens)
    return tokens.status();
  prompt = tokens.take();
  if (prompt.empty())
    return Status(Code::InvalidArgument, "the prompt has no token");
  Result<std::shared_ptr<Session>> opened = openModel(options.model);
  if (!opened)
    return opened.status();
  session = opened.take();
  Result<std::unique_ptr<Decoder>> made =
      Decoder::open(options.model, *session, host, options.context);
  if (!made)
    return made.status();
  decoder = made.take();
  Result<std::unique_ptr<Sampler>> chooser =
      Sampler::create(options.sampler, *options.model.sessions, host,
                      decoder->request(), decoder->kind(), decoder->words());
  if (chooser)
    sampler = chooser.take();
  return chooser.status();
}

Status Generation::readPrompt() {
  for (TokenId token : prompt) {
    Status status = sampler->see(token);
    // The stream begins with the prompt: a blank before the first word is its
    // own.
    if (status.ok() && stream)
      status = stream->take(token).status();
    if (!status.ok())
      return status.prefixed("the prompt: ");
  }
  Stopwatch watch;
  Status status = decoder->feed(prompt, Interruption::goesOn);
  promptTime = watch.milliseconds();
  return status.prefixed(status.code() == Code::Cancelled ? ""
                                                          : "the prompt: ");
}

void Generation::print(const std::string &text) const {
  if (options.json == "-")
    return;
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

Status Generation::show(TokenId token) {
  if (!stream) {
    print((made.size() > 1 ? " " : "") + std::to_string(token));
    return Status();
  }
  Result<std::string> more = stream->take(token);
  if (!more)
    return more.status();
  text += *more;
  print(*more);
  return Status();
}

Status Generation::makeTokens() {
  Stopwatch watch;
  while (int64_t(made.size()) < options.count) {
    Result<TokenId> token = sampler->next(decoder->scores());
    if (!token)
      return token.status();
    if (std::ranges::find(options.stops, *token) != options.stops.end()) {
      end = "a stop token came";
      break;
    }
    made.push_back(*token);
    Status status = sampler->see(*token);
    if (status.ok())
      status = show(*token);
    if (!status.ok())
      return status;
    time = watch.milliseconds();
    if (int64_t(made.size()) == options.count)
      break;
    if (decoder->room() == 0) {
      end = "the context is full";
      break;
    }
    status = decoder->feed({&*token, 1}, Interruption::goesOn);
    if (status.code() == Code::Cancelled)
      break;
    if (!status.ok())
      return status;
  }
  return Status();
}

Status Generation::report() {
  if (stream)
    if (Result<std::string> rest = stream->finish()) {
      text += *rest;
      print(*rest);
    }
  if (wasInterrupted)
    end = "it was interrupted";
  auto perSecond = [](size_t count, double milliseconds) {
    return milliseconds > 0 ? 1000 * double(count) / milliseconds : 0.0;
  };
  // The first token costs no step.
  const double rate = perSecond(made.empty() ? 0 : made.size() - 1, time);
  print("\n");
  if (options.json != "-")
    printText("%zu tokens after %zu: %s; prompt in %s, %.1f tokens a second\n",
              made.size(), prompt.size(), end, timeText(promptTime).c_str(),
              rate);
  const size_t programs = decoder->specialized();
  if (programs && options.json != "-")
    printText("%s of one size beside that of ranges\n",
              counted(programs, "program").c_str());
  Json json = {{"model", options.model.model},
               {"prompt", prompt},
               {"tokens", made},
               {"end", end},
               {"prompt_ms", promptTime},
               {"tokens_per_second", rate}};
  if (programs)
    json["specialized"] = programs;
  if (stream)
    json["text"] = text;
  return writeJson(options.json, json);
}

int Generation::run() {
  if (options.json == "-")
    silenceText();
  Status status = prepare();
  if (!status.ok())
    return fail(status);
  const Interruption interruption;
  status = readPrompt();
  if (status.ok())
    status = makeTokens();
  if (!status.ok() && status.code() != Code::Cancelled)
    return fail(status);
  status = report();
  if (!status.ok())
    return fail(status);
  constexpr int interrupted = 128 + SIGINT; // as a shell reports it
  return wasInterrupted ? interrupted : 0;
}

static void addSamplerFlags(CLI::App &app, GenerateOptions &options) {
  SamplerOptions &sampler = options.sampler;
  const int64_t most = std::numeric_limits<int32_t>::max();
  addNumber(app, "--temperature", sampler.temperature, 0.0, 100.0,
            "divides scores before a token is drawn; 0: the token with the "
            "highest score")
      ->type_name("T");
  addNumber(app, "--top-k", sampler.topK, int64_t(0), most,
            "draw one of the K likeliest tokens; 0: of all")
      ->type_name("K");
  addNumber(app, "--top-p", sampler.topP, 1e-6, 1.0,
            "draw one of the likeliest tokens, whose probabilities have the "
            "sum P")
      ->type_name("P");
  addNumber(app, "--repetition-penalty", sampler.repetitionPenalty, 0.01, 100.0,
            "divide positive scores of tokens that were there, and multiply "
            "others")
      ->type_name("R");
  addNumber(app, "--seed", sampler.seed, uint64_t(0),
            std::numeric_limits<uint64_t>::max(),
            "of the drawn tokens, which are the same for one seed")
      ->type_name("N");
}

Subcommand tool::addGenerate(CLI::App &glow, SessionFactory &sessions) {
  CLI::App *app =
      glow.add_subcommand("generate", "continue a text with a language model");
  addExamples(*app,
              {"glow generate model.onnx --tokenizer tokenizer.json --prompt "
               "'Once upon a time'",
               "glow generate model.onnx --tokens ids.txt --count 20 "
               "--temperature 0.8 --top-p 0.9 --seed 1"});
  auto options = std::make_shared<GenerateOptions>();
  addModelOptions(*app, options->model, sessions);
  addThreadsOption(*app, options->model.threads);
  addSpecializeOption(*app, options->model.specialize);
  CLI::Option *tokenizer =
      app->add_option("--tokenizer", options->tokenizer,
                      "a tokenizer.json: print text in place of ids")
          ->type_name("FILE");
  CLI::Option *prompt =
      app->add_option("--prompt", options->prompt, "the text to continue")
          ->type_name("TEXT")
          ->needs(tokenizer);
  app->add_option("--tokens", options->tokens,
                  "a file of the ids to continue, between blanks")
      ->type_name("FILE")
      ->excludes(prompt);
  addNumber(*app, "--count", options->count, int64_t(0), int64_t(1) << 31,
            "make at most so many tokens")
      ->type_name("N");
  addNumber(*app, "--context", options->context, int64_t(1), int64_t(1) << 24,
            "tokens of the prompt and of the text together")
      ->type_name("N");
  app->add_option("--stop", options->stops, "end before this token")
      ->type_name("ID")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  addSamplerFlags(*app, *options);
  addJsonOption(*app, options->json,
                "the ids, the text and times: prompt, tokens, text, end, "
                "prompt_ms, tokens_per_second");
  return {app, [options] {
            if (!options->prompt && options->tokens.empty())
              return fail(Status(Code::InvalidArgument,
                                 "there is no prompt: --prompt TEXT, or "
                                 "--tokens FILE"));
            return Generation(*options).run();
          }};
}
