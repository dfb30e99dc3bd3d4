//===- Scans.cpp - statements that hold step by step ----------------------===//
// SPDX-License-Identifier: MIT

#include "Model/node/Scans.h"
#include "Expr/Parser.h"
#include "Model/node/Compute.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace glow::gen;
using namespace llvm;

namespace {

class ScanResolver {
public:
  ScanResolver(const NodeModel &node, std::vector<Statement> &statements)
      : node(node), statements(statements) {}

  void giveSizes() {
    for (Statement &statement : statements)
      if (statement.scan && !statement.scan->extent)
        giveExtent(statement.scan);
  }

  void run() {
    for (Statement &statement : statements) {
      scan = statement.scan.get();
      for (ExprPtr *expr :
           {&statement.targets[0], &statement.value, &statement.otherwise})
        resolve(*expr);
      for (IndexRange &range : statement.ranges)
        for (ExprPtr *expr : {&range.extent, &range.low, &range.high})
          resolve(*expr);
    }
  }

private:
  /// The statements of a scan share one record of it.
  void giveExtent(std::shared_ptr<const Scan> given) {
    auto sized = std::make_shared<Scan>(*given);
    for (Statement &statement : statements)
      if (statement.scan == given) {
        statement.scan = sized;
        for (const ExprPtr &expr : {statement.targets[0], statement.value})
          if (!sized->extent)
            sized->extent = extentIn(node, expr, sized->index);
      }
    if (!sized->extent)
      fatalAt(
          sized->at, node.record,
          "index '" + sized->index +
              "' stands nowhere by itself, where a size would be its range");
  }

  void resolve(ExprPtr &expr) {
    if (!expr)
      return;
    auto copy = std::make_shared<Expr>(*expr);
    for (ExprPtr &child : copy->children)
      resolve(child);
    expr = copy;
    if (expr->kind == Expr::Kind::Call &&
        is_contained({"previous", "following", "first", "last"}, expr->text))
      expr = written(expr);
  }

  ExprPtr written(const ExprPtr &call) const {
    if (!scan)
      fail(call, "'" + call->text + "' is of the index of a scan");
    ArrayRef<ExprPtr> arguments = call->children;
    if (arguments.empty() || !arguments[0]->isName(scan->index))
      fail(call, "'" + call->text + "' is of '" + scan->index +
                     "', the index of the scan");
    if (call->text == "first" || call->text == "last") {
      if (arguments.size() != 1)
        fail(call, "expected '" + call->text + "(" + scan->index + ")'");
      return makeBinary("==", makeName(scan->index),
                        endOf(call->text == "first"));
    }
    int64_t steps = 1;
    if (arguments.size() > 2 ||
        (arguments.size() == 2 &&
         (arguments[1]->kind != Expr::Kind::Integer ||
          StringRef(arguments[1]->text).getAsInteger(10, steps) || steps < 1)))
      fail(call, "expected '" + call->text + "(" + scan->index +
                     ")' or, of steps, '" + call->text + "(" + scan->index +
                     ", 2)'");
    return moved(arguments[0], call->text == "previous" ? -steps : steps);
  }

  /// The index in the first step, or in the last one.
  ExprPtr endOf(bool first) const {
    // The number of steps has its own name: an index may have the name of the
    // size.
    ExprPtr top = makeBinary("-", makeName(stepsName(*scan)), makeInteger(1)),
            zero = makeInteger(0);
    if (scan->condition)
      return makeCall(
          "if", {scan->condition, first ? top : zero, first ? zero : top});
    return scan->backwards == first ? top : zero;
  }

  /// The index of the step `steps` later.
  ExprPtr moved(const ExprPtr &index, int64_t steps) const {
    if (!scan->condition) {
      int64_t by = scan->backwards ? -steps : steps;
      return makeBinary(by < 0 ? "-" : "+", index, makeInteger(std::abs(by)));
    }
    return makeBinary("+", index,
                      makeCall("if", {scan->condition, makeInteger(-steps),
                                      makeInteger(steps)}));
  }

  [[noreturn]] void fail(const ExprPtr &at, const Twine &message) const {
    fatalAt(at->at, node.record, message);
  }

  const NodeModel &node;
  std::vector<Statement> &statements;
  const Scan *scan = nullptr;
};

} // namespace

void glow::gen::sizeScans(const NodeModel &node,
                          std::vector<Statement> &statements) {
  ScanResolver(node, statements).giveSizes();
}

void glow::gen::resolveScans(const NodeModel &node,
                             std::vector<Statement> &statements) {
  ScanResolver(node, statements).run();
}

std::string glow::gen::stepsName(const Scan &scan) {
  return "$steps_" + scan.index;
}

/// A number as written, with or without a sign.
static std::optional<int64_t> numberOf(const ExprPtr &expr) {
  int64_t value;
  if (StringRef(textOf(expr)).getAsInteger(10, value))
    return std::nullopt;
  return value;
}

std::optional<int64_t> glow::gen::stepsOf(const Scan &scan,
                                          const ExprPtr &subscript) {
  if (subscript->isName(scan.index))
    return 0;
  if (subscript->kind == Expr::Kind::Call &&
      (subscript->text == "previous" || subscript->text == "following")) {
    int64_t steps = subscript->children.size() > 1
                        ? numberOf(subscript->children[1]).value_or(1)
                        : 1;
    return subscript->text == "previous" ? -steps : steps;
  }
  bool isSum = subscript->kind == Expr::Kind::Binary &&
               (subscript->text == "+" || subscript->text == "-");
  if (!isSum || !subscript->children[0]->isName(scan.index))
    return std::nullopt;
  const ExprPtr &by = subscript->children[1];
  if (!scan.condition) {
    std::optional<int64_t> value = numberOf(by);
    bool isMinus = (subscript->text == "-") != scan.backwards;
    return value && isMinus ? -*value : value;
  }
  if (by->kind != Expr::Kind::Call || by->text != "if" ||
      by->children.size() != 3 ||
      textOf(by->children[0]) != textOf(scan.condition))
    return std::nullopt;
  std::optional<int64_t> down = numberOf(by->children[1]);
  std::optional<int64_t> up = numberOf(by->children[2]);
  if (!down || !up || *down != -*up)
    return std::nullopt;
  return subscript->text == "-" ? down : up;
}

std::optional<size_t> glow::gen::scannedPlace(const Scan &scan,
                                              const ExprPtr &element) {
  for (size_t place = 0; place + 1 < element->children.size(); ++place)
    if (mentions(element->children[place + 1], scan.index))
      return place;
  return std::nullopt;
}

bool glow::gen::isFilledBefore(const NodeModel &node,
                               const Statement &statement) {
  return statement.op != "=" &&
         scannedPlace(*statement.scan, statement.targets[0]) &&
         (!coversResult(node, statement) ||
          !optionalReads(node, statement).empty());
}

size_t glow::gen::countInScan(ArrayRef<Statement> statements) {
  size_t count = 1;
  while (statements.front().scan && count < statements.size() &&
         statements[count].scan == statements.front().scan)
    ++count;
  return count;
}
