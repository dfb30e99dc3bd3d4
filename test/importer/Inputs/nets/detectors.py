# SPDX-License-Identifier: MIT
"""Cases of operators of detectors whose data decides how many regions there are."""

import math

import numpy

from nets.net import Operator, case

F, W = numpy.float32, numpy.int32
random = numpy.random.RandomState(56)


def area(box, edge):
    return (box[2] - box[0] + edge) * (box[3] - box[1] + edge)


def overlap(a, b, edge):
    w = max(min(a[2], b[2]) - max(a[0], b[0]) + edge, 0)
    h = max(min(a[3], b[3]) - max(a[1], b[1]) + edge, 0)
    return w * h / (area(a, edge) + area(b, edge) - w * h)


def suppressed(boxes, order, limit, edge, most=None):
    kept = []
    for i in order:
        if most is not None and len(kept) == most:
            break
        if all(overlap(boxes[k], boxes[i], edge) <= limit for k in kept):
            kept.append(i)
    return kept


def proposals(scores, deltas, images, anchors, scale, before, after, limit, smallest, edge=1):
    rows, chances = [], []
    for image, (height, width, factor) in enumerate(images):
        all_boxes, all_scores = [], []
        for y, x, a in numpy.ndindex(*scores.shape[2:], len(anchors)):
            box = anchors[a] + numpy.array([x, y, x, y]) / scale
            dx, dy, dw, dh = deltas[image, 4 * a:4 * a + 4, y, x]
            w, h = box[2] - box[0] + edge, box[3] - box[1] + edge
            cx, cy = box[0] + w / 2 + dx * w, box[1] + h / 2 + dy * h
            w, h = w * math.exp(min(dw, math.log(1000 / 16))), h * math.exp(min(dh, math.log(1000 / 16)))
            ends = [cx - w / 2, cy - h / 2, cx + w / 2 - edge, cy + h / 2 - edge]
            all_boxes.append([min(max(end, 0), size - edge) for end, size in zip(ends, [width, height] * 2)])
            all_scores.append(scores[image, a, y, x])
        order = numpy.argsort(-numpy.array(all_scores), kind="stable")[:before]
        large = [i for i in order if all(
            all_boxes[i][k + 2] - all_boxes[i][k] + edge >= smallest * factor
            and all_boxes[i][k] + (all_boxes[i][k + 2] - all_boxes[i][k] + edge) / 2 < size
            for k, size in enumerate([width, height]))]
        for i in suppressed(all_boxes, large, limit, edge, after):
            rows.append([image, *all_boxes[i]])
            chances.append(all_scores[i])
    return numpy.array(rows, F).reshape(-1, 5), numpy.array(chances, F)


def generated(out):
    scores = random.uniform(0, 1, (2, 3, 4, 5)).astype(F)
    deltas = random.uniform(-0.5, 0.5, (2, 12, 4, 5)).astype(F)
    images = numpy.array([[60, 70, 1], [50, 80, 1.5]], F)
    anchors = numpy.array([[-8, -8, 23, 23], [-16, -4, 31, 19], [0, 0, 9, 9]], F)
    data = {"s": scores, "d": deltas, "i": images, "a": anchors}
    for name, kind, edge, sizes in [("generateproposals", "GenerateProposals", 1, (40, 6, 0.5, 12)),
                                    ("generateproposalscpp", "GenerateProposalsCPP", 1, (200, 100, 0.7, 2)),
                                    ("generateproposals_edge", "GenerateProposals", 0, (30, 8, 0.4, 9))]:
        before, after, limit, smallest = sizes
        rows, chances = proposals(scores, deltas, images, anchors, 0.125, before, after, limit, smallest, edge)
        case(out, name, [Operator(kind, "s d i a", "r p", spatial_scale=0.125, pre_nms_topN=before,
                                  post_nms_topN=after, nms_thresh=limit, min_size=smallest, legacy_plus_one=edge)],
             data, {"r": rows, "p": chances})


