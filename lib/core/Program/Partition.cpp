//===- Partition.cpp - text of a partition --------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Program/Partition.h"
#include "glow/Base/MemorySize.h"
#include <charconv>
#include <iomanip>
#include <optional>
#include <sstream>
#include <tuple>

using namespace glow;

double PartitionDevice::operationsOf(ElementKind kind) const {
  constexpr double unknown = 1e9;
  if (kind == ElementKind::U8)
    kind = ElementKind::I8;
  for (ElementKind known : {kind, ElementKind::F32})
    if (auto found = operationsPerSecond.find(known);
        found != operationsPerSecond.end())
      return found->second;
  return unknown;
}

bool PartitionDevice::isLike(const PartitionDevice &other) const {
  auto kind = [](const PartitionDevice &one) {
    return std::tie(one.backend, one.threads, one.memoryBytes,
                    one.cyclesPerSecond, one.operationsPerSecond,
                    one.bytesPerSecond, one.measured, one.linkSeconds,
                    one.linkBytesPerSecond);
  };
  return kind(*this) == kind(other);
}

std::string glow::keyOf(const PartitionRequest &request) {
  std::ostringstream text;
  text << std::hexfloat << name(request.mode) << "\n";
  for (const PartitionDevice &device : request.devices) {
    text << std::quoted(device.name) << " " << std::quoted(device.backend)
         << " " << device.threads << " " << device.memoryBytes << " "
         << device.memoryFactor << " " << device.cyclesPerSecond << " "
         << device.bytesPerSecond << " " << device.linkSeconds << " "
         << device.linkBytesPerSecond << "\n";
    for (const auto &[kind, rate] : device.operationsPerSecond)
      text << name(kind) << " " << rate << "\n";
    for (const auto &[node, seconds] : device.measured)
      text << std::quoted(node) << " " << seconds << "\n";
  }
  for (const NodePin &pin : request.pins)
    text << std::quoted(pin.pattern) << " " << std::quoted(pin.device) << "\n";
  return text.str();
}

template <typename Number>
static bool parse(std::string_view text, Number least, Number &number) {
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end && number >= least;
}

/// "memory=2G" into a device.
static bool takeProperty(std::string_view text, PartitionDevice &device) {
  const size_t middle = text.find('=');
  if (middle == std::string_view::npos)
    return false;
  const std::string_view key = text.substr(0, middle),
                         value = text.substr(middle + 1);
  if (key == "memory") {
    std::optional<uint64_t> bytes = parseSize(value);
    device.memoryBytes = bytes.value_or(0);
    return bool(bytes);
  }
  if (key == "threads")
    return parse(value, 1u, device.threads);
  if (key == "link")
    return parse(value, 1.0, device.linkBytesPerSecond);
  return key == "delay" && parse(value, 0.0, device.linkSeconds);
}

Result<PartitionDevice> glow::partitionDeviceOf(std::string_view text) {
  PartitionDevice device;
  bool isGood = true;
  for (size_t at = 0, field = 0; at <= text.size(); ++field) {
    const size_t end = std::min(text.find(':', at), text.size());
    const std::string_view one = text.substr(at, end - at);
    if (field == 0)
      device.name = one;
    else if (field == 1)
      device.backend = one;
    else
      isGood &= takeProperty(one, device);
    at = end + 1;
  }
  if (!isGood || device.name.empty() || device.backend.empty())
    return failure(Code::InvalidArgument, "device '", text,
                   "' should be NAME:BACKEND, and behind it any of "
                   ":memory=SIZE, :threads=N, :link=BYTES_PER_SECOND and "
                   ":delay=SECONDS");
  return device;
}

Result<NodePin> glow::nodePinOf(std::string_view text) {
  const size_t middle = text.rfind('=');
  if (middle == std::string_view::npos || middle == 0 ||
      middle + 1 == text.size())
    return failure(Code::InvalidArgument, "'", text,
                   "' should be PATTERN=DEVICE, the names of nodes and where "
                   "they run");
  return NodePin{std::string(text.substr(0, middle)),
                 std::string(text.substr(middle + 1))};
}
