//===- RegexSyntax.cpp - regular expressions of Oniguruma -----------------===//
// SPDX-License-Identifier: MIT

#include "RegexSyntax.h"
#include <algorithm>
#include <array>

using namespace glow;
using namespace glow::tokenizer;

/// White_Space. PCRE2 counts U+180E among spaces.
static constexpr const char *spaces = "\\x{9}-\\x{d}\\x{85}\\p{Z}";

/// Characters of words. In PCRE2, marks, and letters in circles and squares are
/// none. Outside of classes, Oniguruma has another table for Latin-1, with
/// superscripts and fractions.
static std::string words(bool inClass) {
  std::string members = "\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}\\x{24b6}-\\x{24e9}"
                        "\\x{1f130}-\\x{1f149}\\x{1f150}-\\x{1f169}"
                        "\\x{1f170}-\\x{1f189}";
  return inClass ? members : members + "\\xb2\\xb3\\xb9\\xbc-\\xbe";
}

static bool isDigit(char character) {
  return character >= '0' && character <= '9';
}

static bool isLetter(char character) {
  const int lower = character | 0x20;
  return lower >= 'a' && lower <= 'z';
}

static std::string inBrackets(const std::string &members) {
  return "[" + members + "]";
}

namespace {

/// Copies an expression from left to right.
class Translation {
public:
  explicit Translation(std::string_view regex) : regex(regex) {}

  Result<std::string> run() {
    while (at < regex.size() && status.ok()) {
      const char character = regex[at];
      if (character == '\\')
        escape(/*inClass=*/false);
      else if (character == '[')
        characterClass();
      else if (character == '(')
        group();
      else if (character == '{')
        repetition();
      else
        copy(1);
    }
    if (!status.ok())
      return status;
    return result;
  }

private:
  bool follows(std::string_view text) const {
    return regex.substr(at).starts_with(text);
  }

  void copy(size_t count) {
    result += regex.substr(at, count);
    at += count;
  }

  void replace(size_t count, const std::string &by) {
    result += by;
    at += count;
  }

  void refuse(size_t count) {
    if (status.ok())
      status = failure(Code::Unsupported, "has '", regex.substr(at, count),
                       "' at byte ", at,
                       ", which is not supported in a regular expression");
    at = regex.size();
  }

  void escape(bool inClass) {
    if (at + 1 == regex.size())
      return refuse(1);
    const char kind = regex[at + 1];
    auto members = [&](const std::string &of) {
      replace(2, inClass ? of : inBrackets(of));
    };
    switch (kind) {
    case 's':
      return members(spaces);
    case 'S':
      return members("\\S\\x{180e}");
    case 'w':
      return members(words(inClass));
    case 'h':
      return members("0-9A-Fa-f");
    case 'v':
      return replace(2, "\\x{b}");
    case 'W':
      return inClass ? refuse(2) : replace(2, inBrackets("^" + words(false)));
    case 'b':
      return inClass ? refuse(2) : wordBoundary("(?:(?<=W)(?!W)|(?<!W)(?=W))");
    case 'B':
      return inClass ? refuse(2) : wordBoundary("(?:(?<=W)(?=W)|(?<!W)(?!W))");
    case 'A':
    case 'z':
    case 'Z':
      return inClass ? refuse(2) : copy(2);
    case 'p':
    case 'P':
      return property();
    case 'x':
    case 'u':
      return codePoint(kind);
    default:
      if (std::string_view("dDrntfae").find(kind) == std::string_view::npos &&
          (isLetter(kind) || isDigit(kind) || uint8_t(kind) >= 0x80))
        return refuse(2);
      return copy(2);
    }
  }

  void wordBoundary(std::string form) {
    for (size_t w; (w = form.find('W')) != form.npos;)
      form.replace(w, 1, inBrackets(words(false)));
    replace(2, form);
  }

