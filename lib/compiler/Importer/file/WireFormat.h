//===- WireFormat.h - an ONNX file without its numbers ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// An ONNX file is a protobuf message of which nearly all bytes are weights.
// Protobuf would copy them, twice while its strings grow, and can only report
// that a damaged file is damaged. So we walk over the file first, and pass the
// rest without the weights to protobuf.
//
// The format: https://protobuf.dev/programming-guides/encoding
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_LIB_IMPORTER_FILE_WIREFORMAT_H
#define GLOW_LIB_IMPORTER_FILE_WIREFORMAT_H

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
  /// A ModelProto whose TensorProtos have no numbers. A TensorProto that had
  /// numbers has a `segment` instead, whose `begin` is an index into `tensors`.
  std::string message;
  std::vector<TensorChunks> tensors;
};

/// The greatest depth of nested messages: over a hundred graphs of three each.
/// Code that walks over a model may recurse for each level.
constexpr int deepestMessage = 400;

/// Takes the numbers out of a file. Touches no page of the file that holds only
/// numbers. Fails, with a message that follows the file's name and has the
/// byte, when a field is truncated or invalid, or messages nest too deep. Also
/// fails if more than 512 MiB, 2^22 messages or 2^24 texts would be left.
Result<Skeleton> skeletonOf(std::span<const char> file);

/// Reads one varint at `at` and moves `at` behind it. False when no varint ends
/// before `end`; then `at` does not move.
bool readVarint(const char *&at, const char *end, uint64_t &value);

} // namespace glow

#endif // GLOW_LIB_IMPORTER_FILE_WIREFORMAT_H
