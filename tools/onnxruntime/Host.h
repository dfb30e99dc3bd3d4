//===- Host.h - the runtime that loaded the provider ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_ONNXRUNTIME_HOST_H
#define GLOW_TOOLS_ONNXRUNTIME_HOST_H

#include "Interface.h"
#include "glow/glow.hpp"
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace glow::ort {

/// A failure that becomes a status of ONNX Runtime.
class Failure : public std::runtime_error {
public:
  Failure(int code, const std::string &text)
      : std::runtime_error(text), code(code) {}
  int code;
};

/// The type of a tensor, with names of open sizes.
struct TensorType {
  int element = 0; ///< as in ONNX; 0: unknown
  bool hasRank = true;
  std::vector<int64_t> shape; ///< -1: open
  std::vector<std::string> names;
  bool isOpen() const;
  std::string text() const; ///< "f32[2,n]"
};

/// A tensor of ONNX Runtime, which owns all of it.
struct Tensor {
  int element;
  std::span<const int64_t> shape;
  const void *data;
};

/// Calls ONNX Runtime; its failures become exceptions.
class Host {
public:
  explicit Host(const Api &api) : api(api) {}

  const Api &api;

  /// Throws Failure, and frees the status, unless it is null.
  void check(Status *status) const;

  /// Sends a message to a session's log.
  void log(const Logger *logger, LogLevel level, const std::string &text) const;

  /// Runs the body of a function that ONNX Runtime calls. No exception leaves
  /// it.
  template <typename Body> Status *guarded(Body body) const {
    try {
      body();
      return nullptr;
    } catch (const Failure &failure) {
      return api.createStatus()(failure.code, failure.what());
    } catch (const std::exception &error) {
      return api.createStatus()(EpFail, error.what());
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

/// Describes an element type of ONNX to people, as "f32".
std::string elementName(int element);

/// The kind of an element type of ONNX. Strings, complex numbers and elements
/// of less than a byte, which ONNX Runtime packs, have none.
std::optional<glow_kind> kindOf(int element);

} // namespace glow::ort

#endif
