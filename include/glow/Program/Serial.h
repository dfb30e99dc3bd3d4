//===- Serial.h - programs as bytes -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Serialization in which one description of a type serves writing and reading:
//   template <typename Stream> void describe(Stream &stream, Thing &thing) {
//     stream(thing.name, thing.sizes);
//   }
//
// Numbers have eight bytes, little-endian. A reader accepts any bytes:
// malformed input stops it and makes `ok` false.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_PROGRAM_SERIAL_H
#define GLOW_PROGRAM_SERIAL_H

#include "glow/Base/Status.h"
#include "glow/Program/Steps.h"
#include <bit>
#include <concepts>
#include <cstring>
#include <functional>
#include <optional>
#include <string_view>

namespace glow {

class ByteWriter {
public:
  template <typename... T> void operator()(T &...fields) {
    (field(fields), ...);
  }
  std::string take() { return std::move(bytes); }

  /// The last field of all, which older files lack.
  template <typename T> void last(std::optional<T> &value) {
    if (value)
      field(*value);
  }

private:
  template <typename T>
    requires std::integral<T> || std::is_enum_v<T>
  void field(T value) {
    uint64_t number = uint64_t(value);
    bytes.append(reinterpret_cast<const char *>(&number), sizeof number);
  }
  void field(double value) { field(std::bit_cast<uint64_t>(value)); }
  void field(std::string &text) {
    field(text.size());
    bytes += text;
  }
  template <typename T> void field(std::vector<T> &list) {
    field(list.size());
    for (T &element : list)
      field(element);
  }
  void field(std::vector<Length> &lengths) {
    std::string text = lengths.empty() ? "" : lengthsText(lengths);
    field(text);
  }
  template <typename... T> void field(std::variant<T...> &value) {
    field(value.index());
    std::visit([&](auto &held) { field(held); }, value);
  }
  template <typename T>
    requires std::is_class_v<T>
  void field(T &thing) {
    describe(*this, thing);
  }

  std::string bytes;
};

class ByteReader {
public:
  explicit ByteReader(std::string_view bytes) : rest(bytes) {}
  template <typename... T> void operator()(T &...fields) {
    (field(fields), ...);
  }

  /// Whether everything read so far was present and well-formed.
  bool ok() const { return good; }

  /// Nothing if there are no bytes left.
  template <typename T> void last(std::optional<T> &value) {
    if (!rest.empty())
      field(value.emplace());
  }

private:
  uint64_t number() {
    uint64_t value = 0;
    if (good = good && rest.size() >= sizeof value; !good)
      return 0;
    std::memcpy(&value, rest.data(), sizeof value);
    rest.remove_prefix(sizeof value);
    return value;
  }
  /// Reads a number of elements. Each has at least one byte, so a wrong count
  /// cannot cause a large allocation.
  size_t count() {
    uint64_t value = number();
    good = good && value <= rest.size();
    return good ? size_t(value) : 0;
  }
  template <typename T>
    requires std::integral<T> || std::is_enum_v<T>
  void field(T &value) {
    value = T(number());
  }
  void field(ElementKind &kind) {
    uint64_t value = number();
    good = good && value < allElementKinds.size();
    kind = good ? ElementKind(value) : ElementKind::F32;
  }
  void field(Math &math) {
    uint64_t value = number();
    good = good && value < mathNames.size();
    math = good ? Math(value) : Math::Default;
  }
  void field(double &value) { value = std::bit_cast<double>(number()); }
  void field(std::string &text) {
    size_t size = count();
    text = rest.substr(0, size);
    rest.remove_prefix(size);
  }
  template <typename T> void field(std::vector<T> &list) {
    list.resize(count());
    for (T &element : list)
      field(element);
  }
  void field(std::vector<Length> &lengths) {
    std::string text;
    field(text);
    if (text.empty())
      return lengths.clear();
    Result<std::vector<Length>> parsed = parseLengths(text);
    if (good = good && parsed; good)
      lengths = parsed.take();
  }
  template <typename... T> void field(std::variant<T...> &value) {
    uint64_t index = number(), at = 0;
    good = good && index < sizeof...(T);
    auto read = [&]<typename Held>(std::type_identity<Held>) {
      if (good && at++ == index)
        field(value.template emplace<Held>());
    };
    (read(std::type_identity<T>()), ...);
  }
  template <typename T>
    requires std::is_class_v<T>
  void field(T &thing) {
    describe(*this, thing);
  }

