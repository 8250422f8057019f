"""What tests of language models in plans share."""

import pytest
from shipped import shipped


@pytest.fixture(scope="session")
def configuration():
    return shipped()
