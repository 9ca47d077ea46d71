"""Lessons: a game learned by answering tasks on boards, a rule a step, without a certificate."""
