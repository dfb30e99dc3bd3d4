//===- MemorySize.cpp - amounts of memory, for people ---------------------===//

#include "glow/Base/MemorySize.h"
#include <algorithm>
#include <cctype>
#include <charconv>
#include <unistd.h>

using namespace glow;

std::string glow::sizeText(uint64_t bytes) {
  const char *units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024)
    return std::to_string(bytes) + " bytes";
  int unit = 0;
  double size = double(bytes) / 1024;
  for (; size >= 1023.95 && unit < 5; ++unit)
    size /= 1024;
  char text[16];
  auto end =
      std::to_chars(text, std::end(text), size, std::chars_format::fixed, 1);
  return std::string(text, end.ptr) + ' ' + units[unit];
}

std::optional<uint64_t> glow::parseSize(std::string_view text) {
  double number;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit = text.substr(size_t(end - text.data()));
  if (unit.size() == 3 && unit.ends_with("iB"))
    unit.remove_suffix(2);
  if (error != std::errc() || unit.size() > 1)
    return std::nullopt;
  if (!unit.empty()) {
    constexpr std::string_view units = "kmgt";
    size_t power = units.find(char(std::tolower(uint8_t(unit[0]))));
    if (power == units.npos)
      return std::nullopt;
    number *= double(uint64_t(1) << (10 * (power + 1)));
  }
  if (!(number >= 1) || number >= 0x1p63)
    return std::nullopt;
  return uint64_t(number);
}

uint64_t glow::defaultMemoryLimit() {
  constexpr uint64_t most = uint64_t(64) << 30;
  uint64_t pages = uint64_t(std::max(0L, sysconf(_SC_PHYS_PAGES)));
  uint64_t machine = pages * uint64_t(sysconf(_SC_PAGESIZE));
  return machine ? std::min(machine / 4 * 3, most) : most;
}
