"""How launches end: exceptions, timeouts, Ctrl-C, watchdogs, the end of the interpreter."""
import contextlib
import io
import json
import os
import subprocess
import sys
import threading
import time
import unittest

import common
import weir
from weir import host

DEADLINE = 120


def leaves_early(barrier):
    if host.block_id() != 1:
        barrier.wait()


class Ends(unittest.TestCase):
    def setUp(self):
        self.device = weir.Device("host")
        self.addCleanup(self.device.close)

    def test_an_exception_ends_the_launch_and_is_raised(self):
        def kernel(barrier):
            if host.block_id() == 2:
                raise RuntimeError("out of beans")
            barrier.wait()

        with self.assertRaisesRegex(weir.KernelError, "block 2, thread 0 of kernel raised RuntimeError: out of beans") \
                as caught:
            self.device.run(kernel, 4, 1, (weir.Barrier(self.device, 4),), timeout=DEADLINE)
        self.assertIsInstance(caught.exception.__cause__, RuntimeError)
        self.assertEqual((caught.exception.block, caught.exception.thread), (2, 0))
        self.assertIsInstance(caught.exception, weir.Error)
        self.device.run(lambda: None, 2, 1)  # the device still works

    def test_an_exception_while_others_are_in_a_block_sync(self):
        def kernel():
            if host.thread_id() == 3:
                raise KeyError("x")
            host.block_sync()

        with self.assertRaises(weir.KernelError):
            self.device.run(kernel, 2, 4, timeout=DEADLINE)

    def test_sys_exit_in_a_kernel_is_an_error(self):
        with self.assertRaisesRegex(weir.KernelError, "SystemExit"):
            self.device.run(sys.exit, 1, 1, timeout=DEADLINE)

    def test_a_late_kernel_that_waits_is_ended(self):
        with self.assertRaises(weir.TimedOut):
            self.device.run(leaves_early, 3, 1, (weir.Barrier(self.device, 3),), timeout=0.05)
        self.device.run(lambda: None, 2, 1)

    def test_a_late_kernel_that_computes_is_ended(self):
        def forever():
            while True:
                pass

        with self.assertRaises(weir.TimedOut):
            self.device.run(forever, 2, 1, timeout=0.05)
        self.device.run(lambda: None, 2, 1)

    def test_a_launch_without_a_wait_keeps_running(self):
        events = weir.EventArray(self.device, 1, host_visible=True)
        self.device.launch(lambda e: e[0].wait(1), 1, 1, (events,))
        with self.assertRaises(weir.TimedOut):
            self.device.wait(0.01)
        events[0].host_post()
        self.assertGreater(self.device.wait(DEADLINE), 0)

    def test_abort_without_diagnosed_objects(self):
        self.device.launch(leaves_early, 3, 1, (weir.Barrier(self.device, 3),))
        self.device.abort()
        with self.assertRaises(weir.Aborted):
            self.device.wait(DEADLINE)

    def test_a_wrong_use_in_a_kernel_fails_the_launch(self):
        mutex = weir.Mutex(self.device)

        def kernel(mutex):
            mutex.handle.kind = 99  # a damaged handle
            mutex.lock()

        with self.assertRaisesRegex(weir.LaunchFailed, "mutex"):
            self.device.run(kernel, 1, 1, (mutex,), timeout=DEADLINE)

    def test_close_ends_what_runs(self):
        device = weir.Device("host")
        device.launch(leaves_early, 3, 1, (weir.Barrier(device, 3),))
        began = time.monotonic()
        device.close()
        self.assertLess(time.monotonic() - began, DEADLINE)
        self.assertRaises(weir.DeviceClosed, device.wait)


class Processes(unittest.TestCase):
    def start(self, code):
        return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                encoding="utf-8")

    def finish(self, process):
        try:
            return process.communicate(timeout=DEADLINE)
        finally:
            process.kill()

    def test_ctrl_c_ends_a_kernel_that_hangs(self):
        """The program interrupts itself once its main thread is in the library's wait."""
        process = self.start("import linecache, os, signal, sys, threading, time, weir\n"
                             "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
                             "device = weir.Device('host')\n"
                             "main = threading.get_ident()\n"
                             "def interrupt():\n"
                             "    while True:\n"
                             "        frame = sys._current_frames()[main]\n"
                             "        lines = []\n"
                             "        while frame is not None:\n"
                             "            lines.append(linecache.getline(frame.f_code.co_filename, frame.f_lineno))\n"
                             "            frame = frame.f_back\n"
                             "        if 'function(*arguments)' in lines[0] and 'weir_device_wait' in ''.join(lines):\n"
                             "            os.kill(os.getpid(), signal.SIGINT)\n"
                             "            return\n"
                             "        time.sleep(0.001)\n"
                             "def kernel(b):\n"
                             "    if weir.host.block_id(): b.wait()\n"
                             "device.launch(kernel, 3, 1, (weir.Barrier(device, 3),))\n"
                             "threading.Thread(target=interrupt).start()\n"
                             "try:\n"
                             "    device.wait()\n"
                             "except KeyboardInterrupt:\n"
                             "    device.run(lambda: None, 1, 1)\n"
                             "    print('ended', flush=True)\n")
        out, err = self.finish(process)
        self.assertEqual((out, process.returncode), ("ended\n", 0), err)

    def test_the_interpreter_ends_beside_a_kernel_that_hangs(self):
        process = self.start("import weir\n"
                             "device = weir.Device('host')\n"
                             "device.launch(lambda b: b.wait() if weir.host.block_id() else None, 3, 1, "
                             "(weir.Barrier(device, 3),))\n"
                             "print('done', flush=True)\n")
        out, err = self.finish(process)
        self.assertEqual((out, process.returncode, err), ("done\n", 0, ""))

    def test_the_program(self):
        out = subprocess.run([sys.executable, "-m", "weir", "devices"], stdout=subprocess.PIPE, encoding="utf-8",
                             timeout=DEADLINE, check=True).stdout
        self.assertIn("host", out)
        self.assertIn(weir.__version__, weir.run_program("--version"))
        self.assertIn("ticket", weir.run_program("predict", "--profile", "gf100", "--primitive", "mutex", "--kinds",
                                                 "ticket", "--blocks", "2"))  # the simulator
        with self.assertRaisesRegex(weir.Error, "frobnicate"):
            weir.run_program("frobnicate")


