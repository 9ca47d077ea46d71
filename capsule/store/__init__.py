"""All state of the capsule: tables, migrations, and the queries that read and write them."""
