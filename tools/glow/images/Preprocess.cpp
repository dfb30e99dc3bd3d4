//===- Preprocess.cpp - images as inputs of a model -----------------------===//
// SPDX-License-Identifier: MIT

#include "Preprocess.h"
#include "ResizeImage.h"
#include "glow/Base/VisitKind.h"
#include "model/Shapes.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

using namespace glow;
using namespace glow::tool;

namespace {

/// value = (v * scale - mean) / deviation, channel by channel.
struct Preset {
  const char *name;
  bool blueFirst;
  float scale;
  std::array<float, 3> mean, deviation; // in the order of the model's channels
};

/// Where the dimensions of an image are in an input's shape.
struct Layout {
  int64_t channels = 1;
  bool channelsLast = false;
  size_t rows = 0, columns = 0; // indices of dimensions
};

} // namespace

static constexpr Preset presets[] = {
    {"bgr-mean", true, 1, {104, 117, 123}, {1, 1, 1}},
    {"imagenet",
     false,
     1 / 255.0f,
     {0.485f, 0.456f, 0.406f},
     {0.229f, 0.224f, 0.225f}},
    {"0to1", false, 1 / 255.0f, {0, 0, 0}, {1, 1, 1}},
    {"0to255", false, 1, {0, 0, 0}, {1, 1, 1}},
    {"mnist",
     false,
     1 / 255.0f,
     {0.1307f, 0.1307f, 0.1307f},
     {0.3081f, 0.3081f, 0.3081f}},
};

const std::vector<std::string> &tool::presetNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = {"auto"};
    for (const Preset &preset : presets)
      all.push_back(preset.name);
    return all;
  }();
  return names;
}

const std::vector<std::string> &tool::fitNames() {
  static const std::vector<std::string> names = {"auto", "crop", "pad",
                                                 "stretch"};
  return names;
}

const std::vector<std::string> &tool::layoutNames() {
  static const std::vector<std::string> names = {"auto", "nchw", "nhwc"};
  return names;
}

/// One number is for all channels; none is `without`.
static std::array<float, 3> channelsOf(const std::vector<float> &numbers,
                                       float without) {
  if (numbers.size() == 3)
    return {numbers[0], numbers[1], numbers[2]};
  float all = numbers.empty() ? without : numbers[0];
  return {all, all, all};
}

/// " (auto; --preprocess may be 0to1, ...)": a model does not record its
/// preprocessing, so that "auto" may be wrong.
static std::string otherPresets(const std::string &chosen) {
  std::string others;
  for (const Preset &preset : presets)
    if (preset.name != chosen)
      others += (others.empty() ? "" : ", ") + std::string(preset.name);
  return " (auto; --preprocess may be " + others + ")";
}

/// Whether the input is a photograph for a classifier.
static bool isPhotograph(const ImageOptions &options, const Binding &input,
                         int64_t channels) {
  return options.classifies && channels == 3 && isFloat(input.type.kind);
}

/// The requested preset, or nothing if the name is unknown. `name` becomes the
/// name for messages.
static std::optional<Preset> findPreset(const ImageOptions &options,
                                        const Binding &input, int64_t channels,
                                        std::string &name) {
  if (!options.mean.empty() || !options.scale.empty()) {
    Preset own{"", false, 1, channelsOf(options.mean, 0), {}};
    for (size_t c = 0; c < 3; ++c)
      own.deviation[c] = 1 / channelsOf(options.scale, 1)[c];
    name = "(v - mean) * scale";
    return own;
  }
  bool isAuto = options.preset == "auto";
  name = !isAuto                                  ? options.preset
         : isPhotograph(options, input, channels) ? "imagenet"
                                                  : "0to255";
  for (const Preset &preset : presets)
    if (name == preset.name) {
      name += isAuto ? otherPresets(name) : "";
      return preset;
    }
  return std::nullopt;
}

static Result<Layout> layoutOf(const Binding &input, const std::string &said) {
  const Ints &shape = input.type.shape;
  auto isColour = [&](size_t d) { return shape[d] == 1 || shape[d] == 3; };
  size_t rank = shape.size();
  // With a batch in front, the image starts one dimension later.
  size_t first = rank == 4 ? 1 : 0;
  bool oneBatch = rank != 4 || shape[0] == 1 || shape[0] < 0;
  if (oneBatch && (rank == 3 || rank == 4)) {
    if (isColour(first) && said != "nhwc")
      return Layout{shape[first], false, first + 1, first + 2};
    if (isColour(first + 2) && said != "nchw")
      return Layout{shape[first + 2], true, first, first + 1};
  }
  // A tensor of one row is more likely a batch of one vector.
  if (rank == 2 && shape[0] != 1 && said == "auto")
    return Layout{1, false, 0, 1};
  return failure(Code::ShapeMismatch, "input '", input.name, "' is ",
                 typeText(input),
                 said == "auto"   ? "; for an image it should be [1,C,H,W], "
                                    "[1,H,W,C] or [H,W], with 1 or 3 channels"
                 : said == "nchw" ? "; as nchw it should be [1,C,H,W], with 1 "
                                    "or 3 channels"
                                  : "; as nhwc it should be [1,H,W,C], with 1 "
                                    "or 3 channels");
}