class Diagnoses(unittest.TestCase):
    def setUp(self):
        self.device = weir.Device("host")
        self.addCleanup(self.device.close)
        self.barrier = weir.Barrier(self.device, 3, diagnose=True, name="steps")

    def test_a_watchdog_that_raises(self):
        with self.assertRaises(weir.Hang) as caught:
            with self.device.watch(0.05, "raise"):
                self.device.run(leaves_early, 3, 1, (self.barrier,), timeout=DEADLINE)
        self.assertIn("'steps'", str(caught.exception))
        self.assertIn("test_launches.py:", str(caught.exception))  # the line of the Python kernel
        self.assertTrue(json.loads(caught.exception.json))
        self.barrier.reset()
        self.device.run(lambda b: b.wait(), 3, 1, (self.barrier,), timeout=DEADLINE)

    def test_a_watchdog_that_raises_while_something_else_waits(self):
        """As beside CuPy or in a notebook cell: no thread is in Device.wait when the kernel hangs."""
        with self.assertRaises(weir.Hang):
            with self.device.watch(0.05, "raise") as watch:
                self.device.launch(leaves_early, 3, 1, (self.barrier,))
                run, end = self.device._run, time.monotonic() + DEADLINE
                while (run.threads or not watch.reports) and time.monotonic() < end:
                    time.sleep(0.005)
                self.assertEqual(run.threads, {})
        self.barrier.reset()
        self.device.run(lambda b: b.wait(), 3, 1, (self.barrier,), timeout=DEADLINE)  # no trace of it is left

    def test_a_watchdog_that_prints(self):
        printed, seen = io.StringIO(), threading.Event()

        class Stream(io.StringIO):
            def write(self, text):
                printed.write(text)
                if "\n" in text:
                    seen.set()
                return len(text)

        with contextlib.redirect_stderr(Stream()), self.device.watch(0.05):
            self.device.launch(leaves_early, 3, 1, (self.barrier,))
            self.assertTrue(seen.wait(DEADLINE))
            report = self.device.diagnose()  # while the kernel hangs
            self.device.abort()
        with self.assertRaises(weir.Aborted):
            self.device.wait(DEADLINE)
        self.assertIn("weir: barrier", printed.getvalue())
        self.assertGreaterEqual(report.waiting, 1)
        self.assertIn("steps", str(report))

    def test_a_watchdog_that_calls(self):
        found = threading.Event()
        watch = self.device.watch(0.05, lambda report: found.set())
        self.device.launch(leaves_early, 3, 1, (self.barrier,))
        self.assertTrue(found.wait(DEADLINE))
        self.device.abort()
        self.assertRaises(weir.Aborted, self.device.wait, DEADLINE)
        watch.stop()
        self.assertEqual(len(watch.reports), 1)

    def test_a_deadlock_is_named(self):
        first, second = (weir.Mutex(self.device, diagnose=True, name=name) for name in ("accounts", "log"))
        meet = weir.Barrier(self.device, 2)

        def kernel(a, b, meet):
            mine, other = (a, b) if host.block_id() == 0 else (b, a)
            mine.lock()
            meet.wait()
            other.lock()

        self.device.launch(kernel, 2, 1, (first, second, meet))
        end = time.monotonic() + DEADLINE
        report = self.device.diagnose()
        while "deadlock" not in report.text and time.monotonic() < end:  # until both blocks wait
            time.sleep(0.01)
            report = self.device.diagnose()
        self.device.abort()
        self.assertRaises(weir.Aborted, self.device.wait, DEADLINE)
        self.assertIn("Lock these mutexes in the same order everywhere", report.text)
        self.assertIn("test_launches.py:", report.text)

    def test_nothing_to_watch(self):
        with weir.Device("host") as other:
            self.assertRaises(weir.NotFound, other.diagnose)
            self.assertRaises(weir.BadArgument, other.watch, 1, "shout")


if __name__ == "__main__":
    os.environ.pop("WEIR_PROFILE", None)
    common.main()
