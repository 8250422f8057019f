"""The vectors and the published items that the tests of this folder read."""

from functools import cache
from pathlib import Path

import pytest
from threadpoolctl import threadpool_limits

from fairflow.files.configuration_files import read_yaml
from fairflow.files.downloads import fetch
from fairflow.language_models.items.query_entry import items_of

from .debiased import Slices
from .models import Models
from .pinned import model_file


@pytest.fixture(scope="session", autouse=True)
def one_thread():
    """Matrix products in one thread: on a busy machine threads wait for each other."""
    with threadpool_limits(1):
        yield


@pytest.fixture(scope="session")
def pinned_folder(request, tmp_path_factory):
    """Where files that were fetched are kept."""
    # Without its cache plugin pytest has no folder that outlives the run.
    cache = getattr(request.config, "cache", None)
    return cache.mkdir("pinned") if cache else tmp_path_factory.mktemp("pinned")


@pytest.fixture(scope="session")
def decided():
    """Query -> what a reader decided about items of it, from their texts alone."""
    return read_yaml(Path(__file__).with_name("decided_by_hand.yaml"))


@pytest.fixture(scope="session")
def test_model(pinned_folder):
    """The 13,013-word model that WEFE ships, as gensim KeyedVectors."""
    from gensim.models import KeyedVectors

    return KeyedVectors.load(str(model_file(pinned_folder)))


@pytest.fixture(scope="session")
def models(test_model):
    """The models that the cases name, each made when first used."""
    return Models(test_model)


@pytest.fixture(scope="session")
def slices(test_model, pinned_folder):
    """The slices of real vectors that cases of debiasing name."""
    return Slices(test_model, pinned_folder)


@pytest.fixture(scope="module")
def published_items(pinned_folder):
    """From entries of queries by name, a function that reads the published items of one, once."""

    def reader(queries):
        @cache
        def of(name):
            published = queries[name]["published"]
            file = pinned_folder / published["checksum"].replace(":", "-")
            fetch(published["sources"], file, published["checksum"], published["bytes"])
            return items_of(queries[name], file)

        return of

    return reader


@pytest.fixture(scope="module")
def items(request, published_items):
    """A function that reads the items of a query of the module, once."""
    return published_items(request.module.QUERIES)
