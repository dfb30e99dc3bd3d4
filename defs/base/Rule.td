//===- Rule.td - lowering rules -------------------------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_RULE
#define GLOW_BASE_RULE

// target -> body, when `condition` holds. With a `backend` the rule serves that
// one only, even where the backend could run the node. Otherwise it serves
// backends that cannot run the node. Of two rules that may match the same node,
// one has the other in `before`; a backend's own rule goes before a rule for
// all.
class Lowering<Node target_, code body_> {
  Node target = target_;
  code body = body_;
  string condition = "";
  string backend = "";
  list<Lowering> before = [];
  dag with = (bind);
}

// An equation between expressions on nodes: `left => right`, when `condition`
// holds; the right side must not lead back to the left. Names on the left bind;
// see docs/Records.md. `operands` gives a type to each tensor name, for the
// generated test of equality; `values` to others. Both sides of a rewrite also run on
// infinities, NaN and the ends of each kind, but for operands whose range excludes 0.
class Rewrite<code equation_, dag operands_, string values_ = ""> {
  code equation = equation_;
  string condition = "";
  string backend = "";       // it serves this one only, when its turn comes
  bit beforeFolding = 0;     // it sees nodes on constants, however small these are
  list<Node> needs = [];     // it serves backends that run one of these, where there are any
  bit rounds = 0;            // its sides differ in their last bits: not where a step may follow,
                             // as Floor
  bit beforeSteps = 0;       // where it rounds, it applies before steps nevertheless
  list<Rewrite> before = []; // of two that may match the same, one is first
  bit once = 0; // inner nodes must have no other use, or work would double;
                // repetitions of constants may
  bit identityBroadcasts = 0; // a Broadcast on the left also matches a constant or
                              // a reshape: the repetition that repeats nothing
  dag operands = operands_;
  string values = values_;
  // A rewrite that computes new constants gives a whole number to operands of its sample. The
  // sample also runs with operands that are scaled by powers of two: the exponent is that
  // number times a step, and steps run through both ends of a kind's range. The rewrite must
  // apply to some of them, where both sides agree, and not to others.
  dag ends = (powers);
  // The magnitudes of operands up to which no infinity and no NaN comes or goes, where a
  // rewrite does not hold for all numbers: (upTo "sqrt(largest)":$x), by the largest number
  // of the kind. Both sides run on numbers up to these in place of infinities.
  dag holds = (upTo);
  dag with = (bind);
}

// A gradient that stands apart from its node's record.
class Gradient<Node target_, code body_> {
  Node target = target_;
  code body = body_;
}

// A graph that the DRR pattern of that name rewrites, for the generated test of
// equality: statements as in a rule, of which the last gives the results.
class PatternSample<string pattern_, dag operands_, code body_> {
  string pattern = pattern_;
  string backend = "";   // of the pattern, as a rewrite's
  bit beforeFolding = 0; // the same
  dag operands = operands_;
  code body = body_;
}

#endif // GLOW_BASE_RULE
