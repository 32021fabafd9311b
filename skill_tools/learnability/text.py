"""A study as lines for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skill_tools.checks.reading.curves import ALL, IDLE, Curve, LazyPlayer, SkillLevel
from skill_tools.learnability.model import Study

LAZY_SHOWN = 3
"""Number of blind players, the best ones, to show for all tasks; each level shows only its best."""
WIDE = 8
"""Width of a column in characters."""
HEAD = 34
"""Maximum width of a row's name; a longer name gets its own line."""


def tell_study(study: Study, *, verbose: bool = False) -> Iterator[str]:
    """Yield lines with the verdict, curves, blind players and advice, but without findings.

    ``verbose`` adds each player and task.
    """
    yield f"{study.title}: {study.verdict}"
    yield f"     {study.because}"
    yield (
        f"{study.tasks} of {study.size} tasks of {study.split}, {study.samples} samples of each (a group); "
        f"{study.episodes:,} episodes in {study.seconds:.0f} s"
    )
    if study.short:
        yield f"Less than requested: {study.short}."
    yield f"Random calls are {study.drawn}; {study.how_oracle_goes_on}."
    yield "Columns: the oracle, the oracle with a share of random calls, random play. A model is in between."
    for curve in study.curves:
        yield ""
        yield from _tell_curve(curve, whole=curve.level == ALL, full=verbose or curve.level == ALL)
    yield ""
    yield from _tell_lazy(study, verbose=verbose)
    if verbose:
        yield ""
        yield from _tell_tasks(study)
    yield ""
    for sentence in study.advice:
        yield f"Advice, {sentence}"


def _tell_curve(curve: Curve, *, whole: bool, full: bool) -> Iterator[str]:
    name = f"{'All tasks' if whole else curve.level} ({curve.tasks})"
    if len(name) > HEAD:
        yield name
    yield _row(name if len(name) <= HEAD else "", [_name(rung) for rung in curve.rungs])
    yield _row("  mean return", [f"{rung.mean:.3f}" for rung in curve.rungs])
    if full:
        yield _row("  ± (95%, over tasks)", [f"{rung.half:.3f}" for rung in curve.rungs])
    yield _row("  groups that have variance", [_varied(rung) for rung in curve.rungs])
    if not full:
        return
    yield _row(
        "  episodes that earned the maximum", [f"{rung.solved_share:.0%}" for rung in curve.rungs]
    )
    yield _row("  calls of an episode", [f"{rung.mean_steps:.1f}" for rung in curve.rungs])
    yield (
        f"  return and skill: rank correlation {curve.rank:.2f}, slope {curve.slope:.3f} from random play "
        "to the oracle"
    )
    if len(curve.rungs) > 1:
        yield f"  the first step, from random play to {_name(curve.rungs[-2])} random calls: {curve.bottom:+.3f}"
    if curve.mistake_cost is None:
        yield f"  cost of one random call to the oracle: unknown ({curve.mistakes} episodes are too few)"
    else:
        yield f"  one random call costs the oracle {curve.mistake_cost:.3f} ({curve.mistakes} episodes)"


def _name(rung: SkillLevel) -> str:
    return {0.0: "oracle", 1.0: "random"}.get(rung.epsilon, f"{rung.epsilon:.0%}")


def _varied(rung: SkillLevel) -> str:
    return "-" if rung.epsilon == 0 else f"{1 - rung.flat_share:.0%}"


def _row(head: str, cells: Sequence[str]) -> str:
    return f"{head:<{HEAD}}" + "".join(f"{cell:>{WIDE}}" for cell in cells)


def _tell_lazy(study: Study, *, verbose: bool) -> Iterator[str]:
    if not study.lazy:
        yield "Blind players: not measured, because no time was left"
        return
    yield f"Blind players, with their share of the oracle's return (the bound is {study.bound:.0%}):"
    for curve in study.curves:
        here = [each for each in study.lazy if each.level == curve.level and each.words != IDLE]
        earning = [each for each in here if each.share > 0]
        whole = curve.level == ALL
        shown = here if verbose and whole else earning[: LAZY_SHOWN if whole else 1]
        for each in shown:
            yield f"  {'' if whole else f'{curve.level}: '}{_tell_player(each)}"
        if whole and not earning:
            yield f"  none of {len(here)} earns more than {IDLE}"


def _tell_player(each: LazyPlayer) -> str:
    count = f"{each.episodes} task{'s' if each.episodes > 1 else ''}"
    words = each.words if len(each.words) <= 60 else f"{each.words[:57]}..."
    return f"{words}: {each.mean:.3f} ± {each.half:.3f}, {each.share:.0%} ({count})"


def _tell_tasks(study: Study) -> Iterator[str]:
    yield _row("Mean return of each task", [_name(rung) for rung in study.curves[0].rungs])
    for row in study.by_task:
        level = "" if row.level == ALL else f" {row.level}"
        yield _row(f"  {row.task}{level}", [f"{mean:.3f}" for mean in row.means])
