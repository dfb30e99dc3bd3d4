//===- Loss.td - how far a network is from what it should say -------------===//

#ifndef GLOW_NODES_LOSS
#define GLOW_NODES_LOSS

include "glow/nodes/Indexing.td"

def NegativeLogLikelihood : Node<"negative_log_likelihood",
    (ins "T[n,c,*x]":$in, "I[n,*x]":$target, "T[c]?":$weight),
    (outs "T[n,*x]":$out, "T[n,*x]":$counts), (ins Default<Int, "-1">:$ignored)> {
  let summary = "minus what `in` has for the class that `target` names, times the weight of the class; "
                "`counts` is that weight. Both are 0 where the class is `ignored`";
  let types = (kinds Floats:$T, Indices:$I);
  let requires = [
    Require<"has-classes", "c >= 1", "{c} classes must be at least 1">];
  let tier = 1;
  let lowering = [{
    skipped = Equal(target, Splat(ignored, shape(target), kind(target)));
    class = Select(skipped, Splat(0, shape(target), kind(target)), target);
    picked = Reshape(GatherElements(in, Reshape(class, [n, 1, *x]), 1), [n, *x]);
    zeros = Splat(0.0, [n, *x], kind(in));
    each = if(present(weight), Gather(weight, class, 0), Splat(1.0, [n, *x], kind(in)));
    counts = Select(skipped, zeros, each);
    out = Select(skipped, zeros, -picked * each);
  }];
  let samples = [
    Sample<"classes", (ins "f32[3,4]", "i64[3] in 0..3", ""), "ignored = -1">,
    Sample<"weighted", (ins "f32[2,4,3]", "i32[2,3] in 0..3", "f32[4]"), "ignored = 1">,
    Refused<"has-classes", (ins "f32[3,0]", "i64[3] in 0..3", ""), "ignored = -1">];
}

#endif // GLOW_NODES_LOSS
