//===- Npz.cpp - tensors in .npz files ------------------------------------===//
// SPDX-License-Identifier: MIT

#include "Zip.h"
#include "glow/TensorFiles/Numpy.h"

using namespace glow;

/// "weights" for the member "weights.npy".
static std::string_view arrayName(const ZipMember &member) {
  std::string_view name = member.name;
  if (name.ends_with(".npy"))
    name.remove_suffix(4);
  return name;
}

static Result<NamedTensor> readMember(const ZipMember &member) {
  std::string name(arrayName(member));
  auto in = [&](const Status &status) {
    return status.prefixed("array '" + name + "': ");
  };
  // The header is unpacked first: it states how much may be unpacked, whatever
  // the archive claims.
  Result<std::string> head = unzip(member, longestNpyHeader);
  if (!head)
    return in(head.status());
  Result<NpyHeader> header = parseNpyHeader(*head);
  if (!header)
    return in(header.status());
  if (header->dataOffset + header->type.bytes() != member.unpackedSize)
    return in(failure(Code::InvalidArgument, "it has ", member.unpackedSize,
                      " bytes, its type ", header->type.text(), " needs ",
                      header->dataOffset + header->type.bytes()));
  Result<std::string> all = unzip(member, member.unpackedSize);
  if (!all)
    return in(all.status());
  Result<Tensor> tensor = parseNpy(*all);
  if (!tensor)
    return in(tensor.status());
  return NamedTensor{std::move(name), tensor.take()};
}

Result<std::vector<NamedTensor>> glow::parseNpz(std::string_view bytes,
                                                std::string_view only) {
  Result<std::vector<ZipMember>> members = zipMembers(bytes);
  if (!members)
    return members.status();
  std::vector<NamedTensor> tensors;
  std::string names;
  for (const ZipMember &member : *members) {
    std::string_view name = arrayName(member);
    names += (names.empty() ? "'" : ", '") + std::string(name) + "'";
    if (!only.empty() && name != only)
      continue;
    Result<NamedTensor> tensor = readMember(member);
    if (!tensor)
      return tensor.status();
    tensors.push_back(tensor.take());
  }
  if (!only.empty() && tensors.empty())
    return failure(Code::NotFound, "it has no array '", only,
                   "'; its arrays are ", names.empty() ? "none" : names);
  return tensors;
}
