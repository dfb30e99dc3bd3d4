//===- IRGen.cpp - refusals that concern a node's own instructions --------===//
// SPDX-License-Identifier: MIT
//
// Every result is written, nothing is read before it is written, and operands
// do not change. The records of instructions declare how they access buffers,
// so the check needs no model.
//
//===----------------------------------------------------------------------===//

#include "Check/Check.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Model/rules/InstrCall.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/TableGen/Record.h"
#include <map>

using namespace glow::gen;
using namespace llvm;

namespace {

/// Follows the buffers of one node through its statements.
class IRGenCheck {
public:
  IRGenCheck(const Model &model, const NodeModel &node)
      : model(model), node(node) {
    for (const TensorSignature &tensor : node.inputs)
      buffers[tensor.name] = {Buffer::Operand, countOf(tensor), true};
    for (const TensorSignature &tensor : node.outputs)
      buffers[tensor.name] = {Buffer::Result, countOf(tensor), false};
  }

  void run() {
    statements(Parser(node.irgen, node.record).statements());
    checkMemories();
    for (const TensorSignature &tensor : node.outputs)
      if (!buffers[tensor.name].isWritten)
        fatalAt(positionOf("$" + tensor.name, node.record), node.record,
                "no instruction of '" + node.className + "' writes '" +
                    tensor.name + "'");
  }

private:
  struct Buffer {
    enum Whose { Operand, Result, Own } whose;
    StringRef count;
    bool isWritten;
  };

  static StringRef countOf(const TensorSignature &tensor) {
    return tensor.variadic ? "..." : tensor.optional ? "?" : "";
  }

  [[noreturn]] void fail(const ExprPtr &at, const Twine &message) const {
    fatalAt(at->at, node.record, message);
  }

  Buffer &find(const ExprPtr &name) {
    auto found = name->kind == Expr::Kind::Name ? buffers.find(name->text)
                                                : buffers.end();
    if (found == buffers.end())
      fail(name, "'" + textOf(name) + "' is no operand or result of '" +
                     node.className + "', and no buffer before it");
    return found->second;
  }

  void read(const ExprPtr &name) {
    if (!find(name).isWritten)
      fail(name, "'" + name->text +
                     "' is read here, and no instruction before writes it");
  }

  void write(const ExprPtr &name) {
    Buffer &buffer = find(name);
    if (buffer.whose == Buffer::Operand)
      fail(name, "'" + name->text +
                     "' is an operand, which stays as it is: a copy may be "
                     "changed");
    buffer.isWritten = true;
  }

  /// Checks the statements of a node or of a loop's body. Buffers declared in
  /// the body end with it.
  void statements(const std::vector<Statement> &all) {
    StringMap<Buffer> outside = buffers;
    for (const Statement &one : all)
      statement(one);
    for (const auto &[token, call] : started)
      if (!outside.contains(token))
        fail(call, "'" + call->text + "' is asynchronous, and no instruction " +
                       "after it reads its token '" + token + "'");
    // A loop's writes to outer buffers stay in effect after the loop.
    for (auto &entry : outside)
      entry.second.isWritten |= buffers.find(entry.first())->second.isWritten;
    buffers = std::move(outside);
  }

  void statement(const Statement &one) {
    if (one.targets.size() > 1)
      fatalAt(one.at, node.record,
              "a statement is an instruction, a buffer, a copy or a value");
    if (one.isLoop())
      return statements(one.body);
    if (one.targets.empty())
      return call(one.value);
    const ExprPtr &target = one.targets[0];
    if (bufferOf(one, node.record)) {
      if (buffers.contains(target->text) || !own.insert(target->text).second)
        fail(target, "'" + target->text + "' stands for a buffer already");
      buffers[target->text] = {Buffer::Own, "", false};
      return;
    }
    if (!isCopy(one))
      return;
    checkCount(one.value, "", "a copy");
    checkCount(target, "", "a copy");
    read(one.value);
    write(target);
  }

  /// Whether the statement assigns a buffer to a name, or assigns anything to a
  /// name that stands for a buffer.
  bool isCopy(const Statement &one) const {
    return buffers.contains(one.targets[0]->text) ||
           (one.value->kind == Expr::Kind::Name &&
            buffers.contains(one.value->text));
  }

