//===- Recompute.cpp - values that are computed twice ---------------------===//
// SPDX-License-Identifier: MIT
//
// Each round looks at the peak. A value that is in use there, but in a gap
// between two steps that read it, is a candidate. The best candidate saves the
// most bytes for the cost of the steps that run again. The round inserts these
// steps before the end of the gap, and the next round sees them as any others.
//
//===----------------------------------------------------------------------===//

#include "Recompute.h"
#include <algorithm>

using namespace glow;

using Step = RepeatableSteps::Step;

namespace {

/// Where a piece is written and read.
struct Uses {
  std::vector<unsigned> writes, reads; ///< steps, ascending

  unsigned first() const {
    return std::min(writes.empty() ? ~0u : writes.front(),
                    reads.empty() ? ~0u : reads.front());
  }
  unsigned last() const {
    return std::max(writes.empty() ? 0 : writes.back(),
                    reads.empty() ? 0 : reads.back());
  }
};

std::vector<Uses> usesOf(const RepeatableSteps &program) {
  std::vector<Uses> uses(program.bytes.size());
  for (unsigned at = 0; at < program.steps.size(); ++at) {
    for (unsigned piece : program.steps[at].reads)
      uses[piece].reads.push_back(at);
    for (unsigned piece : program.steps[at].writes)
      uses[piece].writes.push_back(at);
  }
  return uses;
}

/// A value that is dropped in a gap.
struct Candidate {
  unsigned piece = 0, end = 0; ///< the step that reads it behind the gap
  std::vector<unsigned> again; ///< steps that run again, ascending
  uint64_t saved = 0, cost = 0;

  bool isBetterThan(const Candidate &other) const {
    return double(saved) * double(other.cost + 1) >
           double(other.saved) * double(cost + 1);
  }
};

class Round {
public:
  explicit Round(const RepeatableSteps &program)
      : program(program), uses(usesOf(program)), peak(program.peak()) {}

  std::optional<Candidate> best() const;

private:
  std::optional<Candidate> candidateOf(unsigned piece) const;
  bool makeAgain(unsigned piece, Candidate &candidate) const;

  /// Steps that run again for one value at most.
  static constexpr size_t mostSteps = 8;

  const RepeatableSteps &program;
  const std::vector<Uses> uses;
  const RepeatableSteps::Peak peak;
};

} // namespace

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

RepeatableSteps::Peak RepeatableSteps::peak() const {
  std::vector<int64_t> change(steps.size() + 1);
  for (size_t piece = 0; const Uses &use : usesOf(*this)) {
    const auto size = int64_t(bytes[piece++]);
    if (use.writes.empty() && use.reads.empty())
      continue;
    change[use.first()] += size;
    change[use.last() + 1] -= size;
  }
  Peak peak;
  uint64_t now = 0;
  for (unsigned at = 0; at < steps.size(); ++at) {
    now += uint64_t(change[at]);
    if (now > peak.bytes)
      peak = {now, at};
  }
  return peak;
}

uint64_t RepeatableSteps::cost() const {
  uint64_t sum = 0;
  for (const Step &step : steps)
    sum += step.cost;
  return sum;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// Adds the step that makes the piece, and the steps for those of its operands
/// that are in use no more at the end of the gap. Small operands are kept
/// instead. Fails if a step cannot run again, or if there are too many.
bool Round::makeAgain(unsigned piece, Candidate &candidate) const {
  const Uses &use = uses[piece];
  if (use.writes.size() != 1)
    return false;
  const unsigned maker = use.writes.front();
  if (std::ranges::find(candidate.again, maker) != candidate.again.end())
    return true;
  const Step &step = program.steps[maker];
  if (!step.repeats || candidate.again.size() == mostSteps)
    return false;
  candidate.again.push_back(maker);
  candidate.cost += step.cost;
  for (unsigned operand : step.reads) {
    const Uses &its = uses[operand];
    // It must hold the same as when the step ran.
    if (std::ranges::any_of(its.writes, [&](unsigned write) {
          return write >= maker && write < candidate.end;
        }))
      return false;
    if (its.last() >= candidate.end || program.bytes[operand] == 0)
      continue;
    if (program.bytes[operand] <= program.bytes[candidate.piece] / 16)
      candidate.saved -= std::min(candidate.saved, program.bytes[operand]);
    else if (!makeAgain(operand, candidate))
      return false;
  }
  return true;
}

/// The piece, if the peak is in a gap between two steps that use it.
std::optional<Candidate> Round::candidateOf(unsigned piece) const {
  const Uses &use = uses[piece];
  if (program.bytes[piece] == 0 || use.writes.size() != 1 ||
      use.writes.front() >= peak.step || use.last() <= peak.step)
    return std::nullopt;
  const auto end = std::ranges::lower_bound(use.reads, peak.step);
  if (*end == peak.step)
    return std::nullopt;
  Candidate candidate{piece, *end, {}, program.bytes[piece]};
  if (!makeAgain(piece, candidate) || candidate.saved == 0)
    return std::nullopt;
  std::ranges::sort(candidate.again);
  return candidate;
}

std::optional<Candidate> Round::best() const {
  std::optional<Candidate> best;
  for (unsigned piece = 0; piece < uses.size(); ++piece)
    if (std::optional<Candidate> one = candidateOf(piece))
      if (!best || one->isBetterThan(*best))
        best = std::move(one);
  return best;
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

static void replace(std::vector<unsigned> &pieces,
                    const std::vector<unsigned> &others) {
  for (unsigned &piece : pieces)
    if (piece < others.size())
      piece = others[piece];
}

/// Inserts the steps of a candidate before the end of its gap. Steps from there
/// on read the new value.
static void apply(RepeatableSteps &program, const Candidate &candidate) {
  std::vector<unsigned> others(program.bytes.size());
  for (unsigned piece = 0; piece < others.size(); ++piece)
    others[piece] = piece;
  std::vector<Step> again;
  for (unsigned number : candidate.again) {
    Step step = program.steps[number];
    replace(step.reads, others);
    for (unsigned &piece : step.writes) {
      program.bytes.push_back(program.bytes[piece]);
      others[piece] = unsigned(program.bytes.size() - 1);
      piece = others[piece];
    }
    again.push_back(std::move(step));
  }
  std::vector<unsigned> value(others.size());
  for (unsigned piece = 0; piece < value.size(); ++piece)
    value[piece] = piece == candidate.piece ? others[piece] : piece;
  for (size_t at = candidate.end; at < program.steps.size(); ++at)
    replace(program.steps[at].reads, value);
  program.steps.insert(program.steps.begin() + candidate.end, again.begin(),
                       again.end());
}

RepeatableSteps glow::recompute(const RepeatableSteps &steps, uint64_t limit) {
  // Rounds without a lower peak before the search ends.
  constexpr int patience = 32;
  RepeatableSteps now = steps, best = steps;
  uint64_t least = now.peak().bytes;
  for (int idle = 0; least > limit && idle < patience; ++idle) {
    std::optional<Candidate> candidate = Round(now).best();
    if (!candidate)
      break;
    apply(now, *candidate);
    if (uint64_t bytes = now.peak().bytes; bytes < least)
      least = bytes, best = now, idle = -1;
  }
  return best;
}
