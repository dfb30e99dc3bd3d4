//===- Scope.cpp - names of a plug-in that Glow has too -------------------===//
// SPDX-License-Identifier: MIT
//
// TableGen has no scopes: the second record of a name is an error. A plug-in
// and the library are therefore told apart by their files. Files of the plug-in
// stay unchanged, so that a message has its caret at the original text.
//
//===----------------------------------------------------------------------===//

#include "Scope.h"
#include "Expr/Fields.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

using namespace llvm;
namespace fs = llvm::sys::fs;

namespace {

struct ScopeOptions {
  cl::opt<std::string> root{cl::Positional, cl::Required};
  cl::opt<bool> scope{"scope"}; // which led here
  cl::opt<std::string> library{"library", cl::Required};
  cl::opt<std::string> copies{"out", cl::Required};
  cl::opt<std::string> stamp{"o", cl::Required};
  cl::opt<std::string> dependencies{"d", cl::Required};
  cl::opt<bool> onChange{"write-if-changed"}; // the stamp always is
  cl::list<std::string> folders{"I", cl::Prefix};
};

/// The tokens of a file: names, quoted texts, and characters.
class Scanner {
public:
  explicit Scanner(StringRef text) : rest(text) {}

  /// The next one, a text with its first quote; "" at the end.
  StringRef next() {
    while (!rest.empty()) {
      if (rest.starts_with("//"))
        rest = rest.drop_until([](char c) { return c == '\n'; });
      else if (rest.starts_with("/*"))
        skipBehind("*/");
      else if (rest.starts_with("[{"))
        skipBehind("}]");
      else if (rest.front() == '"')
        return quoted();
      else if (isAlpha(rest.front()) || rest.front() == '_')
        return take(rest.take_while(isPartOfName).size());
      else if (!isSpace(rest.front()))
        return take(1);
      else
        rest = rest.drop_front();
    }
    return "";
  }

  static bool isPartOfName(char c) { return isAlnum(c) || c == '_'; }

private:
  StringRef take(size_t size) {
    StringRef token = rest.take_front(size);
    rest = rest.drop_front(size);
    return token;
  }
  StringRef quoted() {
    size_t end = 1;
    while (end < rest.size() && rest[end] != '"')
      end += rest[end] == '\\' ? 2 : 1;
    return take(std::min(end + 1, rest.size())).drop_back();
  }
  void skipBehind(StringRef mark) { rest = rest.split(mark).second; }

  StringRef rest;
};

/// The files of a plug-in and of the library, and what each declares.
class Names {
public:
  explicit Names(const ScopeOptions &options) : options(options) {}

  /// Collects the declarations of a file of the plug-in and of the files that
  /// it includes.
  void readOwn(StringRef path) {
    if (!files.insert(path.str()).second)
      return;
    std::string text = ownTexts[path.str()] = read(path);
    collect(text, own, [&](StringRef included) {
      if (std::string found = find(included, path); !found.empty())
        readOwn(found);
    });
  }

  void readLibrary() {
    std::error_code error;
    for (fs::recursive_directory_iterator at(options.library, error), end;
         !error && at != end; at.increment(error))
      if (StringRef(at->path()).ends_with(".td")) {
        files.insert(at->path());
        texts[at->path()] = read(at->path());
        collect(texts[at->path()], known, [](StringRef) {});
      }
  }

  /// The names that records of both declare, or classes of both. A node's name
  /// stands for the derived instruction's name, too.
  std::set<std::string> shared() const {
    std::set<std::string> names;
    for (const std::string &name : own.records)
      for (const std::string &each : {name, name + "Instr"})
        if (known.records.contains(each))
          names.insert(each);
    for (const std::string &name : own.classes)
      if (known.classes.contains(name))
        names.insert(name);
    return names;
  }

  /// A class of the plug-in that this program reads by its name in the library;
  /// "" when there is none.
  std::string takenClass() const {
    std::set<StringRef> read;
    for (const std::string &field : glow::gen::readFields())
      read.insert(StringRef(field).split('.').first);
    for (const std::string &name : own.classes)
      if (known.classes.contains(name) && read.contains(name))
        return name;
    return "";
  }

  std::set<std::string> files;
  std::map<std::string, std::string> texts;    ///< the library's files
  std::map<std::string, std::string> ownTexts; ///< the plug-in's files

private:
  static std::string read(StringRef path) {
    auto buffer = MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }

  /// TableGen keeps the names of classes apart from those of records.
  struct Declared {
    std::set<std::string> records, classes;
  };

