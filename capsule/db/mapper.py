"""Reading dataclasses from rows of tables, and writing them: each column is declared once.

A field is stored in the column with its name. Its type decides how: an enumeration is stored by its
values, a dataclass field by field. Exceptions are declared where the mapper is created.
"""

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from functools import cached_property
from operator import attrgetter
from types import NoneType, SimpleNamespace
from typing import Any, Generic, TypeAlias, TypeVar, get_args, get_type_hints

import sqlalchemy as sa

Value = TypeVar("Value")

# The names in annotations that models import only for the type checker.
_STANDARD = {each.__name__: each for each in (Collection, Mapping, Sequence, date, datetime)}


@dataclass(frozen=True)
class Stored:
    """The columns of a field, and the functions that convert between their values and the field's.

    `read` takes one value for each column or, with `each`, each element of a single column's
    sequence. `write` returns the value of a single column, or a sequence with one for each; without
    `write`, the field is only read. None is not converted: it is stored as None in each column, and
    only a `read` of several columns receives it.
    """

    columns: Sequence[sa.ColumnElement[Any]]
    read: Callable[..., Any] | None = None
    write: Callable[[Any], Any] | None = None
    each: bool = False


Storage: TypeAlias = "sa.ColumnElement[Any] | Stored | Mapper[Any] | None"
"""How a field is stored; None if it is not: then a value that is read has the field's default."""


class Mapper(Generic[Value]):
    """A dataclass and the table in which its values are stored.

    `stored` says how to store those fields that do not have a column with their name. Columns of
    other tables and expressions are only read. `read` takes a row whose first columns are
    `columns`, and returns the dataclass.

    >>> from sqlalchemy import Column, Integer, MetaData, String, Table
    >>> people = Table("people", MetaData(), Column("id", Integer), Column("called", String))
    >>> @dataclass(frozen=True)
    ... class Person:
    ...     id: int
    ...     name: str
    >>> mapper = Mapper(Person, people, name=people.c.called)
    >>> mapper.read((1, "ada"))
    Person(id=1, name='ada')
    >>> mapper.values(Person(1, "ada"))
    {'id': 1, 'called': 'ada'}
    >>> mapper.changed(Person(1, "ada"), Person(1, "eve"))
    {'called': 'eve'}
    """

    def __init__(self, kind: type[Value], table: sa.FromClause, /, **stored: Storage) -> None:
        self.kind = kind
        self.fields = dict(_storage(kind, table, stored))
        self.columns: Sequence[sa.ColumnElement[Any]] = [
            column for each in self.fields.values() for column in each.columns
        ]
        self.table = table

    @cached_property
    def read(self) -> Callable[[Iterable[Any]], Value]:
        """The function that returns the value in a row; it is compiled on first use."""
        return _reader(self)

    @cached_property
    def values(self) -> Callable[[Value], dict[str, Any]]:
        """The function that returns the values of the table's columns, by column name."""
        return _writer(self)

    @cached_property
    def changed(self) -> Callable[[Value, Value], dict[str, Any]]:
        """The function that returns the values of the columns in which a new dataclass differs.

        It takes the old dataclass and the new one.
        """
        return _comparer(self)

    @property
    def select(self) -> sa.Select[Any]:
        """The statement that selects the `columns`."""
        return sa.select(*self.columns)

    def fetch_all(
        self,
        connection: sa.Connection,
        statement: sa.Select[Any] | sa.CompoundSelect[Any],
        parameters: Mapping[str, object] | None = None,
    ) -> Sequence[Value]:
        """Return the values in all rows of a statement whose first columns are `columns`."""
        return list(map(self.read, connection.execute(statement, parameters or {})))

    def fetch_first(
        self,
        connection: sa.Connection,
        statement: sa.Select[Any] | sa.CompoundSelect[Any],
        parameters: Mapping[str, object] | None = None,
    ) -> Value | None:
        """Return the value in the first row of a statement, None without a row."""
        row = connection.execute(statement, parameters or {}).first()
        return None if row is None else self.read(row)


def _reader(mapper: Mapper[Value]) -> Callable[[Iterable[Any]], Value]:
    scope: dict[str, Any] = {}
    names = [f"value_{number}" for number in range(len(mapper.columns))]
    expression = _expression(mapper, iter(names), scope)
    lines = f"{', '.join(names)}, *_ = row", f"return {expression}"
    return _compiled("row", lines, scope)


def _writer(mapper: Mapper[Value]) -> Callable[[Value], dict[str, Any]]:
    scope: dict[str, Any] = {}
    columns = (f"{name!r}: {source}" for name, source in _columns(mapper, "value", scope))
    return _compiled("value", [f"return {{{', '.join(columns)}}}"], scope)


