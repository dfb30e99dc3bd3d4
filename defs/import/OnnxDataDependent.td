//===- OnnxDataDependent.td - results as large as values say --------------===//

#ifndef GLOW_IMPORT_ONNXDATADEPENDENT
#define GLOW_IMPORT_ONNXDATADEPENDENT

include "glow/HostOperator.td"

def : HostOperator<"NonZero", 9, (ins "X"), [], SizeByValue, "nonZero">;
def : HostOperator<"Compress", 9, (ins "input", "condition"), ["axis"], SizeByValue, "compress"> {
  let unlessConstant = 1;
}
def : HostOperator<"Unique", 11, (ins "X"), ["axis", "sorted"], SizeByValue, "unique">;
def : HostOperator<"NonMaxSuppression", 10,
                   (ins "boxes", "scores", "max_output_boxes_per_class?", "iou_threshold?",
                        "score_threshold?"),
                   ["center_point_box"], SizeByValue, "nonMaxSuppression">;

// In a loop, where a slice begins is another place each time.
def : HostOperator<"Slice", 10, (ins "data", "starts", "ends", "axes?", "steps?"), [],
                   MovesByValue, "slice">;

def : HostOperator<"BitCast", 26, (ins "input"), ["to"], SameBytes, "bitCast">;

// The chunks that a tuning hint is about are one step each.
def : HostOperator<"LinearAttention", 27, (ins "query", "key", "value", "past_state?", "decay?", "beta?"),
                   ["chunk_size", "kv_num_heads", "q_num_heads", "scale", "update_rule"], StepByStep,
                   "linearAttention">;

#endif // GLOW_IMPORT_ONNXDATADEPENDENT
