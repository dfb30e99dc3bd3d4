//===- Cases.h - what records promise, each as a case to try ----*- C++ -*-===//
//
// The samples of records, as cases that hold or do not. Includes no LLVM and no
// MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_SAMPLES_CASES_H
#define GLOW_SAMPLES_CASES_H

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace glow {

/// Of which promise a case is.
enum class CaseKind {
  Node,     ///< a sample runs, or is refused, by the reference and by rules
  Backend,  ///< a backend gives what the reference gives
  Order,    ///< the same in another order of axes
  Formula,  ///< a formula is as exact as its record says, for all numbers
  Empty,    ///< with sizes of 0 all backends give or refuse the same
  Device,   ///< a device keeps its contract, and results may be in place
  Gradient, ///< the gradient is that of finite differences
  Rewrite   ///< both sides of an equation are equal
};

struct CaseOutcome {
  std::string why;       ///< it does not hold; "" where it does
  bool skipped = false;  ///< `why` is what the backend does not take
  unsigned elements = 0; ///< that were compared with finite differences
  double units = 0;      ///< in the last place, that a formula is off at most
};

struct SampleCase {
  CaseKind kind;
  std::string subject; ///< the node or the rewrite: "glow.relu"
  std::string name;    ///< "glow.relu sample 'small' as f32"
  std::string place;   ///< of the record
  std::function<CaseOutcome()> run;
};

/// The names of the records that are registered.
struct KnownRecords {
  std::set<std::string> nodes, rules, rewrites, backends;

  /// As things stand.
  static KnownRecords registered();
};

struct CaseChoice {
  /// What is none of the choice: what a plug-in adds is what was not known
  /// before. Its backends may leave nodes out, and run those of others by
  /// kernels of their own.
  KnownRecords known;
  /// Cases of these nodes alone; of all, and of rewrites, for none.
  std::set<std::string> nodes;
  /// The only backend beside the reference, "" for all of them.
  std::string backend;
};

/// The cases of a choice, by kind, in the order of the records. They run in
/// any order, one at a time.
std::vector<SampleCase> sampleCases(const CaseChoice &choice);

} // namespace glow

#endif // GLOW_SAMPLES_CASES_H
