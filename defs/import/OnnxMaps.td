//===- OnnxMaps.td - ONNX operators on maps from keys to values -----------===//
// SPDX-License-Identifier: MIT
//
// A map becomes one row, [1,n], which the operators that exporters put after it
// take. ONNX documents [n] for DictVectorizer, and no shape for CastMap.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORT_ONNXMAPS
#define GLOW_IMPORT_ONNXMAPS

include "glow/HostOperator.td"

class OnnxMaps<string operator, list<string> attributes, string function>
    : HostOperator<operator, 1, (ins "X"), attributes, HoldsMaps, function> {
  let domain = "ai.onnx.ml";
}
def : OnnxMaps<"ZipMap", ["classlabels_int64s", "classlabels_strings"], "zipMap">;
def : OnnxMaps<"CastMap", ["cast_to", "map_form", "max_map"], "castMap">;
def : OnnxMaps<"DictVectorizer", ["int64_vocabulary", "string_vocabulary"], "dictVectorizer">;

#endif // GLOW_IMPORT_ONNXMAPS
