"""Games as a feature."""

from capsule.db.schema.games import games, vacations
from capsule.feature import Feature
from capsule.games import deadlines
from capsule.games.personal_data import export

FEATURE = Feature(
    tables=(vacations, games),
    export=export,
    sweep=((deadlines.end_overdue, "Games that are over could not be ended"),),
)