  /// The name stands for as many buffers as the operand takes.
  void checkCount(const ExprPtr &name, StringRef count, const Twine &what) {
    StringRef has = find(name).count;
    if (has == count || (has.empty() && count == "?"))
      return;
    fail(name, "'" + name->text + "' " +
                   (has == "..." ? "is any number of buffers"
                    : has == "?" ? "may be absent"
                                 : "is one buffer") +
                   ", which is nothing for " + what);
  }

  void call(const ExprPtr &call) {
    std::optional<InstrSignature> instr = call->kind == Expr::Kind::Call
                                              ? instrNamed(model, call->text)
                                              : std::nullopt;
    if (!instr)
      fail(call, "'" + textOf(call) + "' is no instruction");
    InstrArguments arguments = argumentsOf(*instr, call, node.record);
    forEach(*instr, arguments, [&](const BufferOperand &buffer, ExprPtr name) {
      if (buffer.qualifier == "out")
        return;
      read(name);
      started.erase(name->text);
    });
    forEach(*instr, arguments, [&](const BufferOperand &buffer, ExprPtr name) {
      if (buffer.qualifier != "in")
        write(name);
      if (instr->asynchronous && buffer.name == "token")
        started[name->text] = call;
    });
    for (auto [buffer, given] : zip_equal(instr->buffers, arguments.buffers)) {
      std::string place = "'" + buffer.name + "' of '" + call->text + "'";
      bool isList = given && given->kind == Expr::Kind::List;
      if (isList && buffer.count != "...")
        fail(given, "a list is nothing for " + place);
      for (const ExprPtr &name : bufferNames(given))
        checkCount(name, isList ? "" : buffer.count, place);
    }
  }

  /// Every instruction has a buffer in the same memory, and a copy is within
  /// the arena.
  void checkMemories() {
    StringMap<StringRef> memories = memoriesOf(model, node);
    auto check = [&](const ExprPtr &name, StringRef memory, const Twine &what) {
      StringRef found = memories.lookup(name->text);
      if (found != memory)
        fail(name, "'" + name->text + "' is in " + memoryText(found) +
                       ", but " + what + " in " + memoryText(memory));
    };
    for (const Statement &one : irgenOf(node)) {
      if (bufferOf(one, node.record))
        continue;
      if (!one.targets.empty()) {
        if (!own.contains(one.targets[0]->text) &&
            !buffers.contains(one.targets[0]->text))
          continue;
        check(one.targets[0], "", "a copy has both");
        check(one.value, "", "a copy has both");
        continue;
      }
      InstrSignature instr = *instrNamed(model, one.value->text);
      InstrArguments arguments = argumentsOf(instr, one.value, node.record);
      forEach(instr, arguments, [&](const BufferOperand &buffer, ExprPtr name) {
        check(name, buffer.memory,
              "'" + one.value->text + "' has '" + buffer.name + "'");
      });
    }
  }

  static std::string memoryText(StringRef memory) {
    return memory.empty() ? "the arena" : ("memory '" + memory + "'").str();
  }

  template <typename Visit>
  static void forEach(const InstrSignature &instr,
                      const InstrArguments &arguments, Visit visit) {
    for (auto [buffer, given] : zip_equal(instr.buffers, arguments.buffers))
      for (const ExprPtr &name : bufferNames(given))
        visit(buffer, name);
  }

  const Model &model;
  const NodeModel &node;
  StringMap<Buffer> buffers;
  StringSet<> own;                        // all, those of loops included
  std::map<std::string, ExprPtr> started; // by the token, until that is read
};

} // namespace

void glow::gen::checkIRGen(const Model &model) {
  for (const NodeModel *node : model.ownNodes()) {
    if (node->irgen.empty())
      continue;
    if (node->hasKernel())
      fatalAt(positionOf(node->irgen, node->record), node->record,
              "'" + node->className +
                  "' becomes the instructions that 'irgen' lists, so that "
                  "nothing would call a kernel of its own");
    IRGenCheck(model, *node).run();
  }
}