def limited(scores, boxes, parts, limit=0.3, most=100, lowest=0.05, soft=None, edge=1, background=True,
            agnostic=False):
    """The rows of scores, boxes and classes; the number of each image; and the indices by class."""
    result, counts, keeps, sizes, begin, scores = [], [], [], [], 0, scores.astype(float)
    classes = scores.shape[1]
    for count in parts:
        chosen = []
        for c in range(1, classes):
            column = c if background else c - 1
            at = 0 if agnostic else column
            own = boxes[begin:begin + count, 4 * at:4 * at + 4]
            given = scores[begin:begin + count, column]
            pending = [i for i in range(count) if given[i] > lowest]
            if soft is None:
                kept = suppressed(own, sorted(pending, key=lambda i: -given[i]), limit, edge, most or None)
            else:
                kept = []
                while pending:
                    best = max(pending, key=lambda i: given[i])
                    pending.remove(best)
                    kept.append(best)
                    for i in pending:
                        o = overlap(own[best], own[i], edge)
                        given[i] *= math.exp(-o * o / 0.5) if soft == "gaussian" else 1 - o if o > limit else 1
                    pending = [i for i in pending if given[i] >= 0.001]
            chosen += [(c, i, given[i], own[i]) for i in kept]
        if most and len(chosen) > most:
            best = sorted(chosen, key=lambda each: -each[2])[:most]
            chosen = sorted(best, key=lambda each: each[0])
        result += chosen
        counts.append(len(chosen))
        keeps += [each[1] for each in chosen]
        sizes.append([sum(each[0] == c for each in chosen) for c in range(classes)])
        begin += count
    return (numpy.array([each[2] for each in result], F), numpy.array([each[3] for each in result], F).reshape(-1, 4),
            numpy.array([each[0] for each in result], F), numpy.array(counts, F), numpy.array(keeps, W),
            numpy.array(sizes, W))


def boxes(out):
    scores = random.uniform(0, 1, (8, 3)).astype(F)
    corners = random.uniform(0, 20, (8, 12)).astype(F)
    corners[:, 2::4], corners[:, 3::4] = corners[:, 0::4] + 15, corners[:, 1::4] + 12
    names = ["s", "b", "c", "n", "k", "z"]
    for name, parts, options, arguments in [
            ("boxwithnmslimit", [8], {}, {}),
            ("boxwithnmslimit_batch", [5, 3], {"most": 3}, {"detections_per_im": 3}),
            ("boxwithnmslimit_linear", [8], {"soft": "linear"}, {"soft_nms_enabled": 1}),
            ("boxwithnmslimit_gaussian", [4, 4], {"soft": "gaussian", "edge": 0},
             {"soft_nms_enabled": 1, "soft_nms_method": "gaussian", "legacy_plus_one": 0}),
            ("boxwithnmslimit_agnostic", [8], {"agnostic": True, "limit": 0.6, "most": 0, "lowest": 0.2},
             {"cls_agnostic_bbox_reg": 1, "nms": 0.6, "detections_per_im": 0, "score_thresh": 0.2})]:
        mine = corners[:, :4] if options.get("agnostic") else corners
        results = limited(scores, mine, parts, **options)
        more = {"p": numpy.array(parts, F)} if len(parts) > 1 else {}
        case(out, name, [Operator("BoxWithNMSLimit", " ".join(["x", "y", *more]), " ".join(names), **arguments)],
             {"x": scores, "y": mine, **more}, dict(zip(names, results)))
    results = limited(scores, corners[:, :8], [8], background=False)
    results[2][:] -= 1
    case(out, "boxwithnmslimit_foreground",
         [Operator("BoxWithNMSLimit", "x y", "s b c", input_boxes_include_bg_cls=0, output_classes_include_bg_cls=0)],
         {"x": scores, "y": corners[:, :8]}, dict(zip(names, results[:3])))


def level_of(box, low, high, edge=1):
    return int(min(max(math.floor(4 + math.log2(math.sqrt(area(box, edge)) / 224 + 1e-6)), low), high))


def levels(out):
    regions = random.uniform(0, 100, (9, 5)).astype(F)
    regions[:, 3:] = regions[:, 1:3] + random.uniform(20, 700, (9, 2))
    names = ["f2", "f3", "f4", "f5"]

    def distributed(rows):
        own = numpy.array([level_of(row[-4:], 2, 5) for row in rows])
        order = numpy.concatenate([numpy.where(own == level)[0] for level in range(2, 6)])
        return {**{f"f{level}": rows[own == level] for level in range(2, 6)}, "o": numpy.argsort(order).astype(W)}

    case(out, "distributefpnproposals", [Operator("DistributeFpnProposals", "r", " ".join(names + ["o"]))],
         {"r": regions}, distributed(regions))
    chances = random.uniform(0, 1, 9).astype(F)
    best = regions[numpy.argsort(-chances, kind="stable")[:6]]
    case(out, "collectanddistribute",
         [Operator("CollectAndDistributeFpnRpnProposals", "a b p q", " ".join(["r", *names, "o"]), rpn_min_level=2,
                   rpn_max_level=3, rpn_post_nms_topN=6)],
         {"a": regions[:4], "b": regions[4:], "p": chances[:4], "q": chances[4:]}, {"r": best, **distributed(best)})


def write(out):
    generated(out)
    boxes(out)
    levels(out)
