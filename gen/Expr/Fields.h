//===- Fields.h - declared fields of records ------------------------------===//
// SPDX-License-Identifier: MIT
//
// Code that reads a field names the class that declares it:
// textField<"Kernel.kind">. These calls are the list of fields that are read;
// checkFields refuses all others.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GEN_EXPR_FIELDS_H
#define GLOW_GEN_EXPR_FIELDS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/TableGen/Record.h"
#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace glow::gen {

/// "Class.field", as a template's argument.
template <size_t size> struct FieldName {
  char text[size];
  consteval FieldName(const char (&name)[size]) {
    std::copy_n(name, size, text);
  }
  constexpr llvm::StringRef className() const {
    return llvm::StringRef(text).split('.').first;
  }
  constexpr llvm::StringRef field() const {
    return llvm::StringRef(text).split('.').second;
  }
};

/// The fields that code of this program reads, as "Class.field".
std::set<std::string> &readFields();

/// Instantiating this class notes that a field is read.
template <FieldName name> struct FieldRead {
  static inline const bool noted = readFields().insert(name.text).second;
};

/// Notes that fields of many classes are read.
template <FieldName... names> void noteFields() {
  ((void)FieldRead<names>::noted, ...);
}

/// The name of a field that is read of `record`: of the first of the classes,
/// which call it the same. The record must be of one of them.
template <FieldName first, FieldName... others>
llvm::StringRef fieldOf(const llvm::Record &record) {
  (void)FieldRead<first>::noted;
  ((void)FieldRead<others>::noted, ...);
  assert((record.isSubClassOf(first.className()) || ... ||
          record.isSubClassOf(others.className())) &&
         "a field of another class is read");
  return first.field();
}

// The value of a field, by its type.
template <FieldName... names>
llvm::StringRef textField(const llvm::Record &record) {
  return record.getValueAsString(fieldOf<names...>(record));
}
template <FieldName... names> bool bitField(const llvm::Record &record) {
  return record.getValueAsBit(fieldOf<names...>(record));
}
template <FieldName... names> int64_t intField(const llvm::Record &record) {
  return record.getValueAsInt(fieldOf<names...>(record));
}
template <FieldName... names>
const llvm::DagInit *dagField(const llvm::Record &record) {
  return record.getValueAsDag(fieldOf<names...>(record));
}
template <FieldName... names>
const llvm::Record *recordField(const llvm::Record &record) {
  return record.getValueAsDef(fieldOf<names...>(record));
}
template <FieldName... names>
std::vector<const llvm::Record *> recordsField(const llvm::Record &record) {
  return record.getValueAsListOfDefs(fieldOf<names...>(record));
}
template <FieldName... names>
std::vector<llvm::StringRef> textsField(const llvm::Record &record) {
  return record.getValueAsListOfStrings(fieldOf<names...>(record));
}

} // namespace glow::gen

#endif // GLOW_GEN_EXPR_FIELDS_H
