//===- Tensors.cpp - from TensorProto to bytes ----------------------------===//
// SPDX-License-Identifier: MIT

#include "Tensors.h"
#include "glow/Base/VisitKind.h"
#include "glow/Graph/Shape.h"
#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

using namespace glow;

static_assert(std::endian::native == std::endian::little,
              "tensors in files are little-endian");

Result<ElementKind> glow::kindOfDataType(int32_t dataType) {
  if (std::optional<ElementKind> kind = elementKindOfOnnx(dataType))
    return *kind;
  // The data types that are not supported.
  struct Row {
    int32_t number;
    const char *name;
  };
  constexpr Row others[] = {
      {0, "undefined"}, {8, "string"}, {14, "complex64"}, {15, "complex128"}};
  for (const Row &row : others)
    if (row.number == dataType)
      return failure(Code::Unsupported, "has elements of type ", row.name,
                     ", which is not supported");
  return failure(Code::Unsupported, "has elements of the unknown data type ",
                 dataType);
}

std::string glow::typeText(ElementKind kind, std::span<const int64_t> shape) {
  std::string text(name(kind));
  text += '[';
  for (size_t i = 0; i < shape.size(); ++i) {
    text += i ? "," : "";
    text += shape[i] < 0 ? "?" : std::to_string(shape[i]);
  }
  return text + ']';
}

Result<uint64_t> glow::checkedBytes(ElementKind kind,
                                    std::span<const int64_t> shape) {
  if (int64_t(shape.size()) > highestRank)
    return failure(Code::Unsupported, "has ", shape.size(),
                   " dimensions, more than the ", highestRank,
                   " that are supported");
  for (size_t i = 0; i < shape.size(); ++i)
    if (shape[i] < 0)
      return failure(Code::InvalidArgument, "has the negative size ", shape[i],
                     " in dimension ", i);
  Ints sizes(shape.begin(), shape.end());
  sizes.push_back(int64_t(byteSize(kind)));
  std::optional<int64_t> bytes = checkedProduct(sizes);
  if (!bytes)
    return failure(Code::InvalidArgument, "is ", typeText(kind, shape),
                   ", whose size in bytes does not fit in 63 bits");
  if (!TensorType{kind, Ints(shape.begin(), shape.end())}.isStatic())
    return failure(Code::Unsupported, "is ", typeText(kind, shape),
                   ", which has no elements, but too many places for them");
  return uint64_t(*bytes);
}

Result<TensorHeader> glow::headerOf(const onnx::TensorProto &tensor) {
  Result<ElementKind> kind = kindOfDataType(tensor.data_type());
  if (!kind)
    return kind.status();
  TensorHeader header{*kind, {tensor.dims().begin(), tensor.dims().end()}, 0};
  Result<uint64_t> bytes = checkedBytes(*kind, header.shape);
  if (!bytes)
    return bytes.status();
  header.bytes = *bytes;
  return header;
}

