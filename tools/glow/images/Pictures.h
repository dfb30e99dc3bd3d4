//===- Pictures.h - images as inputs and outputs ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_IMAGES_PICTURES_H
#define GLOW_TOOLS_GLOW_IMAGES_PICTURES_H

#include "Preprocess.h"
#include "cli/Tool.h"
#include "glow/Base/NewFile.h"
#include "glow/Session/Session.h"
#include <span>

namespace glow::tool {

/// Adds --preprocess, --layout, --mean and --scale.
void addImageOptions(CLI::App &app, ImageOptions &options);

/// Whether the first output has a score for each of several classes, and
/// nothing else: [N,CLASSES], with sizes of 1 behind it or not.
bool isClassifier(const std::vector<Binding> &outputs);

/// `options` for this model.
ImageOptions imagesOf(const Session &session, ImageOptions options);

/// The images that words name: files, folders of .png, .jpg and .jpeg, whose
/// files are in the order of their names, and @LIST, a text with one of these a
/// line. Fails with Code::NotFound if there is none.
Result<std::vector<std::string>>
expandImages(std::span<const std::string> words);

/// The pixels of a tensor of one picture, u8[H,W,C]: [C,H,W] or [H,W,C] behind
/// sizes of 1, with 1 or 3 channels, or [H,W]. `range` becomes the values of
/// black and white: "0 to 1", "-1 to 1" or "0 to 255", the range into which all
/// elements nearly fit. Code::ShapeMismatch for any other tensor.
Result<Tensor> pictureIn(const Tensor &tensor, std::string &range);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_IMAGES_PICTURES_H
