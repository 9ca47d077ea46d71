"""Tools of the tests, by purpose.

Stories of the capsule, without sockets:

- `client` is the capsule that requests go into and responses come out of, with a clock to set;
  `console` its operator's command line; `quick_database` makes its databases.
- `stories` has the people and the steps that most stories share; `choices`, `conversation`,
  `feeds`, `ladders`, `linking` and `tournaments` have those of settings, of what players say to
  each other, of feeds, ladders, devices and tournaments.
- `stored`, `results` and `random_games` put into the database, or read there, what takes too long
  page by page.
- `gemtext`, `pseudo_translation` and `query_log` look at what came of it: blocks and prose,
  sentences that no translator would see, and the SQL that was asked.
- `sixth_variant` plugs in `noughts`, a variant that only tests know.

Other tests:

- `engine/` has random games, positions made by hand, golden playthroughs, and bots and matches to
  try bots with.
- `wire/` has servers in processes of their own, visitors who reach them over TLS, and their
  certificates.
- `browsers/` has Amfora and offpunk in terminals, and the steps of journeys through them.
"""
