//===- Npy.cpp - tensors in .npy files ------------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/TensorFiles/Numpy.h"
#include <bit>
#include <charconv>
#include <cstring>

using namespace glow;

static_assert(std::endian::native == std::endian::little,
              "elements are copied as they lie in the file");

static constexpr std::string_view magic = "\x93NUMPY";

namespace {

struct TypeCode {
  std::string_view code; // without the byte order
  ElementKind kind;
};

/// A reader of the header's Python dictionary. A mismatch sets `broken`, after
/// which every step does nothing.
class Scanner {
public:
  explicit Scanner(std::string_view text) : text(text) {}

  bool failed() const { return broken; }

  /// Skips spaces and then `token`; returns whether the token was there.
  bool accept(std::string_view token) {
    text.remove_prefix(std::min(text.find_first_not_of(" \n"), text.size()));
    if (broken || !text.starts_with(token))
      return false;
    text.remove_prefix(token.size());
    return true;
  }

  void expect(std::string_view token) { broken |= !accept(token); }

  /// Reads a text between single or double quotes, without escapes.
  std::string_view quoted() {
    char quote = accept("'") ? '\'' : '"';
    if (quote == '"')
      expect("\"");
    size_t end = text.find(quote);
    if (broken || end == std::string_view::npos)
      return broken = true, "";
    std::string_view inside = text.substr(0, end);
    text.remove_prefix(end + 1);
    return inside;
  }

  /// Reads "(2, 3)", "(3,)" or "()".
  Ints tuple() {
    Ints sizes;
    expect("(");
    while (!broken && !accept(")")) {
      accept("");
      int64_t size = 0;
      auto [end, error] =
          std::from_chars(text.data(), text.data() + text.size(), size);
      if (error != std::errc() || size < 0 || sizes.size() == 64)
        return broken = true, Ints();
      text.remove_prefix(size_t(end - text.data()));
      accept("L"); // as Python 2 wrote integers
      sizes.push_back(size);
      if (!accept(",")) {
        expect(")");
        break;
      }
    }
    return sizes;
  }

private:
  std::string_view text;
  bool broken = false;
};

} // namespace

static constexpr TypeCode typeCodes[] = {
    {"f4", ElementKind::F32},  {"f2", ElementKind::F16},
    {"V2", ElementKind::BF16}, {"f8", ElementKind::F64},
    {"i1", ElementKind::I8},   {"i2", ElementKind::I16},
    {"i4", ElementKind::I32},  {"i8", ElementKind::I64},
    {"u1", ElementKind::U8},   {"u2", ElementKind::U16},
    {"u4", ElementKind::U32},  {"u8", ElementKind::U64},
    {"b1", ElementKind::Bool}};

static Status invalid(const std::string &what) {
  return Status(Code::InvalidArgument, what);
}

static Result<ElementKind> kindOfCode(std::string_view code) {
  if (code.empty())
    return invalid("its elements have no type: descr is empty");
  char order = code[0];
  for (const TypeCode &row : typeCodes) {
    if (code.substr(1) != row.code)
      continue;
    if (order == '>' && byteSize(row.kind) > 1)
      return failure(Code::Unsupported, "its elements '", code,
                     "' are big-endian, they should be little-endian");
    return row.kind;
  }
  if (code.ends_with("V1"))
    return ElementKind::U8;
  return failure(Code::Unsupported, "its elements are '", code,
                 "', which is no element kind of ours");
}

/// Parses the dictionary: three keys in any order.
static Result<NpyHeader> parseDictionary(std::string_view text) {
  Scanner scan(text);
  std::optional<std::string_view> code;
  std::optional<bool> columnMajor;
  std::optional<Ints> shape;
  scan.expect("{");
  while (!scan.failed() && !scan.accept("}")) {
    std::string_view key = scan.quoted();
    scan.expect(":");
    if (key == "descr" && scan.accept("["))
      return failure(Code::Unsupported,
                     "its elements are records, they should be numbers");
    if (key == "descr")
      code = scan.quoted();
    else if (key == "fortran_order") {
      columnMajor = scan.accept("True");
      if (!*columnMajor)
        scan.expect("False");
    } else if (key == "shape")
      shape = scan.tuple();
    else
      break;
    scan.accept(",");
  }
  if (scan.failed() || !code || !columnMajor || !shape)
    return invalid("its .npy header cannot be understood");
  Result<ElementKind> kind = kindOfCode(*code);
  if (!kind)
    return kind.status();
  NpyHeader header;
  header.type = {*kind, std::move(*shape)};
  header.columnMajor = *columnMajor;
  if (!header.type.isStatic())
    return invalid("its shape " + shapeText(header.type.shape) +
                   " is larger than any memory");
  return header;
}

