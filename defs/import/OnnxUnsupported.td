//===- OnnxUnsupported.td - ONNX operators that no record imports ---------===//

#ifndef GLOW_IMPORT_ONNXUNSUPPORTED
#define GLOW_IMPORT_ONNXUNSUPPORTED

include "glow/Base.td"

//===----------------------------------------------------------------------===//
// Values that are no tensors
//===----------------------------------------------------------------------===//

class OnnxSequences<string operator, int since>
    : OnnxUnsupported<operator, since, "sequences of tensors are not supported">;
def : OnnxSequences<"ConcatFromSequence", 11>;
def : OnnxSequences<"SequenceAt", 11>;
def : OnnxSequences<"SequenceConstruct", 11>;
def : OnnxSequences<"SequenceEmpty", 11>;
def : OnnxSequences<"SequenceErase", 11>;
def : OnnxSequences<"SequenceInsert", 11>;
def : OnnxSequences<"SequenceLength", 11>;
def : OnnxSequences<"SequenceMap", 17>;
def : OnnxSequences<"SplitToSequence", 11>;

class OnnxOptionals<string operator>
    : OnnxUnsupported<operator, 15, "values that may be absent are not supported">;
def : OnnxOptionals<"Optional">;
def : OnnxOptionals<"OptionalGetElement">;
def : OnnxOptionals<"OptionalHasElement">;

class OnnxTexts<string operator, int since>
    : OnnxUnsupported<operator, since, "elements that are texts are not supported">;
def : OnnxTexts<"RegexFullMatch", 20>;
def : OnnxTexts<"StringConcat", 20>;
def : OnnxTexts<"StringNormalizer", 10>;
def : OnnxTexts<"StringSplit", 20>;
let domain = "ai.onnx.ml" in {
def : OnnxTexts<"CategoryMapper", 1>;
def : OnnxTexts<"LabelEncoder", 1>;
}

class OnnxMaps<string operator>
    : OnnxUnsupported<operator, 1, "maps from keys to numbers are not supported"> {
  let domain = "ai.onnx.ml";
}
def : OnnxMaps<"CastMap">;
def : OnnxMaps<"DictVectorizer">;
def : OnnxMaps<"ZipMap">;

//===----------------------------------------------------------------------===//
// Shapes and graphs that a run decides
//===----------------------------------------------------------------------===//

class OnnxDataDependent<string operator, int since>
    : OnnxUnsupported<operator, since, "how large its result is depends on the elements of its operands, which is not supported">;
def : OnnxDataDependent<"NonMaxSuppression", 10>;
def : OnnxDataDependent<"NonZero", 9>;
def : OnnxDataDependent<"TfIdfVectorizer", 9>;
def : OnnxDataDependent<"Unique", 11>;

class OnnxRepeating<string operator, int since>
    : OnnxUnsupported<operator, since, "graphs that a run repeats are not supported">;
def : OnnxRepeating<"LinearAttention", 27>;
def : OnnxRepeating<"Loop", 1>;
def : OnnxRepeating<"Scan", 8>;

let domain = "ai.onnx.preview.training" in
def : OnnxUnsupported<"Gradient", 1, "differentiating a part of the graph around it is not supported">;

//===----------------------------------------------------------------------===//
// What has no node
//===----------------------------------------------------------------------===//

def : OnnxUnsupported<"BitCast", 26, "no node has the bits of elements as another kind">;
def : OnnxUnsupported<"ImageDecoder", 20, "no node reads files of pictures; `glow run --input NAME=FILE.png` does">;
let domain = "ai.onnx.ml" in {
def : OnnxUnsupported<"SVMClassifier", 1, "classes that vote against one another are not supported">;
def : OnnxUnsupported<"TreeEnsemble", 5, "only TreeEnsembleRegressor and TreeEnsembleClassifier are supported">;
}

#endif // GLOW_IMPORT_ONNXUNSUPPORTED
