//===- OnnxDataDependent.td - results as large as values say --------------===//

#ifndef GLOW_IMPORT_ONNXDATADEPENDENT
#define GLOW_IMPORT_ONNXDATADEPENDENT

include "glow/HostOperator.td"

def : HostOperator<"NonZero", 9, (ins "X"), [], SizeByValue, "nonZero">;
def : HostOperator<"Compress", 9, (ins "input", "condition"), ["axis"], SizeByValue, "compress"> {
  let unlessConstant = 1;
  let movesElements = 1;
}
def : HostOperator<"Unique", 11, (ins "X"), ["axis", "sorted"], SizeByValue, "unique">;
def : HostOperator<"NonMaxSuppression", 10,
                   (ins "boxes", "scores", "max_output_boxes_per_class?", "iou_threshold?",
                        "score_threshold?"),
                   ["center_point_box"], SizeByValue, "nonMaxSuppression">;

// In a loop, where a slice begins is another place each time.
def : HostOperator<"Slice", 10, (ins "data", "starts", "ends", "axes?", "steps?"), [],
                   MovesByValue, "slice"> {
  let movesElements = 1;
}

#endif // GLOW_IMPORT_ONNXDATADEPENDENT