namespace {

/// A field of TensorProto that holds numbers.
struct DataField {
  uint32_t number;
  const char *name;
  bool varints;
};
constexpr DataField rawData{9, "raw_data", false};

DataField fieldOf(ElementKind kind) {
  switch (kind) {
  case ElementKind::F32:
    return {4, "float_data", false};
  case ElementKind::F64:
    return {10, "double_data", false};
  case ElementKind::I64:
    return {7, "int64_data", true};
  case ElementKind::U32:
  case ElementKind::U64:
    return {11, "uint64_data", true};
  default:
    return {5, "int32_data", true};
  }
}

Status wrongLength(uint64_t size, const char *unit, const TensorHeader &header,
                   uint64_t wanted) {
  return failure(Code::InvalidArgument, "has ", size, ' ', unit, ", but ",
                 typeText(header.kind, header.shape), " takes ", wanted);
}

Result<TensorBytes> ownedBytes(uint64_t size,
                               llvm::function_ref<Status(char *)> fill) {
  Result<std::shared_ptr<char[]>> bytes = allocateBytes(size);
  if (!bytes)
    return bytes.status();
  if (Status status = fill(bytes->get()); !status.ok())
    return status;
  return TensorBytes{{bytes->get(), size}, *bytes};
}

/// Stores the elements that number `index` of a typed field holds at their
/// indices, up to the last element of the tensor.
void unpack(const TensorHeader &header, uint64_t index, uint8_t number,
            char *to) {
  uint64_t count = elementsPerNumber(header.kind), first = index * count;
  for (uint64_t i = first; i < std::min(first + count, header.bytes); ++i)
    to[i] = char(bitsInFile(header.kind, &number, i - first));
}

/// Unpacks elements that share bytes in the file, each into a byte of its own.
Result<TensorBytes> unpackedBytes(const MappedFile &file,
                                  const DataChunk &chunk,
                                  const TensorHeader &header) {
  Result<TensorBytes> packed = file.aligned(chunk.offset, chunk.size, 1);
  if (!packed)
    return packed.status();
  auto *from = reinterpret_cast<const uint8_t *>(packed->bytes.data());
  return ownedBytes(header.bytes, [&](char *to) {
    for (uint64_t i = 0; i < header.bytes; ++i)
      to[i] = char(bitsInFile(header.kind, from, i));
    return Status();
  });
}

uint64_t sizeOf(std::span<const DataChunk> chunks) {
  uint64_t size = 0;
  for (const DataChunk &chunk : chunks)
    size += chunk.size;
  return size;
}

/// Fixed-size numbers in the file's form.
Result<TensorBytes> plainBytes(const MappedFile &file,
                               std::span<const DataChunk> chunks,
                               const TensorHeader &header) {
  uint64_t size = sizeOf(chunks);
  uint64_t wanted =
      bytesInFile(header.kind, header.bytes / byteSize(header.kind));
  if (size != wanted)
    return wrongLength(size, "bytes", header, wanted);
  if (sharesBytes(header.kind) && !chunks.empty()) // never in several chunks
    return unpackedBytes(file, chunks[0], header);
  bool isBool = header.kind == ElementKind::Bool;
  if (chunks.size() == 1 && !isBool)
    return file.aligned(chunks[0].offset, size, byteSize(header.kind));
  return ownedBytes(size, [&](char *to) {
    char *at = to;
    for (const DataChunk &chunk : chunks) {
      if (Status status = file.read(chunk.offset, chunk.size, at); !status.ok())
        return status;
      at += chunk.size;
    }
    if (isBool) // any other byte than 0 and 1 would be no bool
      std::transform(to, at, to, [](char byte) { return char(byte != 0); });
    return Status();
  });
}

/// Converts one varint to an element; for some kinds the varint holds the bits.
template <typename T> T elementOf(uint64_t value) {
  if constexpr (std::is_same_v<T, bool>)
    return value != 0;
  else if constexpr (std::is_integral_v<T>)
    return T(value);
  else if constexpr (isBits<T>)
    return fromBits<T>(value);
  else
    return T(); // float and double are never varints
}

Status decode(std::span<const char> file, std::span<const DataChunk> chunks,
              const TensorHeader &header, char *to) {
  const uint64_t elements = header.bytes / byteSize(header.kind);
  const bool packed = sharesBytes(header.kind);
  const uint64_t wanted = numbersInFile(header.kind, elements);
  uint64_t count = 0;
  visitKind(header.kind, [&]<typename T>(std::type_identity<T>) {
    for (const DataChunk &chunk : chunks) {
      const char *at = file.data() + chunk.offset, *end = at + chunk.size;
      for (uint64_t value; readVarint(at, end, value); ++count)
        if (count < wanted && packed)
          unpack(header, count, uint8_t(value), to);
        else if (count < wanted)
          reinterpret_cast<T *>(to)[count] = elementOf<T>(value);
    }
  });
  if (count == wanted)
    return Status();
  return wrongLength(count, "elements", header, wanted);
}

Result<TensorBytes> varintBytes(const MappedFile &file,
                                std::span<const DataChunk> chunks,
                                const TensorHeader &header) {
  // Every number takes at least a byte, so the check bounds the allocation by
  // the file's size.
  uint64_t size = sizeOf(chunks);
  uint64_t least =
      numbersInFile(header.kind, header.bytes / byteSize(header.kind));
  if (size < least)
    return wrongLength(size, "bytes of varints", header, least);
  Result<TensorBytes> bytes = ownedBytes(header.bytes, [&](char *to) {
    return decode(file.bytes(), chunks, header, to);
  });
  constexpr uint64_t many = 1 << 20;
  if (size > many)
    file.dropPages();
  return bytes;
}

/// A number in the text of an external_data entry.
Result<uint64_t> entryNumber(const onnx::StringStringEntryProto &entry) {
  const std::string &text = entry.value();
  uint64_t value = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return failure(Code::InvalidArgument, "has external data with the ",
                   entry.key(), " '", text, "', which is no size in bytes");
  return value;
}

Result<TensorBytes> externalBytes(ParsedModel &model,
                                  const onnx::TensorProto &tensor,
                                  const TensorHeader &header) {
  std::string location;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
  for (const onnx::StringStringEntryProto &entry : tensor.external_data()) {
    if (entry.key() == "location")
      location = entry.value();
    if (entry.key() != "offset" && entry.key() != "length")
      continue;
    Result<uint64_t> number = entryNumber(entry);
    if (!number)
      return number.status();
    (entry.key() == "offset" ? offset : length.emplace()) = *number;
  }
  Result<std::shared_ptr<MappedFile>> file = model.external.open(location);
  if (!file)
    return file.status().prefixed("cannot be read: ");
  uint64_t size = (*file)->bytes().size();
  uint64_t wanted = length.value_or(
      bytesInFile(header.kind, header.bytes / byteSize(header.kind)));
  if (offset > size || wanted > size - offset)
    return failure(Code::InvalidArgument, "has ", wanted, " bytes at ", offset,
                   " of '", location, "', which has only ", size, " bytes");
  DataChunk chunk{rawData.number, offset, wanted};
  return plainBytes(**file, {&chunk, 1}, header);
}

} // namespace

