"""The folders that the MCP server may access and run, and its error messages for other folders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from skill_tools.errors import SkillToolsError
from skill_tools.files import ANSWERS_FILE, CLAIMS_FILE, EXAMPLES_FILE, READINGS_FILE, SPEC_FILE
from skill_tools.mcp.answer_size import clip
from skill_tools.runtime import consent


class Workspace:
    """The folders that the MCP server may access: all folders, or only folders below the roots that the user gave."""

    def __init__(self, roots: Sequence[Path] = ()) -> None:
        self.roots = [root.expanduser().resolve() for root in roots]

    def folder(self, env_path: str) -> Path:
        """Return the environment folder for an absolute path to the folder or to its env.yaml.

        Raises SkillToolsError, with the expected form and the next step, for any other path.
        """
        given = Path(env_path)
        if not env_path.strip() or not given.is_absolute():
            raise SkillToolsError(
                f"env_path must be absolute, and {env_path!r} is not: give the full path of the "
                "folder that holds env.yaml, such as /home/me/project/my_env"
            )
        try:
            return self._found(given)
        # Too long, contains a zero byte, or is unreadable; a loop of links is a RuntimeError.
        except (OSError, ValueError, RuntimeError) as error:
            why = getattr(error, "strerror", None) or error
            raise SkillToolsError(
                f"env_path cannot be read ({clip(str(why), 300)}): {clip(env_path, 300)}"
            ) from error

    def may_run(self, folder: Path, approve: bool) -> bool:
        """Return whether the user agreed to run a folder's code; ``approve`` means that the user has just agreed."""
        if approve:
            consent.approve(folder)
        return consent.approved(folder)

    def must_run(self, folder: Path, approve: bool) -> None:
        """Raise SkillToolsError unless the user agreed to run a folder's code."""
        if not self.may_run(folder, approve):
            raise SkillToolsError(
                f"refused: this would run the Python code in {folder} with the user's rights, and "
                "they have not agreed to that yet. Ask the user. If they agree, repeat this one call with "
                "approve=true. (For files you wrote yourself, a request to build counts as agreement.)"
            )

    def _found(self, given: Path) -> Path:
        folder = (given.parent if given.name == SPEC_FILE else given).resolve()
        if self.roots and not any(folder.is_relative_to(root) for root in self.roots):
            allowed = ", ".join(map(str, self.roots))
            linked = f" (a link to {folder})" if folder != given else ""
            raise SkillToolsError(
                f"{given}{linked} is outside the folders of this server: "
                f"{allowed}; work below one of them"
            )
        if folder.is_file():
            raise SkillToolsError(f"{given} is a file; give the folder that holds env.yaml")
        if not folder.is_dir():
            raise SkillToolsError(
                f"there is no folder {given}; write the environment's files there first "
                "(list_archetypes lists the kinds, read_exemplar shows a start)"
            )
        if not (folder / SPEC_FILE).is_file():
            below = sorted(str(path.parent) for path in folder.glob(f"*/{SPEC_FILE}"))[:5]
            nearby = f"; did you mean {' or '.join(below)}?" if below else ""
            raise SkillToolsError(
                f"{given} has no {SPEC_FILE}{nearby or '; write that file first'} "
                "(read_exemplar with exemplar='starter/pure-python-game' shows one)"
            )
        readers = (READINGS_FILE, CLAIMS_FILE, ANSWERS_FILE)
        for path in (folder / name for name in (SPEC_FILE, EXAMPLES_FILE, *readers)):
            if self.roots and not any(path.resolve().is_relative_to(root) for root in self.roots):
                raise SkillToolsError(f"{path} is a link that leaves the folders of this server")
        return folder
