"""What tests of planning share."""

import pytest
from shipped import shipped


@pytest.fixture(scope="session")
def configuration():
    return shipped()
