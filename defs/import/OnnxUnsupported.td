//===- OnnxUnsupported.td - ONNX operators that no record imports ---------===//

#ifndef GLOW_IMPORT_ONNXUNSUPPORTED
#define GLOW_IMPORT_ONNXUNSUPPORTED

include "glow/Base.td"

def : OnnxUnsupported<"ImageDecoder", 20, "no node reads files of pictures; `glow run --input NAME=FILE.png` does">;

#endif // GLOW_IMPORT_ONNXUNSUPPORTED
