"""Players and their certificates as a feature."""

from capsule.accounts.pages import account, devices
from capsule.accounts.personal_data import erase
from capsule.db.schema.players import (
    carried_out,
    certificates,
    device_codes,
    former_names,
    players,
    private_feeds,
    relations,
)
from capsule.feature import Feature

FEATURE = Feature(
    (*account.ROUTES, *devices.ROUTES),
    (players, certificates, device_codes, private_feeds, former_names, relations, carried_out),
    erase=erase,
)
