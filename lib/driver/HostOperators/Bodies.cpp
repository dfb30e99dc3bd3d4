//===- Bodies.cpp - declarations of inner graphs --------------------------===//
// SPDX-License-Identifier: MIT
//
// Graphs inside of nodes are checked when the file is read, by a `check` that
// the record names. It verifies the numbers and kinds of their inputs and
// outputs. Otherwise, errors in a branch that is never taken would go
// unnoticed. A run checks properties that a file does not declare.
//
//===----------------------------------------------------------------------===//

#include "glow/HostOperators/Functions.h"

using namespace glow;

std::string HostPort::kindText() const {
  return kind ? std::string(name(*kind)) : other;
}

static Result<const HostGraph *> graphOf(const HostNode &node,
                                         const char *attribute) {
  auto found = node.graphs.find(attribute);
  if (found != node.graphs.end())
    return &found->second;
  return failure(Code::InvalidArgument, "attribute '", attribute,
                 "' is missing");
}

/// Whether two kinds agree; an undeclared kind agrees with any.
static bool agree(const std::string &kind, const std::string &other) {
  return kind.empty() || other.empty() || kind == other;
}

/// The graph, if it has the required numbers of inputs and outputs.
static Result<const HostGraph *> graphOf(const HostNode &node,
                                         const char *attribute, size_t inputs,
                                         size_t outputs) {
  Result<const HostGraph *> graph = graphOf(node, attribute);
  if (!graph)
    return graph;
  if ((*graph)->inputs.size() != inputs)
    return failure(Code::InvalidArgument, "graph '", attribute, "' has ",
                   (*graph)->inputs.size(), " inputs, but ", inputs,
                   " are given");
  if ((*graph)->outputs.size() != outputs)
    return failure(Code::InvalidArgument, "graph '", attribute, "' has ",
                   (*graph)->outputs.size(), " outputs, but ", outputs,
                   " are wanted");
  return graph;
}

Status glow::host::checkBranches(const HostNode &node) {
  Result<const HostGraph *> taken =
      graphOf(node, "then_branch", 0, node.outputs);
  Result<const HostGraph *> other =
      graphOf(node, "else_branch", 0, node.outputs);
  if (!taken || !other)
    return taken ? other.status() : taken.status();
  for (size_t i = 0; i < node.outputs; ++i) {
    const std::string kind = (*taken)->outputs[i].kindText(),
                      otherKind = (*other)->outputs[i].kindText();
    if (!agree(kind, otherKind))
      return failure(Code::InvalidArgument, "output ", i, " is ", kind,
                     " in then_branch, but ", otherKind, " in else_branch");
  }
  return Status();
}

Status glow::host::checkLoop(const HostNode &node) {
  const size_t inputs = std::max<size_t>(node.inputs, 2);
  Result<const HostGraph *> body =
      graphOf(node, "body", inputs, 1 + node.outputs);
  if (!body)
    return body.status();
  if (inputs - 2 > node.outputs)
    return failure(Code::InvalidArgument, "it carries ", inputs - 2,
                   " values, but lists ", node.outputs, " outputs");
  for (const HostPort &port : {(*body)->inputs[1], (*body)->outputs[0]})
    if (!agree(port.kindText(), "bool"))
      return failure(Code::InvalidArgument, "the condition of its body is ",
                     port.kindText(), ", it should be bool");
  for (size_t i = 2; i < inputs; ++i) {
    const std::string from = (*body)->inputs[i].kindText(),
                      to = (*body)->outputs[i - 1].kindText();
    if (!agree(from, to))
      return failure(Code::InvalidArgument, "carried value ", i - 2, " is ",
                     from, " where its body begins, but ", to,
                     " where it ends");
  }
  return Status();
}

Status glow::host::checkBody(const HostNode &node) {
  return graphOf(node, "body", node.inputs, node.outputs).status();
}

/// The lengths of the sequences are inputs of the node only.
Status glow::host::checkBatchBody(const HostNode &node) {
  const size_t inputs = std::max<size_t>(node.inputs, 1) - 1;
  return graphOf(node, "body", inputs, node.outputs).status();
}
