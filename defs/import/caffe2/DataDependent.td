//===- DataDependent.td - Caffe2 operators that run on the host -----------===//
// SPDX-License-Identifier: MIT
//
// The data decides the sizes of their results.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORT_CAFFE2_DATADEPENDENT
#define GLOW_IMPORT_CAFFE2_DATADEPENDENT

include "glow/HostOperator.td"

def StepsByValue : HostReason<"how often a step runs depends on values">;

let domain = "org.pytorch._caffe2" in {

//===----------------------------------------------------------------------===//
// Detectors
//===----------------------------------------------------------------------===//

foreach operator = ["GenerateProposals", "GenerateProposalsCPP"] in
  def : HostOperator<operator, 1, (ins "scores", "bbox_deltas", "im_info", "anchors"),
                     ["spatial_scale", "pre_nms_topN", "post_nms_topN", "nms_thresh", "min_size",
                      "correct_transform_coords", "legacy_plus_one", "angle_bound_on",
                      "angle_bound_lo", "angle_bound_hi", "clip_angle_thresh"],
                     SizeByValue, "generateProposals">;
def : HostOperator<"BoxWithNMSLimit", 1, (ins "scores", "boxes", "batch_splits?"),
                   ["score_thresh", "nms", "detections_per_im", "soft_nms_enabled",
                    "soft_nms_method", "soft_nms_sigma", "soft_nms_min_score_thres", "rotated",
                    "cls_agnostic_bbox_reg", "input_boxes_include_bg_cls",
                    "output_classes_include_bg_cls", "legacy_plus_one"],
                   SizeByValue, "boxWithNmsLimit">;
defvar RegionLevels = ["roi_canonical_scale", "roi_canonical_level", "roi_max_level",
                       "roi_min_level", "legacy_plus_one"];
def : HostOperator<"DistributeFpnProposals", 1, (ins "rois"), RegionLevels, SizeByValue,
                   "distributeFpnProposals">;
def : HostOperator<"CollectAndDistributeFpnRpnProposals", 1, (ins "inputs..."),
                   !listconcat(RegionLevels,
                               ["rpn_max_level", "rpn_min_level", "rpn_post_nms_topN"]),
                   SizeByValue, "collectAndDistribute">;
// Without a sampling_ratio.
def : HostOperator<"RoIAlign", 1, (ins "X", "rois"),
                   ["aligned", "order", "pooled_h", "pooled_w", "sampling_ratio", "spatial_scale"],
                   SamplesByValue, "caffe2RoiAlign">;

//===----------------------------------------------------------------------===//
// Lists of features
//===----------------------------------------------------------------------===//

def : HostOperator<"BooleanMask", 1, (ins "data", "mask"), [], SizeByValue, "booleanMask"> {
  let kinds = (ins "bool":$mask);
}
def : HostOperator<"LengthsTile", 1, (ins "DATA", "LENGTHS"), [], SizeByValue, "lengthsTile"> {
  let kinds = (ins "i32":$LENGTHS);
}
def : HostOperator<"PackSegments", 1, (ins "lengths", "tensor"),
                   ["max_length", "pad_minf", "return_presence_mask"], SizeByValue,
                   "packSegments"> { let kinds = (ins "i32":$lengths); }
def : HostOperator<"UnpackSegments", 1, (ins "lengths", "tensor"), ["max_length"], SizeByValue,
                   "unpackSegments"> { let kinds = (ins "i32":$lengths); }
def : HostOperator<"SparseLabelSplit", 1, (ins "length", "index", "value"), ["num_labels"],
                   SizeByValue, "sparseLabelSplit"> {
  let kinds = (ins "i32":$length, "i64":$index);
}
def : HostOperator<"NonZero", 1, (ins "X"), [], SizeByValue, "nonZeroRows">;
def : HostOperator<"Unique", 1, (ins "indices"), [], SizeByValue, "distinctElements"> {
  let kinds = (ins "i64":$indices);
}
// Imports have these for constants.
let unlessConstant = 1 in {
def : HostOperator<"LengthsRangeFill", 1, (ins "LENGTHS"), [], SizeByValue, "lengthsRangeFill">;
def : HostOperator<"GatherRanges", 1, (ins "DATA", "RANGES"), [], SizeByValue, "gatherRanges">;
def : HostOperator<"SparseToDense", 1, (ins "INDICES", "VALUES", "like?"), [], SizeByValue,
                   "sparseToDense">;
}

//===----------------------------------------------------------------------===//
// Nets inside of operators
//===----------------------------------------------------------------------===//

// The reader of nets makes these arguments of those of Caffe2. A net of few steps is imported.
def : HostOperator<"RecurrentNetwork", 1, (ins "inputs..."),
                   ["sequences", "step_net", "result_states", "result_offsets"], StepsByValue,
                   "recurrentNetwork">;
}

#endif // GLOW_IMPORT_CAFFE2_DATADEPENDENT
