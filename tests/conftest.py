"""What needs torch: `make test` leaves it out, `make test-language-models` runs nothing else."""

import pytest


@pytest.fixture(scope="session")
def torch():
    """torch, in one thread; a test with this fixture gets the mark `torch`."""
    import torch
    import transformers

    assert transformers.__version__
    torch.set_num_threads(1)
    return torch


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "torch" in getattr(item, "fixturenames", ()):
            item.add_marker("torch")
        if "slow" in item.path.parts:
            item.add_marker("slow")
