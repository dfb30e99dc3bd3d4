//===- Settings.h - options of the provider ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_ONNXRUNTIME_SETTINGS_H
#define GLOW_TOOLS_ONNXRUNTIME_SETTINGS_H

#include "glow/glow.hpp"

namespace glow::ort {

/// Options of a session that are for the provider: their names and values.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// An open dimension for which one program serves all sizes.
struct Range {
  std::string dimension;
  int64_t least, most, multiple;
};

/// The ranges of the option "ranges". Throws Failure for another form.
std::vector<Range> rangesOf(const Settings &settings);

/// The options of Glow, without ranges. Fails with api::Error for an option
/// that does not exist, or a wrong value.
api::Options optionsOf(const Settings &settings);

} // namespace glow::ort

#endif
