"""Crews of ranks in one process, and of real processes that `weir crew` starts, one of which is killed."""
import ctypes
import os
import tempfile
import time
import unittest

import common
import weir
from weir import host

DEADLINE = 120
unused = common.note_operations()


class Shared(unittest.TestCase):
    """Two ranks of two blocks each, in one grid: blocks 0 and 1 are rank 0."""

    def setUp(self):
        self.device = weir.Device("host")
        self.addCleanup(self.device.close)

    def crews(self, **options):
        size = weir.SharedCrew.size(2, **options)
        shares = [self.device.buffer(size) for _ in range(2)]
        return [weir.SharedCrew(self.device, shares, rank, blocks=2, first_block=2 * rank, **options)
                for rank in range(2)]

    def run_ranks(self, kernel, crews, threads=1):
        self.device.run(lambda a, b: kernel((a, b)[host.block_id() // 2]), 4, threads, crews, timeout=DEADLINE)

    def test_barriers(self):
        wrong = []

        def kernel(crew):
            for phase in range(1, 30):
                if host.block_id() % 2 == 0 and host.thread_id() == 0:
                    crew.data(crew.rank)[phase % 2] = phase
                if phase % 3 == 0:
                    crew.await_(crew.arrive())
                else:
                    crew.barrier(timeout=DEADLINE)
                wrong.extend(rank for rank in range(crew.ranks) if crew.data(rank)[phase % 2] != phase)

        self.run_ranks(kernel, self.crews(data_bytes=8), threads=2)
        self.assertEqual(wrong, [])

    def test_lanes_events_and_queues(self):
        seen = []

        def kernel(crew):
            other = 1 - crew.rank
            lane = host.block_id() % 2
            crew.lane_barrier(lane)
            if lane == 0:
                crew.event(other, 1).post(3)
                self.assertTrue(crew.event(crew.rank, 1).wait(3))
                self.assertFalse(crew.event(crew.rank, 0).wait(1, timeout=0.001))
                self.assertEqual(crew.event(crew.rank, 1).count(), 3)
            else:
                crew.queue(other).push(10 + crew.rank)
                seen.append((crew.rank, crew.queue(crew.rank).pop()))
                self.assertIsNone(crew.queue(crew.rank).pop(timeout=0.001))
            crew.lane_barrier(lane, timeout=DEADLINE)

        self.run_ranks(kernel, self.crews(lanes=2, events=2, queue_slots=4))
        self.assertEqual(sorted(seen), [(0, 11), (1, 10)])

    def test_an_abort_ends_all_waits(self):
        caught = []

        def kernel(crew):
            try:
                if host.block_id() == 3:
                    crew.abort()
                elif host.block_id() == 2:
                    crew.event(1).wait(1)
                else:
                    crew.barrier()
            except weir.CrewAborted as error:
                caught.append(str(error))

        self.run_ranks(kernel, self.crews(events=1))
        self.assertEqual(caught, ["rank 1 has aborted the crew"] * 3)

    def test_a_rank_that_does_not_come(self):
        crew, _ = self.crews()
        token = crew.lane_arrive()
        self.assertFalse(crew.await_(token, timeout=0.001))
        self.assertFalse(crew.await_(token, timeout=0))  # it may wait again
        with self.assertRaisesRegex(weir.NoRank, "a rank has not arrived in 0.0 s"):
            self.crews()[0].lane_barrier(timeout=0.001)
        crew.destroy()
        self.assertRaises(weir.NotFound, crew.arrive)

    def test_bad_input(self):
        crew, _ = self.crews()
        for wrong in (lambda: crew.lane_barrier(1), lambda: crew.lane_barrier(-1), lambda: crew.queue(0),
                      lambda: crew.data(2), lambda: weir.SharedCrew(self.device, [], 0),
                      lambda: weir.SharedCrew(self.device, [0], 0), lambda: weir.SharedCrew(self.device, [2], 0),
                      lambda: weir.SharedCrew(self.device, [4096] * 2, 2),
                      lambda: weir.SharedCrew(self.device, [4096], 0, lanes=0),
                      lambda: weir.SharedCrew(self.device, ["here"], 0),
                      lambda: weir.SharedCrew(self.device, [self.device.buffer(64)], 0)):
            self.assertRaises(weir.BadArgument, wrong)
        self.assertRaises(IndexError, crew.event, 0, 0)
        with self.assertRaisesRegex(weir.BadArgument, "2 blocks of the grid come to the crew's barrier, and it has 1"):
            self.device.launch(lambda c: None, 1, 1, (crew,))
        with weir.Device("host") as other, self.assertRaisesRegex(weir.BadArgument, "another device"):
            other.launch(lambda c: None, 4, 1, (crew,))

    def test_an_array_of_the_caller(self):
        room = (ctypes.c_uint32 * (weir.SharedCrew.size(1) // 4))()
        array = type("Array", (), {"__array_interface__": {
            "shape": (len(room),), "typestr": "<u4", "version": 3, "data": (ctypes.addressof(room), False)}})()
        with weir.SharedCrew(self.device, [array], 0) as crew:
            crew.barrier(timeout=DEADLINE)
            self.assertEqual((crew.arguments[1:], crew.arguments[0].size), ((1, 0), 8))
            self.assertEqual(len(bytes(crew)), ctypes.sizeof(crew.handle))
        self.assertIn("destroyed", repr(crew))


class Alone(unittest.TestCase):
    """Without a launcher a process is a crew of one."""

    def setUp(self):
        for name in common.LAUNCHERS:
            self.addCleanup(os.environ.__setitem__ if name in os.environ else os.environ.pop, name,
                            os.environ.pop(name, None))

    def test_all(self):
        with weir.Crew(data_bytes=5, blocks=3) as crew:
            self.assertEqual((crew.rank, crew.ranks, len(crew.data(0))), (0, 1, 2))
            crew.device.run(lambda c: c.barrier(timeout=DEADLINE), 3, 2, (crew,), timeout=DEADLINE)
            view = crew.data(0).view()
            view[:4] = b"\1\0\0\0"
            self.assertEqual(crew.data(0)[0], 1)
            part = view[4:]
            del view
            with self.assertRaisesRegex(weir.BadArgument, "still in use"):
                crew.leave()
            del part
            report = crew.diagnose(1.5)
            self.assertEqual((report.missing, report.gone, report.ranks[0].state), (0, 0, "alive"))
            self.assertRaises(AttributeError, lambda: crew.data(0).__cuda_array_interface__)
        self.assertRaises(weir.NotFound, crew.barrier)
        self.assertRaises(weir.NotFound, crew.leave)
        self.assertIn("left", repr(crew))

    def test_an_abort(self):
        with weir.Crew(events=1, queue_slots=2) as crew:
            crew.abort()
            for wait in (lambda: crew.event(0).wait(1), crew.queue(0).pop):
                with self.assertRaisesRegex(weir.CrewAborted, "rank 0 has aborted the crew"):
                    wait()

    def test_a_diagnosis(self):
        own = weir.Device("host")
        self.addCleanup(own.close)
        for device in (own, weir.Device.shared("host")):
            hangs = []

            def bark(report):
                ends = time.monotonic() + DEADLINE
                while "crew_block" not in report.text and time.monotonic() < ends:
                    time.sleep(0.1)  # the other block has not ended yet
                    report = device.diagnose()
                hangs.append(report.text)
                device.abort()

            with weir.Crew(device, blocks=2, name="halo", diagnose=True) as crew:
                with device.watch(0.7, bark):  # longer than a slice of the wait
                    with self.assertRaises(weir.Aborted):
                        device.run(lambda c: host.block_id() or c.barrier(), 2, 1, (crew,), timeout=DEADLINE)
                self.assertRegex(hangs[0], r"crew_block: block 0 waits at the barrier of crew 'halo' for phase 1 since "
                                           r".* in \w+\.py:\d+\. 1 of this rank's 2 blocks has arrived")
            self.assertIn("crew 'halo', rank 0 of 1, destroyed", device.diagnose().text)
        with weir.Crew() as crew:
            self.assertEqual(crew.handle.id, 0)

    def test_bad_input(self):
        for options in ({"rank": 0}, {"ranks": 2}, {"rank": 2, "ranks": 2}, {"rank": 0, "ranks": 257},
                        {"rank": 0, "ranks": 1, "name": "a/b"}, {"radix": 1}, {"lanes": -1}, {"timeout": 0},
                        {"data_bytes": -1}, {"timeout": float("nan")}):
            with self.assertRaises(weir.BadArgument, msg=str(options)):
                weir.Crew(**options)

    def test_a_rank_that_never_starts(self):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["WEIR_CREW_DIR"] = folder
            self.addCleanup(os.environ.pop, "WEIR_CREW_DIR")
            with self.assertRaisesRegex(weir.NoRank, "rank 1 has not arrived within 0.1 s"):
                weir.Crew(rank=0, ranks=2, name="nobody", timeout=0.1)

    def test_a_launcher_that_says_nonsense(self):
        os.environ.update(RANK="5", WORLD_SIZE="2", LOCAL_WORLD_SIZE="2", TORCHELASTIC_RUN_ID="none")
        for name in ("RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "TORCHELASTIC_RUN_ID"):
            self.addCleanup(os.environ.pop, name, None)
        with self.assertRaisesRegex(weir.BadArgument, "RANK=5 and WORLD_SIZE=2"):
            weir.Crew()
        del os.environ["TORCHELASTIC_RUN_ID"]  # somebody else's RANK
        weir.Crew().leave()


class Last(unittest.TestCase):
    """After the others: every operation of a crew was used there."""

    def test_every_operation_was_used(self):
        self.assertEqual([name for name in unused() if name.startswith("crew_")], [])


class Processes(unittest.TestCase):
    def test_four_ranks_meet(self):
        done = common.start_crew(4, "meet")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.split("\n")[:4], [f"rank {rank} of 4: the sum is 10" for rank in range(4)])

    def test_a_killed_rank_is_named(self):
        done = common.start_crew(4, "kill")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stdout.count("NoRank names rank 2"), 3, done.stdout + done.stderr)
        self.assertIn("rank 2 was ended by signal 9", done.stderr)


def load_tests(loader, _, __):
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in (Shared, Alone, Processes, Last))


if __name__ == "__main__":
    common.main()
