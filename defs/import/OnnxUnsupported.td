//===- OnnxUnsupported.td - ONNX operators that no record imports ---------===//

#ifndef GLOW_IMPORT_ONNXUNSUPPORTED
#define GLOW_IMPORT_ONNXUNSUPPORTED

include "glow/Base.td"

class OnnxMaps<string operator>
    : OnnxUnsupported<operator, 1, "maps from keys to numbers are not supported"> {
  let domain = "ai.onnx.ml";
}
def : OnnxMaps<"CastMap">;
def : OnnxMaps<"DictVectorizer">;
def : OnnxMaps<"ZipMap">;

def : OnnxUnsupported<"ImageDecoder", 20, "no node reads files of pictures; `glow run --input NAME=FILE.png` does">;
let domain = "ai.onnx.preview.training" in
def : OnnxUnsupported<"Gradient", 1, "differentiating a part of the graph around it is not supported">;

#endif // GLOW_IMPORT_ONNXUNSUPPORTED
