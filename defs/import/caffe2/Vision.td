//===- Vision.td - Caffe2 operators between pixels ------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_CAFFE2_VISION
#define GLOW_IMPORT_CAFFE2_VISION

include "glow/import/caffe2/Convolution.td"
include "glow/import/OnnxShape.td"
include "glow/import/OnnxVision.td"

//===----------------------------------------------------------------------===//
// Other resolutions
//===----------------------------------------------------------------------===//

class Caffe2Resize<string operator, dag attributes, string height, string width, string mode,
                   string places, string rounding>
    : Caffe2Import<operator, (ins "X", "scales?"), !con((ins AxisOrder:$order), attributes), [{
  x = channelsSecond(X, order);
  require(rank(x) == 4, "the input must have 4 axes");
  given = reals(scales);
  factors = [1.0, 1.0, if(present(scales), given[0], tall), if(present(scales), given[1], wide)];
  Y = inOrder(Resize(x, scaledSizes(shape(x), factors), factors, way, where, round), order);
}]> {
  let with = (bind height:$tall, width:$wide, mode:$way, places:$where, rounding:$round);
}
def : Caffe2Resize<"ResizeNearest", (ins "1.0":$height_scale, "1.0":$width_scale),
                   "height_scale", "width_scale", [{"nearest"}], [{"asymmetric"}], [{"floor"}]>;
def : Caffe2Resize<"UpsampleNearest", (ins 2:$scale), "real(scale)", "real(scale)",
                   [{"nearest"}], [{"asymmetric"}], [{"floor"}]>;

def : Caffe2Resize<"UpsampleBilinear", (ins "1.0":$height_scale, "1.0":$width_scale),
                   "height_scale", "width_scale", [{"linear"}], [{"align_corners"}], [{"floor"}]>;

def : Caffe2Import<"PadImage", (ins "X"),
    (ins Words<"constant", ["constant", "reflect", "edge"]>:$mode, AxisOrder:$order, MaybeInt:$pad,
     MaybeInt:$pad_b, MaybeInt:$pad_l, MaybeInt:$pad_r, MaybeInt:$pad_t, MaybeInts:$pads,
     "0.0":$value), [{
  p = listOr(pads, if(present(pad_t), [pad_t, pad_l, pad_b, pad_r], repeat(pad, 4)));
  require(rank(X) == 4 && size(p) == 4, "the input must have 4 axes, and pads {p} 4 numbers");
  all = [0, 0, p[0], p[1], 0, 0, p[2], p[3]];
  Y = inOrder(padded(channelsSecond(X, order), mode, all, value, false, none), order);
}]>;

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

// A region has its corners, and before them the number of its image where there are several.
def : Caffe2Import<"RoIAlign", (ins "X", "rois"),
    (ins 0:$aligned, AxisOrder:$order, 1:$pooled_h, 1:$pooled_w, -1:$sampling_ratio,
     "1.0":$spatial_scale), [{
  require(sampling_ratio > 0,
          "sampling_ratio {sampling_ratio} lets the regions decide how many samples there are");
  require(rank(rois) == 2, "rois must be rows of 4 or 5 numbers");
  r = shape(rois)[0];
  w = shape(rois)[1];
  i = elementKind("i64");
  require(w == 4 || w == 5, "rois must be rows of 4 or 5 numbers, but have {w}");
  images = if(w == 5, Cast(Reshape(Slice(rois, [0, 0], [1, 1], [r, 1]), [r]), i),
              Splat(0.0, [r], i));
  boxes = if(w == 5, Slice(rois, [0, 1], [1, 1], [r, 4]), rois);
  x = channelsSecond(X, order);
  Y = inOrder(RoiAlign(x, boxes, images, pooled_h, pooled_w, sampling_ratio, spatial_scale,
                       aligned != 0), order);
}]>;

def : Caffe2Import<"RoIPool", (ins "X", "rois"),
    (ins 1:$is_test, AxisOrder:$order, 1:$pooled_h, 1:$pooled_w, "1.0":$spatial_scale), [{
  require(is_test != 0, "is_test {is_test}, with places of the largest pixels, is not supported");
  Y = inOrder(pooledRegions(channelsSecond(X, order), rois, [pooled_h, pooled_w], spatial_scale),
              order);
}]>;

// Regions of one image have no number in front.
def : Caffe2Import<"BBoxTransform", (ins "rois", "deltas", "im_info"),
    (ins MaybeInt:$angle_bound_hi, MaybeInt:$angle_bound_lo, MaybeInt:$angle_bound_on,
     1:$apply_scale, MaybeReal:$clip_angle_thresh, 0:$correct_transform_coords,
     1:$legacy_plus_one, 0:$rotated, MaybeReals:$weights), [{
  require(rotated == 0, "rotated boxes are not supported");
  require(correct_transform_coords == 0 || legacy_plus_one == 0,
          "correct_transform_coords {correct_transform_coords} is not supported");
  boxes, counts = BBoxTransform(rois, deltas, im_info,
                                if(length(weights) == 0, [1.0, 1.0, 1.0, 1.0], weights),
                                4.135166556742356, apply_scale != 0, legacy_plus_one != 0);
}]> {
  let outputs = ["boxes", "counts?"];
}

// Rows of a batch in the order of the indices.
def : Caffe2Import<"BatchPermutation", (ins "X", "indices"), (ins), "Y = Gather(X, indices, 0);"> {
  let kinds = (ins "f32":$X, "i32":$indices);
}

// The best regions of all levels; equal scores keep the order of the inputs.
def : Caffe2Import<"CollectRpnProposals", (ins "inputs..."),
    (ins 6:$rpn_max_level, 2:$rpn_min_level, 2000:$rpn_post_nms_topN), [{
  levels = rpn_max_level - rpn_min_level + 1;
  given = count(inputs);
  require(levels >= 1 && given == 2 * levels,
          "{given} inputs are not regions and scores of each of {levels} levels");
  regions = Concat([inputs[i] for i in range(0, levels)], 0);
  scores = [inputs[i] for i in range(levels, 2 * levels)];
  flat = Concat([Reshape(x, [elements(x)]) for x in scores], 0);
  require(elements(flat) == shape(regions)[0], "each region should have one score");
  most = if(rpn_post_nms_topN > 0, rpn_post_nms_topN, elements(flat));
  best, rows = TopK(flat, 0, min(most, elements(flat)), true);
  Y = Gather(regions, rows, 0);
}]>;

#endif // GLOW_IMPORT_CAFFE2_VISION
