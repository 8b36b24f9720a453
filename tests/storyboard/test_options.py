"""The options of a picture: one list, however they are passed."""

import inspect
from dataclasses import fields

import pytest

from minitape.storyboard import Film, build, develop
from minitape.storyboard.options import Picture, PictureOptions


def test_the_arguments_by_name_are_the_fields_of_a_picture():
    assert PictureOptions.__annotations__.keys() == {field.name for field in fields(Picture)}
    assert [hint.__forward_arg__ for hint in PictureOptions.__annotations__.values()] == [
        field.type for field in fields(Picture)
    ]


@pytest.mark.parametrize("function", [build, develop])
def test_a_function_shows_each_option(function):
    shown = inspect.signature(function).parameters
    assert shown["max_cells"].default == Picture().max_cells and {
        field.name for field in fields(Picture)
    } <= set(shown)
    assert not any(parameter.kind is parameter.VAR_KEYWORD for parameter in shown.values())


def test_an_unknown_option_is_refused():
    with pytest.raises(TypeError, match="titel"):
        develop(Film(), titel="a line")
