//===- Branches.h - branches of a model in one graph ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A pass changes the nodes of one graph. The nodes of the branches of `If`
// therefore stand before their `If` while a pass changes the model, under names
// that no other value has, and are moved back afterwards. In between, the model
// is imported and never run: both branches would be.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_LIB_QUANTIZER_MODEL_BRANCHES_H
#define GLOW_LIB_QUANTIZER_MODEL_BRANCHES_H

#include <map>
#include <onnx/onnx_pb.h>
#include <set>
#include <string>
#include <vector>

namespace glow {

class Branches {
public:
  /// Moves the nodes and weights of all branches of `If` to the graph of the
  /// model, those of a branch inside of a branch as well. Graphs of other
  /// operators stay. False if there is no branch with nodes.
  bool hoist(onnx::ModelProto &model);

  /// Moves nodes and weights back. A new node goes into a branch if its readers
  /// are there or, without readers, its inputs. A value of a branch that is an
  /// output of the model becomes a result of the `If`; the other branch returns
  /// a tensor without elements in its place.
  void sink(onnx::ModelProto &model) const;

  bool empty() const { return branches.empty(); }

  /// Whether a value is computed by a branch.
  bool contains(const std::string &value) const { return of.contains(value); }

private:
  friend class Sinking;

  /// A graph of an `If`. The number of a branch is greater than that of the
  /// branch around it.
  struct Branch {
    int outer;                        ///< the branch around it, or `root`
    std::string node;                 ///< the first output of the `If`
    std::string attribute;            ///< the name of the graph in the `If`
    std::vector<std::string> outputs; ///< the values that it returns
  };
  static constexpr int root = -1;

  using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
  void hoistNodes(Nodes &from, int branch, onnx::GraphProto &to);
  void hoistBranch(onnx::GraphProto &body, int branch, onnx::GraphProto &to);
  void rename(onnx::GraphProto &body);

  std::vector<Branch> branches;
  std::map<std::string, int> of;             ///< values and weights
  std::map<std::string, std::string> former; ///< names in the file
  std::set<std::string> values;              ///< all names of the flat graph
  std::set<std::string> taken;               ///< names
};

} // namespace glow

#endif // GLOW_LIB_QUANTIZER_MODEL_BRANCHES_H
