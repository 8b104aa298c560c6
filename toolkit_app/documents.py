"""Services on stored documents, tools and graphs alike: every save is a version, one version may be published.

Texts are kept as they were written, byte for byte. What differs between kinds of documents is in `DocumentKind`.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from toolkit_app.audit import audit
from toolkit_app.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError
from toolkit_app.open_runs import open_runs
from toolkit_app.publish_checks import failing_tests

_PROBLEMS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class CheckedText:
    """A text with what was read from it.

    Attributes:
        text: The text.
        name: The name inside, where there is one.
        desc: What it says of itself.
        definition: What was read; `None` for a faulty text.
        problems: As the API gives them: `path`, `line`, `column`, `message`.
    """

    text: str
    name: str | None
    desc: str
    definition: Any
    problems: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class DocumentKind:
    """What differs between tools and graphs.

    Attributes:
        noun: `tool` or `graph`.
        model: The Django model of a document.
        text_field: The name of the field of its versions that holds the text.
        api_field: The name of the text in the API.
        check: Reads a text.
        check_name: Refuses a name that doesn't fit the rule; returns it in its normal form.
    """

    noun: str
    model: Any
    text_field: str
    api_field: str
    check: Callable[[str], CheckedText]
    check_name: Callable[[str], str]

    def get(self, name: str) -> Any:
        """Finds a document.

        Raises:
            NotFoundError: If there is none of this name.
        """
        return self._found(self.model.objects.filter(name=name).first(), name)

    def version(self, document: Any, revision: int | None = None) -> Any:
        """Finds a version; the newest unless told.

        Raises:
            NotFoundError: If the document has no such revision.
        """
        wanted = document.revision if revision is None else revision
        version = document.versions.filter(revision=wanted).select_related("created_by").first()
        if version is None:
            raise NotFoundError(f"{document.name} has no revision {wanted}; the newest is {document.revision}.")
        return version

    def text(self, version: Any) -> str:
        """Returns a version's text."""
        text: str = getattr(version, self.text_field)
        return text

    @transaction.atomic
    def create(self, user: Any, text: str, *, note: str = "", draft: bool = False) -> Any:
        """Makes a document from its text; the name is the text's.

        Args:
            user: Who makes it; `None` for the server.
            text: The first version.
            note: What this version is.
            draft: Takes a text with problems too, as a save does; only its name must be right.

        Raises:
            InvalidError: With every problem of the text, or if the name doesn't fit the rule.
            ConflictError: If the name is taken.
        """
        checked = self.check(text)
        if not draft:
            self.require_sound(checked)
        name = self.check_name(checked.name or "")
        if self.model.objects.filter(name__iexact=name).exists():
            raise ConflictError(
                f"There is a {self.noun} {name} already. Pick another name in the text.",
                code="taken",
                fields={"name": ["This name is taken."]},
            )
        document = self.model.objects.create(name=name)
        self._add_version(document, checked, user, note)
        audit(_actor(user), f"{self.noun}.create", name)
        return document

    @transaction.atomic
    def save(self, user: Any, name: str, text: str, base_revision: int, *, note: str = "") -> Any:
        """Saves a text as a new version, a faulty one too; the newest text again makes none unless it is named.

        Raises:
            ConflictError: If another save came first, with both texts.
            InvalidError: If the text names another document.
        """
        document = self._locked(name)
        newest = self.version(document)
        if base_revision != document.revision:
            raise ConflictError(
                f"{_author(newest)} saved revision {newest.revision} after you opened revision {base_revision}.",
                current={
                    "revision": newest.revision,
                    self.api_field: self.text(newest),
                    "updated_at": newest.created_at,
                    "updated_by": newest.created_by.username if newest.created_by else None,
                },
                yours={"base_revision": base_revision, self.api_field: text},
            )
        checked = self.check(text)
        if checked.definition is not None and self.check_name(checked.name or "") != document.name:
            raise InvalidError(
                f"The text names {checked.name}, but this is {document.name}. "
                f"To rename a {self.noun}, make a new one with this text.",
                code="renamed",
                fields={self.api_field: [f"name must stay {document.name}."]},
            )
        if text != self.text(newest) or note:
            self._add_version(document, checked, user, note)
            audit(_actor(user), f"{self.noun}.save", document.name, revision=document.revision)
        return document

    @transaction.atomic
    def restore(self, user: Any, name: str, revision: int) -> Any:
        """Makes a new version with the text of an older one."""
        document = self._locked(name)
        version = self.version(document, revision)
        self._add_version(document, self.check(self.text(version)), user, f"Revision {revision} restored")
        audit(_actor(user), f"{self.noun}.restore", document.name, revision=revision)
        return document

    def publish(self, user: Any, name: str, revision: int, *, despite_tests: bool = False) -> Any:
        """Publishes a version: runs from outside use it from now on.

        Args:
            user: Who publishes it.
            name: The document.
            revision: The version.
            despite_tests: Publishes it also when saved tests fail on it; the audit trail says so.

        Raises:
            InvalidError: With every problem of the version's text.
            NotFoundError: If there is no such revision.
            ConflictError: If saved tests fail on it, with each of them.
        """
        self.require_sound(self.check(self.text(self.version(self.get(name), revision))))
        failed = failing_tests(user, self.noun, name, revision)
        if failed and not despite_tests:
            titles = ", ".join(one["title"] for one in failed)
            raise ConflictError(
                f"Revision {revision} of {name} fails {len(failed)} of its tests: {titles}. Mend it, or publish it "
                "anyway.",
                code="tests",
                tests=failed,
            )
        return self._publish(user, name, revision, [one["title"] for one in failed])

    @transaction.atomic
    def _publish(self, user: Any, name: str, revision: int, failed: list[str]) -> Any:
        document = self._locked(name)
        self.version(document, revision)
        document.published_revision = revision
        document.save()
        despite = {"despite_tests": failed} if failed else {}
        audit(_actor(user), f"{self.noun}.publish", document.name, revision=revision, **despite)
        return document

    @transaction.atomic
    def delete(self, user: Any, name: str) -> None:
        """Removes a document with its versions; its runs that have ended stay.

        Raises:
            ConflictError: If runs that have not ended need it, with how many.
        """
        document = self._locked(name)
        count = open_runs(self.noun, document.name)
        if count:
            are, them = ("is", "it") if count == 1 else ("are", "them")
            raise ConflictError(
                f"{count} run{'' if count == 1 else 's'} of {name} {are} still under way, paused or waiting for an "
                f"answer. Stop or answer {them} first, under Runs; then delete the {self.noun}.",
                code="runs",
                runs=count,
            )
        document.delete()
        audit(_actor(user), f"{self.noun}.delete", name)

    def compare(self, name: str, revision: int, other: int) -> str:
        """Returns how `other` differs from `revision`, as unified diff."""
        document = self.get(name)
        first, second = self.version(document, revision), self.version(document, other)
        lines = difflib.unified_diff(
            self.text(first).splitlines(keepends=True),
            self.text(second).splitlines(keepends=True),
            f"{name} revision {revision}",
            f"{name} revision {other}",
        )
        return "".join(line if line.endswith("\n") else line + "\n" for line in lines)

    def version_for_run(self, name: str, revision: int | None, *, may_edit: bool) -> Any:
        """Picks the version of a run: the named one, else the published one, else the newest where one may edit.

        Raises:
            NotFoundError: If there is no such document or revision.
            ForbiddenError: If the named one is not the published one and the caller may not edit.
            ConflictError: If nothing is published and the caller may not edit.
        """
        document = self.get(name)
        if revision is not None:
            version = self.version(document, revision)
            if not may_edit and revision != document.published_revision:
                published = document.published_revision
                instead = "nothing of it is published yet" if published is None else f"revision {published} is"
                raise ForbiddenError(
                    f"Revision {revision} of {name} is not published; {instead}. Only authors and admins run revisions "
                    "that are not published.",
                    code="not_published",
                )
            return version
        if document.published_revision is not None:
            return self.version(document, document.published_revision)
        if not may_edit:
            raise ConflictError(
                f"{name} has not been published yet. Ask its author to publish it.", code="not_published"
            )
        return self.version(document)

    def require_sound(self, checked: CheckedText) -> CheckedText:
        """Returns what was read of a text without problems.

        Raises:
            InvalidError: With every problem.
        """
        if checked.definition is None or checked.problems:
            shown = [_sentence(problem) for problem in checked.problems[:_PROBLEMS_SHOWN]]
            more = len(checked.problems) - len(shown)
            raise InvalidError(
                "The text has problems: " + "; ".join(shown) + (f"; and {more} more" if more > 0 else "") + ".",
                code="problems",
                problems=checked.problems,
            )
        return checked

    def _locked(self, name: str) -> Any:
        return self._found(self.model.objects.select_for_update().filter(name=name).first(), name)

    def _found(self, document: Any, name: str) -> Any:
        if document is None:
            raise NotFoundError(f"There is no {self.noun} {name}.")
        return document

    def _add_version(self, document: Any, checked: CheckedText, user: Any, note: str) -> None:
        document.revision += 1
        document.save()
        document.versions.create(
            revision=document.revision,
            desc=checked.desc,
            problem_count=len(checked.problems),
            note=note,
            created_by=user,
            created_at=timezone.now(),
            **{self.text_field: checked.text},
        )


def _sentence(problem: dict[str, Any]) -> str:
    return f"line {problem['line']}, column {problem['column']}: {problem['message'].rstrip('.')}"


def _actor(user: Any) -> str:
    return user.username if user is not None else "system"


def _author(version: Any) -> str:
    return version.created_by.username if version.created_by else "Somebody"
