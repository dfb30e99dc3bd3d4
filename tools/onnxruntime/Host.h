//===- Host.h - the runtime that loaded the provider ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_ONNXRUNTIME_HOST_H
#define GLOW_TOOLS_ONNXRUNTIME_HOST_H

#include "Elements.h"
#include "ProviderInterface.h"

namespace glow::ort {

/// Calls ONNX Runtime; its failures become exceptions.
class Host {
public:
  explicit Host(const Api &api) : api(api) {}

  const Api &api;

  /// Throws Failure, and frees the status, unless it is null.
  void check(Status *status) const;

  /// Sends a message to a session's log.
  void log(const Logger *logger, int level, const std::string &text) const;

  /// Runs the body of a function that ONNX Runtime calls. No exception leaves
  /// it.
  template <typename Body> Status *guarded(Body body) const {
    try {
      body();
      return nullptr;
    } catch (const Failure &failure) {
      return api.CreateStatus(failure.code, failure.what());
    } catch (const std::exception &error) {
      return api.CreateStatus(ORT_EP_FAIL, error.what());
    }
  }

  /// The value that a function writes.
  template <typename T, typename Of, typename Get>
  T get(Get function, const Of *object) const {
    T value = {};
    check(function(object, &value));
    return value;
  }

  /// The objects of another one, whose number is a function too.
  template <typename T, typename Of, typename Count, typename Get>
  std::vector<const T *> list(Count count, Get function,
                              const Of *object) const {
    std::vector<const T *> objects(get<size_t>(count, object));
    if (!objects.empty())
      check(function(object, objects.data(), objects.size()));
    return objects;
  }

  std::vector<const Node *> nodesOf(const Graph *graph) const;
  std::vector<const ValueInfo *> inputsOf(const Node *node) const;
  std::vector<const ValueInfo *> outputsOf(const Node *node) const;
  std::vector<const ValueInfo *> implicitInputsOf(const Node *node) const;

  /// The name of a value; "" for an input or output that is left out.
  std::string nameOf(const ValueInfo *value) const;
  bool isConstant(const ValueInfo *value) const;

  /// The declared type of a tensor. Other values have none.
  std::optional<TensorType> typeOf(const ValueInfo *value) const;

  /// A tensor with a value.
  Tensor tensorOf(const Value *value) const;

  void *dataOf(const Value *value) const;
};

} // namespace glow::ort

#endif
