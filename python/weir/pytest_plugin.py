"""Checks of kernels in pytest, with the fixtures weir_check and weir_run.

    @pytest.mark.weir(grid=2, block=128)
    def test_gather(weir_check):
        weir_check("histogram.cu", kernel="gather", args=[...])

A check that is not clean fails the test with its findings. The mark has arguments of weir.check for all launches of the
test. --weir-seed and --weir-seeds choose other schedules, and --weir-sarif FILE writes all findings for code scanning.
"""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, List

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
    group.addoption("--weir-sarif", metavar="FILE", help="write all findings as SARIF 2.1, for code scanning")


def pytest_configure(config: Any) -> None:
    config.addinivalue_line("markers", "weir(grid, block, ...): arguments of weir.check for the launches of a test")
    config._weir_reports = []


def pytest_sessionfinish(session: Any) -> None:
    path = session.config.getoption("--weir-sarif")
    if not path:
        return
    reports: List[CheckReport] = session.config._weir_reports
    runs: List[Any] = [run for report in reports for run in json.loads(report.sarif())["runs"]]
    whole: Dict[str, Any] = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
                             "runs": runs[:1]}
    for run in runs[1:]:
        runs[0]["results"] += run["results"]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(whole, file, indent=1)


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
    return whole


def _checks(request: Any) -> _Launch:
    """weir.check, which fails the test unless the report is clean."""

    def launch(source: Any, kernel: Any = None, **more: Any) -> CheckReport:
        __tracebackhide__ = True
        report = checking.check(source, kernel, **_settings(request, more))
        request.config._weir_reports.append(report)
        if not report.clean:
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
