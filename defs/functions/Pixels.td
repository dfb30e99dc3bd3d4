//===- Pixels.td - coordinates of resized images --------------------------===//
// SPDX-License-Identifier: MIT
//
// Along one axis, an element of the result is a sum of `taps` elements of the
// operand, each by a weight: of one (nearest), two (linear) or four (cubic).
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_FUNCTIONS_PIXELS
#define GLOW_FUNCTIONS_PIXELS

include "glow/Functions.td"

// The position of element `x` of `to` among `from` elements. Positions far outside are
// cut, as they change nothing; a position that a scale near 0 leaves undefined is 0.
// `align_corners` uses the size before it was rounded down, as ONNX defines it. Where
// the sizes are whole and the scale is not, `half_pixel_symmetric` keeps the centres
// together.
def placeOfPixel : Let<(ins Int:$x, Int:$from, Int:$to, Real:$scale, Text:$coordinates), [{
  length = real(from);
  middle = (real(x) + 0.5) / scale - 0.5;
  at = if(coordinates == "asymmetric", real(x) / scale,
       if(coordinates == "align_corners",
          if(x == 0, 0.0, real(x) * (length - 1.0) / (length * scale - 1.0)),
       if(coordinates == "tf_half_pixel_for_nn", (real(x) + 0.5) / scale,
       if(coordinates == "pytorch_half_pixel" && to == 1, 0.0,
       if(coordinates == "half_pixel_symmetric",
          length / 2.0 * (1.0 - real(to) / (scale * length)) + middle, middle)))));
  place = if(isNan(at), 0.0, max(-4.0, min(length + 3.0, at)));
}]> {
  let summary = "the position of pixel `x` of `to` among `from` pixels";
}

def nearestPixel : Let<(ins Real:$x, Text:$rounding), [{
  if(rounding == "floor" || (rounding == "round_prefer_floor" && x - real(floor(x)) == 0.5),
     floor(x),
     if(rounding == "ceil", ceil(x), floor(x + 0.5)))
}]> {
  let summary = "the position, rounded as ONNX's Resize names it";
}

def tapsOf : Let<(ins Text:$mode), [{ if(mode == "nearest", 1, if(mode == "linear", 2, 4)) }]> {
  let summary = "the number of pixels that one pixel is interpolated from";
}

def tapOf : Let<(ins Int:$tap, Real:$place, Text:$mode, Text:$rounding),
    [{ if(mode == "nearest", nearestPixel(place, rounding),
          floor(place) + tap - (tapsOf(mode) / 2 - 1)) }]> {
  let summary = "the pixel that a tap reads, which may be outside";
}

// Keys' cubic function, with parameter `a`: for a distance up to 1, and from 1 on.
def keysNear : Let<(ins Real:$t, Real:$a), "((a + 2.0) * t - (a + 3.0)) * t * t + 1.0"> {
  let summary = "Keys' cubic function, for a distance up to 1";
}
def keysFar : Let<(ins Real:$t, Real:$a), "((a * t - 5.0 * a) * t + 8.0 * a) * t - 4.0 * a"> {
  let summary = "Keys' cubic function, for a distance from 1 to 2";
}

def total : Let<(ins Reals:$list),
                "sum = 0.0; for x in list { sum = sum + x; }"> {
  let summary = "the sum of the elements";
  let results = ["sum"];
}

// The weight of a tap in the sum; `a` is the coefficient of cubic
// interpolation.
def weightOfTap : Let<(ins Int:$tap, Real:$place, Text:$mode, Real:$a), [{
  rest = place - real(floor(place));
  weight = if(mode == "nearest", 1.0,
           if(mode == "linear", if(tap == 0, 1.0 - rest, rest),
           if(tap == 0, keysFar(1.0 + rest, a), if(tap == 1, keysNear(rest, a),
           if(tap == 2, keysNear(1.0 - rest, a), keysFar(2.0 - rest, a))))));
}]> {
  let summary = "the weight of a tap; `a` is the coefficient of cubic interpolation";
}

// The weight of a tap, where taps outside of the operand do not count if `excludes`:
// then weights are divided by their sum, unless that is 0 up to rounding.
def weightInside : Let<(ins Int:$tap, Real:$place, Int:$from, Text:$mode, Real:$a, Flag:$excludes),
                       [{
  first = floor(place) - 1;
  inside = [if(first + i >= 0 && first + i < from, weightOfTap(i, place, mode, a),
               0.0) for i in range(0, tapsOf(mode))];
  sum = total(inside);
  weight = if(excludes, if(abs(sum) >= 0.000001, inside[tap] / sum, inside[tap]),
              weightOfTap(tap, place, mode, a));
}]> {
  let summary = "the weight of a tap, where taps outside may be excluded";
}

// The taps of all elements along the axis, one element after the other: their
// positions, and their weights.
def placesOfTaps : Let<(ins Int:$from, Int:$to, Real:$scale, Text:$mode, Text:$coordinates,
                        Text:$rounding), [{
  taps = tapsOf(mode);
  places = [max(0, min(from - 1,
                       tapOf(i % taps, placeOfPixel(i / taps, from, to, scale, coordinates), mode,
                             rounding)))
            for i in range(0, to * taps)];
}]> {
  let summary = "the pixels that all taps along an axis read";
}
def weightsOfTaps : Let<(ins Int:$from, Int:$to, Real:$scale, Text:$mode, Text:$coordinates,
                         Real:$a, Flag:$excludes), [{
  taps = tapsOf(mode);
  weights = [weightInside(i % taps, placeOfPixel(i / taps, from, to, scale, coordinates), from,
                          mode, a, excludes && mode == "cubic")
             for i in range(0, to * taps)];
}]> {
  let summary = "the weights of all taps along an axis";
}

#endif // GLOW_FUNCTIONS_PIXELS
