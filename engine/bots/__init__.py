"""The bots that play by the rules: levels to play against, suggestions and hints.

>>> from engine import VARIANTS
>>> from engine.bots import suggest
>>> suggest(VARIANTS["numeric"].replay(["a1=5", "b1=2", "b2=7", "a3=8"]))
'c3=3'
"""

from engine.bots.bot import Bot, Choice
from engine.bots.draws import is_content_with_draw
from engine.bots.hints import hint, suggest
from engine.bots.levels import LEVELS, MAIN_LEVELS, Level, level_label
from engine.bots.registry import VariantBots, level, levels_of, register, unregister

__all__ = [
    "LEVELS",
    "MAIN_LEVELS",
    "Bot",
    "Choice",
    "Level",
    "VariantBots",
    "hint",
    "is_content_with_draw",
    "level",
    "level_label",
    "levels_of",
    "register",
    "suggest",
    "unregister",
]
