"""A notebook shows a watchdog's report under the cell that still runs, and a hang is an exception there."""
import os
import queue
import sys
import time
import unittest

import common

DEADLINE = 120
SETUP = """
import threading, weir
device = weir.Device("host")
barrier = weir.Barrier(device, 3, diagnose=True, name="steps")
def kernel(b):
    if weir.host.block_id() != 1:
        b.wait()
"""
PRINTS = """
watch = device.watch(0.1)
device.launch(kernel, 3, 1, (barrier,))
for _ in range(6000):  # the cell runs until the report has come
    if watch.reports:
        break
    threading.Event().wait(0.01)
device.abort()
try:
    device.wait(60)
except weir.Aborted:
    print("the cell ends")
watch.stop()
"""
RAISES = """
barrier.reset()
with device.watch(0.1, "raise"):
    device.run(kernel, 3, 1, (barrier,))
"""

missing = common.absent("ipykernel", "jupyter_client")


@unittest.skipIf(missing, missing)
class Notebook(unittest.TestCase):
    def setUp(self):
        from jupyter_client.manager import KernelManager

        self.manager = KernelManager()
        self.manager.kernel_spec.argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        self.manager.start_kernel(env=dict(os.environ))
        self.addCleanup(self.manager.shutdown_kernel, now=True)
        self.client = self.manager.blocking_client()
        self.client.start_channels()
        self.addCleanup(self.client.stop_channels)
        self.client.wait_for_ready(timeout=DEADLINE)

    def cell(self, code):
        """The output of a cell, in order: (kind, text)."""
        number = self.client.execute(code)
        shown, end = [], time.monotonic() + DEADLINE
        while time.monotonic() < end:
            try:
                message = self.client.get_iopub_msg(timeout=1)
            except queue.Empty:
                continue
            if message["parent_header"].get("msg_id") != number:
                continue
            kind, content = message["msg_type"], message["content"]
            if kind == "stream":
                shown.append((content["name"], content["text"]))
            elif kind == "error":
                shown.append((content["ename"], content["evalue"]))
            elif kind == "status" and content["execution_state"] == "idle":
                return shown
        self.fail(f"the cell does not end: {shown}")

    def test_reports(self):
        self.assertEqual(self.cell(SETUP), [])
        shown = self.cell(PRINTS)
        report = "".join(text for kind, text in shown if kind == "stderr")
        self.assertIn("weir: barrier: 2 of the 3 blocks wait at barrier 'steps'", report)
        self.assertIn(("stdout", "the cell ends\n"), shown)
        shown = self.cell(RAISES)
        self.assertEqual(shown[-1][0], "Hang")
        self.assertIn("steps", shown[-1][1])
        self.assertEqual(self.cell("print(1)"), [("stdout", "1\n")])  # the notebook still works


if __name__ == "__main__":
    common.main()
