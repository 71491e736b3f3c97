"""Misuse that could crash, wait for ever or store a wrong value: each case is an exception. A crash here fails the
whole file, and faulthandler says where."""
import copy
import ctypes
import faulthandler
import functools
import gc
import os
import pickle
import subprocess
import sys
import threading
import unittest
import weakref

import common
import weir
from weir import host

try:
    import numpy
except ImportError:
    numpy = None

DEADLINE = 60


class Base(unittest.TestCase):
    def setUp(self):
        self.device = weir.Device("host")
        self.addCleanup(self.device.close)

    def refuse(self, exception, words, call, *arguments, **options):
        with self.assertRaisesRegex(exception, words):
            call(*arguments, **options)

    def crew(self, **options):
        crew = weir.Crew(rank=0, ranks=1, name=f"misuse.{os.getpid()}.{id(options)}", **options)
        self.addCleanup(lambda: crew._alive and crew.leave())
        return crew

    def objects(self):
        """One object of each class, with an operation that uses its memory outside a launch."""
        make = self.device
        host.join(0, 1)
        return [
            (weir.Barrier(make, 1), lambda o: o.wait()), (weir.Mutex(make), lambda o: o.try_lock()),
            (weir.MutexArray(make, 2), lambda o: o[1].try_lock()), (weir.Semaphore(make, 2), lambda o: o.post(0)),
            (weir.Condition(make), lambda o: o.signal()), (weir.RWLock(make), lambda o: o.try_read()),
            (weir.Once(make), lambda o: o.is_done()), (weir.Event(make), lambda o: o.count()),
            (weir.EventArray(make, 2), lambda o: o[1].count()), (weir.Queue(make, 4), lambda o: o.length()),
            (weir.Dispenser(make, 4), lambda o: next(o.shares())), (weir.Tasks(make, [[]]), lambda o: o.check()),
            (weir.Combiner(make, 1), lambda o: o.leave()), (weir.Group(make, 1), lambda o: o.discover()),
        ]


