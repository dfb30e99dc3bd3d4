//===- Jpeg.cpp - images in JPEG files ------------------------------------===//
// SPDX-License-Identifier: MIT
//
// libjpeg reports errors by longjmp. So no object with a destructor is created
// between the setjmp and a call of the library; objects that must live longer
// are in JpegReader.
//
//===----------------------------------------------------------------------===//

#include "ImageFormats.h"
#include <csetjmp>
#include <cstdio>
#include <jerror.h>
#include <jpeglib.h>

using namespace glow;

// More scans than any image needs. Without a limit, a small file could keep a
// reader busy for hours.
static constexpr int mostScans = 500;

namespace {

class JpegReader {
public:
  explicit JpegReader(std::string_view bytes) : bytes(bytes) {
    jpeg.err = jpeg_std_error(&errors);
    errors.error_exit = onError;
    errors.emit_message = onMessage;
    jpeg.client_data = this;
    progress.progress_monitor = onProgress;
  }
  ~JpegReader() { jpeg_destroy_decompress(&jpeg); }
  JpegReader(const JpegReader &) = delete;

  Result<Tensor> read() {
    if (!readHead())
      return damaged();
    if (channels != 1 && channels != 3)
      return failure(Code::Unsupported, "the JPEG image has ", channels,
                     " colour components, it should have 1 or 3");
    Result<Tensor> pixels = imageTensor(height, width, channels);
    if (!pixels)
      return pixels;
    if (!readRows(static_cast<JSAMPLE *>(pixels->data())))
      return damaged();
    return pixels;
  }

private:
  Status damaged() const {
    return failure(Code::InvalidArgument,
                   "the JPEG image is cut off or damaged: ", message);
  }

  bool readHead() {
    if (setjmp(escape))
      return false;
    jpeg_create_decompress(&jpeg);
    jpeg.progress = &progress;
    jpeg_mem_src(&jpeg, reinterpret_cast<const unsigned char *>(bytes.data()),
                 bytes.size());
    jpeg_read_header(&jpeg, TRUE);
    height = jpeg.image_height;
    width = jpeg.image_width;
    channels = jpeg.num_components;
    jpeg.out_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    return true;
  }

  bool readRows(JSAMPLE *out) {
    if (setjmp(escape))
      return false;
    jpeg_start_decompress(&jpeg);
    while (jpeg.output_scanline < jpeg.output_height) {
      JSAMPROW row = out + int64_t(jpeg.output_scanline) * width * channels;
      jpeg_read_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_decompress(&jpeg);
    return true;
  }

  static JpegReader &self(j_common_ptr jpeg) {
    return *static_cast<JpegReader *>(jpeg->client_data);
  }

  static void onError(j_common_ptr jpeg) {
    JpegReader &reader = self(jpeg);
    jpeg->err->format_message(jpeg, reader.message);
    std::longjmp(reader.escape, 1);
  }

  /// The library warns about missing data and continues with grey pixels.
  static void onMessage(j_common_ptr jpeg, int level) {
    int code = jpeg->err->msg_code;
    if (level < 0 && (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER ||
                      code == JWRN_HUFF_BAD_CODE))
      onError(jpeg);
  }

  static void onProgress(j_common_ptr common) {
    auto *jpeg = reinterpret_cast<j_decompress_ptr>(common);
    if (jpeg->input_scan_number <= mostScans)
      return;
    std::snprintf(self(common).message, JMSG_LENGTH_MAX,
                  "it has more than %d scans", mostScans);
    std::longjmp(self(common).escape, 1);
  }

  std::string_view bytes;
  jpeg_decompress_struct jpeg = {};
  jpeg_error_mgr errors = {};
  jpeg_progress_mgr progress = {};
  std::jmp_buf escape;
  int64_t height = 0, width = 0, channels = 0;
  char message[JMSG_LENGTH_MAX] = {};
};

} // namespace

Result<Tensor> glow::parseJpeg(std::string_view bytes) {
  return JpegReader(bytes).read();
}
