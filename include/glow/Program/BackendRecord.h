//===- BackendRecord.h - backend records for tools --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The part of a Backend record that is also read where there is no compiler.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_PROGRAM_BACKENDRECORD_H
#define GLOW_PROGRAM_BACKENDRECORD_H

#include "glow/Base/Status.h"
#include <map>
#include <span>
#include <string>
#include <vector>

namespace glow {

/// A BackendOption record.
struct BackendOption {
  const char *name;
  const char *type;      ///< "text", "int", "bool" or "size"
  const char *value;     ///< the placeholder of the value in help: "NAME"
  const char *initially; ///< the default value
  const char *summary;
  bool forFiles; ///< only for commands that write code
};

struct BackendRecord {
  const char *name;
  int preference;   ///< the largest is the default backend
  bool isReference; ///< other backends are compared with its results
  std::vector<BackendOption> options;
};

/// Registers backends. The table must live as long as the process. Called
/// before `main`, or when a plug-in is loaded, by one thread.
void registerBackendRecords(std::span<const BackendRecord> table);

/// All registered backends, in alphabetical order.
const std::vector<BackendRecord> &backendRecords();

/// The preferred backend, and the reference; "" if there is none. Ties go to
/// the first in alphabetical order.
std::string preferredBackend();
std::string referenceBackend();

/// Values of backend options, by the names of the options.
using Settings = std::map<std::string, std::string>;

/// Fails with Code::InvalidArgument if the backend lacks an option, or if a
/// value is not of the option's type.
Status checkSettings(const std::string &backend, const Settings &settings);

/// The settings whose options the backend has.
Settings settingsFor(const std::string &backend, const Settings &settings);

/// The value of a backend's option: the given one, or else the default of its
/// record.
std::string settingOf(const std::string &backend, const Settings &settings,
                      const std::string &option);

} // namespace glow

#endif // GLOW_PROGRAM_BACKENDRECORD_H
