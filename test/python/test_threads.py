# SPDX-License-Identifier: MIT
"""Threads, and asyncio."""

import asyncio
import threading
import weakref

import numpy
import pytest

import glow


def test_threads_run_one_model(digits):
    model = glow.load(digits, threads=1)
    images = numpy.random.default_rng(1).random((4, 1, 1, 28, 28), "f")
    expected = [model(image) for image in images]
    wrong = []

    def work(number):
        for _ in range(50):
            if (model(images[number]) != expected[number]).any():
                wrong.append(number)

    threads = [threading.Thread(target=work, args=[i]) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_threads_compile_new_sizes(scale):
    model = glow.load(scale)
    wrong = []

    def work(rows):
        x = numpy.full((rows, 3), rows, "f")
        if (model(x) != 2 * x).any():
            wrong.append(rows)

    threads = [threading.Thread(target=work, args=[i % 4 + 1])
               for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_the_interpreter_goes_on_while_the_library_runs(products):
    """With its lock held no other thread could count meanwhile."""
    model = glow.compile(products, threads=1, backend="interpreter")
    counted, over = [0], threading.Event()

    def count():
        while not over.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    before = counted[0]
    model(numpy.zeros((192, 192), "f"))
    after = counted[0]
    over.set()
    thread.join()
    assert after - before > 1000


def test_awaits_many(digits):
    model = glow.load(digits)
    images = numpy.random.default_rng(1).random((8, 1, 1, 28, 28), "f")

    async def main():
        return await asyncio.gather(*(model.run_async({"image": image})
                                      for image in images))

    for image, result in zip(images, asyncio.run(main())):
        assert (result["probabilities"] == model(image)).all()


def test_awaits_new_sizes_and_stages(scale, nonzero):
    async def main():
        y = await glow.load(scale).run_async({"x": numpy.ones((5, 3), "f")})
        assert (y["y"] == 2).all()
        y = await glow.load(nonzero).run_async({"x": numpy.eye(2, dtype="f")})
        assert y["y"].tolist() == [[0, 1], [0, 1]]

    asyncio.run(main())


def test_await_raises_what_a_run_does(digits):
    model = glow.load(digits)

    async def main():
        with pytest.raises(glow.NotFound, match="'image' is not given"):
            await model.run_async({})
        with pytest.raises(glow.ShapeMismatch):
            await model.run_async({"image": numpy.zeros(3, "f")})

    asyncio.run(main())


def test_a_cancelled_task_ends_its_run(products):
    model = glow.compile(products, threads=1, backend="interpreter")
    x = numpy.zeros((192, 192), "f")

    async def main():
        task = asyncio.ensure_future(model.run_async({"x": x}))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        # The model is as good as before.
        assert (await model.run_async({"x": x}))["y"].shape == (192, 192)

    asyncio.run(main())


def test_a_model_goes_when_it_is_not_held(digits):
    model = glow.load(digits)
    asyncio.run(model.run_async({"image": numpy.zeros((1, 1, 28, 28), "f")}))
    gone = [weakref.ref(thing) for thing in (model, model._only)]
    del model
    # Without the collector: nothing is held in a circle.
    assert [thing() for thing in gone] == [None, None]
