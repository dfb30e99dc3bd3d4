//===- Names.cpp - names and source locations of records ------------------===//
// SPDX-License-Identifier: MIT
//
// A plug-in may use a name that Glow's own records have as well: its record
// then has the plug-in's name as a prefix in C++.
//
//===----------------------------------------------------------------------===//

#include "Expr/Fields.h"
#include "Model/node/Node.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static cl::list<std::string> libraryFolders(
    "library",
    cl::desc("folder of an installed Glow's records; what it declares is "
             "known, but nothing is emitted for it"),
    cl::value_desc("DIR"));

static cl::opt<std::string>
    scopeName("plugin",
              cl::desc("the plug-in of these records: what begins "
                       "its names of which the library has a like"),
              cl::value_desc("NAME"));

static StringRef fileOf(const Record &record, unsigned *line = nullptr) {
  SMLoc at = record.getLoc().front();
  unsigned buffer = SrcMgr.FindBufferContainingLoc(at);
  if (!buffer)
    return "";
  if (line)
    *line = SrcMgr.getLineAndColumn(at, buffer).first;
  return SrcMgr.getMemoryBuffer(buffer)->getBufferIdentifier();
}

/// The prefix of a library's record where a plug-in has the same name.
static constexpr StringLiteral libraryPrefix = "Glow_";

bool glow::gen::isOfLibrary(const Record &record) {
  return any_of(libraryFolders, [&](const std::string &folder) {
    return fileOf(record).starts_with(folder);
  });
}

static bool hasMnemonicOf(const Record &other, const Record &record) {
  return isOfLibrary(other) &&
         other.getValueAsString("opName") == record.getValueAsString("opName");
}

bool glow::gen::isOfPlugin() { return !scopeName.empty(); }

bool glow::gen::isScoped(const Record &record) {
  if (scopeName.empty() || isOfLibrary(record))
    return false;
  const RecordKeeper &records = record.getRecords();
  std::string taken = (libraryPrefix + record.getName()).str();
  if (records.getDef(taken) || records.getDef(taken + "Instr"))
    return true;
  if (!record.isSubClassOf("Node"))
    return false;
  return any_of(ArrayRef<StringRef>{"Node", "Instr"}, [&](StringRef type) {
    return any_of(
        records.getAllDerivedDefinitions(type),
        [&](const Record *other) { return hasMnemonicOf(*other, record); });
  });
}

std::string glow::gen::cxxName(const Record &record) {
  StringRef name = record.getName();
  if (isScoped(record))
    return scopeName + name.str();
  name.consume_front(libraryPrefix);
  return name.str();
}

std::string glow::gen::mnemonicOf(const Record &record) {
  std::string name = record.getValueAsString("opName").str();
  return isScoped(record) ? convertToSnakeFromCamelCase(scopeName) + "_" + name
                          : name;
}

std::string glow::gen::placeOf(const Record &record) {
  if (record.isSubClassOf("Node") || record.isSubClassOf("Instr"))
    if (StringRef origin = textField<"Node.origin", "Instr.origin">(record);
        !origin.empty())
      return origin.str();
  unsigned line = 0;
  StringRef file = fileOf(record, &line);
  StringRef folder = sys::path::filename(sys::path::parent_path(file));
  return ((folder.empty() ? "" : folder + "/") + sys::path::filename(file) +
          ":" + Twine(line))
      .str();
}

std::string glow::gen::sourceOf(const Record &record) {
  const std::string place = placeOf(record);
  return place.substr(0, place.rfind(':'));
}

/// A family is a file of records; the gradient of a node belongs to that of the
/// node.
std::string glow::gen::familyOf(const Record &record) {
  if (record.isSubClassOf("Node") && !record.isValueUnset("gradientOf"))
    return familyOf(*recordField<"Node.gradientOf">(record));
  return sys::path::stem(fileOf(record)).str();
}