def _comparer(mapper: Mapper[Value]) -> Callable[[Value, Value], dict[str, Any]]:
    scope: dict[str, Any] = {}
    before, after = (_columns(mapper, each, scope) for each in ("old", "new"))
    lines = ["changed = {}"]
    for (name, old), (_, new) in zip(before, after, strict=True):
        lines += [f"if (value := {new}) != {old}:", f"    changed[{name!r}] = value"]
    return _compiled("old, new", [*lines, "return changed"], scope)


def _compiled(parameters: str, lines: Iterable[str], scope: dict[str, Any]) -> Callable[..., Any]:
    """Return a function compiled from generated source, as fast as one written by hand."""
    source = "\n    ".join([f"def function({parameters}):", *lines])
    exec(source, scope)  # noqa: S102 - as in dataclasses, made of the names of fields alone
    function: Callable[..., Any] = scope["function"]
    return function


def _columns(mapper: Mapper[Any], value: str, scope: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the name of each column of the mapper's table, and the source of its value."""
    for column, source in _written(mapper, value, scope):
        if getattr(column, "table", None) is mapper.table:
            yield column.name, source


def _written(
    stored: Stored | Mapper[Any], value: str, scope: dict[str, Any]
) -> Iterator[tuple[sa.ColumnElement[Any], str]]:
    """Yield each column that a field is written to, and the source of its value."""
    if isinstance(stored, Mapper):
        for name, each in stored.fields.items():
            yield from _written(each, f"{value}.{name}", scope)
    elif stored.read is None:
        yield stored.columns[0], value
    elif stored.write is not None:
        write = f"{_in_scope(stored.write, scope)}({value})"
        for number, column in enumerate(stored.columns):
            part = write if len(stored.columns) == 1 else f"{write}[{number}]"
            yield column, f"(None if {value} is None else {part})"


def _expression(stored: Stored | Mapper[Any], values: Iterator[str], scope: dict[str, Any]) -> str:
    """Return the source of a field's value, and add the functions that it calls to `scope`."""
    if isinstance(stored, Mapper):
        arguments = (
            f"{name}={_expression(each, values, scope)}" for name, each in stored.fields.items()
        )
        return f"{_in_scope(stored.kind, scope)}({', '.join(arguments)})"
    text = ", ".join(next(values) for _ in stored.columns)
    if stored.read is None:
        return text
    function = _in_scope(stored.read, scope)
    read = f"tuple(map({function}, {text}))" if stored.each else f"{function}({text})"
    return read if len(stored.columns) > 1 else f"(None if {text} is None else {read})"


def _in_scope(function: Callable[..., Any], scope: dict[str, Any]) -> str:
    name = f"function_{len(scope)}"
    scope[name] = function
    return name


def _storage(
    kind: type[Any], table: sa.FromClause, stored: Mapping[str, Storage]
) -> Iterator[tuple[str, Stored | Mapper[Any]]]:
    """Yield the name of each stored field, and how it is stored."""
    if unknown := stored.keys() - {field.name for field in fields(kind)}:
        raise TypeError(f"{kind.__name__} has no {', '.join(unknown)}")
    for field in fields(kind):
        storage = stored[field.name] if field.name in stored else table.c.get(field.name)
        if isinstance(storage, Stored | Mapper):
            yield field.name, storage
        elif storage is not None:
            yield field.name, _in_column(storage, _type_of(kind, field))
        elif field.name not in stored:
            nested = _type_of(kind, field)
            if not (isinstance(nested, type) and is_dataclass(nested)):
                raise TypeError(f"{table} has no column for {kind.__name__}.{field.name}")
            yield field.name, Mapper(nested, table)


def _in_column(column: sa.ColumnElement[Any], kind: Any) -> Stored:  # noqa: ANN401 - any type
    """Return how a column stores a field of the type `kind`."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return Stored((column,), kind, attrgetter("value"))
    element = next(iter(get_args(kind)), None)
    if isinstance(element, type) and issubclass(element, Enum):
        return Stored((column,), element, tuple, each=True)
    return Stored((column,))


def _type_of(kind: type[Any], field: Field[Any]) -> Any:  # noqa: ANN401 - it may be any
    """Return the type of a field; for an optional one, the type without None."""
    annotated = SimpleNamespace(__annotations__={field.name: field.type})
    found = get_type_hints(annotated, vars(sys.modules[kind.__module__]), _STANDARD)[field.name]
    others = [each for each in get_args(found) if each is not NoneType]
    return others[0] if len(others) == 1 and NoneType in get_args(found) else found