class Lives(Base):
    def test_nothing_is_copied_or_pickled(self):
        device = self.device
        events = weir.EventArray(device, 2)
        crew = self.crew(events=1, queue_slots=4, data_bytes=8)
        made = [one for one, _ in self.objects()]
        made += [device, device.buffer(4), events[0], events.latch(0, 1), events.sequence(0, 1),
                 weir.MutexArray(device, 2)[0], weir.Dispenser(device, 4).of(2), crew, crew.data(0), crew.event(0),
                 crew.queue(0), crew.arrive(), host.team_block(), weir.Kernel(1, "step")]
        for one in made:
            for way in copy.copy, copy.deepcopy, pickle.dumps:
                with self.subTest(one=one, way=way.__name__):
                    self.refuse(weir.BadType, "not copied or pickled", way, one)

    def test_objects_that_were_never_made(self):
        for name in ("Mutex", "Queue", "Barrier", "Tasks", "Crew", "SharedCrew"):
            cls = getattr(weir, name)
            one = cls.__new__(cls)
            self.assertEqual(repr(one), f"<weir.{name}, never made>")
            self.refuse(weir.NotFound, f"never made: call weir.{name}", bytes, one)
        self.refuse(weir.NotFound, "never made", weir.Crew.__new__(weir.Crew).barrier)
        self.refuse(weir.NotFound, "never made", weir.Buffer.__new__(weir.Buffer).read)
        self.refuse(weir.NotFound, "never made", weir.Program.__new__(weir.Program).kernel, "step")
        self.refuse(weir.DeviceClosed, "closed", weir.Device.__new__(weir.Device).buffer, 4)
        for base in weir.Object, weir.Handle:
            self.refuse(weir.BadType, "has no objects", base, self.device, *[{}][:base is weir.Object])

    def test_nothing_is_used_after_destroy_or_close(self):
        for one, use in self.objects():
            with self.subTest(one=one):
                use(one)
                one.destroy()
                self.refuse(weir.NotFound, "was destroyed before", use, one)
                self.refuse(weir.NotFound, "was destroyed before", one.on_device)
                self.refuse(weir.NotFound, "was destroyed before", one.destroy)
        with weir.Device("host") as other:
            self.device, mine = other, self.device
            made = self.objects()
            self.device = mine
        for one, use in made:
            with self.subTest(one=one):
                self.refuse(weir.DeviceClosed, "the device is closed", use, one)

    def test_parts_end_with_the_whole(self):
        mutexes, events = weir.MutexArray(self.device, 2), weir.EventArray(self.device, 2)
        dispenser = weir.Dispenser(self.device, 8)
        fewer, mutex, event = dispenser.of(4), mutexes[1], events[1]
        latch, section, kept = events.latch(0, 1), events.sequence(0, 1), iter(fewer)
        host.join(0, 1)
        self.assertEqual((next(kept), bytes(fewer) == bytes(dispenser)), (0, False))
        for part in fewer, fewer.of(2), mutex:
            self.refuse(weir.BadArgument, "is a part of", part.destroy)
            self.refuse(weir.BadArgument, "is a part of", part.reset)
        for whole in mutexes, events, dispenser:
            whole.destroy()
        for use in (lambda: list(fewer.shares()), lambda: next(kept), lambda: fewer.of(2), lambda: bytes(fewer), mutex.try_lock, event.count, latch.is_open, section.leave, lambda: events[0]):
            self.refuse(weir.NotFound, "destroyed before", use)

    def test_a_call_of_another_thread(self):
        """Memory in which a thread waits is not freed under it."""
        mutex = weir.Mutex(self.device)
        host.join(0, 2)
        mutex.lock()
        waits = threading.Event()

        def wait():
            host.join(1, 2)
            waits.set()
            mutex.lock()
            mutex.unlock()

        thread = threading.Thread(target=wait)
        thread.start()
        waits.wait(DEADLINE)
        while not mutex.handle.lives[0].in_use():
            pass
        self.refuse(weir.BadArgument, "this Mutex is in use", mutex.destroy)
        drain, weir.device._DRAIN_S = weir.device._DRAIN_S, 0.05
        self.addCleanup(setattr, weir.device, "_DRAIN_S", drain)
        self.refuse(weir.BadArgument, "the device is in use", self.device.close)
        mutex.unlock()
        thread.join(DEADLINE)
        self.assertFalse(thread.is_alive())
        mutex.destroy()

    def test_buffers(self):
        buffer = self.device.buffer(8)
        buffer.destroy()
        for use in buffer.read, buffer.destroy, lambda: buffer.size, lambda: buffer.address, lambda: buffer.write(b"x"):
            self.refuse(weir.NotFound, "this Buffer was destroyed before", use)
        with weir.Device("host") as other:
            buffer = other.buffer(8)
        for use in buffer.read, buffer.destroy, lambda: buffer.address:
            self.refuse(weir.DeviceClosed, "the device is closed", use)

    def test_crews(self):
        crew = self.crew(events=1, queue_slots=4, data_bytes=8, lanes=2)
        data, event, queue, token = crew.data(0), crew.event(0), crew.queue(0), crew.arrive()
        other = self.crew(lanes=64)
        self.refuse(weir.BadArgument, "one of another crew", crew.await_, other.lane_arrive(63))
        self.refuse(weir.BadType, "is no token", crew.await_, 1)
        view = data.view()
        self.refuse(weir.BadArgument, "still in use", crew.leave)
        del view
        crew.leave()
        for use in (data.view, lambda: data[0], event.count, lambda: event.wait(0), lambda: queue.try_push(1), crew.leave,
                    lambda: crew.await_(token), crew.diagnose, crew.abort, lambda: bytes(crew)):
            self.refuse(weir.NotFound, "was left before", use)

    def test_a_view_that_outlives_the_interpreter(self):
        code = ("import weir\n"
                "class Late:\n"
                "    def __init__(self, view): self.view = view\n"
                "    def __del__(self): self.view[0] = 1; print('late')\n"
                "crew = weir.Crew(rank=0, ranks=1, data_bytes=8)\n"
                "late = Late(crew.data(0).view())\n")
        done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              encoding="utf-8", timeout=DEADLINE)
        self.assertEqual((done.returncode, done.stdout), (0, "late\n"), done.stderr)

    @unittest.skipUnless(numpy, "numpy cannot be imported here")
    def test_shares_of_a_crew(self):
        words = weir.SharedCrew.size(1, data_bytes=8) // 4
        share = numpy.zeros(words, numpy.uint32)
        crew = weir.SharedCrew(self.device, [share], 0, data_bytes=8)
        share.resize(10**6, refcheck=False)
        self.refuse(weir.BadArgument, "freed or moved", crew.barrier)
        buffer = self.device.buffer(4 * words)
        crew = weir.SharedCrew(self.device, [buffer], 0, data_bytes=8)
        crew.barrier()
        buffer.destroy()
        self.refuse(weir.NotFound, "this Buffer was destroyed", crew.barrier)
        share = numpy.zeros(words, numpy.uint32)
        kept = weakref.ref(share)
        crew = weir.SharedCrew(self.device, [share], 0, data_bytes=8)
        view = crew.data(0).view()
        crew.destroy()
        del share, crew
        gc.collect()
        self.assertIsNotNone(kept())  # the view refers to it
        del view
        gc.collect()
        self.assertIsNone(kept())

    def test_a_device_lives_as_long_as_its_kernel(self):
        device, may_end = weir.Device("host"), threading.Event()
        device.launch(lambda: may_end.wait(DEADLINE), 2, 1)
        known = weakref.ref(device)
        del device
        gc.collect()
        self.assertIsNotNone(known())
        may_end.set()
        known().close()

    def test_a_watchdog_s_function_cannot_end_it(self):
        barrier = weir.Barrier(self.device, 2, diagnose=True)
        said, done = [], threading.Event()

        def found(_):
            for call in self.device.close, watch.stop, lambda: self.device.watch(1):
                try:
                    call()
                except weir.BadArgument as error:
                    said.append(str(error))
            done.set()

        watch = self.device.watch(0.05, found)
        self.device.launch(lambda: host.block_id() or barrier.wait(), 2, 1)
        self.assertTrue(done.wait(DEADLINE))
        self.assertEqual([text.split(", since")[0] for text in said],
                         [f"a watchdog's function cannot {what}" for what in (
                             "close the device", "stop the watchdog", "start another watchdog")])

    def test_a_kernel_that_waits_for_itself(self):
        mutex, buffer, device = weir.Mutex(self.device), self.device.buffer(4), self.device
        for call in (lambda: device.run(lambda: None, 1, 1), device.wait, device.close, mutex.reset, buffer.read,
                     lambda: weir.Mutex(device), lambda: device.buffer(4)):
            said = []

            def kernel():
                try:
                    call()
                except weir.BadArgument as error:
                    said.append(str(error))

            device.launch(kernel, 1, 1)
            device.wait(DEADLINE)
            self.assertIn("waits for the kernel that calls it", said[0])

    def test_a_team_of_a_larger_launch(self):
        teams = []
        self.device.run(lambda: teams.append(host.team_warp()), 1, 64)
        last = max(teams, key=lambda team: team.raw.first)
        for use in last.sync, lambda: last.value(1):
            self.refuse(weir.LaunchFailed, "team", self.device.run, use, 1, 1, timeout=DEADLINE)
        self.refuse(weir.BadType, "is no team", weir.Mutex(self.device).team_lock, 5)