  static void collect(StringRef text, Declared &names,
                      function_ref<void(StringRef)> include) {
    static const StringSet<> words{"def", "defm", "defset", "defvar"};
    static const StringSet<> ofClasses{"class", "multiclass", "deftype"};
    Scanner scanner(text);
    for (StringRef before, token = scanner.next(); !token.empty();
         before = token, token = scanner.next()) {
      if (before == "include" && token.consume_front("\""))
        include(token);
      else if (!Scanner::isPartOfName(token.front()))
        continue;
      else if (words.contains(before))
        names.records.insert(token.str());
      else if (ofClasses.contains(before))
        names.classes.insert(token.str());
    }
  }

  /// A file of the plug-in's; "" for the library's and for others'.
  std::string find(StringRef included, StringRef from) const {
    SmallVector<std::string> folders{sys::path::parent_path(from).str()};
    folders.append(options.folders.begin(), options.folders.end());
    for (const std::string &folder : folders) {
      SmallString<128> path(folder);
      sys::path::append(path, included);
      if (fs::exists(path))
        return isForeign(path) ? "" : path.str().str();
    }
    return "";
  }
  bool isForeign(StringRef path) const {
    return included(path, "glow") || included(path, "mlir");
  }
  bool included(StringRef path, StringRef name) const {
    for (const std::string &folder : options.folders)
      if (path.starts_with(folder + "/" + name.str() + "/"))
        return true;
    return false;
  }

  const ScopeOptions &options;
  Declared own, known;
};

} // namespace

/// Renames whole words everywhere, including the texts in the language, where
/// only records of the library use these names. Paths of files stay, and so
/// does a string that is just the name, such as the name of an ONNX operator.
static std::string renamed(StringRef text, const std::set<std::string> &names) {
  std::string result;
  bool isPath = false;
  for (char before = '\n'; !text.empty(); before = result.back()) {
    if (before == '\n')
      isPath = text.starts_with("include");
    StringRef word = text.take_while(Scanner::isPartOfName);
    if (word.empty())
      word = text.take_front(1);
    text = text.drop_front(word.size());
    bool isText = before == '"' && text.starts_with("\"");
    if (!isPath && !isText && names.contains(word.str()))
      result += "Glow_";
    result += word;
  }
  return result;
}

static bool write(StringRef path, StringRef text) {
  if (fs::create_directories(sys::path::parent_path(path)))
    return false;
  std::error_code error;
  raw_fd_ostream os(path, error);
  os << text;
  os.close();
  return !error && !os.has_error();
}

static bool writeCopies(const ScopeOptions &options, const Names &found,
                        const std::set<std::string> &names) {
  if (fs::remove_directories(options.copies))
    return false;
  if (names.empty())
    return true;
  for (const auto &[path, text] : found.texts) {
    SmallString<128> copy(options.copies);
    sys::path::append(copy, "glow",
                      StringRef(path).drop_front(options.library.size()));
    if (!write(copy, renamed(text, names)))
      return false;
  }
  return true;
}

/// An error with a caret where a file of the plug-in declares the class.
static void refuseClass(const Names &found, StringRef name) {
  for (const auto &[path, text] : found.ownTexts)
    for (StringRef word : {"class ", "multiclass ", "deftype "}) {
      std::string declared = (word + name).str();
      size_t at = StringRef(text).find(declared);
      if (at == StringRef::npos)
        continue;
      SourceMgr sources;
      unsigned buffer = sources.AddNewSourceBuffer(
          MemoryBuffer::getMemBuffer(text, path), SMLoc());
      const char *begin = sources.getMemoryBuffer(buffer)->getBufferStart();
      sources.PrintMessage(
          SMLoc::getFromPointer(begin + at + word.size()), SourceMgr::DK_Error,
          "'" + name +
              "' is a class of Glow's records, which ClassGen reads by "
              "this name; give the class another");
      return;
    }
}

int glow::gen::scopeMain(int argc, char **argv) {
  // TableGen's own options have the same names.
  cl::ResetCommandLineParser();
  ScopeOptions options;
  cl::ParseCommandLineOptions(argc, argv);
  Names found(options);
  found.readOwn(options.root);
  found.readLibrary();
  if (std::string name = found.takenClass(); !name.empty()) {
    refuseClass(found, name);
    return 1;
  }
  std::set<std::string> names = found.shared();
  std::string list = join(names, "\n") + (names.empty() ? "" : "\n");
  std::string needed = options.stamp + ":";
  for (const std::string &file : found.files)
    needed += " \\\n  " + file;
  if (writeCopies(options, found, names) && write(options.stamp, list) &&
      write(options.dependencies, needed + "\n"))
    return 0;
  errs() << "cannot write below '" << options.copies << "'\n";
  return 1;
}
