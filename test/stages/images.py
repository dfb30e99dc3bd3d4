#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes cases of images that are values: images.py FOLDER READ.

READ has the formats that the build reads. `wrong` below the folder has cases that are
refused. Pillow decides what an image holds.
"""

import io
import os
import sys

import numpy
from onnx import TensorProto, helper
from PIL import Image
from make import graph, node, save, value

U8 = TensorProto.UINT8
# A label, which begins with the name of the format, and how Pillow writes it.
FORMATS = [("PNG", "PNG", {}), ("JPEG", "JPEG", {"quality": 95}), ("BMP", "BMP", {}), ("PNM", "PPM", {}),
           ("TIFF", "TIFF", {}), ("TIFF_lzw", "TIFF", {"compression": "tiff_lzw"}),
           ("TIFF_deflate", "TIFF", {"compression": "tiff_adobe_deflate"}),
           ("WebP", "WEBP", {"lossless": True}), ("JPEG 2000", "JPEG2000", {}),
           ("JPEG 2000_stream", "JPEG2000", {"no_jp2": True})]


def bytes_of(picture, form, **options):
    out = io.BytesIO()
    picture.save(out, form, **options)
    return numpy.frombuffer(out.getvalue(), numpy.uint8)


def write(folder, file, found=numpy.zeros((1, 1, 1), numpy.uint8), **attributes):
    made = graph([node("ImageDecoder", "x", "y", **attributes)], [value("x", ["n"], U8)], [value("y", None, U8)])
    save(folder, helper.make_model(made, opset_imports=[helper.make_opsetid("", 20)]), {"x": file}, {"y": found})


def as_format(picture, word):
    if word == "Grayscale":
        return numpy.asarray(picture.convert("L"))[..., None]
    colours = numpy.asarray(picture.convert("RGB"))
    return colours[..., ::-1].copy() if word == "BGR" else colours


def pictures():
    colours = numpy.random.default_rng(5).integers(0, 256, (5, 7, 3), numpy.uint8)
    picture = Image.fromarray(colours)
    return {"colours": picture, "grey": Image.fromarray(colours[..., 0]),
            "black": picture.convert("1"), "palette": picture.quantize(16)}


def main(folder, read):
    for name, picture in pictures().items():
        for label, form, options in FORMATS:
            if label.split("_")[0] not in read or form in ("JPEG", "JPEG2000", "WEBP", "PPM") and \
                    name == "palette" or form in ("JPEG", "JPEG2000") and name == "black":
                continue
            file = bytes_of(picture, form, **options)
            read_back = Image.open(io.BytesIO(file.tobytes()))
            for word in ("RGB", "BGR", "Grayscale"):
                write(os.path.join(folder, f"{name}_{label}_{word}".replace(" ", "")), file,
                      as_format(read_back, word), pixel_format=word)
    wrong = os.path.join(folder, "wrong")
    colours = pictures()["colours"]
    for label, form, options in FORMATS:
        good = bytes_of(colours, form, **options)
        write(os.path.join(wrong, "cut", label.replace(" ", "")), good[:len(good) * 2 // 3])
    write(os.path.join(wrong, "GIF"), bytes_of(colours, "GIF"))
    good = bytes_of(colours, "PNG")
    write(os.path.join(wrong, "none"), good[:0])
    write(os.path.join(wrong, "word"), good, pixel_format="CMYK")


if __name__ == "__main__":
    main(*sys.argv[1:])
