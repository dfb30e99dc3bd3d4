//===- BackendRecord.h - what a tool knows of backends ----------*- C++ -*-===//
//
// The part of a Backend record that is read also where there is no compiler.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_PROGRAM_BACKENDRECORD_H
#define GLOW_PROGRAM_BACKENDRECORD_H

#include <span>
#include <string>

namespace glow {

struct BackendRecord {
  const char *name;
  int preference;   ///< the largest is what runs a model that names none
  bool isReference; ///< its results are what others are measured against
};

/// Makes backends known. The table must live as long as the process. Called
/// before `main`, or when a plug-in is loaded, by one thread.
void registerBackendRecords(std::span<const BackendRecord> table);

/// The backend that is preferred, and the reference; "" where there is none. Of
/// equal ones, the first in alphabetical order.
std::string preferredBackend();
std::string referenceBackend();

} // namespace glow

#endif // GLOW_PROGRAM_BACKENDRECORD_H
