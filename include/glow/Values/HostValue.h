//===- HostValue.h - values between nodes of a graph ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_VALUES_HOSTVALUE_H
#define GLOW_VALUES_HOSTVALUE_H

#include "glow/Values/MemoryBudget.h"
#include "glow/Values/Tensor.h"
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace glow {

/// A dense, row-major tensor of texts.
struct Strings {
  Ints shape;
  std::vector<std::string> elements; ///< as many as the shape requires
};

/// The TensorProto.DataType of strings, which have no element kind.
constexpr int64_t onnxStrings = 8;

/// The memory of a text that is an element.
inline uint64_t bytesOf(const std::string &text) {
  return sizeof(text) + text.capacity();
}

struct Map;

/// A tensor, a tensor of texts, a sequence of values, a map, or nothing, which
/// is an optional without a value. An optional with a value is that value.
/// Copies share their immutable contents.
class HostValue {
public:
  using Sequence = std::vector<HostValue>;

  /// Nothing.
  HostValue() = default;
  HostValue(Tensor tensor)
      : held(std::make_shared<const Tensor>(std::move(tensor))) {}
  explicit HostValue(std::shared_ptr<const Tensor> tensor)
      : held(std::move(tensor)) {}
  HostValue(Strings strings)
      : held(std::make_shared<const Strings>(std::move(strings))) {}
  HostValue(Sequence sequence)
      : held(std::make_shared<const Sequence>(std::move(sequence))) {}

  HostValue(Map map);

  /// An empty sequence for elements of a TensorProto.DataType.
  static HostValue emptySequence(int64_t dataType);

  /// Makes a value that is counted by the MemoryBudget of the thread during its
  /// lifetime. Fails if the budget is exceeded. Tensors are counted when they
  /// are made, also those in a sequence.
  static Result<HostValue> counted(Strings strings);
  static Result<HostValue> counted(Sequence sequence);

  /// Null for a value of another form.
  const Tensor *tensor() const { return as<Tensor>(); }
  const Strings *strings() const { return as<Strings>(); }
  const Sequence *sequence() const { return as<Sequence>(); }
  const Map *map() const { return as<Map>(); }
  bool isNothing() const { return held.index() == 0; }

  /// The TensorProto.DataType of a tensor or of strings, of a sequence's
  /// elements, or of the intended elements of an empty sequence; 0 if unknown.
  int64_t dataType() const;

  /// The tensor, kept alive by the result.
  std::shared_ptr<const Tensor> sharedTensor() const {
    return std::get<std::shared_ptr<const Tensor>>(held);
  }

  /// Description of the value: "f32[2,3]", "strings[2]", "a sequence of 3", "a
  /// map of 2", "nothing".
  std::string text() const;

private:
  template <typename T>
  static Result<HostValue> counted(T value, uint64_t bytes);
  template <typename T> const T *as() const {
    auto found = std::get_if<std::shared_ptr<const T>>(&held);
    return found ? found->get() : nullptr;
  }

  std::variant<std::monostate, std::shared_ptr<const Tensor>,
               std::shared_ptr<const Strings>, std::shared_ptr<const Sequence>,
               std::shared_ptr<const Map>>
      held;
  int64_t ofElements = 0; ///< from `emptySequence`
};

/// Distinct keys in ascending order, with a value for each. Keys are i64[n] or
/// strings[n]; values are a tensor or strings, [n].
struct Map {
  HostValue keys, values;

  /// Makes a map from keys and values in the same, arbitrary order. Keys are
  /// i64 or strings; values are a tensor or strings of as many elements. Fails
  /// for other arguments, for a duplicate key, or if the MemoryBudget is
  /// exceeded.
  static Result<Map> of(const HostValue &keys, const HostValue &values);

  int64_t size() const;
};

/// Gathers elements of a tensor or of strings by row-major indices; `shape` has
/// as many elements. Fails if an index is out of range, or if the MemoryBudget
/// is exceeded.
Result<HostValue> elementsAt(const HostValue &value, const Ints &places,
                             Ints shape);

/// The same for indices that are in range or negative. A negative index gives
/// the only element of `other`, which has the same kind, or 0 or "" if `other`
/// is nothing.
Result<HostValue> elementsOr(const HostValue &value, const Ints &places,
                             Ints shape, const HostValue &other);

/// Whether a sequence may hold both values, or a loop carry one after the
/// other. Both must be tensors of one kind, or both strings, sequences or maps.
/// Nothing has no kind.
bool isOfKind(const HostValue &value, const HostValue &other);

/// Number of elements of a tensor or of strings; -1 for any other value.
int64_t countOf(const HostValue &value);

/// Values by their names in the model.
using HostValues = std::map<std::string, HostValue, std::less<>>;

/// A value and its name in the model.
struct NamedValue {
  std::string name;
  HostValue value;
};

/// A tensor of these elements.
template <typename T>
Result<Tensor> tensorOf(Ints shape, std::span<const T> elements) {
  Result<Tensor> tensor = Tensor::zeros({kindOf<T>(), std::move(shape)});
  if (tensor)
    std::copy(elements.begin(), elements.end(),
              tensor->template elements<T>().begin());
  return tensor;
}

} // namespace glow

#endif // GLOW_VALUES_HOSTVALUE_H
