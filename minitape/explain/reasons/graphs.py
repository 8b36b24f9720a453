"""What the text adds to what a library knows of its graphs: which line keeps them, what is carried
from one step to the next.
"""

from __future__ import annotations

import ast

from minitape.program.names import assigned_names
from minitape.program.places import span_of
from minitape.program.syntax import FUNCTIONS, above, call_name, short, statement, text_of

from ..case.aliases import Break, Case, Node
from ..case.words import word

DISPLAYS = ast.List, ast.ListComp, ast.Dict, ast.DictComp
KEEPS = ("append", "appendleft", "insert", "add")


def completed(case: Case, why: Break) -> Break:
    """Return a break as the library calls it, with what the text tells of it."""
    why = why._replace(category=case.dialect.kinds.get(why.category, why.category))
    if why.params.get("variant") == "marked":
        name = own_function(case, why.params["op"])
        return why._replace(params={**why.params, "name": name or case.text(why.where)})
    if not why.category.startswith("torch-"):
        return why
    params, node = dict(why.params), case.node(why.where)
    if params.get("variant") == "listed":
        return why._replace(where=_keeper(node) or why.where, params={**params, "variant": ""})
    listed = _hidden(case, node, params.pop("hider", ""))
    if listed is not None:
        return why._replace(where=span_of(listed), params=params)
    if "carried_at" in params:
        stmt = statement(case.node(params["carried_at"]))
        carried = _carried(stmt) if stmt is not None else ""
        params["carried_text"] = carried or word("value")
        # elsewhere a plain name may mean another value
        here = node is not None and above(stmt, FUNCTIONS) is above(node, FUNCTIONS)
        params["carried"] = carried if here or "." in carried else ""
        params["variant"] = params.get("variant") or ("carried" if carried else "")
    needs = case.node(params.pop("needs_at", None))
    if needs is not None and not params.get("variant"):
        params.update(variant="needed", needed=short(needs))
    if why.category == "torch-no-grad" and node is not None and call_name(node) == "checkpoint":
        params["variant"] = "checkpoint"
    return why._replace(params=params)


def own_function(case: Case, op: str) -> str:
    """Return the name of the class of the program's own, with a `backward`, that an operation of
    the library's stands for, or "".
    """
    name = op.removeprefix(f"{case.tape.module}.")
    classes = case.program.each((ast.ClassDef,), name) if name.isidentifier() else ()
    named = [each for each in classes if each.name == name]
    own = [getattr(each, "name", "") for found in named for each in found.body]
    return name if "backward" in own else ""


def _carried(stmt: Node) -> str:
    """Return the name that a statement reads and gives a new value to, or ""."""
    names = [n for n in ast.walk(stmt) if isinstance(n, (ast.Name, ast.Attribute))]
    stored = {text_of(n) for n in names if isinstance(n.ctx, ast.Store)}
    read = (text_of(n) for n in names if isinstance(n.ctx, ast.Load))
    return next((name for name in read if name in stored), "")


def _hidden(case: Case, node: Node, name: str) -> Node:
    """Return the first call that makes a module of this class for a list or a dictionary, where
    what it holds is made elsewhere; or None.
    """
    if node is None or not name or call_name(node) == name:
        return None
    calls = case.program.each((ast.Call,), name)
    return next((call for call in calls if call_name(call) == name and _is_listed(call)), None)


def _is_listed(call: Node) -> bool:
    """Tell whether what a call gives stands in a list that nothing else is made of."""
    around = above(call, ast.Call, stop=ast.stmt)
    if around is not None:
        return call_name(around) in KEEPS
    return above(call, DISPLAYS, stop=ast.stmt) is not None


def _keeper(node: Node) -> Node:
    """Return the statement that puts what an expression gives into a list, or None."""
    names = assigned_names(node) if node is not None else []
    around = above(node, FUNCTIONS) if names else None
    for each in node.file.each((ast.Call,), *names) if names else ():
        held = {n.id for arg in each.args for n in ast.walk(arg) if isinstance(n, ast.Name)}
        if call_name(each) in KEEPS and held & {*names} and above(each, FUNCTIONS) is around:
            return each
    return None
