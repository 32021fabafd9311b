"""OBS: what observations show, and in which format."""

from skill_tools.checks.rules.observations import drawings, formats, views

CHECKS = (
    *drawings.CHECKS,
    *views.CHECKS,
    *formats.CHECKS,
)
