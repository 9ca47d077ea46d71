"""The engine imports only the standard library, so that anyone can use it anywhere."""

import ast
import sys
from pathlib import Path

import pytest

import engine

FILES = sorted(Path(engine.__file__).parent.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_engine_imports_the_standard_library_alone(path: Path) -> None:
    imported = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            imported.add((node.module or "").split(".")[0])
    assert imported <= sys.stdlib_module_names | {"engine"}
