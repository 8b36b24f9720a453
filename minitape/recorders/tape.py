"""The tape that stands for one of another library's: written short, and played by the library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from minitape.engine.annotated_tape import AnnotatedTape, ended
from minitape.engine.recording import Recording

from .lines import Lines, Marks, Notes

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Number, Numbers, Output

    from .call_sites import CallSite
    from .filmed import FilmedPlay
    from .row import Row


class LibraryRecording(Recording):
    """A recording of what a library computed: its tape knows where each tensor was made."""

    tape: LibraryTape

    def path_of(self, number: Number) -> Any:
        return self.tape.tensors.places.site_of(number)

    def is_inner(self, number: Number) -> bool:
        site = self.tape.tensors.places.site_of(number)
        return site is not None and site.inner

    def layers_of(self, number: Number) -> tuple[tuple[int, str], ...] | None:
        return self.tape.tensors.places.layers_of(number)

    def twin(self) -> Any:
        """Return the same as others do, though its entries may have been read before."""
        twin = super().twin()
        twin.twin_of = self.tape.origin
        if not isinstance(twin.entries, Lines):
            twin.entries = twin.lines(twin.entries)
        return twin


class LibraryTape(AnnotatedTape):
    """A tape that is told of what a library records. No operation of minitape's is told to it, so
    it does not stand among those who listen. `filmed`: the plays that the library has played, and
    that somebody may ask about; `tensors`: what is known of the library's tensors; `twin_of`: the
    tape that a twin was made of.
    """

    tensors: Any
    twin_of: LibraryTape | None = None

    entries: Lines  # type: ignore[assignment]
    watched: Marks  # type: ignore[assignment]
    notes: Notes  # type: ignore[assignment]
    lines: type[Lines] = Lines

    def clear(self) -> None:
        super().clear()
        self.entries, self.watched, self.notes = self.lines(), Marks(), Notes()
        self.filmed: list[FilmedPlay] = []
        self.warns: FilmedPlay | None = None  # the last play, where one of its gradients is None

    @property
    def origin(self) -> Any:
        """The tape that the library knows: of a twin the one that it was made of. No attribute has
        it: a tape that knew itself would wait for the search for garbage.
        """
        return self.twin_of or self

    def end(self, now: int) -> None:
        """Record no more: `now` is the moment."""
        if self.blocks and self.blocks[-1][1] is None:
            self.blocks[-1] = self.blocks[-1][0], now
            ended.append(self.blocks[-1])  # type: ignore[arg-type]
        self.recording = False

    def called(
        self,
        key: Any,
        row: Row,
        site: CallSite,
        inputs: Numbers,
        output: Output,
        y: Any,
        values: tuple[Any, ...],
    ) -> None:
        """Record an operation where one of the inputs is watched, as `Tape.record` does, and what
        it is known by on the way back.
        """
        watched = self.watched
        if inputs[0] not in watched and watched.isdisjoint(inputs):
            self.notes.write((len(self.entries), site.where, row.op, output, *inputs))
            return
        for number, array in zip(output, y) if isinstance(output, tuple) else ((output, y),):
            self.watch_output(number, array.dtype)
        self.entries.write((key, row, site, output, *inputs, y, *values))

    def release(self) -> None:
        self.entries = self.entries.without_arrays()