Result<TensorBytes> glow::readTensor(ParsedModel &model,
                                     const onnx::TensorProto &tensor,
                                     const TensorHeader &header) {
  if (tensor.data_location() == onnx::TensorProto::EXTERNAL)
    return externalBytes(model, tensor, header);
  if (tensor.segment().has_end())
    return model.elements[tensor.segment().begin()];
  static const TensorChunks none;
  uint64_t index = tensor.segment().begin();
  const TensorChunks &all = tensor.has_segment() && index < model.tensors.size()
                                ? model.tensors[index]
                                : none;
  DataField field = fieldOf(header.kind);
  auto chunksOf = [&](uint32_t number) {
    TensorChunks chunks;
    for (const DataChunk &chunk : all)
      if (chunk.field == number && chunk.size)
        chunks.push_back(chunk);
    return chunks;
  };
  TensorChunks raw = chunksOf(rawData.number), typed = chunksOf(field.number);
  if (raw.empty() && typed.empty() && header.bytes)
    return failure(Code::InvalidArgument, "has no data in raw_data or ",
                   field.name, ", but ", typeText(header.kind, header.shape),
                   " takes ", header.bytes, " bytes");
  if (raw.size() > 1) // of a bytes field given twice, the last counts
    raw.erase(raw.begin(), raw.end() - 1);
  if (raw.empty() && field.varints)
    return varintBytes(*model.file, typed, header);
  return plainBytes(*model.file, raw.empty() ? typed : raw, header);
}
