//===- Zip.h - the members of a ZIP archive ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Supports only the features that an .npz file needs: stored and deflated
// members, and archives of any size (ZIP64). No encryption, no archives in
// several files.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_LIB_TENSORFILES_ZIP_H
#define GLOW_LIB_TENSORFILES_ZIP_H

#include "glow/Base/Status.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace glow {

struct ZipMember {
  std::string name;
  bool deflated = false;
  std::string_view packed; ///< its bytes in the archive
  uint64_t unpackedSize = 0;
  uint32_t checksum = 0; ///< CRC-32 of what is unpacked
};

/// The members of the archive in `bytes`, which must outlive them. Fails with
/// Code::InvalidArgument if `bytes` is no archive or is cut off.
Result<std::vector<ZipMember>> zipMembers(std::string_view bytes);

/// The first `most` unpacked bytes of a member, or all if it has fewer. Memory
/// is bounded by `most` and by the size that deflate can reach from the packed
/// bytes. If all bytes are unpacked, they are checked against size and
/// checksum.
Result<std::string> unzip(const ZipMember &member, uint64_t most);

} // namespace glow

#endif // GLOW_LIB_TENSORFILES_ZIP_H
