//===- Hover.h - hover text of a node ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// MLIR's server shows the text form of the operation under the cursor. This
// filter of its answers puts the description of the record above it.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_TOOLS_LSPSERVER_HOVER_H
#define GLOW_TOOLS_LSPSERVER_HOVER_H

#include <string>
#include <thread>

namespace glow {

/// An answer to a question of hovering with the summary, the equation, the
/// operands and the attributes of the node that it is about; the answer to the
/// first question with the name and the version of this server; any other
/// message as it is.
std::string withRecord(std::string message);

/// Lets what this process writes to its standard output pass through
/// `withRecord`, message by message, until its end.
class HoverOutput {
public:
  /// Must be made before anything is written. Ends the process where the system
  /// has no pipe for it.
  HoverOutput();
  /// Waits for the last message.
  ~HoverOutput();

private:
  int original = -1;
  std::thread passing;
};

} // namespace glow

#endif // GLOW_TOOLS_LSPSERVER_HOVER_H
