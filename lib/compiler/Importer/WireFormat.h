//===- WireFormat.h - an ONNX file without its numbers ----------*- C++ -*-===//
//
// An ONNX file is a protobuf message of which nearly all bytes are weights.
// Protobuf would copy them, twice while its strings grow, and can say of a
// damaged file only that it is damaged. So we walk over the file first, and
// give to protobuf what is left without the weights.
//
// The format: https://protobuf.dev/programming-guides/encoding
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_LIB_IMPORTER_WIREFORMAT_H
#define GLOW_LIB_IMPORTER_WIREFORMAT_H

#include "glow/Base/Status.h"
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace glow {

/// Bytes of the file that hold numbers of a tensor.
struct DataChunk {
  uint32_t field;        ///< of TensorProto
  uint64_t offset, size; ///< in the file, in bytes
};

/// The numbers of one TensorProto, in order: fixed-size numbers little-endian,
/// others as varints, one after the other.
using TensorChunks = std::vector<DataChunk>;

struct Skeleton {
  /// A ModelProto. Its TensorProtos have no numbers; those that had some have a
  /// `segment` whose `begin` is an index into `tensors`.
  std::string message;
  std::vector<TensorChunks> tensors;
};

/// How many messages may lie in one another: over a hundred graphs of three
/// each. What walks over a model may call itself for each of them.
constexpr int deepestMessage = 400;

/// Takes the numbers out of a file. Touches no page of the file that holds only
/// numbers. Fails with a message that follows the file's name and has the
/// byte, when something is cut off or is no field, messages lie too deep in one
/// another, or more than 512 MiB, 2^22 messages or 2^24 texts would be left.
Result<Skeleton> skeletonOf(std::span<const char> file);

/// Reads one varint at `at` and moves `at` behind it; false when there is none
/// before `end`, and `at` is where it was.
bool readVarint(const char *&at, const char *end, uint64_t &value);

} // namespace glow

#endif // GLOW_LIB_IMPORTER_WIREFORMAT_H
