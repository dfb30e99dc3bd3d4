//===- HostValue.h - what ONNX passes between nodes -------------*- C++ -*-===//

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
  std::vector<std::string> elements; ///< as many as the shape says
};

/// The TensorProto.DataType of strings, which no element kind stands for.
constexpr int64_t onnxStrings = 8;

/// The memory that a text takes as an element.
inline uint64_t bytesOf(const std::string &text) {
  return sizeof(text) + text.capacity();
}

struct Map;

/// A tensor, a tensor of texts, a sequence of values, a map, or nothing: an
/// optional without a value. An optional that has one is that value. Copies
/// share what they hold, which does not change any more.
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

  /// A sequence without elements, for those of a TensorProto.DataType.
  static HostValue emptySequence(int64_t dataType);

  /// The same, counted by the MemoryBudget of the thread for as long as the
  /// value lives. Fails when there is no room. Tensors are counted where they
  /// are made, also those in a sequence.
  static Result<HostValue> counted(Strings strings);
  static Result<HostValue> counted(Sequence sequence);

  /// Null when it is something else.
  const Tensor *tensor() const { return as<Tensor>(); }
  const Strings *strings() const { return as<Strings>(); }
  const Sequence *sequence() const { return as<Sequence>(); }
  const Map *map() const { return as<Map>(); }
  bool isNothing() const { return held.index() == 0; }

  /// The TensorProto.DataType of a tensor or of strings, of the elements of a
  /// sequence, or of those that an empty one is for; 0 where nothing tells.
  int64_t dataType() const;

  /// The tensor, kept alive by the result.
  std::shared_ptr<const Tensor> sharedTensor() const {
    return std::get<std::shared_ptr<const Tensor>>(held);
  }

  /// "f32[2,3]", "strings[2]", "a sequence of 3", "a map of 2",
  /// "nothing".
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
  int64_t ofElements = 0; ///< in `emptySequence`
};

/// Keys in rising order, each once, and a value for each: i64[n] or strings[n],
/// and a tensor or strings, [n].
struct Map {
  HostValue keys, values;

  /// Of keys and values in any order, but the same: i64 or strings, and a
  /// tensor or strings of as many elements. Fails when there are others, a key
  /// is there twice, or the MemoryBudget has no room.
  static Result<Map> of(const HostValue &keys, const HostValue &values);

  int64_t size() const;
};

/// The elements of a tensor or of strings at places in row-major order, as many
/// as `shape` has. Fails when one is none of the value's, or the MemoryBudget
/// has no room.
Result<HostValue> elementsAt(const HostValue &value, const Ints &places,
                             Ints shape);

/// The same of places that are all there or negative: at those, the only
/// element of `other`, which is of the same kind, or 0 or "" if it is nothing.
Result<HostValue> elementsOr(const HostValue &value, const Ints &places,
                             Ints shape, const HostValue &other);

/// Whether a sequence may hold both, or a loop carry one after the other: both
/// are tensors of one kind, or strings, sequences or maps. Nothing is of no
/// kind.
bool isOfKind(const HostValue &value, const HostValue &other);

/// The elements of a tensor or of strings; -1 of anything else.
int64_t countOf(const HostValue &value);

/// Values by the model's names of them.
using HostValues = std::map<std::string, HostValue, std::less<>>;

/// A value and the model's name of it.
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
