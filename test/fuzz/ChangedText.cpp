//===- ChangedText.cpp - text with a few mistakes in it -------------------===//
// SPDX-License-Identifier: MIT

#include "ChangedText.h"
#include <algorithm>
#include <cctype>
#include <vector>

using namespace glow;

namespace {

/// A number, a word, a name or a type in the text; or a line.
struct Piece {
  size_t begin, end;
};
using Pieces = std::vector<Piece>;

bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }
bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)); }
bool isOfWord(char c) { return isDigit(c) || isLetter(c) || c == '_'; }

class Changer {
public:
  Changer(std::string_view whole, std::mt19937 &random)
      : text(whole.substr(0, whole.find("{-#"))),
        resources(whole.substr(text.size())), random(random) {}

  std::string change() {
    for (size_t count = 1 + below(3); count > 0 && !text.empty(); --count)
      changeOnce();
    return text + resources;
  }

private:
  size_t below(size_t end) { return end ? random() % end : 0; }

  void changeOnce() {
    size_t what = below(20);
    if (what < 6)
      return changeNumber();
    if (what < 8)
      return changeSize();
    if (what < 11)
      return exchange(pieces(&Changer::typeAt));
    if (what < 15)
      return exchange(pieces(&Changer::nameAt));
    if (what < 16)
      return exchange(pieces(&Changer::wordAt));
    return what < 18 ? changeLine() : changeCharacter();
  }

  //===--------------------------------------------------------------------===//
  // Parts that may change
  //===--------------------------------------------------------------------===//

  using Read = size_t (Changer::*)(size_t) const;

  /// All parts that `read` finds; `read` returns the end of a part.
  Pieces pieces(Read read) {
    bool withValues = below(50) == 0;
    Pieces all;
    for (size_t i = 0; i < text.size();) {
      if (!withValues && text.compare(i, 6, "dense<") == 0)
        i = std::min(text.find("> :", i), text.size());
      size_t end = i < text.size() ? (this->*read)(i) : i;
      if (end > i)
        all.push_back({i, end});
      i = std::max(end, i + 1);
    }
    return all;
  }

  template <typename Is> size_t endOf(size_t i, Is is) const {
    while (i < text.size() && is(text[i]))
      ++i;
    return i;
  }
  /// Digits, also where they follow the x of a type: `4x8xf32`.
  size_t numberAt(size_t i) const {
    bool begins = i == 0 || !isOfWord(text[i - 1]) || text[i - 1] == 'x';
    return begins ? endOf(i, isDigit) : i;
  }
  size_t wordAt(size_t i) const {
    bool begins = isLetter(text[i]) && (i == 0 || !isOfWord(text[i - 1]));
    return begins ? endOf(i, isOfWord) : i;
  }
  size_t nameAt(size_t i) const {
    return text[i] == '%' ? endOf(i + 1, isOfWord) : i;
  }
  /// `float<2 x 3>`, `tensor<2x3xf32>`.
  size_t typeAt(size_t i) const {
    size_t open = wordAt(i);
    if (open == i || open >= text.size() || text[open] != '<')
      return i;
    size_t close = text.find('>', open);
    return close == std::string::npos ? i : close + 1;
  }

  std::string textOf(const Piece &piece) const {
    return text.substr(piece.begin, piece.end - piece.begin);
  }
  void replace(const Piece &piece, const std::string &by) {
    text.replace(piece.begin, piece.end - piece.begin, by);
  }

  //===--------------------------------------------------------------------===//
  // Changes
  //===--------------------------------------------------------------------===//

  /// Another number, most often one that is near.
  std::string otherThan(const std::string &number) {
    unsigned long long value = std::strtoull(number.c_str(), nullptr, 10);
    const std::string others[] = {"0",
                                  "1",
                                  std::to_string(value + 1),
                                  std::to_string(value - (value > 0)),
                                  std::to_string(value * 2),
                                  std::to_string(value / 2),
                                  std::to_string(below(20)),
                                  "-" + number,
                                  std::to_string(below(100000)),
                                  "4294967296",
                                  "9223372036854775807",
                                  "-9223372036854775808"};
    return others[below(below(6) ? 7 : std::size(others))];
  }

  void changeNumber() {
    Pieces all = pieces(&Changer::numberAt);
    if (all.empty())
      return;
    const Piece &piece = all[below(all.size())];
    replace(piece, below(3) ? otherThan(textOf(piece))
                            : textOf(all[below(all.size())]));
  }

  /// Changes all numbers that are equal to a random one.
  void changeSize() {
    Pieces all = pieces(&Changer::numberAt);
    if (all.empty())
      return;
    std::string old = textOf(all[below(all.size())]), other = otherThan(old);
    for (size_t i = all.size(); i-- > 0;)
      if (textOf(all[i]) == old)
        replace(all[i], other);
  }

  /// One part replaces another, or both are exchanged.
  void exchange(const Pieces &all) {
    if (all.empty())
      return;
    Piece first = all[below(all.size())], second = all[below(all.size())];
    if (first.begin > second.begin)
      std::swap(first, second);
    std::string one = textOf(first), other = textOf(second);
    size_t what = below(3);
    // The later part is replaced first, so that earlier positions stay valid.
    if (what != 0 && first.begin != second.begin)
      replace(second, one);
    if (what != 1)
      replace(first, other);
  }

  Pieces lines() const {
    Pieces all;
    for (size_t begin = 0; begin < text.size(); begin = all.back().end)
      all.push_back(
          {begin, std::min(text.find('\n', begin), text.size() - 1) + 1});
    return all;
  }

  void changeLine() {
    Pieces all = lines();
    Piece piece = all[below(all.size())];
    std::string line = textOf(piece);
    size_t what = below(3);
    if (what != 0)
      replace(piece, "");
    if (what != 1 && !text.empty()) {
      all = lines();
      text.insert(all[below(all.size())].begin, line);
    }
  }

  void changeCharacter() {
    if (text.size() < 2)
      return;
    size_t at = below(text.size() - 1);
    size_t what = below(4);
    if (what == 0)
      std::swap(text[at], text[at + 1]);
    else if (what == 1)
      text.erase(at, 1);
    else if (what == 2)
      text.insert(at, 1, text[below(text.size())]);
    else
      text[at] = text[below(text.size())];
  }

  std::string text, resources;
  std::mt19937 &random;
};

} // namespace

std::string glow::changedText(std::string_view text, std::mt19937 &random) {
  return Changer(text, random).change();
}
