"""A language model that is set wrongly stops the start, and says which setting."""

import pytest

from process.settings import SettingsError
from server.language_model import configured


def test_none_is_set_by_default() -> None:
    assert configured("", "", "", 10.0) is None


@pytest.mark.parametrize(
    ("base_url", "model", "key"),
    [
        ("models.example.com/v1", "m", ""),
        ("ftp://models.example.com/v1", "m", ""),
        ("https://user@models.example.com/v1", "m", ""),
        ("https://models.example.com/v1?key=1", "m", ""),
        ("https://models.example.com/v1", "", ""),
        ("http://models.example.com/v1", "m", "key"),
    ],
)
def test_what_cannot_work_or_would_leak_the_key_is_refused(base_url: str, model: str, key: str) -> None:
    with pytest.raises(SettingsError, match="QW_LLM_"):
        configured(base_url, model, key, 10.0)


@pytest.mark.parametrize(
    ("base_url", "key"),
    [
        ("https://models.example.com/v1", "key"),
        ("http://127.0.0.1:8000/v1/", "key"),
        ("http://localhost:11434/v1", "key"),
        ("http://models.internal:8000/v1", ""),
    ],
)
def test_what_can_work_is_taken(base_url: str, key: str) -> None:
    model = configured(base_url, "m", key, 10.0)
    assert model is not None
    assert model.name == "m"
