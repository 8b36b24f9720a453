"""The front end as one module: whole, in order, light, and safe inside of a page."""

import json
import re
from pathlib import Path

import pytest

from minitape.sentences import LANGUAGES
from minitape_widgets import module, scripts
from minitape_widgets.pitfalls.card import PAGE


def test_the_module_is_whole():
    source = module.source()
    assert not re.search(r"^import ", source, re.MULTILINE), "a module from a blob cannot import"
    assert re.search(r"^export const\{show,showAll[,}]", source, re.MULTILINE)
    assert "</script" not in source.lower() and "<!--" not in source
    assert "innerHTML" not in source and "insertAdjacentHTML" not in source
    assert (
        "http://" not in source.replace("http://www.w3.org/2000/svg", "")
        and "https://" not in source
    )
    # of a language 24,000, and 2,000 in the words of other libraries
    assert len(source) < 354_000 + 26_000 * len(LANGUAGES)
    assert "/**" not in source and "@type" not in source, (
        "types are for those who write, and would travel with every player"
    )
    assert {path.relative_to(module.STATIC).as_posix() for path in module.STATIC.rglob("*.js")} == {
        *module.files(),
        *module.files(PAGE),
        *module.files("health/page.js"),
        "bytes/switch.js",
        "pages.js",
        "remoteEntry.js",
        "widget.js",
    }


def test_the_gallery_travels_with_its_cards_only():
    whole = module.source(PAGE)
    assert re.search(r"^export const\{show,showAll\}", whole, re.MULTILINE)
    assert (
        not re.search(r"^import |await \(await fetch", whole, re.MULTILINE)
        and "</script" not in whole.lower()
    )
    assert "innerHTML" not in whole and "insertAdjacentHTML" not in whole
    assert (
        not any(path.startswith("card/") for path in module.files())
        and len(whole) - len(module.source()) < 18_500
    )


def test_the_map_of_the_front_end_names_every_file():
    text = (module.STATIC.parents[1] / "README.md").read_text(encoding="utf-8")
    places = dict(re.findall(r"^    (\w+/)(.*(?:\n {8,}.*)*)", text, re.MULTILINE))
    missing = [
        path
        for path in module.STATIC.rglob("*.js")
        if path.parent != module.STATIC
        and not re.search(rf"\b{path.stem}\b", places.get(f"{path.parent.name}/", ""))
    ]
    assert [path.relative_to(module.STATIC).as_posix() for path in missing] == []


def test_a_style_sheet_loses_only_what_means_nothing():
    sheet = (
        "/* why */ .a > .b1,\n.c ~ d { margin: 0.5em -0.25em 10.5px; width: calc(1px + "
        "0.1em) !important; }"
    )
    assert (
        module.small(sheet)
        == ".a>.b1,.c~d{margin:.5em -.25em 10.5px;width:calc(1px + .1em)!important}"
    )


def test_comments_types_and_indentation_do_not_travel():
    written = (
        "/** Adds.\n * @param {number} a */\nfunction add(a) {\n  // why\n"
        "  const b = /** @type {any} */ (a); // the learner's\n"
        """  const c = ['a // b', `a // ${b + 1} {`, "a = \\" // b"]; // not 'b'\n"""
        """  const d = a - -b / 2 + (a ? 1 : b), e = [/[ = "/] = "/g, "{ }"];\n"""
        '  return "/* a  b */" + b;\n}\n'
    )
    assert scripts.bare(written) == (
        "function add(a){const b=(a);\n"
        """const c=['a // b',`a // ${b + 1} {`,"a = \\" // b"];\n"""
        """const d=a - -b / 2+(a?1:b),e=[/[ = "/] = "/g,"{ }"];\n"""
        'return "/* a  b */"+b;\n}\n'
    )


def test_no_text_stands_in_another():
    """A `text ${in `another`}` would lose spaces as if it were code."""
    for path in module.STATIC.rglob("*.js"):
        assert not re.search(r"`[^`]*\$\{[^}`]*`", path.read_text()), path


def test_every_file_comes_after_those_that_it_imports(tmp_path, monkeypatch):
    monkeypatch.setattr(scripts, "STATIC", tmp_path)
    (tmp_path / "a.js").write_text(
        'import { b as c } from "./deep/b.js";\nexport const a = c + 1;\n'
    )
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "b.js").write_text(
        'import {\n  c,\n} from "../c.js";\nexport const b = c;\n'
    )
    (tmp_path / "c.js").write_text("export const c = 1;\n")
    assert list(module.files("a.js")) == ["c.js", "deep/b.js", "a.js"]
    (tmp_path / "c.js").write_text('import { a } from "./a.js";\n')
    with pytest.raises(ValueError, match="a.js -> deep/b.js -> c.js -> a.js"):
        module.files("a.js")


