//===- MemorySize.cpp - amounts of memory, for people ---------------------===//
// SPDX-License-Identifier: MIT

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

/// The power of 1024 that "k", "MiB"... stands for; 0 for "".
static std::optional<unsigned> powerOf(std::string_view unit) {
  if (unit.size() == 3 && unit.ends_with("iB"))
    unit.remove_suffix(2);
  if (unit.empty())
    return 0;
  const size_t found =
      std::string_view("kmgt").find(char(std::tolower(uint8_t(unit[0]))));
  if (unit.size() > 1 || found == std::string_view::npos)
    return std::nullopt;
  return unsigned(found) + 1;
}

std::optional<uint64_t> glow::parseSize(std::string_view text) {
  const size_t digits = std::min(text.find_first_not_of("0123456789."), //
                                 text.size());
  const std::string_view number = text.substr(0, digits);
  const std::optional<unsigned> power = powerOf(text.substr(digits));
  const bool isWhole = number.find('.') == number.npos;
  // There is no half of a byte.
  if (!power || (!isWhole && *power == 0))
    return std::nullopt;
  double size = 0;
  auto [end, error] = std::from_chars(number.data(), number.data() + digits,
                                      size, std::chars_format::fixed);
  if (error != std::errc() || end != number.data() + digits)
    return std::nullopt;
  const double unit = double(uint64_t(1) << (10 * *power));
  if (!(size * unit >= 1) || size * unit >= 0x1p63)
    return std::nullopt;
  uint64_t exact = 0; // beyond 53 bits too
  if (isWhole)
    std::from_chars(number.data(), number.data() + digits, exact);
  return isWhole ? exact << (10 * *power) : uint64_t(size * unit);
}

uint64_t glow::defaultMemoryLimit() {
  constexpr uint64_t most = uint64_t(64) << 30;
  uint64_t pages = uint64_t(std::max(0L, sysconf(_SC_PHYS_PAGES)));
  uint64_t machine = pages * uint64_t(sysconf(_SC_PAGESIZE));
  return machine ? std::min(machine / 4 * 3, most) : most;
}
