"""The layout of the arrays that the searches work on.

`table` holds what never changes (the neighbouring `tables` fills it), `state` the current position
and the room to search in, `nodes` and `sizes` a tree. A local board is the number that its nine
cells write in base 3, the top left one its lowest digit: 0 empty, 1 X's, 2 O's.

Values are in thousandths of a logit, from X's point of view if a sum is carried along, from the
mover's if a search returns one; ±WIN is proven.
"""

WIN = 100_000
"""The value of a proven win."""

CODES = 3**9
CLASSES = 21
STAKES = 16
"""The stakes of a local board for X's big lines and for O's, 0 to 3 each.

Winning the board does nothing, or leaves two boards of a line missing, or one, or none.
"""
ANY = 9
"""The destination of a move that leaves the opponent free to play in any open board."""

# Offsets in `table`.
POWER = 0
HAS_LINE = 9
WINNING = HAS_LINE + 512
ALIVE = WINNING + 512
LINE_MASK = ALIVE + 512
STATUS = LINE_MASK + 8
CLASS = STATUS + CODES
COMPLETES = CLASS + CODES
FREE_COUNT = COMPLETES + CODES
FREE = FREE_COUNT + CODES
LINES_OF = FREE + 9 * CODES
LINES_STEP = 25
LOCAL = LINES_OF + 9 * LINES_STEP
SENT = LOCAL + 9 * CODES
SENT_BY_STAKES = SENT + 18 * CODES
ROAM_BY_STAKES = SENT_BY_STAKES + 2 * STAKES * CLASSES
ROAM = ROAM_BY_STAKES + 2 * STAKES * CLASSES
BONUS = ROAM + 2
LINE = BONUS + 2
LINE_SIZE = CLASSES**3
BARS = LINE + 3 * LINE_SIZE
LIVING = BARS + CLASSES
SCALE = LIVING + 512
LIVES = 17
TABLE_SIZE = SCALE + LIVES**2

# BARS has the bits that BARRED takes from a class, LIVING for each set of boards how many lines of
# a big board avoid them, and SCALE by how many thousandths a sum counts: by the lines left to the
# side that it favours, and to the other.

# Offsets in `state`. BARRED has a bit for each board that X cannot win any more, and
# from O_BARRED on for O; of a big board that there is not, all.
STOP, NODES, LIMIT, BEST, COUNT, MEMORY_MASK, REDUCING, BARRED = range(8)
CODE = 8
KIND = CODE + 18
JITTER = KIND + 18
SPREAD = JITTER + 162
HISTORY = SPREAD + 512
KEYS = HISTORY + 3 * 162
KEY_SENT = KEYS + 2 * 162
KEY_O = KEY_SENT + 10
KEY_BONUS = KEY_O + 1
CHILDREN = KEY_BONUS + 1
STEP = 3 * 162
DEEPEST = 165
PATH = CHILDREN + STEP * DEEPEST
STATE_SIZE = PATH + 6 * DEEPEST

O_BARRED = 18
FOR_BOTH = 1 | 1 << O_BARRED
"""The bits of the first board in BARRED."""

# Offsets in `nodes`, of each node of a tree. Its player is the one who moved into it.
FIRST_CHILD, VISITS, PRIOR, URGE, MEAN, HOPE, SCORE, FACTS = range(8)
NODE = 8
"""Numbers of a node: where its children begin, how often it was visited, how likely it is to be
played, that shared out over its visits, the mean of what these brought its player, what its player
wins if both sides play what looks best below it, the position's score, and what it is. What it
looks like before the first visit counts as the mean. Chances are in parts of SURE.

They are together, since going down a tree takes the time that memory takes to answer."""
BYTES = 4 * NODE
"""The bytes of a node."""
SURE = 1 << 30
"""The prior of a move that is sure to be played, and the hope of one that is sure to win."""
LOST = -1
"""The prior of a node whose player is sure to lose."""
UNFIT = -2 * SURE
"""The mean of such a node, so that it is never visited again."""
# The facts of a node: the move that led to it, from HOW_MANY on how many children it has, and
# whether its player is sure to win. While others go: whether it stays, and whether it is the first
# of its siblings.
MOVE = 255
HOW_MANY = 8
CHILDLESS = ~(255 << HOW_MANY)
WON, STAYS, FIRST = 1 << 16, 1 << 17, 1 << 18

# Offsets in `sizes`: how many nodes a tree has and may have, and the room to count them.
USED, CAPACITY, RANKED = range(3)
RANKS = 232
SIZES = RANKED + RANKS
FEWEST = 1024
"""A tree may have no fewer nodes than these: a root, its children, and children of some of them."""
