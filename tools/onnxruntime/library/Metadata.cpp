//===- Metadata.cpp - metadata of models ----------------------------------===//
// SPDX-License-Identifier: MIT

#include "library/Memory.h"
#include "library/Session.h"
#include "library/Table.h"

using namespace glow;
using namespace glow::ort;

void entry::SessionGetModelMetadata(const OrtSession *session,
                                    OrtModelMetadata **out) {
  *out = new OrtModelMetadata(modelOf(session)->file.data);
}

void entry::ReleaseModelMetadata(OrtModelMetadata *data) { delete data; }

void entry::ModelMetadataGetProducerName(const OrtModelMetadata *data,
                                         OrtAllocator *allocator, char **out) {
  *out = copyText(*allocator, data->producer);
}

void entry::ModelMetadataGetGraphName(const OrtModelMetadata *data,
                                      OrtAllocator *allocator, char **out) {
  *out = copyText(*allocator, data->graph);
}

void entry::ModelMetadataGetDomain(const OrtModelMetadata *data,
                                   OrtAllocator *allocator, char **out) {
  *out = copyText(*allocator, data->domain);
}

void entry::ModelMetadataGetDescription(const OrtModelMetadata *data,
                                        OrtAllocator *allocator, char **out) {
  *out = copyText(*allocator, data->description);
}

void entry::ModelMetadataGetGraphDescription(const OrtModelMetadata *data,
                                             OrtAllocator *allocator,
                                             char **out) {
  *out = copyText(*allocator, data->graphDescription);
}

void entry::ModelMetadataGetVersion(const OrtModelMetadata *data,
                                    int64_t *out) {
  *out = data->version;
}

/// Null for a key that the model does not have.
void entry::ModelMetadataLookupCustomMetadataMap(const OrtModelMetadata *data,
                                                 OrtAllocator *allocator,
                                                 const char *key, char **out) {
  auto found = data->entries.find(key);
  *out = found == data->entries.end() ? nullptr
                                      : copyText(*allocator, found->second);
}

void entry::ModelMetadataGetCustomMetadataMapKeys(const OrtModelMetadata *data,
                                                  OrtAllocator *allocator,
                                                  char ***out, int64_t *count) {
  *out = nullptr;
  *count = int64_t(data->entries.size());
  if (data->entries.empty())
    return;
  auto **keys = static_cast<char **>(
      allocateBy(*allocator, data->entries.size() * sizeof(char *)));
  size_t made = 0;
  for (const auto &[key, value] : data->entries)
    keys[made++] = copyText(*allocator, key);
  *out = keys;
}