Result<NpyHeader> glow::parseNpyHeader(std::string_view bytes) {
  if (!bytes.starts_with(magic))
    return invalid("it is no .npy file: its first bytes are not \\x93NUMPY");
  auto byte = [&](size_t i) { return size_t(uint8_t(bytes[i])); };
  if (bytes.size() < 12)
    return invalid("it is cut off in its .npy header");
  size_t version = byte(6);
  if (version < 1 || version > 3)
    return failure(Code::Unsupported, "its .npy format has version ", version,
                   ", it should be 1 to 3");
  size_t start = version == 1 ? 10 : 12;
  size_t length = byte(8) | byte(9) << 8;
  if (version > 1)
    length |= byte(10) << 16 | byte(11) << 24;
  if (length > longestNpyHeader - start)
    return failure(Code::InvalidArgument, "its .npy header claims ", length,
                   " bytes, it should be at most ", longestNpyHeader - start);
  if (bytes.size() - start < length)
    return invalid("it is cut off in its .npy header");
  Result<NpyHeader> header = parseDictionary(bytes.substr(start, length));
  if (header)
    header->dataOffset = start + length;
  return header;
}

/// Copies a column-major array into a row-major one: counts through the target,
/// with the last index fastest, while `from` follows in strides of the source.
static void toRowMajor(const TensorType &type, const char *source, char *to) {
  size_t size = byteSize(type.kind);
  Ints strides(type.shape.size()), index(type.shape.size());
  int64_t stride = int64_t(size);
  for (size_t d = 0; d < strides.size(); stride *= type.shape[d++])
    strides[d] = stride;
  const char *from = source;
  for (int64_t left = type.elements(); left > 0; --left, to += size) {
    std::memcpy(to, from, size);
    for (size_t d = index.size(); d-- > 0;) {
      from += strides[d];
      if (++index[d] < type.shape[d])
        break;
      from -= strides[d] * type.shape[d];
      index[d] = 0;
    }
  }
}

Result<Tensor> glow::parseNpy(std::string_view bytes) {
  Result<NpyHeader> header = parseNpyHeader(bytes);
  if (!header)
    return header.status();
  uint64_t wanted = header->type.bytes();
  uint64_t got = bytes.size() - header->dataOffset;
  if (got != wanted)
    return failure(Code::InvalidArgument, "it has ", got,
                   " bytes of data, its type ", header->type.text(), " needs ",
                   wanted);
  Result<Tensor> tensor = Tensor::zeros(header->type);
  if (!tensor || wanted == 0)
    return tensor;
  const char *data = bytes.data() + header->dataOffset;
  char *target = static_cast<char *>(tensor->data());
  if (header->columnMajor)
    toRowMajor(header->type, data, target);
  else
    std::memcpy(target, data, wanted);
  return tensor;
}

static std::string_view codeOf(ElementKind kind) {
  for (const TypeCode &row : typeCodes)
    if (row.kind == kind)
      return row.code;
  return isFloat(kind) ? "V1" : isSigned(kind) ? "i1" : "u1";
}

/// The elements as numpy reads them: an integer of fewer bits takes 8.
static std::string elementBytes(TensorView tensor) {
  std::string bytes(static_cast<const char *>(tensor.data),
                    tensor.type->bytes());
  ElementKind kind = tensor.type->kind;
  if (isInteger(kind) && isSigned(kind) && isSmall(kind))
    for (char &byte : bytes)
      if (uint8_t(byte) >> (bitWidth(kind) - 1))
        byte = char(uint8_t(byte) | ~0u << bitWidth(kind));
  return bytes;
}

std::string glow::npyBytes(TensorView tensor) {
  const TensorType &type = *tensor.type;
  std::string_view code = codeOf(type.kind);
  std::string shape;
  for (int64_t size : type.shape)
    shape += std::to_string(size) + ",";
  std::string head = std::string("{'descr': '") +
                     (byteSize(type.kind) == 1 ? '|' : '<') +
                     std::string(code) + "', 'fortran_order': False, " +
                     "'shape': (" + shape + "), }";
  // Padded so that the data starts at a multiple of 64, as numpy does.
  head.append(63 - (10 + head.size()) % 64, ' ');
  head += '\n';
  std::string bytes(magic);
  bytes += {'\x01', '\x00', char(head.size() & 0xff), char(head.size() >> 8)};
  bytes += head;
  bytes += elementBytes(tensor);
  return bytes;
}
