"""Kernels that are Python functions, on the host machine: every operation of every object."""
import threading
import time
import unittest

import common
import weir
from weir import host

DEADLINE = 120  # seconds: for a hang, not for a slow computer
unused = common.note_operations()


class Host(unittest.TestCase):
    def setUp(self):
        self.device = weir.Device("host")
        self.addCleanup(self.device.close)

    def run_kernel(self, kernel, grid, block, *arguments, **options):
        return self.device.run(kernel, grid, block, arguments, timeout=DEADLINE, **options)


class Places(Host):
    def test_every_thread_of_every_block_runs(self):
        seen = []

        def kernel():
            seen.append((host.block_id(), host.thread_id(), host.block_count(), host.thread_count()))

        self.run_kernel(kernel, (2, 3), 4)
        self.assertEqual(sorted(seen), sorted((b, t, 6, 4) for b in range(6) for t in range(4)))

    def test_clusters(self):
        seen = []

        def kernel():
            seen.append((host.cluster_id(), host.cluster_rank(), host.cluster_size()))

        self.run_kernel(kernel, 4, 1, cluster=2)
        self.assertEqual(sorted(seen), [(0, 0, 2), (0, 1, 2), (1, 0, 2), (1, 1, 2)])

    def test_block_sync_and_value(self):
        wrong = []

        def kernel(shared):
            shared[host.block_id()][host.thread_id()] = 1
            host.block_sync()
            if sum(shared[host.block_id()]) != host.thread_count():
                wrong.append(host.block_id())
            if host.block_value(7 + host.thread_id()) != 7:
                wrong.append("value")
            host.block_sync()

        self.run_kernel(kernel, 3, 4, [[0] * 4 for _ in range(3)])
        self.assertEqual(wrong, [])

    def test_teams(self):
        seen = []

        def kernel(barrier, mutex, semaphore, events, queue, dispenser):
            team = host.team_named(1, 32, 32) if host.thread_id() >= 32 else host.team_warp()
            assert team.rank == host.thread_id() % 32
            assert team.value(100 + host.thread_id()) == (132 if host.thread_id() >= 32 else 100)
            team.sync()
            if host.thread_id() >= 32:
                barrier.team_wait(team)
                mutex.team_lock(team)
                mutex.team_unlock(team)
                semaphore.team_wait(team)
                semaphore.team_post(team)
                events[0].team_post(team)
                events[1].team_signal(team)
                events[0].team_wait(team, 2)
                events.team_wait_all(team, 0, 2, 2)
                assert events.team_wait_any(team, 0, 2, 2) in (0, 1)
                if host.block_id() == 0:
                    queue.block_push(5, team)
                    queue.block_push_n(2, 6, team)
                else:
                    got = queue.block_pop(team)
                    team.sync()
                    two = queue.block_pop_n(2, team)
                    team.sync()
                    if team.rank < 2:
                        seen.append((got, two))
                    # No one else pushes, so nothing is left.
                barrier.team_wait(team)
                if host.block_id() == 0:
                    queue.block_push_n(1, 9, team)
                    count, item = queue.block_pop_some(4, team)
                    assert count == 1 and (team.rank > 0 or item == 9)
                for _ in dispenser.team_shares(team, host.block_id()):
                    pass
            host.team_block().sync()

        device = self.device
        self.run_kernel(kernel, 2, 64, weir.Barrier(device, 2, kind="central"), weir.Mutex(device),
                        weir.Semaphore(device, 1), weir.EventArray(device, 2), weir.Queue(device, 8),
                        weir.Dispenser(device, 5))
        self.assertEqual(seen, [(5, 6), (5, 6)])

    def test_threads_of_ones_own(self):
        barrier, seen, failed = weir.Barrier(self.device, 3), [], []

        def block(number):
            host.join(number, 3)
            seen.append(number)
            barrier.wait()
            if len(seen) != 3:
                failed.append(number)

        threads = [threading.Thread(target=block, args=(number,)) for number in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(DEADLINE)
        self.assertEqual((len(seen), failed), (3, []))

    def test_a_stranger_at_a_barrier_is_told(self):
        caught = []

        def stranger():
            try:
                weir.Barrier(self.device, 2).wait()
            except weir.BadArgument as error:
                caught.append(str(error))

        thread = threading.Thread(target=stranger)
        thread.start()
        thread.join(DEADLINE)
        self.assertIn("none of its 2 blocks", caught[0])


class Locks(Host):
    def count(self, kernel, blocks, threads, *arguments):
        total = [0]
        self.run_kernel(kernel, blocks, threads, total, *arguments)
        return total[0]

    def test_mutexes_of_every_kind(self):
        def kernel(total, mutex):
            for _ in range(20):
                with mutex.locked():
                    before = total[0]
                    time.sleep(0)
                    total[0] = before + 1

        self.assertGreaterEqual(len(weir.Mutex.kinds()), 5)
        for kind in weir.Mutex.kinds():
            with self.subTest(kind=kind), weir.Mutex(self.device, kind=kind) as mutex:
                self.assertEqual(mutex.kind, kind)
                self.assertEqual(self.count(kernel, 4, 1, mutex), 80)

    def test_without_the_mutex_counts_are_lost(self):
        """Shows that the test above can fail: without the lock, counts are lost."""
        def kernel(total, barrier):
            barrier.wait()
            for _ in range(50):
                before = total[0]
                barrier.wait()  # all threads have read
                total[0] = before + 1
                barrier.wait()

        self.assertLess(self.count(kernel, 4, 1, weir.Barrier(self.device, 4)), 200)

    def test_tries_blocks_and_timeouts(self):
        def kernel(total, mutex, barrier):
            if host.block_id() == 0:
                mutex.lock()
            barrier.wait()
            if host.block_id() == 1:
                total[0] += mutex.try_lock() + mutex.lock(timeout=0.01)
            barrier.wait()
            if host.block_id() == 0:
                mutex.unlock()
            barrier.wait()
            if host.block_id() == 1 and mutex.lock(timeout=DEADLINE):
                mutex.unlock()
                total[0] += 10 if mutex.try_lock() else 0
                mutex.unlock()

        self.assertEqual(self.count(kernel, 2, 1, weir.Mutex(self.device), weir.Barrier(self.device, 2)), 10)

    def test_block_locks(self):
        def kernel(total, mutex):
            with mutex.block_locked():
                if host.thread_id() == 1:
                    total[0] += 1

        self.assertEqual(self.count(kernel, 4, 2, weir.Mutex(self.device)), 4)

    def test_an_exception_that_the_kernel_catches_unlocks(self):
        def kernel(total, mutex, lock):
            for held in (mutex.locked, mutex.block_locked, lock.reading, lock.writing):
                try:
                    with held():
                        raise ValueError
                except ValueError:
                    total[0] += 1

        mutex = weir.Mutex(self.device)
        self.assertEqual(self.count(kernel, 1, 1, mutex, weir.RWLock(self.device)), 4)
        self.assertEqual(self.count(lambda total: total.__setitem__(0, mutex.try_lock()), 1, 1), 1)

    def test_arrays_of_mutexes(self):
        def kernel(total, array, counts):
            for i in range(len(array)):
                with array[i].locked():
                    counts[i] += 1

        array, counts = weir.MutexArray(self.device, 5, compact=True), [0] * 5
        self.count(kernel, 4, 1, array, counts)
        self.assertEqual(counts, [4] * 5)
        self.assertRaises(IndexError, lambda: array[5])
        self.assertRaises(weir.BadArgument, array[0].destroy)

    def test_semaphores(self):
        inside, most = [0], [0]

        def kernel(total, semaphore, mutex):
            for _ in range(5):
                semaphore.wait()
                with mutex.locked():
                    inside[0] += 1
                    most[0] = max(most[0], inside[0])
                time.sleep(0)
                with mutex.locked():
                    inside[0] -= 1
                semaphore.post()
            semaphore.block_wait()
            semaphore.block_post()
            if semaphore.wait(2, timeout=DEADLINE):
                semaphore.post(2)
            if semaphore.try_wait():
                semaphore.post()
            with mutex.locked():
                total[0] += 1

        for kind in weir.Semaphore.kinds():
            with self.subTest(kind=kind):
                most[0] = 0
                semaphore = weir.Semaphore(self.device, 2, kind=kind)
                self.assertEqual(self.count(kernel, 4, 1, semaphore, weir.Mutex(self.device)), 4)
                self.assertLessEqual(most[0], 2)
        empty = weir.Semaphore(self.device, 2, 0)
        self.assertEqual(self.count(lambda total, s: total.__setitem__(0, s.wait(timeout=0.01)), 1, 1, empty), 0)

    def test_reader_writer_locks(self):
        def kernel(total, lock):
            for _ in range(10):
                with lock.reading():
                    first = total[0]
                    time.sleep(0)
                    assert total[0] == first
                with lock.writing():
                    total[0] += 1
            lock.write_lock()
            total[0] += 1
            lock.downgrade()
            lock.read_unlock()
            lock.block_read_lock()
            lock.block_read_unlock()
            lock.block_write_lock()
            lock.block_downgrade()
            lock.block_read_unlock()
            lock.block_write_lock()
            lock.block_write_unlock()
            if lock.read_lock(timeout=DEADLINE):
                lock.read_unlock()
            if lock.write_lock(timeout=DEADLINE):
                lock.write_unlock()
            if lock.try_read():
                lock.read_unlock()
            if lock.try_write():
                lock.write_unlock()

        for kind in weir.RWLock.kinds():
            with self.subTest(kind=kind):
                self.assertEqual(self.count(kernel, 4, 1, weir.RWLock(self.device, kind=kind)), 44)

    def test_conditions(self):
        """Block 0 has the mutex before block 1 asks for it, so block 1 does wait."""
        def kernel(total, mutex, condition, events, turn):
            for number, wait in enumerate((condition.wait, condition.block_wait)):
                if host.block_id() == 0:
                    mutex.lock()
                    events[0].post()
                    while turn[0] == number:
                        assert wait(mutex)
                    total[0] += 1
                    mutex.unlock()
                else:
                    events[0].wait(number + 1)
                    mutex.lock()
                    turn[0] += 1
                    if number == 0:
                        assert condition.signal()
                    else:
                        assert condition.broadcast() == 1
                    mutex.unlock()

        def quiet(total, mutex, condition):
            mutex.lock()
            total[0] += condition.wait(mutex, timeout=0.01) + condition.block_wait(mutex, timeout=0.01)
            assert not condition.signal()
            condition.block_signal()
            condition.block_broadcast()
            mutex.unlock()

        device = self.device
        self.assertEqual(self.count(kernel, 2, 1, weir.Mutex(device), weir.Condition(device),
                                    weir.EventArray(device, 1), [0]), 2)
        self.assertEqual(self.count(quiet, 1, 1, weir.Mutex(device), weir.Condition(device)), 0)

    def test_onces(self):
        def kernel(total, once, other):
            if once.begin():
                total[0] += 1
                once.end()
            assert once.is_done() and total[0] == 1
            if other.block_begin():
                other.block_end()
            assert once.begin(timeout=1) is False

        self.assertEqual(self.count(kernel, 4, 1, weir.Once(self.device), weir.Once(self.device)), 1)


class Barriers(Host):
    def test_barriers_of_every_kind(self):
        def kernel(barrier, steps, wrong):
            for step in range(10):
                steps[host.block_id()] = step
                barrier.wait()
                if min(steps) != step:
                    wrong.append(step)
                barrier.wait()

        for kind in weir.Barrier.kinds():
            with self.subTest(kind=kind):
                try:
                    barrier = weir.Barrier(self.device, 4, kind=kind)
                except weir.Unsupported:
                    continue  # the vendor's own, which the host lacks
                wrong = []
                self.run_kernel(kernel, 4, 1, barrier, [0] * 4, wrong, barrier=barrier)
                self.assertEqual(wrong, [])

    def test_halves_and_timeouts(self):
        seen = []

        def kernel(barrier, other):
            barrier.await_(barrier.arrive())
            assert barrier.wait(timeout=DEADLINE)
            if host.block_id() == 0:
                seen.append(other.wait(timeout=0.02))

        self.run_kernel(kernel, 2, 2, weir.Barrier(self.device, 2), weir.Barrier(self.device, 2))
        self.assertEqual(seen, [False, False])

    def test_groups(self):
        seen = []

        def kernel(group, barrier):
            member = group.discover()
            if member.is_member:
                group.wait(member)
                seen.append(member.rank)
            some = weir.group_range(1, 2)
            if some.is_member:
                barrier.group_wait(some)
            odd = weir.group_mask(0b1010)
            assert odd.is_member == (host.block_id() in (1, 3))

        self.run_kernel(kernel, 4, 1, weir.Group(self.device, 4), weir.Barrier(self.device, 4))
        self.assertEqual(sorted(seen), list(range(len(seen))))
        self.assertGreaterEqual(len(seen), 1)


class Flow(Host):
    def test_events(self):
        order = []

        def kernel(events):
            me, n = host.block_id(), host.block_count()
            if me > 0:
                events[me - 1].wait(1)
            order.append(me)
            events[me].post()
            events.wait_all(0, n, 1)
            assert events.wait_any(0, n, 1) < n and events.wait_any(0, n, 1, timeout=1) < n
            assert events.wait_any(0, n, 9, timeout=0.001) is None
            assert events.wait_all(0, n, 1, timeout=1) and not events[me].wait(9, timeout=0.001)
            assert events[me].reached(1) and not events[me].reached(2) and events[me].count() >= 1
            events.block_wait_all(0, n, 1)
            assert events.block_wait_any(0, n, 1) < n
            events[me].block_wait(1)

        self.run_kernel(kernel, 4, 1, weir.EventArray(self.device, 4))
        self.assertEqual(order, [0, 1, 2, 3])

    def test_a_single_event(self):
        seen = []

        def kernel(event):
            if host.block_id() == 0:
                seen.append("first")
                event.post()
            else:
                event.wait(1)
                seen.append(event.count())

        with weir.Event(self.device, host_visible=True) as event:
            self.run_kernel(kernel, 2, 1, event)
            self.assertEqual((seen, event.host_count(), len(event)), (["first", 1], 1, 1))

    def test_rounds_latches_and_sequences(self):
        order, last = [], []
        events = weir.EventArray(self.device, 3)

        def kernel(events):
            me, n, launch = host.block_id(), host.block_count(), events.round()
            latch = events.latch(0, n, launch)
            if me % 2:
                latch.arrive()
            else:
                latch.block_arrive()
            latch.wait()
            latch.block_wait()
            assert latch.is_open()
            line = events.sequence(1, n, launch)
            line.enter(me)
            order.append((launch, me))
            line.leave()
            other = events.latch(2, 2 * n, launch)
            if other.arrive_is_last() + other.block_arrive_is_last():
                last.append(me)
            if events.leave():
                last.append("left")

        for _ in range(2):
            self.run_kernel(kernel, 3, 1, events)
        self.assertEqual(order, [(r, b) for r in range(2) for b in range(3)])
        self.assertEqual(last.count("left"), 2)
        self.assertEqual(len(last), 4)

        def blocks(events):
            line = events.sequence(1, 2, 0)
            line.block_enter(host.block_id())
            line.block_leave()
            events[0].block_signal()
            events[0].block_post()
            events.block_leave()

        self.run_kernel(blocks, 2, 2, weir.EventArray(self.device, 2))

    def test_queues_of_every_kind(self):
        def kernel(queue, got):
            if host.block_id() == 0:
                for item in range(30):
                    queue.push(item)
                queue.close()
            else:
                for item in queue:
                    got.append(item)
            queue.leave()

        for kind in weir.Queue.kinds():
            with self.subTest(kind=kind):
                got = []
                queue = weir.Queue(self.device, 4, kind=kind, single=0 if kind != "single" else weir.ONE_PUSHES)
                self.run_kernel(kernel, 3, 1, queue, got)
                self.assertEqual(sorted(got), list(range(30)))

    def test_queues_of_large_items_and_bounds(self):
        seen = []

        def kernel(queue, small):
            assert queue.try_pop() is None and queue.pop(timeout=0.001) is None
            assert queue.push((1, 2, 3)) and queue.try_push((4, 5, 6))
            assert queue.length() == 2 and queue.capacity == 2
            assert not queue.try_push((7, 8, 9)) and not queue.push((7, 8, 9), timeout=0.001)
            seen.extend([queue.pop(), queue.try_pop()])
            small.block_push(3)
            assert small.block_pop() == 3
            small.block_push_n(1, 4)
            assert small.block_pop_n(1) == 4
            small.block_push_n(1, 5)
            assert small.block_pop_some(4) == (1, 5)
            small.close()
            try:
                small.push(1)
            except weir.Closed:
                seen.append("ended")
            small.block_leave()

        self.run_kernel(kernel, 1, 1, weir.Queue(self.device, 2, 12), weir.Queue(self.device, 4))
        self.assertEqual(seen, [(1, 2, 3), (4, 5, 6), "ended"])

    def test_dispensers(self):
        taken, parts = [], []

        def kernel(dispenser, shared):
            for item in dispenser:
                taken.append(item)
            mine = shared.of(6).block_shares()
            parts.extend(mine)
            assert list(mine) == []  # no more, however often it is called

        self.run_kernel(kernel, 3, 1, weir.Dispenser(self.device, 50), weir.Dispenser(self.device, 0, share=1))
        self.assertEqual(sorted(taken), list(range(50)))
        self.assertEqual(sorted(item for part in parts for item in part), list(range(6)))

        def ranks(dispenser):
            for part in dispenser.shares(2):
                taken.extend(part)

        taken.clear()
        self.run_kernel(ranks, 2, 1, weir.Dispenser(self.device, 9, share=2))
        self.assertEqual(sorted(taken), list(range(9)))

    def test_tasks(self):
        done, lock = [], threading.Lock()
        graph = [[1, 2], [3], [3], []]

        def kernel(tasks):
            for task in tasks:
                with lock:
                    done.append(task)
                if task == 0:
                    assert tasks.add(100)

        tasks = weir.Tasks(self.device, graph, room=4)
        for _ in range(2):
            done.clear()
            self.run_kernel(kernel, 3, 1, tasks)
            tasks.check()
            self.assertEqual(sorted(done), [0, 1, 2, 3, 100])
            self.assertLess(done.index(0), done.index(1))
            self.assertLess(max(done.index(1), done.index(2)), done.index(3))

        def blocks(tasks):
            for task in tasks.block():
                if host.thread_id() == 0:
                    with lock:
                        done.append(task)

        done.clear()
        self.run_kernel(blocks, 2, 2, weir.Tasks(self.device, graph, levels=[0, 1, 0, 2]))
        self.assertEqual(sorted(done), [0, 1, 2, 3])

    def test_tasks_that_are_stuck(self):
        tasks = weir.Tasks(self.device, [[1], [0]], trusted=True)
        self.run_kernel(lambda t: list(t), 2, 1, tasks)
        with self.assertRaisesRegex(weir.Stuck, "task"):
            tasks.check()
        with self.assertRaisesRegex(weir.BadArgument, "cycle|itself"):
            weir.Tasks(self.device, [[1], [0]])

    def test_combiners(self):
        state, results = [0], []

        def add(operation):
            before = state[0]
            state[0] = before + operation
            return before

        def kernel(combiner):
            for _ in range(5):
                results.append(combiner.call(1, add))
            results.append(combiner.call(1, add, timeout=DEADLINE))

        self.run_kernel(kernel, 4, 1, weir.Combiner(self.device, 4))
        self.assertEqual(sorted(results), list(range(24)))

    def test_combiners_with_a_server_and_words(self):
        state, results = [0], []

        def swap(first, second):
            state[0] += 1
            return second, first

        def kernel(combiner):
            if host.block_id() == 0:
                assert combiner.serve(swap)
            else:
                results.append(combiner.call((host.block_id(), 9), swap))
                combiner.leave()

        self.run_kernel(kernel, 3, 1, weir.Combiner(self.device, 3, words=2, served=True))
        self.assertEqual((sorted(results), state), ([(9, 1), (9, 2)], [2]))


class WithTheHost(Host):
    """Events and queues that the host uses while a kernel runs."""

    def test_a_service(self):
        device = self.device
        requests = weir.Queue(device, 8, host_side=weir.HOST_PUSHES)
        answers = weir.Queue(device, 8, host_side=weir.HOST_POPS)
        events = weir.EventArray(device, 2, host_visible=True)

        def service(requests, answers, events):
            events[0].wait(1)
            for number in requests:
                answers.push(number * number)
            if host.block_id() == 0:
                events[1].wait(0)
            events[1].post()

        device.launch(service, 2, 1, (requests, answers, events))
        events[0].host_post()
        for number in range(5):
            requests.host_push(number, timeout=DEADLINE)
        got = sorted(answers.host_pop(timeout=DEADLINE) for _ in range(5))
        self.assertRaises(weir.TimedOut, answers.host_pop, timeout=0.01)
        self.assertEqual(answers.host_length(), 0)
        requests.host_close()
        events[1].host_wait(2, timeout=DEADLINE)
        self.assertEqual(events[1].host_count(), 2)
        device.wait(DEADLINE)
        self.assertEqual(got, [0, 1, 4, 9, 16])
        self.assertRaises(weir.Closed, requests.host_push, 1)

    def test_waits_free_the_interpreter(self):
        """A block waits in the library while this thread computes: if the interpreter's lock were held, this would not
        end."""
        events = weir.EventArray(self.device, 1, host_visible=True)
        self.device.launch(lambda e: e[0].wait(1), 2, 1, (events,))
        self.assertEqual(sum(range(100000)), 4999950000)
        self.assertRaises(weir.TimedOut, self.device.wait, 0.01)
        events[0].host_post()
        self.device.wait(DEADLINE)


class Last(unittest.TestCase):
    """Named to run last: every operation of the library was used above."""

    def test_z_every_operation_was_used(self):
        self.assertEqual([name for name in unused() if not name.startswith("crew_")], ["end_launch"])


def load_tests(loader, _, __):
    suite = unittest.TestSuite()
    for case in (Places, Locks, Barriers, Flow, WithTheHost, Last):
        suite.addTests(loader.loadTestsFromTestCase(case))
    return suite


if __name__ == "__main__":
    common.main()
