#!/usr/bin/env python3
"""Writes cases of images that are values: images.py FOLDER.

`wrong` below the folder are those that are refused. What an image holds, Pillow says.
"""

import io
import os
import sys

import numpy
from onnx import TensorProto, helper
from PIL import Image
from make import graph, node, save, value

U8 = TensorProto.UINT8


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


def main(folder):
    colours = numpy.random.default_rng(5).integers(0, 256, (5, 7, 3), numpy.uint8)
    pictures = {"colours": Image.fromarray(colours), "grey": Image.fromarray(colours[..., 0])}
    for name, picture in pictures.items():
        for form in ("PNG", "JPEG"):
            file = bytes_of(picture, form, **({"quality": 95} if form == "JPEG" else {}))
            read = Image.open(io.BytesIO(file.tobytes()))
            for word in ("RGB", "BGR", "Grayscale"):
                write(os.path.join(folder, f"{name}_{form}_{word}"), file, as_format(read, word), pixel_format=word)
    wrong = os.path.join(folder, "wrong")
    for form in ("BMP", "WEBP", "TIFF", "JPEG2000", "PPM", "GIF"):
        try:
            file = bytes_of(pictures["colours"], form)
        except (OSError, KeyError):  # Pillow may be without it
            file = {"WEBP": b"RIFF....WEBPVP8 ", "JPEG2000": b"\0\0\0\x0cjP  \r\n"}[form]
            file = numpy.frombuffer(file, numpy.uint8)
        write(os.path.join(wrong, form), file)
    good = bytes_of(pictures["colours"], "PNG")
    write(os.path.join(wrong, "cut"), good[:60])
    write(os.path.join(wrong, "none"), good[:0])
    write(os.path.join(wrong, "word"), good, pixel_format="CMYK")


if __name__ == "__main__":
    main(sys.argv[1])