  std::string_view rest;
  bool good = true;
};

template <typename Stream> void describe(Stream &stream, TensorType &type) {
  stream(type.kind, type.shape);
}
template <typename Stream> void describe(Stream &stream, Binding &binding) {
  stream(binding.name, binding.type, binding.dimensions);
}
template <typename Stream> void describe(Stream &stream, StatePair &pair) {
  stream(pair.input, pair.output, pair.isGiven);
}
template <typename Stream> void describe(Stream &stream, BufferPlace &place) {
  stream(place.where, place.index, place.offset, place.type, place.name,
         place.first, place.last);
}
template <typename Stream> void describe(Stream &stream, Step &step) {
  stream(step.instruction, step.node, step.buffers, step.segments, step.results,
         step.attributes);
}
/// Describes a constant without its data, which is in a separate block.
template <typename Stream> void describe(Stream &stream, Constant &constant) {
  stream(constant.name, constant.type);
}
/// Describes a program without its code and states.
template <typename Stream> void describe(Stream &stream, Program &program) {
  stream(program.backend, program.entry, program.inputs, program.outputs,
         program.constants, program.math, program.arenaBytes,
         program.liveBytes);
}
template <typename Stream> void describe(Stream &stream, StepCode &code) {
  stream(code.buffers, code.steps);
}

/// The sizes that a run gives to a program of steps, and the conditions of a
/// run. They are apart from the extents, which have the format of programs of
/// fixed sizes.
struct ProgramLengths {
  std::vector<std::vector<Length>> inputs, outputs, buffers;
  std::vector<std::vector<LengthList>> lists; ///< of each step
  std::vector<std::vector<LengthFrom>> from;  ///< a step has one at most
  std::vector<SizeCondition> conditions;
};
ProgramLengths lengthsOf(const Program &program, const StepCode &code);
/// The inverse; false if there are not as many inputs, buffers or steps.
bool setLengths(const ProgramLengths &lengths, Program &program,
                StepCode &code);

/// The functions that steps call. They are apart from the steps, which have the
/// format of programs without calls.
struct ProgramCalls {
  std::vector<std::vector<StepCall>> calls; ///< of each step
  std::vector<StepPort> ports;
};
ProgramCalls callsOf(const StepCode &code);
/// The inverse; false if there are not as many steps.
bool setCalls(const ProgramCalls &calls, StepCode &code);

template <typename Stream> void describe(Stream &stream, StepCall &call) {
  stream(call.first, call.count, call.takes, call.gives);
}
template <typename Stream> void describe(Stream &stream, StepPort &port) {
  stream(port.type, port.lengths);
}
template <typename Stream> void describe(Stream &stream, ProgramCalls &calls) {
  stream(calls.calls, calls.ports);
}
template <typename Stream> void describe(Stream &stream, LengthList &list) {
  stream(list.attribute, list.lengths);
}
template <typename Stream> void describe(Stream &stream, LengthFrom &from) {
  std::vector<Length> one = {from.length};
  stream(from.operand, one);
  one.resize(1);
  from.length = one[0];
}
template <typename Stream>
void describe(Stream &stream, SizeCondition &condition) {
  std::vector<Length> sides = {condition.left, condition.right};
  stream(condition.relation, condition.label, sides);
  sides.resize(2);
  condition.left = sides[0], condition.right = sides[1];
}
template <typename Stream>
void describe(Stream &stream, SizeVariable &variable) {
  stream(variable.name, variable.low, variable.high, variable.multiple);
}
template <typename Stream>
void describe(Stream &stream, ProgramLengths &lengths) {
  stream(lengths.inputs, lengths.outputs, lengths.buffers, lengths.lists,
         lengths.from, lengths.conditions);
}

/// Constants of at least as many bytes are large: a store of programs may keep
/// each apart, once for all programs that have it.
inline constexpr uint64_t largeConstant = uint64_t(256) << 10;
bool isLarge(const Constant &constant);

/// The bytes of a constant, and their owner.
struct StoredConstant {
  std::string_view bytes;
  std::shared_ptr<const void> owner;
};

/// The constants in a block.
enum class BlockOf : uint8_t { All, Small };

/// A program in serialized form. `find` gives the address of a symbol of its
/// code, or null. If `find` is empty, the code is in the description. `owner`
/// keeps everything but the large constants alive.
struct StoredProgram {
  std::string_view description, constants;
  std::function<void *(const std::string &)> find;
  std::shared_ptr<const void> owner;
  BlockOf kept = BlockOf::All;            ///< in `constants`
  std::vector<StoredConstant> large = {}; ///< in order, if `kept` is Small
};

/// Size of the block of constants, in which each begins at a multiple of 64
/// bytes after the one before. Nothing if the size exceeds 63 bits.
std::optional<uint64_t> blockBytes(const Program &program,
                                   BlockOf kept = BlockOf::All);

/// Calls `append` with the bytes of the block, piece by piece.
void writeBlock(const Program &program,
                const std::function<void(std::string_view)> &append,
                BlockOf kept = BlockOf::All);

/// Points the constants of a program to their data in a stored program. False
/// if the block is too short, or if large constants have other sizes.
bool bindBlock(Program &program, const StoredProgram &stored);

} // namespace glow

#endif // GLOW_PROGRAM_SERIAL_H
