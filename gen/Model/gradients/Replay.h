//===- Replay.h - recomputed values for gradients -------------------------===//
// SPDX-License-Identifier: MIT
//
// A later statement, or a later step, may overwrite a value that a derivative
// needs. The statements are then replayed, and a needed value is copied before
// the next change: into a tensor of its own, with an element for each step in a
// scan.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GEN_MODEL_GRADIENTS_REPLAY_H
#define GLOW_GEN_MODEL_GRADIENTS_REPLAY_H

#include "Model/node/Node.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"

namespace glow::gen {

/// A statement of a gradient, as text, and what it touches.
struct GradientStatement {
  std::string text;
  std::shared_ptr<const Scan> scan; // that it stands in; may be null
  std::string writes;
  llvm::StringSet<> reads;
};

/// `target op value else otherwise over ranges;`
GradientStatement pieceOf(const ExprPtr &target, llvm::StringRef op,
                          const ExprPtr &value,
                          const ExprPtr &otherwise = nullptr,
                          llvm::ArrayRef<IndexRange> ranges = {},
                          std::shared_ptr<const Scan> scan = nullptr);

/// All names in an expression.
void addNames(const ExprPtr &expr, llvm::StringSet<> &names);

/// The element of another tensor in the same place.
ExprPtr elementAt(const std::string &tensor, const ExprPtr &place);

/// Names that neither the node nor an earlier call has used.
class FreshNames {
public:
  explicit FreshNames(const NodeModel &node);
  std::string operator()(const std::string &wish);

private:
  llvm::StringSet<> taken;
};

class Replay {
public:
  Replay(const NodeModel &node, const std::vector<Statement> &statements,
         FreshNames &fresh);

  /// The expression with each element of a written tensor replaced by its value
  /// before statement `number`, or after it.
  ExprPtr seen(size_t number, const ExprPtr &expr, bool after = false);
  /// Every element of a tensor, by indices of their own.
  ExprPtr everyElement(const TensorSignature &tensor);

  /// Whether statements from `first` up to `last` write the tensor.
  bool writes(const TensorSignature &tensor, size_t first, size_t last) const;
  /// The statements of the scan that this one stands in, first and behind the
  /// last; or it alone.
  std::pair<size_t, size_t> together(size_t number) const;
  /// Whether all statements of the scan that write the tensor write the places
  /// of their own step.
  bool isByStep(const TensorSignature &tensor, size_t number) const;

  /// The statements to replay so that the tensors in `needed` exist. Tensors
  /// that these statements read are added to `needed`, and new tensors are
  /// declared in `scratch`.
  std::vector<GradientStatement>
  pieces(llvm::StringSet<> &needed,
         std::vector<std::pair<std::string, std::string>> &scratch);

  std::string why;          // what cannot be kept; empty when all can
  const char *at = nullptr; // of that, in the .td file

private:
  ExprPtr keptFor(size_t number, const ExprPtr &element,
                  const TensorSignature &tensor, bool after);
  ExprPtr copied(const ExprPtr &element, const TensorSignature &tensor,
                 size_t before, std::shared_ptr<const Scan> scan,
                 std::optional<size_t> place = std::nullopt);
  ExprPtr again(const ExprPtr &expr) const;

  const NodeModel &node;
  const std::vector<Statement> &statements;
  FreshNames &fresh;
  llvm::StringMap<std::string> names; // in the replay, of what is written

  /// A copy of a tensor that is made before a statement, inside of a scan or
  /// outside.
  struct Copy {
    const TensorSignature *tensor;
    size_t count; // of statements that wrote it before
    size_t before;
    std::shared_ptr<const Scan> scan;
    std::optional<size_t> place; // of the step, where the tensor has one
    std::string name;
  };
  GradientStatement pieceOf(const Copy &copy);
  std::string signatureOf(const Copy &copy) const;
  std::vector<GradientStatement> all();
  std::vector<Copy> copies;
  std::vector<std::string> indices; // of everyElement
};

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_GRADIENTS_REPLAY_H
