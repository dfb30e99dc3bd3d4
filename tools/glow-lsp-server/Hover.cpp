//===- Hover.cpp - hover text of a node -----------------------------------===//
// SPDX-License-Identifier: MIT

#include "Hover.h"
#include "glow/Base/Version.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/IR/AttributeText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

using namespace glow;
using llvm::StringRef;

/// Replaces the server's name in its answer: the server is MLIR's and reports
/// MLIR's name.
static bool nameServer(llvm::json::Value &message) {
  llvm::json::Object *top = message.getAsObject();
  llvm::json::Object *result = top ? top->getObject("result") : nullptr;
  if (!result || !result->getObject("serverInfo"))
    return false;
  (*result)["serverInfo"] = llvm::json::Object{
      {"name", "glow-lsp-server"}, {"version", std::string(version())}};
  return true;
}

/// The text that an answer has for the editor; null where it has none.
static llvm::json::Value *hoverIn(llvm::json::Value &message) {
  llvm::json::Object *top = message.getAsObject();
  llvm::json::Object *result = top ? top->getObject("result") : nullptr;
  llvm::json::Object *contents =
      result ? result->getObject("contents") : nullptr;
  return contents ? contents->get("value") : nullptr;
}

static const char *textOf(Count count) {
  switch (count) {
  case Count::One:
    return "";
  case Count::Optional:
    return " (may be absent)";
  case Count::Many:
    return " (any number)";
  }
  return "";
}

/// The operands and attributes, each on a line of a list.
static std::string partsOf(const NodeInfo &node) {
  std::string text;
  for (const NodeOperand &operand : node.operands)
    text += "- operand `" + std::string(operand.name) + "`" +
            textOf(operand.count) + "\n";
  for (const NodeAttribute &attribute : node.attributes)
    text += "- attribute `" + std::string(attribute.name) + "`, " +
            ir::describe(attribute.form).str() + "\n";
  return text.empty() ? "" : text + "\n";
}

/// The description of a node or an instruction, from its record, as Markdown.
static std::string recordOf(StringRef operation) {
  std::string name = operation.str();
  if (operation.consume_front("glowir."))
    name = ("glow." + operation).str();
  const NodeInfo *node = findNode(name);
  if (!node)
    return "";
  std::string text = "**" + std::string(node->summary) + "**\n\n";
  if (*node->meaning)
    text += "```\n" + std::string(node->meaning) + "\n```\n\n";
  return text + partsOf(*node) + "`" + node->place + "`\n\n---\n\n";
}

std::string glow::withRecord(std::string message) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(message);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return message;
  }
  std::string changed;
  if (nameServer(*parsed)) {
    llvm::raw_string_ostream(changed) << *parsed;
    return changed;
  }
  llvm::json::Value *value = hoverIn(*parsed);
  std::optional<StringRef> text = value ? value->getAsString() : std::nullopt;
  // "glow.conv" in quotes comes first.
  if (!text || !text->starts_with("\""))
    return message;
  std::string record = recordOf(text->drop_front().split('"').first);
  if (record.empty())
    return message;
  *value = record + text->str();
  llvm::raw_string_ostream(changed) << *parsed;
  return changed;
}

static void writeAll(int file, StringRef text) {
  while (!text.empty()) {
    ssize_t written = ::write(file, text.data(), text.size());
    if (written <= 0)
      return; // The editor has gone: nothing reads it.
    text = text.drop_front(size_t(written));
  }
}

/// Passes messages on. A message follows header lines, one of which has its
/// length.
static void pass(FILE *from, int to) {
  char *line = nullptr;
  size_t room = 0, length = 0;
  while (::getline(&line, &room, from) > 0) {
    StringRef header = StringRef(line).trim();
    if (header.consume_front("Content-Length:"))
      (void)header.trim().getAsInteger(10, length);
    if (!StringRef(line).trim().empty())
      continue;
    std::string message(length, 0);
    if (std::fread(message.data(), 1, length, from) != length)
      break;
    message = withRecord(std::move(message));
    writeAll(to, "Content-Length: " + std::to_string(message.size()) +
                     "\r\n\r\n" + message);
  }
  std::free(line);
  std::fclose(from);
}

HoverOutput::HoverOutput() {
  int ends[2];
  original = ::dup(STDOUT_FILENO);
  if (original < 0 || ::pipe(ends) != 0 || ::dup2(ends[1], STDOUT_FILENO) < 0) {
    std::perror("glow-lsp-server: error");
    std::exit(1);
  }
  ::close(ends[1]);
  passing = std::thread(pass, ::fdopen(ends[0], "r"), original);
}

HoverOutput::~HoverOutput() {
  llvm::outs().flush();
  // The end of the pipe, which the thread waits for.
  ::dup2(original, STDOUT_FILENO);
  passing.join();
  ::close(original);
}
