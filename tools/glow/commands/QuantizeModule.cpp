//===- QuantizeModule.cpp - glow quantize of a module ---------------------===//
// SPDX-License-Identifier: MIT

#include "QuantizeModule.h"

using namespace glow;
using namespace glow::tool;

bool tool::isModuleFile(const std::string &path) {
  return path.ends_with(".mlir") || path.ends_with(".mlirbc");
}

/// A text as the parser of a pass's options reads it: in quotes that it does
/// not have itself.
static Result<std::string> quotedOption(const std::string &text) {
  for (char quote : {'\'', '"'})
    if (text.find(quote) == text.npos)
      return quote + text + quote;
  return failure(Code::InvalidArgument, "'", text,
                 "' has quotes of both kinds, which no option of a pass has");
}

static Status addList(std::string &pass, const std::string &name,
                      const std::vector<std::string> &texts) {
  for (size_t i = 0; i < texts.size(); ++i) {
    Result<std::string> text = quotedOption(texts[i]);
    if (!text)
      return text.status();
    pass += (i == 0 ? " " + name + "=" : ",") + *text;
  }
  return Status();
}

static Result<std::string> passOf(const GraphQuantization &options) {
  const QuantizeOptions &how = options.how;
  std::string pass = "quantize-graph{schema=" + options.schema +
                     " calibration=" + options.calibration +
                     " percentile=" + std::to_string(how.percentile) +
                     " activation-bits=" + std::to_string(how.activationBits) +
                     " weight-bits=" + std::to_string(how.weightBits) +
                     " bias-bits=" + std::to_string(how.biasBits) +
                     " per-channel=" + std::to_string(how.perChannel);
  std::vector<std::string> profile;
  if (!options.profile.empty())
    profile.push_back(options.profile);
  for (Status status :
       {addList(pass, "profile", profile), addList(pass, "only", options.only),
        addList(pass, "skip", options.skip)})
    if (!status.ok())
      return status;
  return pass + "}";
}

Result<std::string> tool::quantizedModule(Session &session,
                                          CompileRequest request,
                                          const GraphQuantization &options,
                                          const std::string &output) {
  Result<std::string> pass = passOf(options);
  if (!pass)
    return pass.status();
  request.importPasses = pass.take();
  return session.print(request, isModuleFile(output) ? "import" : "onnx",
                       output.ends_with(".mlirbc"));
}
