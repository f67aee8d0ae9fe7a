import pytest

from server.domain.currency_names import currencies_named


@pytest.mark.parametrize(
    ("words", "named"),
    [
        *((words, ("USD",)) for words in ("US $", "US$ (USD)", "USD ($)", "US Dollars ($)", "U.S. dollars", "usd")),
        *((words, ("CAD",)) for words in ("Canadian dollars", "Canadian $", "C$", "CDN$", "CAD dollars")),
        *((words, ("GBP",)) for words in ("pounds sterling", "UK pounds", "sterling (£)", "the pound")),
        *((words, ("$",)) for words in ("$", "in dollars", "Dollars", "Price ($)")),
        ("Euro (€)", ("EUR",)),
        ("USD / EUR", ("USD", "EUR")),
        ("NZD ($)", ("NZD",)),
        ("New Zealand dollars", ("ZEALAND DOLLARS",)),
        ("Egyptian pounds", ("EGYPTIAN POUNDS",)),
        ("per pound", ()),
        ("thb and cop", ()),
        ("", ()),
    ],
)
def test_what_a_currency_is_called(words, named):
    assert currencies_named(words) == named
