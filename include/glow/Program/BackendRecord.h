//===- BackendRecord.h - what a tool knows of backends ----------*- C++ -*-===//
//
// The part of a Backend record that is read also where there is no compiler.
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
  const char *value;     ///< what stands for the value in help: "NAME"
  const char *initially; ///< the value where none is given
  const char *summary;
  bool forFiles; ///< of commands that write code alone
};

struct BackendRecord {
  const char *name;
  int preference;   ///< the largest is what runs a model that names none
  bool isReference; ///< its results are what others are measured against
  std::vector<BackendOption> options;
};

/// Makes backends known. The table must live as long as the process. Called
/// before `main`, or when a plug-in is loaded, by one thread.
void registerBackendRecords(std::span<const BackendRecord> table);

/// In alphabetical order.
const std::vector<BackendRecord> &backendRecords();

/// The backend that is preferred, and the reference; "" where there is none. Of
/// equal ones, the first in alphabetical order.
std::string preferredBackend();
std::string referenceBackend();

/// What options of backends are set to, by their names.
using Settings = std::map<std::string, std::string>;

/// Fails with Code::InvalidArgument where a backend has no such option, or the
/// value is not of its type.
Status checkSettings(const std::string &backend, const Settings &settings);

/// Those of the options that a backend has.
Settings settingsFor(const std::string &backend, const Settings &settings);

/// The value of an option of a backend: the one that is given, or else that of
/// its record.
std::string settingOf(const std::string &backend, const Settings &settings,
                      const std::string &option);

} // namespace glow

#endif // GLOW_PROGRAM_BACKENDRECORD_H
