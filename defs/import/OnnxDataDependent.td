//===- OnnxDataDependent.td - results of data-dependent size --------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_ONNXDATADEPENDENT
#define GLOW_IMPORT_ONNXDATADEPENDENT

include "glow/HostOperator.td"

def : HostOperator<"NonZero", 9, (ins "X"), [], SizeByValue, "nonZero"> {
  let movesElements = 1;
}
def : HostOperator<"Compress", 9, (ins "input", "condition"), ["axis"], SizeByValue, "compress"> {
  let unlessConstant = 1;
  let movesElements = 1;
}
def : HostOperator<"Unique", 11, (ins "X"), ["axis", "sorted"], SizeByValue, "unique"> {
  let movesElements = 1;
}
def : HostOperator<"NonMaxSuppression", 10,
                   (ins "boxes", "scores", "max_output_boxes_per_class?", "iou_threshold?",
                        "score_threshold?"),
                   ["center_point_box"], SizeByValue, "nonMaxSuppression">;

// With a sampling_ratio of 0, or for the largest of the samples.
class RegionsOfHost<int since, list<string> more>
    : HostOperator<"RoiAlign", since, (ins "X", "rois", "batch_indices"),
                   !listconcat(["mode", "output_height", "output_width", "sampling_ratio",
                                "spatial_scale"], more),
                   SamplesByValue, "roiAlign">;
def : RegionsOfHost<10, []>;
def : RegionsOfHost<16, ["coordinate_transformation_mode"]>;

def : HostOperator<"ImageDecoder", 20, (ins "encoded_stream"), ["pixel_format"], SizeByValue,
                   "imageDecoder">;

// In a loop, a slice begins at another position in each iteration.
def : HostOperator<"Slice", 10, (ins "data", "starts", "ends", "axes?", "steps?"), [],
                   MovesByValue, "slice"> {
  let movesElements = 1;
}

#endif // GLOW_IMPORT_ONNXDATADEPENDENT
