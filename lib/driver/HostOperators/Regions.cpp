//===- Regions.cpp - RoiAlign with adaptive sampling ----------------------===//
// SPDX-License-Identifier: MIT
//
// RoiAlign is compiled into a program if the number of samples is given.
// Without it, each region has a sample for each pixel of a bin, so the sizes of
// loops depend on values.
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "glow/Base/VisitKind.h"
#include "glow/HostOperators/Functions.h"
#include <algorithm>
#include <cmath>

using namespace glow;

namespace {

/// The pixels on both sides of a coordinate along an axis, and their weights.
struct Neighbours {
  int64_t low = 0, high = 0;
  double lowWeight = 0, highWeight = 0; ///< 0 where the place is outside

  Neighbours(double at, int64_t length) {
    // Also for NaN.
    if (!(at >= -1 && at <= double(length)))
      return;
    at = std::clamp(at, 0.0, double(length - 1));
    low = int64_t(at);
    high = std::min(low + 1, length - 1);
    highWeight = at - double(low);
    lowWeight = 1 - highWeight;
  }
};

/// The samples of a region along an axis.
struct Samples {
  double begin = 0, bin = 0;
  int64_t count = 0; ///< in each bin

  double at(int64_t index, int64_t sample) const {
    return begin +
           bin * (double(index) + (double(sample) + 0.5) / double(count));
  }
};

class Regions {
public:
  Status read(const HostCall &call);
  Status readCaffe2(const HostCall &call);
  Result<Tensor> run() const;

private:
  Status checkBins() const;
  Result<Samples> samplesOf(double from, double to, int64_t bins) const;
  Status fill(int64_t region, double *out) const;
  double binOf(const double *image, const std::vector<Neighbours> &rows,
               const std::vector<Neighbours> &columns) const;

