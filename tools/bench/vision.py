# SPDX-License-Identifier: MIT
"""Convolution networks on pictures and films: classification and
segmentation."""


def picture(g, batch, size=224):
    return g.input("image", [batch, 3, size, size])


def classify(g, x, gain=1.0):
    g.output(g.gemm(x, 1000, gain=gain), "logits")


def stem(g, batch):
    """The first two layers of a ResNet or a DenseNet."""
    return g.maxpool(g.conv_relu(picture(g, batch), 64, 7, stride=2), 3, pad=1)


def resnet(g, x, counts, branch, growth):
    """`branch` makes the layers beside a shortcut; `growth` is what it
    multiplies the width of its stage by."""
    for stage, count in enumerate(counts):
        width = 64 << stage
        for block in range(count):
            stride = 2 if block == 0 and stage > 0 else 1
            y = branch(g, x, width, stride)
            if block == 0 and x.shape != y.shape:
                x = g.batchnorm(g.conv(x, growth * width, 1, stride=stride,
                                       gain=1.0))
            x = g.relu(g.add(y, x))
    classify(g, g.pool_all(x))


def bottleneck(g, x, width, stride):
    """Version 1.5: the 3x3 convolution has the stride."""
    y = g.conv_relu(x, width, 1)
    y = g.conv_relu(y, width, 3, stride=stride)
    return g.batchnorm(g.conv(y, 4 * width, 1), gamma=0.3)


def grouped_bottleneck(g, x, width, stride):
    """Of ResNeXt: twice as wide, in 32 groups."""
    y = g.conv_relu(x, 2 * width, 1)
    y = g.conv_relu(y, 2 * width, 3, stride=stride, group=32)
    return g.batchnorm(g.conv(y, 4 * width, 1), gamma=0.3)


def basic_block(g, x, width, stride):
    y = g.conv_relu(x, width, 3, stride=stride)
    return g.batchnorm(g.conv(y, width, 3), gamma=0.3)


def resnet50(g, batch):
    resnet(g, stem(g, batch), [3, 4, 6, 3], bottleneck, growth=4)


def resnet18(g, batch):
    resnet(g, stem(g, batch), [2, 2, 2, 2], basic_block, growth=1)


def resnext50(g, batch):
    """32 groups, of 4 channels at first."""
    resnet(g, stem(g, batch), [3, 4, 6, 3], grouped_bottleneck, growth=4)


def video_resnet18(g, batch):
    """ResNet-18 with convolutions in time too, of 16 pictures."""
    x = g.input("film", [batch, 3, 16, 112, 112])
    x = g.conv_relu(x, 64, [3, 7, 7], stride=[1, 2, 2])
    resnet(g, x, [2, 2, 2, 2], basic_block, growth=1)


def vgg19(g, batch):
    x = picture(g, batch)
    for width, count in [(64, 2), (128, 2), (256, 4), (512, 4), (512, 4)]:
        for _ in range(count):
            x = g.relu(g.conv(x, width, 3, bias=True))
        x = g.maxpool(x, 2)
    x = g.flatten(x)
    for _ in range(2):
        x = g.relu(g.gemm(x, 4096))
    classify(g, x)


