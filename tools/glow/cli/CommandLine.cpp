//===- CommandLine.cpp - arguments of this process, and notes -------------===//
// SPDX-License-Identifier: MIT

#include "CommandLine.h"
#include "glow/Base/OneLine.h"
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <unistd.h>

using namespace glow;

char **&tool::commandLine() {
  static char **arguments = nullptr;
  return arguments;
}

static bool holds = false, quiet = false;
static std::string &heldNotes() {
  static std::string text;
  return text;
}

void tool::note(const std::string &text) {
  if (quiet)
    return;
  heldNotes() += "glow: " + coloured(stderr, Colour::Cyan, "note:") + " " +
                 oneLine(text) + "\n";
  if (!holds)
    releaseNotes();
}

void tool::holdNotes() { holds = true; }

void tool::releaseNotes() {
  std::fputs(heldNotes().c_str(), stderr);
  heldNotes().clear();
}

void tool::beQuiet() { quiet = true; }
bool tool::isQuiet() { return quiet; }

std::string tool::coloured(std::FILE *where, Colour colour,
                           const std::string &text) {
  const char *no = std::getenv("NO_COLOR"), *kind = std::getenv("TERM");
  if ((no && *no) || (kind && std::string_view(kind) == "dumb") ||
      !::isatty(::fileno(where)))
    return text;
  return "\033[1;" + std::to_string(int(colour)) + "m" + text + "\033[0m";
}

std::string tool::quotedForShell(const std::string &word) {
  auto isPlain = [](unsigned char c) {
    return std::isalnum(c) || std::strchr("-_./=:,+@%", c);
  };
  if (!word.empty() && std::ranges::all_of(word, isPlain))
    return word;
  std::string text = "'";
  for (char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string tool::commandText() {
  std::string text = "glow";
  for (char **word = commandLine(); word && *word && *++word;)
    text += " " + quotedForShell(*word);
  return text;
}
