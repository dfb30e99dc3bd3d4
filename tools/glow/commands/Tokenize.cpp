//===- Tokenize.cpp - glow tokenize: ids of texts, and texts of ids -------===//
// SPDX-License-Identifier: MIT

#include "cli/Help.h"
#include "cli/Tool.h"
#include "glow/TensorFiles/File.h"
#include "glow/Tokenizer/Tokenizer.h"
#include <charconv>
#include <cstdio>
#include <fstream>
#include <iostream>

using namespace glow;
using namespace glow::tool;

namespace {

struct TokenizeOptions {
  std::string file, data;
  std::optional<std::string> text;
  bool decode = false, plain = false, special = false;
};

/// Runs the command on one line after the other.
class LineTokenizer {
public:
  LineTokenizer(const TokenizeOptions &options, Tokenizer tokenizer)
      : options(options), tokenizer(std::move(tokenizer)) {}

  Status run() {
    if (options.text)
      return takeLine(*options.text).prefixed("--text: ");
    std::ifstream file;
    if (!options.data.empty() && options.data != "-") {
      file.open(options.data, std::ios::binary);
      if (!file)
        return failure(Code::NotFound, "cannot open '", options.data, "'");
    }
    std::istream &in = file.is_open() ? file : std::cin;
    const std::string name = file.is_open() ? options.data : "standard input";
    std::string line;
    for (size_t number = 1; readLine(in, line); ++number)
      if (Status status = takeLine(line); !status.ok())
        return status.prefixed(name + ":" + std::to_string(number) + ": ");
    return in.bad() ? failure(Code::NotFound, "cannot read '", name, "'")
                    : Status();
  }

private:
  static constexpr size_t longestLine = 16 << 20; ///< bounds the memory

  /// As std::getline. Of a line that is too long, it reads one byte too many.
  static bool readLine(std::istream &in, std::string &line) {
    line.clear();
    for (char c; line.size() <= longestLine && in.get(c);) {
      if (c == '\n')
        return true;
      line += c;
    }
    return !line.empty() && !in.bad();
  }

  Status takeLine(const std::string &line) const {
    if (line.size() > longestLine)
      return failure(Code::InvalidArgument, "the line has more than ",
                     longestLine, " bytes");
    return options.decode ? decodeLine(line) : encodeLine(line);
  }

  Status encodeLine(const std::string &line) const {
    Result<std::vector<TokenId>> ids = tokenizer.encode(line, !options.plain);
    if (!ids)
      return ids.status();
    std::string numbers;
    for (TokenId id : *ids)
      numbers += (numbers.empty() ? "" : " ") + std::to_string(id);
    print(numbers);
    return Status();
  }

  Status decodeLine(std::string_view line) const {
    Result<std::vector<TokenId>> ids = idsIn(line);
    if (!ids)
      return ids.status();
    Result<std::string> text = tokenizer.decode(*ids, options.special);
    if (text)
      print(*text);
    return text.status();
  }

  /// Numbers between blanks or commas.
  static Result<std::vector<TokenId>> idsIn(std::string_view line) {
    std::vector<TokenId> ids;
    for (size_t begin = 0, end; begin < line.size(); begin = end + 1) {
      end = std::min(line.find_first_of(" ,\t\r", begin), line.size());
      if (begin == end)
        continue;
      const std::string_view word = line.substr(begin, end - begin);
      TokenId id = 0;
      auto [rest, error] = std::from_chars(word.begin(), word.end(), id);
      if (error != std::errc() || rest != word.end())
        return failure(Code::InvalidArgument, "'", word,
                       "' is no id; there should be numbers between blanks");
      ids.push_back(id);
    }
    return ids;
  }

  static void print(std::string line) {
    line += '\n';
    std::fwrite(line.data(), 1, line.size(), stdout);
  }

  const TokenizeOptions &options;
  Tokenizer tokenizer;
};

} // namespace

static Status tokenize(const TokenizeOptions &options) {
  Result<std::string> json = readFile(options.file, Tokenizer::largestFile);
  if (!json)
    return json.status();
  Result<Tokenizer> tokenizer = Tokenizer::parse(*json);
  if (!tokenizer)
    return tokenizer.status().prefixed("'" + options.file + "': ");
  return LineTokenizer(options, tokenizer.take()).run();
}

Subcommand tool::addTokenize(CLI::App &glow, SessionFactory &) {
  CLI::App *app = glow.add_subcommand(
      "tokenize", "print the ids of texts, or the texts of ids");
  addExamples(*app,
              {"glow tokenize tokenizer.json --text 'Hello world'",
               "glow tokenize tokenizer.json --data lines.txt",
               "glow tokenize tokenizer.json --decode --text '15496 995'"});
  auto options = std::make_shared<TokenizeOptions>();
  app->add_option("TOKENIZER", options->file,
                  "a tokenizer.json, as of Hugging Face's tokenizers")
      ->required();
  CLI::Option *text = app->add_option("--text", options->text, "take this text")
                          ->type_name("TEXT");
  app->add_option(
         "--data", options->data,
         "take each line of this file; - is standard input; default: -")
      ->type_name("FILE")
      ->excludes(text);
  CLI::Option *decode = app->add_flag(
      "--decode", options->decode,
      "print the text of ids, which are numbers between blanks or commas");
  app->add_flag("--plain", options->plain,
                "add no tokens for the begin and the end of a text")
      ->excludes(decode);
  app->add_flag("--special", options->special,
                "print the text of special tokens too")
      ->needs(decode);
  return {app, [options] {
            Status status = tokenize(*options);
            return status.ok() ? 0 : fail(status);
          }};
}