def mobilenet_v2(g, batch):
    def conv_relu6(x, channels, size, **options):
        return g.relu6(g.batchnorm(g.conv(x, channels, size, **options)))

    x = conv_relu6(picture(g, batch), 32, 3, stride=2)
    for expansion, channels, count, first_stride in [
            (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2),
            (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]:
        for block in range(count):
            stride = first_stride if block == 0 else 1
            wide = x.shape[1] * expansion
            y = x if expansion == 1 else conv_relu6(x, wide, 1)
            y = conv_relu6(y, wide, 3, stride=stride, group=wide)
            y = g.batchnorm(g.conv(y, channels, 1, gain=1.0))
            x = g.add(x, y) if x.shape == y.shape else y
    classify(g, g.pool_all(conv_relu6(x, 1280, 1)))


def efficientnet_b0(g, batch):
    def conv_silu(x, channels, size, **options):
        return g.silu(g.batchnorm(g.conv(x, channels, size, **options)))

    def excited(x, squeezed):
        """Each channel times what a small network makes of all means."""
        y = g.silu(g.conv(g.mean_pixel(x), squeezed, 1, bias=True))
        y = g.conv(y, x.shape[1], 1, bias=True)
        return g.multiply(x, g.unary("Sigmoid", y))

    x = conv_silu(picture(g, batch), 32, 3, stride=2)
    for expansion, size, channels, count, first_stride in [
            (1, 3, 16, 1, 1), (6, 3, 24, 2, 2), (6, 5, 40, 2, 2),
            (6, 3, 80, 3, 2), (6, 5, 112, 3, 1), (6, 5, 192, 4, 2),
            (6, 3, 320, 1, 1)]:
        for block in range(count):
            stride = first_stride if block == 0 else 1
            narrow = x.shape[1]
            wide = narrow * expansion
            y = x if expansion == 1 else conv_silu(x, wide, 1)
            y = conv_silu(y, wide, size, stride=stride, group=wide)
            y = excited(y, narrow // 4)
            y = g.batchnorm(g.conv(y, channels, 1, gain=4.0))
            x = g.add(y, x) if x.shape == y.shape else y
    classify(g, g.pool_all(conv_silu(x, 1280, 1)))


def squeezenet(g, batch):
    """Version 1.1."""
    def conv_relu(x, channels, size, **options):
        return g.relu(g.conv(x, channels, size, bias=True, **options))

    def fire(x, width):
        x = conv_relu(x, width, 1)
        return g.concat([conv_relu(x, 4 * width, 1),
                         conv_relu(x, 4 * width, 3)])

    x = conv_relu(picture(g, batch), 64, 3, stride=2, pad=0)
    x = fire(fire(g.maxpool(x, 3), 16), 16)
    x = fire(fire(g.maxpool(x, 3), 32), 32)
    x = g.maxpool(x, 3)
    for width in [48, 48, 64, 64]:
        x = fire(x, width)
    g.output(g.pool_all(conv_relu(x, 1000, 1)), "logits")


def densenet121(g, batch):
    def relu_conv(x, channels, size):
        return g.conv(g.relu(g.batchnorm(x)), channels, size)

    growth, counts = 32, [6, 12, 24, 16]
    x = stem(g, batch)
    for stage, count in enumerate(counts):
        if stage > 0:
            x = g.avgpool(relu_conv(x, x.shape[1] // 2, 1), 2)
        for _ in range(count):
            y = relu_conv(x, 4 * growth, 1)
            x = g.concat([x, relu_conv(y, growth, 3)])
    classify(g, g.pool_all(g.relu(g.batchnorm(x))))


def unet(g, batch):
    """256x256. It grows back by transposed convolution on the two deep
    levels, by nearest and by linear interpolation on the others."""
    def twice(x, channels):
        return g.conv_relu(g.conv_relu(x, channels, 3), channels, 3)

    def resized(x, channels, **attributes):
        scales = g.constant([1.0, 1.0, 2.0, 2.0])
        batch, each, height, width = x.shape
        x = g.node("Resize", [x, "", scales],
                   [batch, each, 2 * height, 2 * width], **attributes)
        return g.conv(x, channels, 1, bias=True)

    x, levels = picture(g, batch, 256), []
    for channels in [32, 64, 128, 256]:
        levels.append(twice(x, channels))
        x = g.maxpool(levels[-1], 2)
    x = twice(x, 512)
    for channels, up in [
            (256, g.conv_transpose), (128, g.conv_transpose),
            (64, lambda x, channels, _: resized(
                x, channels, mode="nearest", nearest_mode="floor",
                coordinate_transformation_mode="asymmetric")),
            (32, lambda x, channels, _: resized(
                x, channels, mode="linear",
                coordinate_transformation_mode="half_pixel"))]:
        x = twice(g.concat([levels.pop(), up(x, channels, 2)]), channels)
    mask = g.conv(x, 1, 1, bias=True, gain=1.0)
    g.output(g.unary("Sigmoid", mask), "mask")


NETWORKS = [resnet50, resnet18, vgg19, mobilenet_v2, squeezenet, densenet121,
            unet, resnext50, video_resnet18, efficientnet_b0]