/// The image's values in `channels` channels.
static Pixels withChannels(const Tensor &image, int64_t channels) {
  const Ints &shape = image.type().shape;
  Pixels out{shape[0], shape[1], channels, {}};
  std::span<const uint8_t> in = image.elements<uint8_t>();
  out.values.reserve(size_t(shape[0] * shape[1] * channels));
  for (size_t i = 0; i < in.size(); i += size_t(shape[2])) {
    if (shape[2] == channels)
      out.values.insert(out.values.end(), &in[i], &in[i] + channels);
    else if (channels == 3)
      out.values.insert(out.values.end(), 3, in[i]);
    else
      out.values.push_back(0.299f * in[i] + 0.587f * in[i + 1] +
                           0.114f * in[i + 2]);
  }
  return out;
}

/// The part of a picture that has the form of the result, in its middle.
static Region middleOf(const Pixels &picture, int64_t height, int64_t width) {
  Region region{0, 0, picture.height, picture.width};
  if (picture.width * height > width * picture.height)
    region.width = std::max<int64_t>(1, picture.height * width / height);
  else
    region.height = std::max<int64_t>(1, picture.width * height / width);
  region.y = (picture.height - region.height) / 2;
  region.x = (picture.width - region.width) / 2;
  return region;
}

/// The whole picture in the middle, black beside it.
static Result<Pixels> padded(const Pixels &picture, int64_t height,
                             int64_t width) {
  int64_t rows = height, columns = width;
  if (picture.width * height > width * picture.height)
    rows = std::max<int64_t>(1, picture.height * width / picture.width);
  else
    columns = std::max<int64_t>(1, picture.width * height / picture.height);
  Result<Pixels> small = resizeImage(
      picture, {0, 0, picture.height, picture.width}, rows, columns);
  if (!small)
    return small;
  Pixels out{height, width, picture.channels, {}};
  out.values.resize(size_t(height * width * picture.channels));
  const int64_t top = (height - rows) / 2, left = (width - columns) / 2;
  for (int64_t y = 0; y < rows; ++y)
    std::copy_n(&small->at(y, 0, 0), size_t(columns * picture.channels),
                &out.at(top + y, left, 0));
  return out;
}

/// The image in the size of the input. `how` describes the change of an image
/// with another aspect ratio: ", the middle 300x300".
static Result<Pixels> fitted(const Pixels &picture, const std::string &fit,
                             int64_t height, int64_t width, std::string &how) {
  if (picture.height == height && picture.width == width)
    return picture;
  const Region whole{0, 0, picture.height, picture.width};
  if (picture.width * height == width * picture.height)
    return resizeImage(picture, whole, height, width);
  if (fit == "pad") {
    how = ", with black beside it";
    return padded(picture, height, width);
  }
  if (fit == "stretch") {
    how = ", stretched to another form (--fit may be crop or pad)";
    return resizeImage(picture, whole, height, width);
  }
  const Region middle = middleOf(picture, height, width);
  how = ", the middle " + std::to_string(middle.width) + "x" +
        std::to_string(middle.height) + " (--fit may be pad or stretch)";
  return resizeImage(picture, middle, height, width);
}

/// Writes the pixels where the layout has them.
static void store(Pixels &pixels, const Preset &preset, const Layout &layout,
                  Tensor &out) {
  visitKind(out.type().kind, [&]<typename T>(std::type_identity<T>) {
    std::span<T> elements = out.elements<T>();
    int64_t plane = pixels.height * pixels.width;
    for (int64_t i = 0; i < plane; ++i)
      for (int64_t c = 0; c < pixels.channels; ++c) {
        bool swap = preset.blueFirst && pixels.channels == 3;
        float pixel = pixels.at(0, i, swap ? 2 - c : c);
        float value = (pixel * preset.scale - preset.mean[size_t(c)]) /
                      preset.deviation[size_t(c)];
        if constexpr (std::integral<T>) {
          // No preset leaves 0 to 255 upwards, so wide kinds need no more.
          float most = std::min(255.0f, float(std::numeric_limits<T>::max()));
          float least = std::max(-255.0f, float(std::numeric_limits<T>::min()));
          value = std::clamp(std::nearbyint(value), least, most);
        }
        int64_t to =
            layout.channelsLast ? i * pixels.channels + c : c * plane + i;
        elements[size_t(to)] = static_cast<T>(value);
      }
  });
}

Result<Tensor> tool::preprocess(const Tensor &image, const Binding &input,
                                const ImageOptions &options, std::string *how) {
  Result<Layout> layout = layoutOf(input, options.layout);
  if (!layout)
    return layout.status();
  std::string name;
  std::optional<Preset> chosen =
      findPreset(options, input, layout->channels, name);
  if (!chosen)
    return failure(Code::InvalidArgument, "no preset is named '",
                   options.preset, "'");
  TensorType type = input.type;
  if (type.shape.size() == 4)
    type.shape[0] = 1;
  int64_t &rows = type.shape[layout->rows];
  int64_t &columns = type.shape[layout->columns];
  rows = rows < 0 ? image.type().shape[0] : rows;
  columns = columns < 0 ? image.type().shape[1] : columns;
  Result<Tensor> out = Tensor::zeros(type);
  if (!out || out->type().elements() == 0)
    return out;
  std::string fit = options.fit, form;
  if (fit == "auto")
    fit = isPhotograph(options, input, layout->channels) ? "crop" : "stretch";
  Result<Pixels> pixels =
      fitted(withChannels(image, layout->channels), fit, rows, columns, form);
  if (!pixels)
    return pixels.status();
  if (how)
    *how = std::to_string(image.type().shape[1]) + "x" +
           std::to_string(image.type().shape[0]) + " -> " + input.name + " " +
           type.text() + form + ", " + name;
  store(*pixels, *chosen, *layout, *out);
  return out;
}
