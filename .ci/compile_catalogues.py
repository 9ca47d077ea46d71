"""A step of the build: compile the catalogues of translations, for wheels and for checkouts."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileCatalogues(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles the catalogues whenever the capsule is built or installed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the compiled catalogues before files are collected."""
        del version, build_data
        # By its path: what the capsule needs besides Babel is not installed yet.
        module = Path(self.root) / "capsule/languages/catalogues.py"
        spec = spec_from_file_location("catalogues", module)
        assert spec is not None
        assert spec.loader is not None
        catalogues = module_from_spec(spec)
        sys.modules[spec.name] = catalogues
        spec.loader.exec_module(catalogues)
        catalogues.compile_all()