class Numbers(Base):
    WRONG = (None, 1.5, "1", b"1", object(), float("nan"))  # not whole numbers
    FAR = (-1, 2**32, 2**40, 2**64, 10**5000, -2**31)

    def each(self, call, *, far=FAR, wrong=WRONG, exact=weir.BadArgument):
        for value in far:
            with self.subTest(value=str(value)[:20] if abs(value) < 2**70 else "huge"):
                self.refuse(exact, "must be|is not a number", call, value)
        for value in wrong:
            with self.subTest(value=value, line=getattr(getattr(call, "__code__", None), "co_firstlineno", call)):
                with self.assertRaises(weir.BadType) as caught:
                    call(value)
                self.assertIsInstance(caught.exception, TypeError)

    def test_whole_numbers(self):
        host.join(0, 1)
        device = self.device
        queue, wide, event = weir.Queue(device, 4), weir.Queue(device, 4, 8), weir.EventArray(device, 2, host_visible=True)
        one = event[0]
        combiner, tasks = weir.Combiner(device, 1), weir.Tasks(device, [[1], []])
        for call in (queue.push, queue.try_push, queue.block_push, lambda n: wide.push((1, n)), lambda n: queue.block_push_n(1, n),
                     one.signal, one.post, one.wait, one.reached, one.host_post, one.host_wait, one.block_signal,
                     weir.Semaphore(device, 4).wait, weir.Semaphore(device, 4).post, weir.Semaphore(device, 4).try_wait,
                     lambda n: list(weir.Dispenser(device, 4).shares(n)), weir.Dispenser(device, 4).of,
                     weir.Barrier(device, 1).await_, host.block_value, lambda n: host.join(0, n), lambda n: host.join(n, 2**32 - 1),
                     lambda n: host.team_named(n, 0, 32), lambda n: weir.group_range(n, 1),
                     lambda n: combiner.call(n, lambda x: x), tasks.next, lambda n: tasks.add(n),
                     lambda n: weir.EventArray.target(n, 1, 1), lambda n: event.latch(0, 1, n), lambda n: one.array.wait_all(0, n, 0),
                     queue.block_pop_some, lambda n: queue.block_pop_n(n)):
            self.each(call)
        self.each(weir.group_mask, far=(-1, 2**64, 10**5000))
        self.each(lambda n: list(weir.Dispenser(device, 4).shares(1, n)), wrong=[value for value in self.WRONG if value is not None])
        self.assertEqual(queue.length(), 0)
        self.assertEqual((one.count(), combiner.call(2**32 - 1, lambda x: x)), (0, 2**32 - 1))

    def test_sizes_and_options(self):
        device = self.device
        for make in (lambda n: weir.Barrier(device, n), lambda n: weir.Queue(device, n), lambda n: weir.MutexArray(device, n),
                     lambda n: weir.Semaphore(device, n), lambda n: weir.Dispenser(device, n), lambda n: weir.Group(device, n),
                     lambda n: weir.Combiner(device, n), lambda n: weir.Barrier.size(device, n),
                     lambda n: weir.Mutex(device, kind="ring", queue_slots=n), lambda n: weir.Mutex(device, backoff=(1, n)),
                     lambda n: weir.Event(device, signallers=n), lambda n: weir.Tasks(device, [[]], levels=[n]),
                     lambda n: weir.Barrier(device, 1, shards=n), lambda n: weir.Group(device, 1, delay=n),
                     lambda n: weir.Barrier(device, 1, first_block=n), lambda n: device.resident_blocks(print, n),
                     lambda n: device.launch(print, n, 1), lambda n: device.launch(print, (1, n), 1),
                     lambda n: device.launch(print, 1, n), lambda n: device.launch(print, 1, 1, cluster=n)):
            wrong = [value for value in self.WRONG if value is not None]
            self.each(make, wrong=wrong)
        for make in (device.buffer, lambda n: weir.Queue(device, 4, n), lambda n: device.launch(print, 1, 1, shared_bytes=n),
                     lambda n: weir.Mutex(device, memory_offset=n), lambda n: self.crew(data_bytes=n)):
            self.each(make, far=(-1, 2**63, 2**64, 10**5000))
        for name in ("lanes", "events", "queue_slots", "blocks", "radix", "copies"):
            self.each(lambda n: self.crew(**{name: n}))
        for make, flag in ((weir.Event, "diagnose"), (weir.Mutex, "fair"), (weir.Event, "compact"), (weir.Event, "host_visible")):
            for value in (2, -1, "no", None, []):
                self.refuse(weir.BadType, f"{flag} is .*, but it must be True or False", make, device, **{flag: value})
        self.refuse(weir.BadType, "a pair", weir.Mutex, device, backoff=5)
        self.refuse(weir.BadType, "kind is 3", weir.Mutex, device, kind=3)
        buffer = device.buffer(8)
        for call in (lambda n: buffer.read(1, n), lambda n: buffer.read(n), lambda n: buffer.write(b"x", n)):
            self.each(call, far=(-1, 9, 2**64, 2**64 - 1), wrong=[value for value in self.WRONG if value is not None])
        self.refuse(weir.BadType, "neither bytes nor an array", buffer.write, "text")

    def test_the_size_takes_as_many_numbers_as_the_object(self):
        device = self.device
        for cls, least, most in ((weir.Mutex, 0, 0), (weir.Barrier, 1, 1), (weir.Semaphore, 1, 2), (weir.Queue, 1, 2),
                                 (weir.Once, 0, 0), (weir.Event, 0, 0), (weir.EventArray, 0, 1), (weir.Condition, 0, 0)):
            for count in range(4):
                if least <= count <= most:
                    size = cls.size(device, *[4] * count)
                    self.assertIsInstance(size, int)
                    self.assertEqual((size % 4, cls.alignment(device, *[4] * count) % 4), (0, 0))
                else:
                    self.refuse(weir.BadType, f"{count} are given", cls.size, device, *[4] * count)
        self.assertEqual(weir.Semaphore.size(device, 4, 1), weir.Semaphore.size(device, 4))
        self.refuse(weir.BadType, "no device", weir.Barrier.size, None, 4)

    def test_data_of_a_crew(self):
        data = self.crew(data_bytes=8).data(0)
        self.each(lambda n: data.__setitem__(0, n))
        self.assertEqual(bytes(data.view()), bytes(8))
        self.each(lambda n: data[n], far=(), wrong=[None, 1.5, "0", slice(0, 1)])
        for index in (2, -3, 2**64, 10**5000):
            self.refuse(IndexError, "of 2", data.__getitem__, index)
        data[-1] = True
        self.assertEqual((data[1], len(data)), (1, 2))

    def test_indices(self):
        crew = self.crew(events=2, lanes=2)
        for array in weir.EventArray(self.device, 2), weir.MutexArray(self.device, 2):
            for index in (2, -1, 2**32, 2**64):
                self.refuse(IndexError, "past the end", array.__getitem__, index)
            self.refuse(weir.BadType, "not the index", array.__getitem__, slice(0, 1))
        for call in crew.data, crew.event, crew.lane_arrive:
            self.each(call, far=(-1, 2, 2**32))
        events = weir.EventArray(self.device, 4)
        host.join(0, 1)
        for first, count in ((0, 5), (3, 2), (0, 0), (2, 2**32 - 1)):
            for wait in events.wait_all, events.wait_any:
                self.refuse(weir.BadArgument, "number of events", wait, first, count, 0)
        self.refuse(IndexError, "past the end", events.wait_any, 4, 1, 0)

    def test_objects_of_another_class(self):
        host.join(0, 1)
        condition, queue = weir.Condition(self.device), weir.Queue(self.device, 4)
        for wait in condition.wait, condition.block_wait:
            self.refuse(weir.BadType, "is no weir.Mutex", wait, queue, 0.1)
        self.refuse(weir.BadType, "must be a weir.Barrier", self.device.launch, print, 1, 1, barrier=queue)
        barrier = weir.Barrier(self.device, 4)
        self.refuse(weir.BadType, "is no weir.Member", barrier.group_wait, (1, 0, 1))
        self.refuse(weir.BadArgument, "rank 7 of a group of 10", barrier.group_wait, weir.Member(True, 7, 10))
        self.refuse(weir.BadArgument, "rank 0 of a group of 8", weir.Group(self.device, 4).wait, weir.Member(True, 0, 8))
        self.refuse(weir.BadType, "is no function", weir.Combiner(self.device, 1).call, 1, None)
        for device in ("host", 3, self.device.buffer(4)):
            for make in (lambda: weir.Queue(device, 4), lambda: weir.Buffer(device, 4), lambda: weir.Program(device, b"x"),
                         lambda: weir.Crew(device), lambda: weir.SharedCrew(device, [], 0)):
                self.refuse(weir.BadType, "is no device", make)

    def test_timeouts(self):
        host.join(0, 1)
        mutex, event = weir.Mutex(self.device), weir.Event(self.device, host_visible=True)
        crew = self.crew(events=1, queue_slots=4)
        barrier = weir.Barrier(self.device, 1, diagnose=True)
        for call in (mutex.lock, lambda t: event.wait(1, t), lambda t: event.host_wait(1, t), self.device.wait,
                     lambda t: self.device.run(lambda: None, 1, 1, timeout=t), lambda t: crew.event(0).wait(1, t),
                     lambda t: crew.queue(0).pop(t), crew.barrier, crew.diagnose, self.device.watch,
                     lambda t: weir.Crew(rank=0, ranks=1, timeout=t)):
            for value in (-1, float("nan"), float("-inf"), -10**5000):
                self.refuse(weir.BadArgument, "must be 0 or more", call, value)
            for value in ("1", b"1", [], object()):
                self.refuse(weir.BadType, "must be a number", call, value)
        for value in (float("inf"), 1e300, 10**5000, 2**63, True):
            self.assertTrue(mutex.lock(value))
            mutex.unlock()
            crew.barrier(value)
            self.device.run(lambda: None, 1, 1, timeout=value)
        self.device.watch(float("inf")).stop()
        barrier.destroy()

    def test_texts(self):
        for name in ("a\0b", "\ud800"):
            for call in (weir.Device, lambda text: weir.Mutex(self.device, name=text),
                         lambda text: weir.Crew(rank=0, ranks=1, name=text), weir.compile, weir.run_program):
                self.refuse(weir.BadArgument, "has a NUL in it|UTF-8", call, name)
        self.refuse(weir.BadType, "must be a str", weir.Mutex, self.device, name=3)
        self.refuse(weir.BadType, "must be a list of str", weir.compile, "", options="-G")

    def test_bools_and_numbers_of_numpy(self):
        host.join(0, 1)
        queue = weir.Queue(self.device, 8)
        given = [True, False]
        if numpy:
            given += [numpy.uint32(2**32 - 1), numpy.int8(3), numpy.array(7)]
            for value in (numpy.int8(-1), numpy.uint64(2**32)):
                self.refuse(weir.BadArgument, "must be", queue.push, value)
            for value in (numpy.float32(1), numpy.zeros((2, 2)), numpy.array([1.0])):
                self.refuse(weir.BadType, "", queue.push, value)
            self.assertEqual(weir.Barrier(self.device, numpy.int64(4)).blocks, 4)
            wide = weir.Queue(self.device, 4, 8)
            wide.push(numpy.array([1, 2], numpy.uint32))
            self.assertEqual(wide.pop(), (1, 2))
            self.device.run(lambda: None, numpy.int64(2), (numpy.uint8(1),))
        for value in given:
            queue.push(value)
        self.assertEqual([queue.pop() for _ in given], [int(value) for value in given])
        for value in ({1: 2}, {1}, "a", bytearray(4)):
            self.refuse(weir.BadType, "neither a whole number nor a tuple", queue.push, value)


