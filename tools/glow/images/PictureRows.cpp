//===- PictureRows.cpp - folders of pictures to learn from ----------------===//
// SPDX-License-Identifier: MIT

#include "PictureRows.h"
#include "Pictures.h"
#include "ResizeImage.h"
#include "glow/Base/Threads.h"
#include "glow/TensorFiles/TensorFile.h"
#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <random>
#include <thread>

using namespace glow;
using namespace glow::tool;
namespace fs = std::filesystem;

/// Finds the classes and their files.
Status PictureRows::findPictures() {
  std::error_code error;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, error))
    if (const std::string name = entry.path().filename().string();
        entry.is_directory(error) && !name.starts_with("."))
      theClasses.push_back(name);
  if (error)
    return failure(Code::NotFound, "cannot open folder '", folder,
                   "': ", error.message());
  if (theClasses.empty())
    return failure(Code::NotFound, "'", folder,
                   "' should have a folder of pictures for each class, and has "
                   "no folder");
  std::ranges::sort(theClasses);
  for (size_t i = 0; i < theClasses.size(); ++i) {
    const std::string one = (fs::path(folder) / theClasses[i]).string();
    Result<std::vector<std::string>> found = expandImages({&one, 1});
    if (!found)
      return found.status();
    files.insert(files.end(), found->begin(), found->end());
    classOf.resize(files.size(), int64_t(i));
  }
  return Status();
}

Result<std::shared_ptr<const PictureRows>>
PictureRows::open(const std::string &folder, const Binding &input,
                  const ImageOptions &options, const PictureChanges &changes) {
  std::shared_ptr<PictureRows> rows(new PictureRows());
  rows->folder = folder, rows->input = input;
  rows->options = options, rows->changes = changes;
  // A picture is one row.
  if (rows->input.type.shape.size() == 4)
    rows->input.type.shape[0] = 1;
  if (Status status = rows->findPictures(); !status.ok())
    return status;
  Result<Tensor> first = rows->row(0, {});
  if (!first)
    return first.status();
  const auto count = int64_t(rows->files.size());
  rows->theType = first->type();
  rows->theType.shape[0] = count;
  rows->labelType = {ElementKind::I64, {count}};
  return std::shared_ptr<const PictureRows>(std::move(rows));
}

std::optional<TensorView> PictureRows::labels() const {
  return TensorView{const_cast<int64_t *>(classOf.data()), &labelType};
}

/// Random numbers for the changes of a row.
static std::mt19937_64 randomOf(uint64_t draw, int64_t row) {
  std::seed_seq seed{uint32_t(draw), uint32_t(draw >> 32), uint32_t(row),
                     uint32_t(uint64_t(row) >> 32)};
  return std::mt19937_64(seed);
}

/// A part of a picture, mirrored or not. Distributions of the standard library
/// differ between libraries, so that the numbers are reduced here.
static Result<Tensor> changed(const Tensor &picture,
                              const PictureChanges &changes,
                              std::mt19937_64 random) {
  auto upTo = [&](double most) {
    return most * double(random() >> 11) * 0x1p-53;
  };
  const Ints &shape = picture.type().shape;
  const double part = 1 - upTo(1 - changes.leastPart);
  auto partOf = [&](int64_t size) {
    return std::clamp<int64_t>(std::llround(double(size) * part), 1, size);
  };
  const int64_t height = partOf(shape[0]), width = partOf(shape[1]);
  const auto top = int64_t(upTo(double(shape[0] - height + 1))),
             left = int64_t(upTo(double(shape[1] - width + 1)));
  const bool isFlipped = changes.flips && random() % 2;
  Result<Tensor> out =
      Tensor::zeros({ElementKind::U8, {height, width, shape[2]}});
  if (!out)
    return out;
  const uint8_t *from = picture.elements<uint8_t>().data();
  uint8_t *to = out->elements<uint8_t>().data();
  const auto pixel = size_t(shape[2]);
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x, to += pixel) {
      const int64_t column = left + (isFlipped ? width - 1 - x : x);
      std::memcpy(to, from + size_t((top + y) * shape[1] + column) * pixel,
                  pixel);
    }
  return out;
}

Result<Tensor> PictureRows::row(int64_t number,
                                std::optional<uint64_t> draw) const {
  const std::string &file = files[size_t(number)];
  Result<Tensor> picture = readTensor(file, {}, "");
  if (!picture)
    return picture.status();
  if (draw && (changes.flips || changes.leastPart < 1)) {
    picture = changed(*picture, changes, randomOf(*draw, number));
    if (!picture)
      return picture.status();
  }
  Result<Tensor> made = preprocess(*picture, input, options);
  return made ? std::move(made) : made.status().prefixed("'" + file + "': ");
}

Status PictureRows::gather(std::span<const int64_t> rows,
                           std::optional<uint64_t> draw, Tensor &into) const {
  const Ints &shape = theType.shape;
  const uint64_t bytes = into.type().bytes() / uint64_t(into.type().shape[0]);
  char *const first = static_cast<char *>(into.data());
  std::vector<Status> failures(rows.size());
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t i = next++; i < rows.size(); i = next++) {
      Result<Tensor> made = row(rows[i], draw);
      if (!made)
        failures[i] = made.status();
      else if (!std::equal(made->type().shape.begin() + 1,
                           made->type().shape.end(), shape.begin() + 1,
                           shape.end()))
        failures[i] = failure(Code::ShapeMismatch, "'", files[size_t(rows[i])],
                              "' leads to ", made->type().text(), ", and '",
                              files[0], "' to others of ", theType.text(),
                              ": declare the input's sizes, with --shape");
      else
        std::memcpy(first + i * bytes, made->data(), bytes);
    }
  };
  // Where the system has no more threads, those that began do all of it.
  std::vector<std::thread> others;
  const size_t most = std::min<size_t>(
      std::max(1u, std::thread::hardware_concurrency()), rows.size());
  while (others.size() + 1 < most)
    if (!beginThread(others.emplace_back(), work).ok()) {
      others.pop_back();
      break;
    }
  work();
  for (std::thread &other : others)
    other.join();
  std::memset(first + rows.size() * bytes, 0,
              into.type().bytes() - rows.size() * bytes);
  const auto failed = std::ranges::find_if(
      failures, [](const Status &status) { return !status.ok(); });
  return failed == failures.end() ? Status() : *failed;
}
