//===- ControlFlow.cpp - nodes that run graphs ----------------------------===//
// SPDX-License-Identifier: MIT
//
// Outputs of a loop without iterations have the sizes of the body's outputs:
// the declared ones, or those of its first stage, which is compiled but not
// run.
//
//===----------------------------------------------------------------------===//

#include "Iterations.h"
#include "Slices.h"
#include "glow/HostOperators/Functions.h"
#include <algorithm>

using namespace glow;
using Sequence = HostValue::Sequence;

Status glow::host::ifThenElse(HostCall &call) {
  Result<int64_t> condition = call.intOf(0);
  if (!condition)
    return condition.status();
  const char *branch = *condition ? "then_branch" : "else_branch";
  Result<Sequence> results = call.runGraph(branch, {});
  if (!results)
    return results.status();
  if (results->size() != call.outputCount())
    return failure(Code::InvalidArgument, branch, " has ", results->size(),
                   " outputs, but the node lists ", call.outputCount());
  for (size_t i = 0; i < results->size(); ++i)
    call.setOutput(unsigned(i), std::move((*results)[i]));
  return Status();
}

bool glow::isGiven(const HostCall &call, unsigned index) {
  return call.input(index) && !call.input(index)->isNothing();
}

//===----------------------------------------------------------------------===//
// Results without iterations
//===----------------------------------------------------------------------===//

/// An empty tensor for stacked values, with the sizes that each value would
/// have. An unknown size is 0; if no sizes are known, the shape is [0].
static Result<HostValue> noneOf(const HostPort &port,
                                const std::optional<TensorType> &type,
                                int64_t axis) {
  Ints shape = type ? type->shape : port.shape.value_or(Ints());
  for (size_t i = 0; i < shape.size(); ++i)
    if (int64_t known =
            port.shape && i < port.shape->size() ? (*port.shape)[i] : -1;
        known >= 0 || shape[i] < 0)
      shape[i] = std::max<int64_t>(known, 0);
  const bool known = type || port.shape;
  Result<int64_t> at = resolveAxis(known ? axis : 0, int64_t(shape.size()) + 1);
  if (!at)
    return at.status();
  shape.insert(shape.begin() + *at, 0);
  if (port.other == "strings")
    return HostValue::counted(Strings{std::move(shape), {}});
  ElementKind kind = type ? type->kind : port.kind.value_or(ElementKind::F32);
  Result<Tensor> none = Tensor::zeros({kind, std::move(shape)});
  if (!none)
    return none.status();
  return HostValue(none.take());
}

Result<Sequence> glow::noneOfAll(const HostCall &call, Sequence arguments,
                                 const Ints &axes) {
  const HostGraph *body = call.graph("body");
  if (!body || body->outputs.size() < axes.size())
    return failure(Code::InvalidArgument, "the body has fewer outputs than ",
                   axes.size());
  const size_t first = body->outputs.size() - axes.size();
  std::vector<std::optional<TensorType>> types(body->outputs.size());
  const bool declared =
      std::all_of(body->outputs.begin() + long(first), body->outputs.end(),
                  [](const HostPort &port) {
                    return port.shape &&
                           std::ranges::none_of(*port.shape, [](int64_t size) {
                             return size < 0;
                           });
                  });
  // Compiling a stage takes longer than reading the declaration.
  if (!declared)
    types = call.typesOf("body", std::move(arguments));
  Sequence results;
  for (size_t i = first; i < body->outputs.size(); ++i) {
    Result<HostValue> none =
        noneOf(body->outputs[i], i < types.size() ? types[i] : std::nullopt,
               axes[i - first]);
    if (!none)
      return none.status();
    results.push_back(none.take());
  }
  return results;
}
