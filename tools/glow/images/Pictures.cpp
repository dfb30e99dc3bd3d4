//===- Pictures.cpp - images as inputs and outputs ------------------------===//
// SPDX-License-Identifier: MIT

#include "Pictures.h"
#include "cli/Numbers.h"
#include "glow/TensorFiles/File.h"
#include "glow/TensorFiles/TensorFile.h"
#include "model/Outputs.h"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

using namespace glow;
using namespace glow::tool;
namespace fs = std::filesystem;

/// "104,117,123" or one number.
static std::vector<float> parseChannels(const std::string &flag,
                                        const std::string &text) {
  std::vector<float> numbers;
  for (const std::string &word : CLI::detail::split(text, ','))
    if (std::optional<double> number = numberIn(word, -1e30, 1e30))
      numbers.push_back(float(*number));
  if (numbers.size() != 1 && numbers.size() != 3)
    throw CLI::ValidationError(flag + ": '" + text +
                               "' should be one number, or three between "
                               "commas, of red, green and blue");
  return numbers;
}

void tool::addImageOptions(CLI::App &app, ImageOptions &options) {
  HelpGroup group(app, "Pictures");
  CLI::Option *preset =
      app.add_option(
             "--preprocess", options.preset,
             "what becomes of a value v of a pixel, 0 to 255. bgr-mean: blue "
             "first, minus 104, 117, 123; imagenet: (v/255 - mean) / deviation "
             "of ImageNet's red, green, blue; 0to1: v/255; 0to255: v; mnist: "
             "(v/255 - 0.1307) / 0.3081; auto: imagenet for colours of a "
             "classifier that takes floats, else 0to255")
          ->check(CLI::IsMember(presetNames()))
          ->capture_default_str();
  app.add_option("--layout", options.layout,
                 "where an input has its channels; auto: where 1 or 3 are")
      ->check(CLI::IsMember(layoutNames()))
      ->capture_default_str();
  app.add_option("--fit", options.fit,
                 "what becomes of a picture of another form than the input: "
                 "crop, its middle; pad, all of it with black beside; stretch, "
                 "all of it in the input's form; auto: crop where --preprocess "
                 "is auto for a classifier of colours, else stretch")
      ->check(CLI::IsMember(fitNames()))
      ->capture_default_str();
  app.add_option_function<std::string>(
         "--mean",
         [&options](const std::string &text) {
           options.mean = parseChannels("--mean", text);
         },
         "in place of a preset: (v - mean) * scale, for all channels or red, "
         "green and blue; default: 0")
      ->type_name("M")
      ->excludes(preset);
  app.add_option_function<std::string>(
         "--scale",
         [&options](const std::string &text) {
           options.scale = parseChannels("--scale", text);
           for (float scale : options.scale)
             if (scale == 0)
               throw CLI::ValidationError("--scale: 0 leaves nothing");
         },
         "the scale of --mean, as 0.00392157; default: 1")
      ->type_name("S")
      ->excludes(preset);
}

bool tool::isClassifier(const std::vector<Binding> &outputs) {
  if (outputs.empty() || !outputs[0].other.empty() || !outputs[0].ranked)
    return false;
  const Ints &shape = outputs[0].type.shape;
  // The first of several dimensions is the batch.
  size_t classes = shape.size() > 1 ? 1 : 0;
  return shape.size() > classes && shape[classes] > 1 &&
         std::all_of(shape.begin() + int64_t(classes) + 1, shape.end(),
                     [](int64_t size) { return size == 1; });
}

ImageOptions tool::imagesOf(const Session &session, ImageOptions options) {
  options.classifies = isClassifier(session.outputs());
  return options;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static Status addImages(const std::string &word,
                        std::vector<std::string> &all) {
  std::error_code error;
  if (word.starts_with("@")) {
    Result<std::string> text = readFile(word.substr(1));
    if (!text)
      return text.status();
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);)
      if (!line.empty())
        all.push_back(line);
    return Status();
  }
  if (!fs::is_directory(word, error)) {
    all.push_back(word);
    return Status();
  }
  std::vector<std::string> files;
  for (const fs::directory_entry &entry : fs::directory_iterator(word, error))
    if (formatOf(entry.path().string()) == FileFormat::Image)
      files.push_back(entry.path().string());
  if (error)
    return failure(Code::NotFound, "cannot open folder '", word,
                   "': ", error.message());
  if (files.empty())
    return failure(Code::NotFound, "folder '", word,
                   "' has no image files, such as .png or .jpg");
  std::ranges::sort(files);
  all.insert(all.end(), files.begin(), files.end());
  return Status();
}

Result<std::vector<std::string>>
tool::expandImages(std::span<const std::string> words) {
  std::vector<std::string> all;
  for (const std::string &word : words)
    if (Status status = addImages(word, all); !status.ok())
      return status;
  if (all.empty())
    return Status(Code::NotFound, "there are no pictures");
  return all;
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

namespace {
/// Where a picture has its elements.
struct Places {
  int64_t height, width, channels;
  bool channelsLast;
};
} // namespace

static std::optional<Places> placesIn(const TensorType &type) {
  constexpr int64_t least = 8; // less is a vector of something
  Ints shape = type.shape;
  while (shape.size() > 2 && shape[0] == 1 &&
         (shape.size() > 3 || (shape[1] >= least && shape[2] >= least)))
    shape.erase(shape.begin());
  auto isColour = [](int64_t size) { return size == 1 || size == 3; };
  std::optional<Places> places;
  if (shape.size() == 2)
    places = {shape[0], shape[1], 1, true};
  else if (shape.size() == 3 && isColour(shape[0]))
    places = {shape[1], shape[2], shape[0], false};
  else if (shape.size() == 3 && isColour(shape[2]))
    places = {shape[0], shape[1], shape[2], true};
  if (places && (places->height < least || places->width < least))
    return std::nullopt;
  return places;
}

Result<Tensor> tool::pictureIn(const Tensor &tensor, std::string &range) {
  std::optional<Places> places = placesIn(tensor.type());
  if (!places)
    return failure(Code::ShapeMismatch, tensor.type().text(),
                   " is no picture: it should be [1,C,H,W], [1,H,W,C] or [H,W] "
                   "with 1 or 3 channels");
  double least = INFINITY, most = -INFINITY;
  for (int64_t i = 0; i < tensor.type().elements(); ++i) {
    double value = elementAt(tensor, i);
    least = std::min(least, value), most = std::max(most, value);
  }
  // The output of a trained model is slightly off the exact range.
  const bool isUnit = isFloat(tensor.type().kind) && most <= 1.5;
  double black = isUnit && least < -0.5 ? -1 : 0, white = isUnit ? 1 : 255;
  range = black < 0 ? "-1 to 1" : isUnit ? "0 to 1" : "0 to 255";
  const auto [height, width, channels, channelsLast] = *places;
  Result<Tensor> pixels =
      Tensor::zeros({ElementKind::U8, {height, width, channels}});
  if (!pixels)
    return pixels;
  std::span<uint8_t> out = pixels->elements<uint8_t>();
  for (int64_t i = 0; i < height * width; ++i)
    for (int64_t c = 0; c < channels; ++c) {
      int64_t from = channelsLast ? i * channels + c : c * height * width + i;
      double value = (elementAt(tensor, from) - black) / (white - black) * 255;
      // NaN is black.
      out[size_t(i * channels + c)] =
          value > 0 ? uint8_t(std::lround(std::min(value, 255.0))) : 0;
    }
  return pixels;
}