def test_what_a_file_exports_is_seen_under_its_name_and_two_of_one_name_stay_two(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(scripts, "STATIC", tmp_path)
    (tmp_path / "a.js").write_text(
        'import { once, same, other as named } from "./b.js";\nimport { same as twin } from '
        '"./c.js";\n'
        "export const all = [once, same, named, twin];\nexport { once };\n"
    )
    (tmp_path / "b.js").write_text(
        "export const once = 1;\nexport const same = 2;\nexport const other = 3;\n"
    )
    (tmp_path / "c.js").write_text("export const same = 4;\nexport const alone = 5;\n")
    files = module.files("a.js")
    names = module._called(files, "a.js")
    assert names == {
        "b.js": {"once": "once", "same": "$b_same", "other": "$b_other"},
        "c.js": {"same": "$c_same"},
        "a.js": {"all": "all"},
    }
    assert [module._joined(script, "a.js", names) for script in files.values()] == [
        "const{once,same:$b_same,other:$b_other}=(()=>{\nconst once=1;\nconst same=2;\nconst "
        "other=3;\n"
        "return{once,same,other}})();\n",
        "const{same:$c_same}=(()=>{\nconst same=4;\nconst alone=5;\nreturn{same}})();\n",
        "export const{all}=(()=>{\nconst same=$b_same;\nconst named=$b_other;\nconst "
        "twin=$c_same;\n"
        "const all=[once,same,named,twin];\nreturn{all}})();\nexport{once};\n",
    ]


def test_no_file_calls_what_it_does_not_import():
    """JupyterLab's extension serves the files as they are, and joined they would see it all the
    same.
    """
    files = module.files(PAGE) | module.files("health/page.js")
    exported = {name for script in files.values() for name in script.exports}
    for path, script in files.items():
        code = re.sub(
            r'/\*.*?\*/|//[^\n]*|"(?:[^"\\]|\\.)*"',
            "",
            (module.STATIC / path).read_text(encoding="utf-8"),
            flags=re.DOTALL,
        )
        called = {*re.findall(r"(?<![.\w])(\w+)\(", code)} & exported - {
            own for _, _, own in script.imports
        }
        for name in called:
            own = rf"(?:function|const|let) {name}\b|\b{name}(?: =>|: |\(.*\) \{{)"
            taken = rf"\{{[^{{}}]*\b{name}\b[^{{}}]*\}} =|\([^()]*\b{name}\b[^()]*\) (?:=>|\{{)"
            assert re.search(f"{own}|{taken}", code), (path, name)


def test_every_style_sheet_is_listed_and_no_text_runs_over_lines():
    """The sheets are joined as style.css lists them; joining takes the indentation away, which a
    text over two lines would miss.
    """
    sheets = {
        path.relative_to(module.STATIC).as_posix() for path in module.STATIC.rglob("*.css")
    } - {"style.css", "bytes/switch.css", "card/card.css", "health/health.css"}
    listed = re.findall(
        '^@import "(.+)";$', (module.STATIC / "style.css").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert set(listed) == sheets and len(listed) == len(sheets)
    assert (
        "/*" not in module.style() and module.style().count("{") == module.style().count("}") > 300
    )
    for path in module.STATIC.rglob("*.js"):
        for line in path.read_text(encoding="utf-8").splitlines():
            code = re.sub(r"//.*|/\*.*|^ *\*.*|/\(?`.*`.*/|/\^`.*`\$/", "", line)
            assert code.count("`") % 2 == 0, f"{path.name}: {line}"


@pytest.mark.parametrize("folder", ["widgets", "tests/frontend"])
def test_no_line_of_the_front_end_is_longer_than_120_characters(folder):
    root = Path(__file__).resolve().parent.parent.parent / folder
    files = [
        path
        for kind in ("js", "css", "ts")
        for path in root.rglob(f"*.{kind}")
        if "node_modules" not in path.parts
    ]
    assert files
    assert not [
        f"{path.name}: {line}"
        for path in files
        for line in path.read_text(encoding="utf-8").splitlines()
        if len(line) > 120
    ]


def test_every_word_of_the_player_exists():
    said = {
        key
        for path in module.STATIC.rglob("*.js")
        for key in re.findall(r'"(ui\.[a-z.]+[a-z])"', path.read_text(encoding="utf-8"))
    }
    assert said <= set(module.words("en"))


def test_every_word_that_travels_is_said_by_the_page():
    """Whole, or as `"ui.phase." + phase`; a word that only Python says stays at home."""
    text = "".join(
        (module.STATIC / path).read_text(encoding="utf-8")
        for path in module.files()
        if path != "texts.js"
    )
    begun = {
        *re.findall(r'"(ui(?:\.[a-z]+)+\.)" \+', text),
        *(f"ui.{kind}" for kind in ("value", "adjoint", "local", "part")),
    }
    begun = begun - {"ui.valley."} | {
        f"ui.valley.{word}" for word in re.findall(r'\bsay\("([a-z]+)"', text)
    }
    travel = {key for key in module.OWN("en") if not key.startswith(module.PYTHONS)}
    assert [
        key for key in sorted(travel) if f'"{key}"' not in text and not key.startswith(tuple(begun))
    ] == []


@pytest.mark.parametrize("text", ["</script>", "<!--", "\u2028", "\\", '"', "]]>"])
def test_literals_are_safe_inside_a_script(text):
    found = module.literal({"a": text})
    assert "<" not in found and "\u2028" not in found
    assert json.loads(found) == {"a": text}
