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

#endif // GLOW_IMPORT_ONNXUNSUPPORTED
