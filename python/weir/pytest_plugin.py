"""Checks of kernels in pytest, with the fixtures weir_check and weir_run.

    @pytest.mark.weir(grid=2, block=128)
    def test_gather(weir_check):
        weir_check("histogram.cu", kernel="gather", args=[...])

A check that is not clean fails the test with its findings. A test that fails shows those of weir.check as well. The mark has arguments of weir.check for all launches of the
test. --weir-seed and --weir-seeds choose other schedules, --weir-explore runs all executions, and --weir-sarif FILE
writes all findings for code scanning, those of pytest-xdist's workers as well.
"""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, Generator, List

import pytest

from . import checking
from .check_report import CheckReport
from .errors import Error

_NUMBERS = ("seed", "seeds")
_Launch = Callable[..., Any]


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("weir", "checks of CUDA kernels")
    group.addoption("--weir-seed", type=int, metavar="N", help="the first schedule of every check")
    group.addoption("--weir-seeds", type=int, metavar="N", help="how many schedules every check runs")
    group.addoption("--weir-explore", action="store_true", help="run all executions of every check")
    group.addoption("--weir-sarif", metavar="FILE", help="write all findings as SARIF 2.1, for code scanning")


def pytest_configure(config: Any) -> None:
    config.addinivalue_line("markers", "weir(grid, block, ...): arguments of weir.check for the launches of a test")
    config._weir_sarif, config._weir_unclean = [], []

    def listen(report: CheckReport) -> None:
        config._weir_sarif.append(report.sarif())
        if not report.clean:
            config._weir_unclean.append(report)

    config._weir_listener = listen
    checking._listeners.append(listen)


def pytest_unconfigure(config: Any) -> None:
    checking._listeners.remove(config._weir_listener)


def pytest_runtest_setup(item: Any) -> None:
    item.config._weir_unclean.clear()


def _makereport(item: Any, call: Any) -> Generator[None, Any, None]:
    """Adds the findings of weir.check to a test that fails: `assert report.clean` alone would not show them."""
    outcome = yield
    report = outcome.get_result()
    if call.when == "call" and report.failed:
        for unclean in item.config._weir_unclean:
            report.sections.append((f"weir check of {unclean.kernel}: {unclean.verdict}", unclean.explain()))


def _whole(texts: List[str]) -> Dict[str, Any]:
    """One SARIF file of many. The same finding of several tests is there once."""
    runs: List[Any] = [run for text in texts for run in json.loads(text)["runs"]]
    if not runs:
        runs = [{"tool": {"driver": {"name": "weir check", "rules": []}}, "results": []}]
    results = {json.dumps(result, sort_keys=True): result for run in runs for result in run["results"]}
    return {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
            "runs": [{**runs[0], "results": list(results.values())}]}


def pytest_sessionfinish(session: Any) -> None:
    config = session.config
    path = config.getoption("--weir-sarif")
    if hasattr(config, "workeroutput"):  # a worker of pytest-xdist: its controller writes the file
        config.workeroutput["weir_sarif"] = config._weir_sarif
    elif path:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(_whole(config._weir_sarif), file, indent=1)


def _nodedown(node: Any, error: Any) -> None:
    """Takes over what a worker of pytest-xdist has found."""
    node.config._weir_sarif += getattr(node, "workeroutput", {}).get("weir_sarif", [])


def _settings(request: Any, launch: Dict[str, Any]) -> Dict[str, Any]:
    """The mark's arguments, over them those of the call, and over these the command line's."""
    whole: Dict[str, Any] = {}
    for mark in reversed(list(request.node.iter_markers("weir"))):
        whole.update(mark.kwargs)
    whole.update(launch)
    for name in _NUMBERS:
        given = request.config.getoption(f"--weir-{name}")
        if given is not None:
            whole[name] = given
    if request.config.getoption("--weir-explore"):
        whole["explore"] = True
    return whole


def _checks(request: Any) -> _Launch:
    """weir.check, which fails the test unless the report is clean."""

    def launch(source: Any, kernel: Any = None, **more: Any) -> CheckReport:
        __tracebackhide__ = True
        report = checking.check(source, kernel, **_settings(request, more))
        if not report.clean:
            request.config._weir_unclean.remove(report)  # it is the failure's own text
            pytest.fail(f"weir check of {report.kernel}: {report.verdict}\n\n{report.explain()}", pytrace=False)
        return report

    return launch


def _runs(request: Any) -> _Launch:
    """weir.run, which fails the test after a fault or a hang."""

    def launch(source: Any, kernel: Any = None, **more: Any) -> None:
        __tracebackhide__ = True
        said = ""
        try:
            checking.run(source, kernel, **_settings(request, more))
        except Error as error:
            said = str(error)
        if said:
            pytest.fail(f"weir run: {said}", pytrace=False)

    return launch


weir_check = pytest.fixture(_checks, name="weir_check")
weir_run = pytest.fixture(_runs, name="weir_run")
pytest_runtest_makereport = pytest.hookimpl(hookwrapper=True)(_makereport)
pytest_testnodedown = pytest.hookimpl(optionalhook=True)(_nodedown)
