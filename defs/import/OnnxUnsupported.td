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

def : OnnxUnsupported<"BitCast", 26, "no node has the bits of elements as another kind">;
def : OnnxUnsupported<"ImageDecoder", 20, "no node reads files of pictures; `glow run --input NAME=FILE.png` does">;
def : OnnxUnsupported<"LinearAttention", 27, "no node carries a state along a sequence but the recurrent ones">;
let domain = "ai.onnx.ml" in {
def : OnnxUnsupported<"CategoryMapper", 1, "categories that are texts are not supported">;
def : OnnxUnsupported<"SVMClassifier", 1, "classes that vote against one another are not supported">;
def : OnnxUnsupported<"TreeEnsemble", 5, "only TreeEnsembleRegressor and TreeEnsembleClassifier are supported">;
}

#endif // GLOW_IMPORT_ONNXUNSUPPORTED
