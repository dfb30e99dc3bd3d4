//===- OnnxVision.td - ONNX operators between pixels ----------------------===//

#ifndef GLOW_IMPORT_ONNXVISION
#define GLOW_IMPORT_ONNXVISION

include "glow/nodes/Vision.td"

// Before opset 20 the modes have other names.
def : OnnxImport<"GridSample", 16, (ins "X", "grid"),
    (ins 0:$align_corners, Words<"linear">:$mode, Words<"zeros">:$padding_mode), [{
  m = if(mode == "bilinear", "linear", if(mode == "bicubic", "cubic", mode));
  require(m == "nearest" || m == "linear" || m == "cubic", "mode {mode} is not supported");
  require(padding_mode == "zeros" || padding_mode == "border" || padding_mode == "reflection",
          "padding_mode {padding_mode} is not supported");
  Y = GridSample(X, grid, m, padding_mode, align_corners != 0);
}]>;

class OnnxRoiAlign<int since, string transformation>
    : OnnxImport<"RoiAlign", since, (ins "X", "rois", "batch_indices"),
    (ins Words<transformation>:$coordinate_transformation_mode, Words<"avg">:$mode, 1:$output_height,
         1:$output_width, 0:$sampling_ratio, "1.0":$spatial_scale), [{
  require(mode == "avg", "mode {mode} is not supported");
  require(sampling_ratio > 0, "sampling_ratio {sampling_ratio} is not supported: how many samples there are may not depend on the regions");
  Y = RoiAlign(X, rois, batch_indices, output_height, output_width, sampling_ratio, spatial_scale,
               coordinate_transformation_mode == "half_pixel");
}]>;
def : OnnxRoiAlign<10, "output_half_pixel">;
def : OnnxRoiAlign<16, "half_pixel">;

#endif // GLOW_IMPORT_ONNXVISION
