"""What `weir.check` found."""

from __future__ import annotations

import html
import json
import re
from typing import Any, Dict, List, Optional, Tuple


class Place:
    """One access of a finding. `file` and `line` are those of the source; "" and 0 without line information."""

    def __init__(self, raw: Dict[str, Any]) -> None:
        self.block: int = raw["block"]
        self.thread: int = raw["thread"]
        self.does: str = raw["does"]
        self.instruction: str = raw["instruction"]
        self.ptx_line: int = raw["ptx_line"]
        self.file: str = raw.get("file", "")
        self.line: int = raw.get("line", 0)

    def __repr__(self) -> str:
        where = f"{self.file}:{self.line}" if self.file else f"PTX line {self.ptx_line}"
        return f"<block {self.block} thread {self.thread} {self.does} at {where}>"


class Step:
    """One step on the way to a finding. `threads` is more than 1 where several meet or wait."""

    def __init__(self, raw: Dict[str, Any]) -> None:
        self.block: int = raw["block"]
        self.thread: int = raw["thread"]
        self.threads: int = raw["threads"]
        self.text: str = raw["text"]
        self.role: str = raw["role"]
        self.ptx_line: int = raw["ptx_line"]
        self.file: str = raw.get("file", "")
        self.line: int = raw.get("line", 0)

    def __repr__(self) -> str:
        where = f"{self.file}:{self.line}" if self.file else f"PTX line {self.ptx_line}"
        who = f"{self.threads} threads" if self.threads > 1 else f"thread {self.thread}"
        return f"<block {self.block}, {who} {self.text} at {where}>"


class Finding:
    """A race, a fault, a hang, a wrong result, or why the check is incomplete."""

    def __init__(self, raw: Dict[str, Any], sources: Dict[str, str]) -> None:
        self._sources = sources
        self.kind: str = raw["kind"]
        self.cause: str = raw["cause"]
        self.title: str = raw["what"]
        self.text: str = raw["why"]
        self.fix: str = raw["fix"]
        self.object: str = raw["object"]
        self.count: int = raw["count"]
        self.pairs: int = raw["pairs"]
        self.seed: int = raw["seed"]
        self.launch: int = raw["launch"]
        self.silenced: str = raw.get("silenced", "")
        self.trace: str = raw.get("trace", "")
        self.accesses: Tuple[Place, ...] = tuple(Place(access) for access in raw["accesses"])
        self.steps: Tuple[Step, ...] = tuple(Step(step) for step in raw["steps"])
        self.release: Optional[Place] = Place(raw["release"]) if "release" in raw else None
        self.acquire: Optional[Place] = Place(raw["acquire"]) if "acquire" in raw else None

    def __repr__(self) -> str:
        return f"<{self.kind} [{self.cause}] {self.title}>"

    def __str__(self) -> str:
        head = self.title if self.title.startswith(f"{self.kind}:") else f"{self.kind}: {self.title}"
        trace = self.trace and "The execution:\n    " + self.trace.replace("\n", "\n    ")
        said = (self.text, trace, self.fix and f"Fix: {self.fix}")
        return "\n".join([head, *(f"  {line}" for line in said if line), f"  [{self.cause}]"])

    def marks(self) -> List[Tuple[str, int, str]]:
        """The source lines of the finding: file, line, and what happens there."""
        found = [(place.file, place.line, f"block {place.block} thread {place.thread} {place.does}")
                 for place in self.accesses]
        found += [(place.file, place.line, what) for place, what in ((self.release, "the release"),
                                                                     (self.acquire, "the acquire")) if place]
        unique: Dict[Tuple[str, int], List[str]] = {}
        for file, line, what in found:
            if file and what not in unique.setdefault((file, line), []):
                unique[file, line].append(what)
        return sorted((file, line, "; ".join(what)) for (file, line), what in unique.items())

    def excerpt(self, around: int = 1) -> str:
        """The lines of the source with both accesses, each marked; "" if the source was not found."""
        parts: List[str] = []
        for name in sorted({file for file, _, _ in self.marks()}):
            lines = self._sources.get(name, "").splitlines()
            marked = {line: what for file, line, what in self.marks() if file == name and 0 < line <= len(lines)}
            shown = sorted({at for line in marked for at in range(line - around, line + around + 1)
                            if 0 < at <= len(lines)})
            if not shown:
                continue
            parts.append(f"{name}:")
            for before, at in zip([shown[0] - 1, *shown], shown):
                if at != before + 1:
                    parts.append("      ...")
                note = f"   <- {marked[at]}" if at in marked else ""
                parts.append(f"{'>' if at in marked else ' '} {at:4} {lines[at - 1].expandtabs(4)}{note}")
        return "\n".join(parts)


