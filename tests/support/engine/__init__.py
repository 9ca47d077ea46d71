"""Games, positions and opponents for the tests of the engine."""
