"""The leak engine: whether a secret appears, in any form, in texts that an agent or a client may read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from skill_tools.checks.check import Hit, Place, Status, skip
from skill_tools.checks.needs import unanswered
from skill_tools.checks.reading.encodings import FORMS, PLAIN, Form, read, stands, written
from skill_tools.checks.reading.episodes import named
from skill_tools.checks.reading.texts import holds, words_of
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Step, Trajectory


@dataclass(frozen=True)
class Subject:
    """The owner of a secret: a task, or an episode of a task.

    ``place`` is the owner's name in findings: split/index, or the episode's label.
    """

    place: str
    task: dict[str, Any] | None = None
    trajectory: Trajectory | None = None


@dataclass(frozen=True)
class Shown:
    """A text that an agent or client may read, with its place and step.

    ``openly`` returns the texts that the agent had legitimately seen or written before this text. None means that
    the text is the opening itself.
    """

    text: str
    where: str
    step: Step | None = None
    openly: Callable[[], str] | None = str
    tool: str = ""

    @property
    def seen(self) -> str:
        """Everything that the agent had legitimately seen or written before this text, in lower case."""
        return (self.openly() if self.openly else self.text).lower()


@dataclass(frozen=True)
class Secret:
    """A secret text in lower case, and the task's field with the secret, if any.

    If ``words`` is given, the search is for these words instead of the text. A text reveals the secret if it
    contains at least ``of / 2`` of these words.
    """

    text: str
    field: str = ""
    words: frozenset[str] = frozenset()
    of: int = 0

    def stands_in(self, text: str, *, whole: bool = False) -> bool:
        """Return whether a lower-case text contains this secret or, if ``whole``, equals it."""
        if self.of:
            return len(self.words & set(words_of(text))) * 2 >= self.of
        return self.text == text if whole else holds(text, self.text)


Subjects = Callable[[Evidence], Iterable[Subject]]
Secrets = Callable[[Evidence], Callable[[Subject], list[Secret]]]
Surface = Callable[[Evidence, Subject], Iterable[Shown]]
Excuse = Callable[[Subject, Shown, Secret], bool]


def _never(subject: Subject, shown: Shown, secret: Secret) -> bool:
    return False


@dataclass(frozen=True)
class Leak:
    """One search of the leak engine for secrets that must not occur in certain texts.

    Attributes:
        message: The message. Its placeholders are ``who``, ``where``, ``field`` (of the secret), ``how`` (the
            secret's encoding), ``asked`` (the number of tasks) and ``found`` (the number of tasks with the leak).
        least, share: Minimum number of tasks with the leak, and their minimum share of all tasks.
        values: Minimum number of different secrets.
        by_place: Whether these minimums apply to each place separately.
        whole: Whether the text must equal the secret.
        otherwise: Whether to search only if the row's earlier searches found nothing.
        once: Whether to stop at the first leak.
        except_common: Whether a secret counts as hidden if the texts of tasks without this secret contain it as well.
    """

    subjects: Subjects
    secrets: Secrets
    surfaces: tuple[Surface, ...]
    message: str
    forms: tuple[Form, ...] = FORMS
    level: Status | None = None
    least: int = 1
    share: float = 0.0
    values: int = 1
    by_place: bool = False
    whole: bool = False
    otherwise: bool = False
    once: bool = False
    except_common: bool = False
    excuse: Excuse = _never


@dataclass(frozen=True)
class LeakRow:
    """The searches of one check, and the reasons to skip the check.

    Attributes:
        unknown: The reason to skip if no task has a secret.
        unseen: The reason to skip if there was no text to search.
        rests_on: The probe that must have a result before the check can pass.
    """

    leaks: tuple[Leak, ...]
    unknown: str
    unseen: str = ""
    rests_on: str = ""


@dataclass(frozen=True)
class _Leaked:
    subject: Subject
    shown: Shown
    secret: Secret
    form: Form
    text: str


@dataclass
class _Searched:
    """The results of one search, by place: the leaks, the owners of secrets, and the owners whose texts were
    searched."""

    found: list[_Leaked] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    compared: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))


def leaks(row: LeakRow, evidence: Evidence) -> Iterator[Hit]:
    """Search for secrets in all forms, and yield a hit for each leak that is frequent enough to report."""
    hit = known = compared = False
    for part in row.leaks:
        if part.otherwise and hit:
            continue
        searched = _search(part, evidence)
        known = known or bool(searched.asked)
        compared = compared or any(len(one) >= part.least for one in searched.compared.values())
        for each in _of_many(part, searched) if part.least > 1 else _of_each(part, searched):
            hit = True
            yield each
            if part.once:
                break
    if hit:
        return
    if not known:
        yield skip(row.unknown)
    elif row.rests_on and (why := unanswered(evidence, row.rests_on)):
        yield skip(why)
    elif not compared and row.unseen:
        yield skip(row.unseen)


def _search(part: Leak, evidence: Evidence) -> _Searched:
    searched, known = _Searched(), part.secrets(evidence)
    texts: list[tuple[list[Secret], str]] = []
    for subject in part.subjects(evidence):
        secrets = known(subject)
        if not secrets:
            continue
        searched.asked.add(subject.place)
        for surface in part.surfaces:
            for shown in surface(evidence, subject):
                searched.compared[shown.where if part.by_place else ""].add(subject.place)
                searched.found += _leaked(part, subject, shown, secrets)
                texts.append((secrets, shown.text))
    if part.except_common:
        searched.found = [each for each in searched.found if not _is_common(each, texts)]
    return searched


def _is_common(leaked: _Leaked, texts: list[tuple[list[Secret], str]]) -> bool:
    """Return whether a text of a task without this secret contains the secret in the same form."""
    return any(
        _as(leaked.form, leaked.secret, text, text.lower()) is not None
        for secrets, text in texts
        if leaked.secret not in secrets
    )


def _leaked(part: Leak, subject: Subject, shown: Shown, secrets: list[Secret]) -> Iterator[_Leaked]:
    small = shown.text.lower()
    for secret in secrets:
        for form in part.forms:
            text = _as(form, secret, shown.text, small, whole=part.whole)
            if text is None:
                continue
            if not (_open(form, secret, shown) or part.excuse(subject, shown, secret)):
                yield _Leaked(subject, shown, secret, form, text)
            break


def _as(form: Form, secret: Secret, text: str, small: str, *, whole: bool = False) -> str | None:
    """Return the part of ``text`` that shows the secret in this form, or None if no part shows the secret."""
    if form is PLAIN:
        return text if secret.stands_in(small, whole=whole) else None
    for code in written(form, secret.text) if secret.text else ():
        if code == small if whole else len(code) >= form.shortest and stands(code, small):
            return text
    # A text that is also there unchanged is not hidden; words may be there separately.
    if secret.of or (len(secret.text) >= form.least and not secret.stands_in(small, whole=whole)):
        for plain in read(form, text):
            if secret.stands_in(plain.lower(), whole=whole or form.whole):
                return plain
    return None


def _open(form: Form, secret: Secret, shown: Shown) -> bool:
    """Return whether the agent had already seen the secret, openly or in this form, before this text."""
    if secret.of:  # of words, it contains only those that were not open
        return False
    seen = shown.seen
    if shown.openly is None:
        return form is not PLAIN and secret.stands_in(seen)
    return bool(seen) and (secret.stands_in(seen) or _as(form, secret, seen, seen) is not None)


def _of_each(part: Leak, searched: _Searched) -> Iterator[Hit]:
    told: set[Hashable] = set()
    for each in searched.found:
        key = (id(each.subject), each.secret)
        if key not in told:
            told.add(key)
            yield _hit(part, each, 1, len(searched.asked))


def _of_many(part: Leak, searched: _Searched) -> Iterator[Hit]:
    """Yield a hit for each place that shows the secrets of enough different tasks."""
    by_place: dict[str, dict[str, _Leaked]] = defaultdict(dict)
    for each in searched.found:
        where = each.shown.where if part.by_place else ""
        by_place[where].setdefault(each.subject.place, each)
    for several in by_place.values():
        count, asked = len(several), len(searched.asked)
        values = {each.secret for each in several.values()}
        if count >= max(part.least, part.share * asked) and len(values) >= part.values:
            yield _hit(part, next(iter(several.values())), count, asked)


def _hit(part: Leak, each: _Leaked, found: int, asked: int) -> Hit:
    subject, shown = each.subject, each.shown
    message = part.message.format(
        who=named(subject.trajectory) if subject.trajectory else "",
        where=shown.where,
        field=repr(each.secret.field),
        how=f" {each.form.says}" if each.form.says else "",
        value=repr(each.secret.text),
        text=repr(each.text[:80]),
        id=(subject.task or {}).get("id", "?"),
        at=subject.place,
        found=found,
        asked=asked,
    )
    place = Place(task=subject.place, tool=shown.tool)
    return Hit(message, subject.trajectory, place, part.level)
