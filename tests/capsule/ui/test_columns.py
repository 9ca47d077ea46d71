"""Where lines are broken that hold Chinese: by columns, and never beside the wrong sign."""

from hypothesis import given, strategies as st

from capsule.ui.columns import width, wrapped

OPENING, CLOSING = tuple("「『（《"), tuple("，。、：；！？」』）》…")

WORDS = st.sampled_from(["輪", "到", "alice", "a1+c3", "o6", "½", "，", "。", "（", "）", " "])


@given(st.lists(WORDS, max_size=60).map("".join), st.integers(12, 72))
def test_no_line_is_too_wide_and_nothing_is_lost(text: str, columns: int) -> None:
    lines = wrapped(text, columns)
    assert all(width(line) <= columns for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_brackets_stay_with_what_they_hold() -> None:
    text = "bob（X）獲勝：雙方都有三連線。X 的連線是 b1（x1）、b2（x3）、b3（x5），O 的是「a1」。"
    for columns in range(12, 60):
        lines = wrapped(text, columns)
        assert len(lines) > 1
        assert not [line for line in lines if line.endswith(OPENING) or line.startswith(CLOSING)]


def test_a_word_longer_than_a_line_is_broken_anywhere() -> None:
    assert wrapped(f"棋{'x' * 25}步", 10) == [f"棋{'x' * 8}", "x" * 10, "xxxxxxx步"]
