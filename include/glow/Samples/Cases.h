//===- Cases.h - test cases from records ------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The samples of records as test cases that pass or fail. Includes no LLVM and
// no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_SAMPLES_CASES_H
#define GLOW_SAMPLES_CASES_H

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace glow {

/// The promise that a case checks.
enum class CaseKind {
  Node,     ///< the reference and rules run or refuse a sample
  Backend,  ///< a backend equals the reference
  Order,    ///< the same with permuted axes
  Formula,  ///< a formula has its record's accuracy, for all numbers
  Empty,    ///< with sizes of 0 all backends agree, or all refuse
  Length,   ///< with open sizes a run equals the program of its sizes
  Half,     ///< f16 and bf16 equal f32, rounded once
  Device,   ///< a device keeps its contract, and results may be in place
  Gradient, ///< the gradient matches finite differences
  Rewrite   ///< both sides of an equation are equal
};

struct CaseOutcome {
  std::string why;       ///< reason of the failure; "" if it passes
  bool skipped = false;  ///< the backend does not take `why`
  unsigned elements = 0; ///< compared with finite differences
  double units = 0;      ///< largest error of a formula in the last place
};

struct SampleCase {
  CaseKind kind;
  std::string subject; ///< the node or the rewrite: "glow.relu"
  std::string name;    ///< "glow.relu sample 'small' as f32"
  std::string place;   ///< location of the record
  std::function<CaseOutcome()> run;
};

/// The names of the registered records.
struct KnownRecords {
  std::set<std::string> nodes, rules, rewrites, backends;

  /// The records that are registered now.
  static KnownRecords registered();
};

struct CaseChoice {
  /// Records to exclude. The records of a plug-in are those that were not known
  /// before it was loaded. Its backends may omit nodes, and may run those of
  /// others with their own kernels.
  KnownRecords known;
  /// Restricts cases to these nodes; empty: all nodes, and rewrites.
  std::set<std::string> nodes;
  /// The only backend besides the reference; "" for all of them.
  std::string backend;
  /// The backends that run samples with open sizes.
  enum class OpenSizes { None, Reference, All } openSizes = OpenSizes::None;
};

/// The cases of a choice, by kind, in the order of the records. They run in any
/// order, one at a time.
std::vector<SampleCase> sampleCases(const CaseChoice &choice);

} // namespace glow

#endif // GLOW_SAMPLES_CASES_H
