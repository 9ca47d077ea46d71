"""Alembic's entry point: runs the migrations on the connection from `capsule.db.database`."""

from alembic import context

from capsule.db.schema import metadata

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=metadata,
    render_as_batch=connection.dialect.name == "sqlite",
)
with context.begin_transaction():
    context.run_migrations()
