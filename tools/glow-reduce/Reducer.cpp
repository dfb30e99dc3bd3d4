//===- Reducer.cpp - the smallest module that a test still finds ----------===//
// SPDX-License-Identifier: MIT
//
// MLIR's reduction erases operations with their uses, and a graph with a hole
// in it is invalid. This reducer cuts: a result of a deleted node becomes an
// input, and a value that only the node read becomes an output. So every subset
// of nodes is a valid module, and the search is over subsets. All candidates of
// an edit are tried at once, then halves, down to each alone, and again while
// anything changes.
//
//===----------------------------------------------------------------------===//

#include "Reducer.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace glow::reduce;
using namespace llvm;

static Error refusal(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

Expected<Test> Test::find(StringRef program, std::vector<std::string> arguments,
                          unsigned seconds) {
  Test test;
  test.arguments = std::move(arguments);
  test.seconds = seconds;
  // A name with a slash is a path; others are looked for where a shell would.
  bool isPath = program.contains('/');
  ErrorOr<std::string> found = isPath ? ErrorOr<std::string>(program.str())
                                      : sys::findProgramByName(program);
  if (!found || !sys::fs::can_execute(*found))
    return refusal("the test '" + program + "' is no program that can be run");
  test.program = *found;
  return test;
}

Expected<bool> Test::isInteresting(mlir::ModuleOp module) const {
  SmallString<128> path;
  int file;
  if (std::error_code error =
          sys::fs::createTemporaryFile("glow-reduce", "mlir", file, path))
    return refusal("cannot make a temporary file: " + error.message());
  FileRemover remover(path);
  {
    raw_fd_ostream os(file, /*shouldClose=*/true);
    module.print(os);
    os << "\n";
    os.close();
    if (os.has_error())
      return refusal("cannot write '" + path + "': " + os.error().message());
  }
  SmallVector<StringRef> words{program};
  append_range(words, arguments);
  words.push_back(path);
  // Of thousands of runs only the exit status is of interest.
  std::optional<StringRef> silent[] = {StringRef(), StringRef(), StringRef()};
  std::string message;
  bool failed = false;
  int status = sys::ExecuteAndWait(program, words, std::nullopt, silent,
                                   seconds, 0, &message, &failed);
  if (failed)
    return refusal("cannot run '" + program + "': " + message);
  return status == 0;
}

/// Applies the edit to some of its candidates in a copy, and keeps the copy if
/// it is interesting.
Expected<bool> Reducer::tryOn(const Edit &edit, size_t begin, size_t length) {
  mlir::OwningOpRef<mlir::ModuleOp> copy = best->clone();
  Operations candidates = edit.candidates(*copy);
  edit.apply(*copy, ArrayRef(candidates).slice(begin, length));
  tidy(*copy);
  // An edit need not know what is valid: the verifier does.
  mlir::ScopedDiagnosticHandler silence(
      copy->getContext(), [](mlir::Diagnostic &) { return mlir::success(); });
  if (mlir::failed(mlir::verify(*copy)))
    return false;
  ++count;
  Expected<bool> interesting = test.isInteresting(*copy);
  if (interesting && *interesting)
    best = std::move(copy);
  return interesting;
}

Expected<bool> Reducer::exhaust(const Edit &edit) {
  bool changed = false;
  size_t total = edit.candidates(*best).size();
  for (size_t length = total; length > 0; length /= 2)
    for (size_t begin = 0; begin < total;) {
      Expected<bool> kept = tryOn(edit, begin, std::min(length, total - begin));
      if (!kept)
        return kept.takeError();
      changed |= *kept;
      // The candidates after the removed ones have moved up.
      if (*kept)
        total = edit.candidates(*best).size();
      else
        begin += length;
    }
  return changed;
}

Error Reducer::run() {
  ++count;
  Expected<bool> interesting = test.isInteresting(*best);
  if (!interesting)
    return interesting.takeError();
  if (!*interesting)
    return refusal("the test does not find the file interesting: its exit "
                   "status should be 0");
  for (bool changed = true; changed;) {
    changed = false;
    for (const Edit &edit : allEdits()) {
      Expected<bool> done = exhaust(edit);
      if (!done)
        return done.takeError();
      changed |= *done;
    }
  }
  return Error::success();
}
