"""A time in whole seconds, in SQL, where it can be added to and compared with numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import BigInteger
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

if TYPE_CHECKING:
    from sqlalchemy.sql.compiler import SQLCompiler


class seconds_of(FunctionElement[int]):  # noqa: N801 - written like SQLAlchemy's own functions
    """The whole seconds from 1970 in UTC to a time; its argument is a `Moment`."""

    type = BigInteger()
    inherit_cache = True


@compiles(seconds_of, "sqlite")
def _on_sqlite(element: seconds_of, compiler: SQLCompiler, **options: Any) -> str:  # noqa: ANN401
    return f"CAST(strftime('%s', {compiler.process(element.clauses, **options)}) AS INTEGER)"


@compiles(seconds_of, "postgresql")
def _on_postgresql(element: seconds_of, compiler: SQLCompiler, **options: Any) -> str:  # noqa: ANN401
    moment = compiler.process(element.clauses, **options)
    return f"CAST(floor(extract(epoch FROM {moment})) AS BIGINT)"
