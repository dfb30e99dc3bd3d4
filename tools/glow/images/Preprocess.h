//===- Preprocess.h - images as inputs of a model ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_IMAGES_PREPROCESS_H
#define GLOW_TOOLS_GLOW_IMAGES_PREPROCESS_H

#include "glow/Program/Program.h"
#include "glow/Values/Tensor.h"
#include <string>
#include <vector>

namespace glow::tool {

/// The names of the presets, "auto" first. Formulas on a pixel's values v, 0 to
/// 255:
///   bgr-mean  order blue, green, red, minus (104, 117, 123)
///   imagenet  (v/255 - mean) / deviation, by the means (.485, .456, .406) and
///             deviations (.229, .224, .225) of red, green and blue
///   0to1      v/255
///   0to255    v
///   mnist     (v/255 - 0.1307) / 0.3081
///   auto      imagenet for inputs of classifiers that have three channels of
///             floats, 0to255 for others
const std::vector<std::string> &presetNames();

/// "auto", "nchw", "nhwc".
const std::vector<std::string> &layoutNames();

/// How a picture of another form than the input fits: "auto", "crop", its
/// middle; "pad", all of it with black beside; "stretch", all of it in the
/// input's form. "auto" is crop where the preset "auto" is imagenet, else
/// stretch.
const std::vector<std::string> &fitNames();

/// The user's options for images.
struct ImageOptions {
  std::string preset = "auto", layout = "auto", fit = "auto";
  /// In place of a preset, (v - mean) * scale for red, green and blue, or all
  /// of them; where one is given the other may be empty.
  std::vector<float> mean, scale;
  bool classifies = false; ///< whether the model does; decides "auto"
};

/// Makes of an image, u8[height,width,1 or 3], the tensor that `input` takes.
///
/// The input has the dimensions [N,C,H,W] or [N,H,W,C], by the layout or
/// because C is 1 or 3. N may be missing. An input [H,W] has several rows. N
/// must be 1 or symbolic; a symbolic H or W becomes the image's. The image is
/// turned into C channels (grey by the weights of ITU-R 601), brought to H x W
/// as the fit says (resizeImage), and its values are computed by the preset
/// in float. Integer inputs get them rounded, within the kind's range.
///
/// `how` describes the conversion: "224x224 -> x f32[1,3,416,416], mnist". It
/// includes the change of an image with another aspect ratio. If the preset is
/// "auto", it names the other presets. Fails with Code::ShapeMismatch, naming
/// the input, if it takes no images, and as resizeImage.
Result<Tensor> preprocess(const Tensor &image, const Binding &input,
                          const ImageOptions &options,
                          std::string *how = nullptr);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_IMAGES_PREPROCESS_H