  /// `\p{L}`, `\p{^L}`, `\p{Han}`. A name of more than two letters is that of a
  /// script, or of one of a few properties: PCRE2 has scripts with their
  /// extensions otherwise.
  void property() {
    static constexpr std::array<std::string_view, 5> properties = {
        "Any", "Alphabetic", "Lowercase", "Uppercase", "White_Space"};
    const size_t end = regex.find('}', at);
    if (at + 2 >= regex.size() || regex[at + 2] != '{' || end == regex.npos)
      return refuse(3);
    std::string_view name = regex.substr(at + 3, end - at - 3);
    std::string text(regex.substr(at, 3));
    if (name.starts_with('^'))
      text += '^', name.remove_prefix(1);
    const bool isPlain =
        !name.empty() && std::ranges::all_of(name, [](char character) {
          return isLetter(character) || character == '_';
        });
    if (!isPlain)
      return refuse(end - at + 1);
    if (name.size() > 2 &&
        std::ranges::find(properties, name) == properties.end())
      text += "sc:";
    replace(end - at + 1, text + std::string(name) + "}");
  }

  /// `\x41`, `\x{1F600}`, `\u00e9`. Two digits are a byte for Oniguruma, which
  /// is a character up to 7F.
  void codePoint(char kind) {
    size_t begin = at + 2, end = begin;
    const bool isBraced = kind == 'x' && follows("\\x{");
    if (isBraced) {
      begin += 1;
      end = std::min(regex.find('}', at), regex.size());
    } else {
      end = std::min(begin + (kind == 'x' ? 2 : 4), regex.size());
    }
    const std::string digits(regex.substr(begin, end - begin));
    const size_t length = (isBraced ? end + 1 : end) - at;
    const bool isWhole =
        digits.find_first_not_of("0123456789ABCDEFabcdef") == digits.npos &&
        !digits.empty() && digits.size() <= 8;
    if (!isWhole || (!isBraced && kind == 'x' && digits[0] > '7') ||
        (!isBraced && digits.size() != (kind == 'x' ? 2 : 4)))
      return refuse(length);
    replace(length, "\\x{" + digits + "}");
  }

  /// A class without others in it, and without intersections.
  void characterClass() {
    copy(1);
    if (follows("^"))
      copy(1);
    if (follows("]"))
      return refuse(1);
    while (status.ok() && !follows("]")) {
      if (at == regex.size() || follows("[") || follows("&&"))
        return refuse(2);
      if (follows("\\"))
        escape(/*inClass=*/true);
      else
        copy(1);
    }
    if (status.ok())
      copy(1);
  }

  void group() {
    for (std::string_view plain :
         {"(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?i:", "(?-i:"})
      if (follows(plain))
        return copy(plain.size());
    // The option ends with the group; an alternative begins none.
    const bool begins =
        result.empty() || result.ends_with("(") || result.ends_with("(?:");
    if (follows("(?i)") && begins)
      return copy(4);
    if (follows("(?") || follows("(*"))
      return refuse(3);
    copy(1);
  }

  /// `{2}`, `{2,}`, `{2,4}`, and `{2,4}?`. Behind the others, a further sign
  /// differs in meaning.
  void repetition() {
    size_t end = at + 1;
    while (end < regex.size() && (isDigit(regex[end]) || regex[end] == ','))
      ++end;
    if (end == at + 1 || !isDigit(regex[at + 1]) || end == regex.size() ||
        regex[end] != '}')
      return refuse(2);
    const bool isRange = regex.substr(at, end - at).find(',') != regex.npos;
    copy(end - at + 1);
    if (follows("+") || (follows("?") && !isRange))
      return refuse(1);
  }

  std::string_view regex;
  size_t at = 0;
  std::string result;
  Status status;
};

} // namespace

Result<std::string> tokenizer::syntaxOfPcre2(std::string_view regex) {
  constexpr size_t longest = 1 << 14;
  if (regex.size() > longest)
    return failure(Code::Unsupported, "has ", regex.size(),
                   " bytes; a regular expression should have at most ",
                   longest);
  return Translation(regex).run();
}