class Errors(Base):
    def test_every_exception_is_pickled_with_its_attributes(self):
        classes = [cls for cls in vars(weir.errors).values() if isinstance(cls, type) and issubclass(cls, BaseException)]
        self.assertGreater(len(classes), 20)
        report = weir.Report("text", "{}", 1, 2)
        more = {"KernelError": (3, 4), "Hang": ("{}",), "TimedOut": (report,)}
        for cls in classes:
            with self.subTest(cls=cls.__name__):
                error = cls("what happened", *more.get(cls.__name__, ()))
                for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                    again = pickle.loads(pickle.dumps(error, protocol))
                    self.assertEqual((type(again), str(again), vars(again)), (cls, "what happened", vars(error)))
                again = copy.copy(error)
                self.assertEqual((type(again), vars(again)), (cls, vars(error)))

    def test_a_kernel_error_of_a_real_kernel(self):
        with self.assertRaises(weir.KernelError) as caught:
            self.device.run(lambda: 1 // (1 - host.block_id()), 2, 1)
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((again.block, again.thread, str(again)), (1, 0, str(caught.exception)))

    def test_a_timeout_says_where_the_kernel_is(self):
        barrier = weir.Barrier(self.device, 3, diagnose=True, name="steps")

        def late(b):
            if host.block_id() != 2:
                b.wait()  # the line

        line = late.__code__.co_firstlineno + 2
        with self.assertRaises(weir.TimedOut) as caught:
            self.device.run(late, 3, 1, (barrier,), timeout=0.3)
        text = str(caught.exception)
        self.assertRegex(text, "^the kernel did not end within 0.3 s, and was ended: ")
        self.assertIn(f"block 0, thread 0; block 1, thread 0 at test_misuse.py:{line} in late", text)
        self.assertIn("'steps'", text)
        self.assertIn("steps", caught.exception.report.json)
        self.assertEqual(pickle.loads(pickle.dumps(caught.exception)).report, caught.exception.report)
        self.device.run(lambda: None, 1, 1)  # it was ended
        barrier.destroy()

    def test_a_timeout_of_a_kernel_without_diagnosed_objects(self):
        may_end = threading.Event()
        self.device.launch(lambda: may_end.wait(DEADLINE), 1, 1)
        with self.assertRaisesRegex(weir.TimedOut, "^the kernel still runs after 0.2 s: block 0, thread 0 at") as caught:
            self.device.wait(0.2)
        self.assertIsNone(caught.exception.report)
        self.assertIn("diagnose=True", str(caught.exception))
        may_end.set()
        self.device.wait()

    def test_a_timeout_of_the_host_s_side(self):
        event = weir.Event(self.device, host_visible=True)
        self.refuse(weir.TimedOut, "not yet at 1 after 0.12 seconds", event.host_wait, 1, 0.12)

    def test_modules_of_frameworks_that_are_not_here(self):
        code = ("import sys, importlib\n"
                "for name in sys.argv[2].split(','): sys.modules[name] = None\n"
                "try: importlib.import_module('weir.' + sys.argv[1])\n"
                "except ImportError as error: print(error)\n")
        for module, blocked, words in (("cupy", "cupy", "weir.cupy needs CuPy.*pip install cupy"),
                                       ("torch", "torch", "weir.torch needs PyTorch.*pip install torch"),
                                       ("cuda_core", "cuda,cuda.core", "weir.cuda_core needs cuda.core.*pip install cuda-core"),
                                       ("numba", "numba,numba.cuda", "weir.numba needs Numba-CUDA.*pip install numba-cuda"),
                                       ("triton", "triton,triton.language", "weir.triton needs Triton.*pip install triton")):
            done = subprocess.run([sys.executable, "-c", code, module, blocked], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, encoding="utf-8", timeout=DEADLINE)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertRegex(done.stdout, words)

    def test_representations(self):
        device = self.device
        events, mutexes = weir.EventArray(device, 5), weir.MutexArray(device, 3)
        for one, words in ((weir.Barrier(device, 4, name="steps"), "weir.Barrier (\\w+) of 4 blocks 'steps' on host"),
                           (weir.Mutex(device, kind="ticket"), "weir.Mutex ticket on host"), (mutexes, "MutexArray \\w+ of 3 on"),
                           (mutexes[1], "weir.ElementMutex .*1 of <weir.MutexArray"), (weir.Semaphore(device, 7), "of 7 slots"),
                           (weir.Queue(device, 8, 12), "of 8 items of 12 bytes"), (events, "EventArray \\w+ of 5"),
                           (events[2], "weir.ElementEvent 2 of <weir.EventArray \\w+ of 5"), (events.latch(0, 3), "weir.Latch to 3"),
                           (events.sequence(0, 3), "weir.OrderedSection from 0"), (weir.Dispenser(device, 9), "of 9 items"),
                           (weir.Dispenser(device, 9).of(3), "of 3 items"), (weir.Tasks(device, [[1], []]), "of 2 tasks"),
                           (weir.Combiner(device, 6, words=2), "of 6 blocks, 2 words"), (weir.Group(device, 6), "of up to 6 blocks"),
                           (device.buffer(12), "weir.Buffer of 12 bytes on host"), (device, "weir.Device host, \\d+ units"),
                           (weir.Kernel(1, "step", None, []), "weir.Kernel step of 0 parameters"),
                           (host.team_block(), "weir.host.Team of 1 threads")):
            self.assertRegex(repr(one), words)
        crew = self.crew(data_bytes=8, queue_slots=4, events=2)
        for one, words in ((crew, "weir.Crew rank 0 of 1, 8 bytes of data 'misuse"), (crew.data(0), "CrewData of 8 bytes of rank 0"),
                           (crew.queue(0), "CrewQueue .*of 4 items of 4 bytes of rank 0"), (crew.event(0, 1), "CrewEvent 1 of "),
                           (crew.arrive(), "Token of <weir.Crew")):
            self.assertRegex(repr(one), words)
        crew.leave()
        self.assertRegex(repr(crew), ", left>$")
        mutex, buffer, kept = weir.Mutex(device), device.buffer(4), weir.Mutex(device)
        mutex.destroy()
        buffer.destroy()
        device.close()
        self.assertRegex(repr(mutex), ", destroyed>$")
        self.assertRegex(repr(buffer), "^<weir.Buffer on host, destroyed>$")
        self.assertRegex(repr(kept), ", its device closed>$")
        self.assertRegex(repr(device), ", closed>$")


def _table(device, other):
    """Mistakes, one a row: name, exception, words of its text, what is done. The names are those of test/api/misuses.h where
    that has the same mistake."""
    gone, elsewhere, four = weir.Barrier(device, 4), weir.Barrier(other, 4), weir.Barrier(device, 4)
    gone.destroy()
    closed = weir.Device("host")
    closed.close()
    mutex, small, lost = weir.Mutex(device), device.buffer(64), device.buffer(8)
    lost.destroy()
    private, seen = weir.EventArray(device, 3), weir.EventArray(device, 3, host_visible=True)
    pops, pushes = weir.Queue(device, 4, host_side=weir.HOST_POPS), weir.Queue(device, 4, host_side=weir.HOST_PUSHES)
    wide = weir.Queue(device, 4, 8)
    run = functools.partial(device.run, timeout=DEADLINE)

    def wait(barrier):
        barrier.wait()

    def nothing(*_):
        pass

    def apart(block, count):
        """A thread of its own comes to the barrier of four, which raises there."""
        raised = []

        def come():
            try:
                if count:
                    host.join(block, count)
                four.wait()
            except Exception as error:  # it is raised again in the test's thread
                raised.append(error)

        thread = threading.Thread(target=come)
        thread.start()
        thread.join(DEADLINE)
        if raised:
            raise raised[0]

    bad, wrong = weir.BadArgument, weir.BadType
    return [
        # Devices.
        ("open_an_unknown_name", weir.NoDevice, "'nowhere' is not the name of a device", lambda: weir.Device("nowhere")),
        ("open_a_device_past_the_last", weir.NoDevice, "no device host:7", lambda: weir.Device("host:7")),
        ("open_by_a_number", bad, "is not the name of a device", lambda: weir.Device(3)),
        ("use_a_closed_device", weir.DeviceClosed, "the device is closed", lambda: weir.Barrier(closed, 2)),
        ("launch_on_a_closed_device", weir.DeviceClosed, "the device is closed", lambda: closed.launch(nothing, 1, 1)),
        ("no_device", wrong, "is no device", lambda: weir.Barrier("host", 2)),
        ("diagnose_without_diagnosed_objects", weir.NotFound, "no diagnosed objects", other.diagnose),
        ("wait_a_negative_time", bad, "must be 0 or more", lambda: device.wait(-1)),
        # Memory.
        ("a_buffer_of_nothing", bad, "0 bytes", lambda: device.buffer(0)),
        ("read_past_a_buffer", bad, "the bytes to read is 8, but it must be from 0 to 4", lambda: small.read(8, 60)),
        ("write_past_a_buffer", bad, "of a buffer of 64", lambda: small.write(b"x" * 65)),
        ("a_destroyed_buffer", weir.NotFound, "destroyed before", lambda: lost.read()),
        # Creation.
        ("a_barrier_of_no_blocks", bad, "a barrier of 0 blocks", lambda: weir.Barrier(device, 0)),
        ("a_barrier_for_too_many_blocks", weir.TooManyBlocks, "no kernel has", lambda: weir.Barrier(device, 100000000)),
        ("a_group_of_no_blocks", bad, "a group for grids of 0 blocks", lambda: weir.Group(device, 0)),
        ("a_kind_that_is_none", bad, "fancy", lambda: weir.Mutex(device, kind="fancy")),
        ("a_member_that_the_kind_lacks", bad, "queue_slots", lambda: weir.Mutex(device, kind="ticket", queue_slots=8)),
        ("an_option_that_is_none", bad, "no option of a mutex is called .colour.", lambda: weir.Mutex(device, colour=3)),
        ("more_shards_than_blocks", bad, "shards is 8", lambda: weir.Barrier(device, 2, kind="counter", shards=8)),
        ("a_backoff_that_shrinks", bad, "a backoff from 3 up to 2", lambda: weir.Mutex(device, backoff=(3, 2))),
        ("a_semaphore_of_no_slots", bad, "0 slots", lambda: weir.Semaphore(device, 0)),
        ("a_semaphore_above_its_maximum", bad, "above its maximum", lambda: weir.Semaphore(device, 2, 3)),
        ("an_array_of_no_mutexes", bad, "0 mutexes", lambda: weir.MutexArray(device, 0)),
        ("an_array_of_no_events", bad, "0 events", lambda: weir.EventArray(device, 0)),
        ("a_queue_for_no_items", bad, "0 items", lambda: weir.Queue(device, 0)),
        ("a_queue_of_odd_items", bad, "6 bytes", lambda: weir.Queue(device, 4, 6)),
        ("a_graph_with_a_cycle", bad, "cycle", lambda: weir.Tasks(device, [[1], [0]])),
        ("an_edge_to_no_task", bad, "successor", lambda: weir.Tasks(device, [[7], []])),
        ("a_combiner_of_wide_operations", bad, "9", lambda: weir.Combiner(device, 2, words=9)),
        ("memory_that_is_no_array", wrong, "a Buffer is no array", lambda: weir.Barrier(device, 2, memory=small)),
        ("an_offset_without_memory", bad, "memory_offset", lambda: weir.Once(device, memory_offset=8)),
        # Objects that are gone.
        ("destroy_twice", weir.NotFound, "destroyed before", gone.destroy),
        ("reset_what_is_destroyed", weir.NotFound, "destroyed before", gone.reset),
        ("use_what_is_destroyed", weir.NotFound, "destroyed before", gone.wait),
        # Launches.
        ("launch_no_kernel", bad, "cannot be called", lambda: device.launch(None, 1, 1)),
        ("a_grid_of_no_blocks", bad, "grid", lambda: run(nothing, 0, 1)),
        ("a_block_of_no_threads", bad, "block", lambda: run(nothing, 1, 0)),
        ("a_block_of_too_many_threads", bad, "1000000", lambda: run(nothing, 1, 1000000)),
        ("a_grid_of_four_dimensions", bad, "grid", lambda: run(nothing, (1, 1, 1, 1), 1)),
        ("arguments_without_a_list", bad, "a tuple or a list", lambda: run(nothing, 1, 1, 5)),
        ("a_grid_smaller_than_its_barrier", bad, "4", lambda: run(nothing, 3, 1, barrier=four)),
        ("a_grid_larger_than_its_barrier", bad, "4", lambda: run(nothing, 5, 1, barrier=four)),
        ("pass_a_barrier_to_a_smaller_grid", bad, "4", lambda: run(wait, 3, 1, (four,))),
        ("pass_a_barrier_to_a_larger_grid", weir.LaunchFailed, "block 4 came to a barrier that is not for it", lambda: run(wait, 5, 1, (four,))),
        ("more_blocks_than_run_at_once", weir.TooManyBlocks, "run at once", lambda: run(nothing, 1 << 24, 1, cooperative=True)),
        ("clusters_that_do_not_divide_the_grid", bad, "do not divide", lambda: run(nothing, 4, 1, cluster=3)),
        ("a_stream_where_there_is_none", weir.Unsupported, "no streams", lambda: run(nothing, 1, 1, stream=5)),
        ("shared_memory_where_there_is_none", weir.Unsupported, "shared memory", lambda: run(nothing, 1, 1, shared_bytes=64)),
        ("launch_with_a_destroyed_barrier", weir.NotFound, "destroyed before", lambda: run(nothing, 4, 1, barrier=gone)),
        ("launch_with_a_barrier_of_another_device", bad, "another device", lambda: run(nothing, 4, 1, barrier=elsewhere)),
        ("pass_a_destroyed_barrier", weir.NotFound, "destroyed before", lambda: run(wait, 4, 1, (gone,))),
        ("pass_a_barrier_of_another_device", bad, "another device", lambda: run(wait, 4, 1, (elsewhere,))),
        # In kernels.
        ("come_to_a_barrier_of_more_blocks", weir.LaunchFailed, "4", lambda: run(lambda: four.wait(), 3, 1)),
        ("come_as_a_block_too_many", weir.LaunchFailed, "block", lambda: run(lambda: four.wait(), 5, 1)),
        ("make_a_team_of_no_threads", weir.LaunchFailed, "team", lambda: run(lambda: host.team_named(1, 0, 0).sync(), 1, 1)),
        ("join_in_a_kernel", weir.KernelError, "a thread of a kernel is a block.s thread already", lambda: run(lambda: host.join(0, 1), 1, 1)),
        ("raise_in_a_kernel", weir.KernelError, "division", lambda: run(lambda: 1 // 0, 1, 1)),
        ("push_an_item_that_is_too_large", weir.KernelError, "must be", lambda: run(lambda: pops.push(2**32), 1, 1)),
        ("wait_too_briefly", weir.TimedOut, "did not end within 0.1 s", lambda: device.run(lambda: seen[0].wait(9), 1, 1, timeout=0.1)),
        # Threads of the program's own.
        ("join_past_the_count", bad, "block 4 of 4", lambda: host.join(4, 4)),
        ("join_as_one_of_none", bad, "", lambda: host.join(0, 0)),
        ("come_without_joining", bad, "none of its 4 blocks", lambda: apart(0, 0)),
        ("join_with_too_few", bad, "block 0 of 3 came to a barrier of 4", lambda: apart(0, 3)),
        ("join_with_too_many", bad, "block 1 of 9 came to a barrier of another number", lambda: apart(1, 9)),
        # The host's side of events and queues.
        ("count_an_event_of_kernels", bad, "host_visible", lambda: private[0].host_count()),
        ("post_past_the_array", IndexError, "past the end", lambda: seen[9].host_post(1)),
        ("wait_for_an_event_that_nobody_posts", weir.TimedOut, "not yet at 5", lambda: seen[1].host_wait(5, 0.01)),
        ("push_where_the_host_pops", bad, "", lambda: pops.host_push(1, 0.01)),
        ("pop_where_the_host_pushes", bad, "", lambda: pushes.host_pop(0.01)),
        ("pop_an_empty_queue", weir.TimedOut, "", lambda: pops.host_pop(0.01)),
        ("close_the_side_of_kernels", bad, "", pops.host_close),
        ("push_one_number_for_two", bad, "an item of 1 words for a queue of items of 2", lambda: wide.push(1)),
        # Crews.
        ("a_rank_past_the_last", bad, "must be", lambda: weir.Crew(rank=2, ranks=2, name="misuse")),
        ("a_rank_without_the_ranks", bad, "given together", lambda: weir.Crew(rank=0)),
        ("a_rank_that_does_not_come", weir.NoRank, "", lambda: weir.Crew(rank=0, ranks=2, name=f"misuse.{os.getpid()}", timeout=0.05)),
        ("a_mutex_for_a_barrier", wrong, "must be a weir.Barrier", lambda: run(nothing, 1, 1, barrier=mutex)),
    ]


class Table(Base):
    def test_each_row_raises_and_says_why(self):
        other = weir.Device("host")
        self.addCleanup(other.close)
        rows = _table(self.device, other)
        self.assertGreaterEqual(len(rows), 60)
        self.assertEqual(len({name for name, *_ in rows}), len(rows))
        for name, exception, words, call in rows:
            with self.subTest(name=name):
                with self.assertRaisesRegex(exception, words) as caught:
                    call()
                self.assertGreaterEqual(len(str(caught.exception)), 10)
        self.device.run(lambda: None, 1, 1)  # the device is as good as before


if __name__ == "__main__":
    faulthandler.enable()
    common.end_after(240)
    common.main()
