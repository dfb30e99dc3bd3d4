//===- PictureRows.h - folders of pictures to learn from --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_IMAGES_PICTUREROWS_H
#define GLOW_TOOLS_GLOW_IMAGES_PICTUREROWS_H

#include "Preprocess.h"
#include "glow/Trainer/Trainer.h"

namespace glow::tool {

/// Random changes of pictures, which make more rows of few.
struct PictureChanges {
  bool flips = false; ///< left and right change places in half of the pictures
  /// The smallest part of a picture's height and width that a row shows; 1 for
  /// all of the picture.
  double leastPart = 1;
};

/// A folder that has a folder of pictures for each class. Classes are in the
/// order of their names, and rows are decoded when a batch has them.
class PictureRows final : public RowSource {
public:
  /// The rows of an input. The first picture is decoded for its type. Fails as
  /// `preprocess`, and with Code::NotFound for a folder without folders, or one
  /// of these without pictures.
  static Result<std::shared_ptr<const PictureRows>>
  open(const std::string &folder, const Binding &input,
       const ImageOptions &options, const PictureChanges &changes);

  /// The names of the classes.
  const std::vector<std::string> &classes() const { return theClasses; }

  const TensorType &type() const override { return theType; }
  const std::string &path() const override { return folder; }
  std::optional<TensorView> labels() const override;

  /// Decodes pictures on as many threads as there are processors. Fails, naming
  /// the file, with Code::ShapeMismatch for a picture that leads to another
  /// shape than the first one, and as `readTensor` and `preprocess`.
  Status gather(std::span<const int64_t> rows, std::optional<uint64_t> draw,
                Tensor &into) const override;

private:
  PictureRows() = default;
  Status findPictures();
  Result<Tensor> row(int64_t number, std::optional<uint64_t> draw) const;

  std::string folder;
  Binding input;
  ImageOptions options;
  PictureChanges changes;
  std::vector<std::string> theClasses, files;
  std::vector<int64_t> classOf; ///< one a file
  TensorType theType, labelType;
};

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_IMAGES_PICTUREROWS_H