  Reals pixels, boxes;
  Ints images, shape; ///< shape: batches, channels, height, width
  ElementKind kind = ElementKind::F32;
  int64_t height = 1, width = 1, ratio = 0;
  double scale = 1;
  bool halfPixel = true, largest = false;
};

Status Regions::read(const HostCall &call) {
  Result<const Tensor *> in = call.tensor(0), rois = call.tensor(1);
  if (!in || !rois)
    return in ? rois.status() : in.status();
  Result<Reals> numbers = call.reals(0), corners = call.reals(1);
  Result<Ints> indices = call.ints(2);
  for (const Status *status :
       {&numbers.status(), &corners.status(), &indices.status()})
    if (!status->ok())
      return *status;
  pixels = numbers.take(), boxes = corners.take(), images = indices.take();
  shape = (*in)->type().shape;
  kind = (*in)->type().kind;
  if (shape.size() != 4 || shape[2] < 1 || shape[3] < 1 ||
      (*rois)->type().shape != Ints{int64_t(images.size()), 4})
    return failure(Code::ShapeMismatch, "the image is ", (*in)->type().text(),
                   ", the regions are ", (*rois)->type().text(), " of ",
                   images.size(),
                   " images, they should be [n,c,h,w] and "
                   "[regions,4], and nothing empty");
  height = call.attribute<int64_t>("output_height", 1);
  width = call.attribute<int64_t>("output_width", 1);
  ratio = call.attribute<int64_t>("sampling_ratio", 0);
  scale = call.attribute<double>("spatial_scale", 1);
  const bool later = call.opset() >= 16;
  halfPixel = call.attribute<std::string>(
                  "coordinate_transformation_mode",
                  later ? "half_pixel" : "output_half_pixel") == "half_pixel";
  std::string mode = call.attribute<std::string>("mode", "avg");
  largest = mode == "max";
  if (mode != "max" && mode != "avg")
    return failure(Code::InvalidArgument, "mode ", mode,
                   " should be avg or max");
  return checkBins();
}

Status Regions::checkBins() const {
  if (height < 1 || width < 1 || ratio < 0)
    return failure(Code::InvalidArgument, height, " x ", width, " bins of ",
                   ratio, " samples should be at least 1 x 1 of 0");
  return Status();
}

/// Regions of Caffe2 are rows of four corners, and of the image before them
/// where there are several.
Status Regions::readCaffe2(const HostCall &call) {
  Result<Reals> numbers = call.reals(0), rows = call.reals(1);
  if (!numbers || !rows)
    return numbers ? rows.status() : numbers.status();
  const TensorType &in = call.input(0)->tensor()->type();
  const TensorType &rois = call.input(1)->tensor()->type();
  shape = in.shape, kind = in.kind, pixels = numbers.take();
  const int64_t columns = rois.shape.size() == 2 ? rois.shape[1] : 0;
  if (shape.size() != 4 || shape[2] < 1 || shape[3] < 1 ||
      (columns != 4 && columns != 5))
    return failure(Code::ShapeMismatch, "the image is ", in.text(),
                   " and the regions are ", rois.text(),
                   ", they should be [n,c,h,w] and [regions,5], and no image "
                   "empty");
  for (int64_t i = 0; i < rois.shape[0]; ++i) {
    const double *end = rows->data() + (i + 1) * columns;
    // NaN and numbers that no index has are of no image.
    const double image = columns == 5 ? end[-5] : 0;
    images.push_back(image >= 0 && image < double(shape[0]) ? int64_t(image)
                                                            : -1);
    boxes.insert(boxes.end(), end - 4, end);
  }
  Arguments arguments(call);
  height = arguments.integer("pooled_h", 1);
  width = arguments.integer("pooled_w", 1);
  ratio = std::max<int64_t>(0, arguments.integer("sampling_ratio", -1));
  scale = arguments.real("spatial_scale", 1);
  halfPixel = arguments.flag("aligned", false);
  if (std::string order = arguments.text("order", "NCHW"); order != "NCHW")
    return failure(Code::Unsupported, "order ", order,
                   " without a sampling_ratio is not supported");
  return arguments.status().ok() ? checkBins() : arguments.status();
}

Result<Samples> Regions::samplesOf(double from, double to, int64_t bins) const {
  const double shift = halfPixel ? 0.5 : 0;
  double length = (to - from) * scale;
  if (!halfPixel)
    length = std::max(length, 1.0);
  Samples samples{from * scale - shift, length / double(bins), ratio};
  const double wanted = std::ceil(samples.bin);
  constexpr double most = 1 << 16;
  if (ratio > most || !(ratio || wanted <= most))
    return failure(Code::Unsupported, "a region from ", from, " to ", to,
                   " needs more than ", most, " samples for a bin");
  if (!ratio)
    samples.count = std::max<int64_t>(0, int64_t(wanted));
  return samples;
}

/// The mean of all samples, or the largest weighted pixel among them.
double Regions::binOf(const double *image, const std::vector<Neighbours> &rows,
                      const std::vector<Neighbours> &columns) const {
  double sum = 0, most = 0;
  bool first = true;
  for (const Neighbours &y : rows)
    for (const Neighbours &x : columns) {
      const double parts[] = {
          y.lowWeight * x.lowWeight * image[y.low * shape[3] + x.low],
          y.lowWeight * x.highWeight * image[y.low * shape[3] + x.high],
          y.highWeight * x.lowWeight * image[y.high * shape[3] + x.low],
          y.highWeight * x.highWeight * image[y.high * shape[3] + x.high]};
      sum += parts[0] + parts[1] + parts[2] + parts[3];
      const double part = *std::ranges::max_element(parts);
      most = first ? part : std::max(most, part);
      first = false;
    }
  const size_t count = std::max<size_t>(rows.size() * columns.size(), 1);
  return largest ? most : sum / double(count);
}

/// Fills the bins of one region, [c,height,width].
Status Regions::fill(int64_t region, double *out) const {
  const double *box = boxes.data() + 4 * region;
  const int64_t image = images[size_t(region)];
  if (image < 0 || image >= shape[0])
    return failure(Code::InvalidArgument, "region ", region, " is of image ",
                   image, ", but there are ", shape[0]);
  Result<Samples> across = samplesOf(box[0], box[2], width);
  Result<Samples> down = samplesOf(box[1], box[3], height);
  if (!across || !down)
    return across ? down.status() : across.status();
  auto places = [](const Samples &samples, int64_t bin, int64_t length) {
    std::vector<Neighbours> list;
    for (int64_t i = 0; i < samples.count; ++i)
      list.emplace_back(samples.at(bin, i), length);
    return list;
  };
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x) {
      auto rows = places(*down, y, shape[2]);
      auto columns = places(*across, x, shape[3]);
      for (int64_t c = 0; c < shape[1]; ++c)
        out[(c * height + y) * width + x] =
            binOf(pixels.data() + (image * shape[1] + c) * shape[2] * shape[3],
                  rows, columns);
    }
  return Status();
}

Result<Tensor> Regions::run() const {
  const auto count = int64_t(images.size());
  Result<Tensor> made = Tensor::zeros({kind, {count, shape[1], height, width}});
  if (!made)
    return made;
  const int64_t each = shape[1] * height * width;
  Result<Tensor> bins = Tensor::zeros({ElementKind::F64, {each}});
  if (!bins)
    return bins;
  double *values = bins->elements<double>().data();
  for (int64_t i = 0; i < count; ++i) {
    if (Status status = fill(i, values); !status.ok())
      return status;
    visitKind(kind, [&]<typename T>(std::type_identity<T>) {
      T *to = made->elements<T>().data() + i * each;
      for (int64_t k = 0; k < each; ++k)
        to[k] = T(values[k]);
    });
  }
  return made;
}

} // namespace

Status glow::host::roiAlign(HostCall &call) {
  Regions regions;
  if (Status status = regions.read(call); !status.ok())
    return status;
  return call.setOutput(0, regions.run());
}

Status glow::host::caffe2RoiAlign(HostCall &call) {
  Regions regions;
  if (Status status = regions.readCaffe2(call); !status.ok())
    return status;
  return call.setOutput(0, regions.run());
}