class Explored:
    """The counts of an exploration. `complete` says whether all executions were explored. If not, `bound` says what ended
    it, and `estimate` how many there are; 0 if that is not known."""

    def __init__(self, raw: Dict[str, Any]) -> None:
        self.executions: int = raw["executions"]
        self.blocked: int = raw["blocked"]
        self.steps: int = raw["steps"]
        self.complete: bool = raw["exhaustive"]
        self.bound: str = raw.get("bound", "")
        self.estimate: float = raw.get("estimate", 0.0)

    def __repr__(self) -> str:
        how = "all" if self.complete else f"stopped: {self.bound}"
        return f"<Explored {self.executions} executions, {self.blocked} blocked, {self.steps} steps; {how}>"


def _plain(symbol: str) -> str:
    """The name of a kernel in its source: "step" for "_Z4stepPj"."""
    found = re.match(r"_Z(\d+)", symbol)
    return symbol[found.end():][:int(found.group(1))] if found else symbol


class CheckReport:
    """The result of `weir.check`. `str()` of it is what `weir check` prints. `explored` is None without `explore`."""

    def __init__(self, kernel: str, text: str, raw: str, sarif: str, page: str, sources: Dict[str, str]) -> None:
        self._text, self._json, self._sarif, self._page = text, raw, sarif, page
        whole: Dict[str, Any] = json.loads(raw)
        self.verdict: str = whole["verdict"]
        self.kernel: str = kernel or _plain(whole["kernel"])
        self.seed: int = whole["seed"]
        self.executions: int = whole["executions"]
        self.instructions: int = whole["instructions"]
        self.explored: Optional[Explored] = Explored(whole["explored"]) if "explored" in whole else None
        self.findings: List[Finding] = [Finding(finding, sources) for finding in whole["findings"]]

    @property
    def clean(self) -> bool:
        """No race, no fault and no hang in what was run, and the results are the expected ones."""
        return self.verdict == "clean"

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        # A notebook and an assertion without a message show this one.
        return f"<CheckReport {self.kernel}: {self.verdict}>"

    def explain(self) -> str:
        """The findings, each with its source lines."""
        parts = []
        for finding in self.findings:
            if not finding.silenced:
                excerpt = finding.excerpt()
                parts.append(f"{finding}\n\n{excerpt}\n" if excerpt else f"{finding}\n")
        return "\n".join([*parts, self._text.rstrip().rsplit("\n", 1)[-1]])

    def json(self) -> str:
        """What `weir check --json` writes: doc/check.md describes the members."""
        return self._json

    def sarif(self) -> str:
        """The findings for code scanning, as SARIF 2.1.0."""
        return self._sarif

    def html(self) -> str:
        """A self-contained page: the source beside a timeline of the blocks."""
        return self._page

    def _repr_html_(self) -> str:
        parts = []
        for finding in self.findings:
            marks = f"<pre>{html.escape(finding.excerpt())}</pre>" if finding.excerpt() else ""
            fix = f"<p><b>Fix:</b> {html.escape(finding.fix)}</p>" if finding.fix else ""
            parts.append(f"<details open><summary><b>{html.escape(finding.kind)}</b> <code>{html.escape(finding.cause)}"
                         f"</code></summary><p>{html.escape(finding.title)}</p><p>{html.escape(finding.text)}</p>"
                         f"{fix}{marks}</details>")
        counts = html.escape(self._text.rstrip().rsplit("\n", 1)[-1])
        if self.findings:
            parts.append(f'<iframe srcdoc="{html.escape(self._page)}" title="the source and the steps" '
                         'style="width: 100%; height: 40rem; border: 1px solid #888"></iframe>')
        head = html.escape(f"{self.kernel}: {self.verdict}")
        return f"<div><p><b>{head}</b></p>{''.join(parts)}<p>{counts}</p></div>"
