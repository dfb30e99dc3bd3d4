//===- Texts.h - growing lists of texts -------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_VALUES_TEXTS_H
#define GLOW_VALUES_TEXTS_H

#include "glow/Values/HostValue.h"

namespace glow {

/// A growing list of texts, counted by the MemoryBudget.
class TextList {
public:
  /// Appends a text. Fails if the MemoryBudget of the run is exceeded.
  Status add(std::string text) {
    constexpr uint64_t step = 1 << 16;
    bytes += bytesOf(text);
    texts.push_back(std::move(text));
    if (bytes < step)
      return Status();
    Result<MemoryBudget::Share> share = MemoryBudget::take(bytes);
    if (share && *share)
      shares.push_back(share.take());
    bytes = 0;
    return share.status();
  }

  /// Returns the texts, which are not counted from now on.
  std::vector<std::string> take() {
    shares.clear();
    return std::move(texts);
  }

private:
  std::vector<std::string> texts;
  uint64_t bytes = 0; ///< since the last share
  std::vector<MemoryBudget::Share> shares;
};

} // namespace glow

#endif // GLOW_VALUES_TEXTS_H
