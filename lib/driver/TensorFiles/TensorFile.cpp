//===- TensorFile.cpp - a tensor from a file of any kind we read ----------===//
// SPDX-License-Identifier: MIT

#include "glow/TensorFiles/TensorFile.h"
#include "glow/Images/Image.h"
#include "glow/TensorFiles/File.h"
#include "glow/TensorFiles/Numpy.h"
#include "glow/TensorFiles/OnnxTensor.h"
#include <algorithm>
#include <cctype>
#include <cstring>

using namespace glow;

FileFormat glow::formatOf(std::string_view path) {
  std::string ending(path.substr(std::min(path.rfind('.'), path.size())));
  for (char &c : ending)
    c = char(std::tolower(static_cast<unsigned char>(c)));
  if (ending == ".npy")
    return FileFormat::Npy;
  if (ending == ".npz")
    return FileFormat::Npz;
  if (ending == ".pb")
    return FileFormat::OnnxTensor;
  constexpr std::string_view images[] = {".png", ".jpg",  ".jpeg", ".bmp",
                                         ".pbm", ".pgm",  ".ppm",  ".pnm",
                                         ".tif", ".tiff", ".webp", ".jp2"};
  return std::ranges::count(images, ending) ? FileFormat::Image
                                            : FileFormat::Raw;
}

static Result<Tensor> parseRaw(std::string_view bytes, const TensorType &type) {
  if (!type.isStatic())
    return failure(Code::InvalidArgument,
                   "a raw file needs a known shape, but its input is ",
                   type.text(), "; give a shape");
  if (bytes.size() != type.bytes())
    return failure(Code::InvalidArgument, "it has ", bytes.size(),
                   " bytes, but ", type.text(), " has ", type.bytes());
  Result<Tensor> tensor = Tensor::zeros(type);
  if (tensor && !bytes.empty())
    std::memcpy(tensor->data(), bytes.data(), bytes.size());
  return tensor;
}

static Result<Tensor> parseMember(std::string_view bytes,
                                  std::string_view member) {
  Result<std::vector<NamedTensor>> found = parseNpz(bytes, member);
  if (found && !found->empty())
    return std::move(found->front().tensor);
  if (found || found.status().code() != Code::NotFound)
    return found ? Status(Code::NotFound, "it has no arrays") : found.status();
  // There is no array of this name; the name of a single array does not matter.
  Result<std::vector<NamedTensor>> all = parseNpz(bytes);
  if (!all)
    return all.status();
  if (all->size() == 1)
    return std::move(all->front().tensor);
  return found.status();
}

static Result<Tensor> parseTensor(const std::string &path,
                                  std::string_view bytes,
                                  const TensorType &type,
                                  std::string_view member) {
  switch (formatOf(path)) {
  case FileFormat::Npy:
    return parseNpy(bytes);
  case FileFormat::Npz:
    return parseMember(bytes, member);
  case FileFormat::Image:
    return parseImage(bytes);
  case FileFormat::Raw:
    return parseRaw(bytes, type);
  case FileFormat::OnnxTensor:
    break;
  }
  Result<NamedTensor> named = parseOnnxTensor(bytes);
  if (!named)
    return named.status();
  return std::move(named->tensor);
}

Result<Tensor> glow::readTensor(const std::string &path, const TensorType &type,
                                std::string_view member) {
  Result<std::string> bytes = readFile(path);
  if (!bytes)
    return bytes.status();
  Result<Tensor> tensor = parseTensor(path, *bytes, type, member);
  if (!tensor)
    return tensor.status().prefixed("'" + path + "': ");
  return tensor;
}

Status glow::takeAs(ElementKind kind, Tensor &tensor) {
  bool isSignedInteger = isInteger(kind) && isSigned(kind);
  if (!isSmall(kind) ||
      tensor.type().kind !=
          (isSignedInteger ? ElementKind::I8 : ElementKind::U8))
    return Status();
  int count = 1 << bitWidth(kind), least = isSignedInteger ? -count / 2 : 0;
  for (uint8_t &byte : std::span(static_cast<uint8_t *>(tensor.data()),
                                 tensor.type().bytes())) {
    int value = isSignedInteger ? int(int8_t(byte)) : int(byte);
    if (value < least || value >= least + count)
      return failure(Code::InvalidArgument, "it holds ", value, ", but ",
                     name(kind), " has only ", least, " to ",
                     least + count - 1);
    byte = uint8_t(value & (count - 1));
  }
  return tensor.reinterpret(kind);
}
