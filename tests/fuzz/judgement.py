"""The judgement of an input: accepted, refused, or a finding."""

from __future__ import annotations

import re
import traceback
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.fuzz.targets.base import Target

ROOT = Path(__file__).resolve().parent.parent.parent
LONGEST = 2000  # a refusal must have fewer characters
ACCEPTED, PLAYED, REFUSED, FINDING = "accepted", "played", "refused", "finding"


class Finding(Exception):
    """Raised by a target: the library did what it must not do. Equal findings have the same `key`."""

    def __init__(self, reason: str, key: str = "") -> None:
        super().__init__(reason)
        self.key = key or re.sub(r"\d+", "#", reason.split(":")[0])[:80]


@dataclass(frozen=True)
class Judgement:
    """`kind` is ACCEPTED, PLAYED (accepted and played on), REFUSED or FINDING; equal findings have the same `key`."""

    kind: str
    key: str = ""
    detail: str = ""

    def as_data(self) -> dict[str, Any]:
        return asdict(self)


def judged(target: Target, data: bytes) -> Judgement:
    """Run one input."""
    try:
        return Judgement(PLAYED if target.run(data) else ACCEPTED)
    except Finding as finding:
        return Judgement(FINDING, finding.key, _shown(finding))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        fault = refusal_fault(target, error)
        if fault is None:
            return Judgement(REFUSED, detail=str(error)[:LONGEST])
        return Judgement(FINDING, f"{fault}: {type(error).__name__} in {_where(error)}", f"{fault}\n\n{_shown(error)}")


def refusal_fault(target: Target, error: BaseException) -> str | None:
    """Why this exception is no good refusal; None if it is one."""
    if not isinstance(error, target.refusals) and not (target.deliberate and _is_raised(error, target.deliberate)):
        return "no refusal"
    return text_fault(str(error), target.place)


def text_fault(text: str, place: str) -> str | None:
    """Why this text is no good text of a refusal; None if it is one."""
    if len(text) >= LONGEST:
        return f"a refusal of {LONGEST} characters or more"
    if not text.strip():
        return "a refusal without a text"
    return None if re.search(place, text) else f"a refusal that does not name the place (/{place}/)"


def _frames(error: BaseException) -> list[traceback.FrameSummary]:
    """The stack frames in the library, outermost first."""
    frames = traceback.extract_tb(error.__traceback__)
    return [frame for frame in frames if _is_ours(frame.filename)]


def _is_ours(name: str) -> bool:
    path = Path(name)
    return path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] not in ("tests", ".venv")


def _is_raised(error: BaseException, kinds: tuple[type[BaseException], ...]) -> bool:
    """Whether a line `raise ..` of the library raised the exception, not an operation that failed."""
    frames = traceback.extract_tb(error.__traceback__)
    return isinstance(error, kinds) and _is_ours(frames[-1].filename) and (frames[-1].line or "").startswith("raise ")


def _where(error: BaseException) -> str:
    frames = _frames(error)
    if not frames:
        return "(outside the library)"
    frame = frames[-1]
    return f"{Path(frame.filename).relative_to(ROOT)}:{frame.name}"


def _shown(error: BaseException) -> str:
    try:
        text = "".join(traceback.format_exception(error, limit=-12))
    except ValueError:  # the text of the exception holds a number of too many digits
        text = "".join(traceback.format_tb(error.__traceback__, limit=-12)) + type(error).__name__
    return text if len(text) < 20_000 else f"{text[:10_000]}\n..\n{text[-10_000:]}"
