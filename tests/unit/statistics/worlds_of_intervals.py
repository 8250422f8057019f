"""What worlds of intervals draw, and the interval of a statistic of what is drawn."""

from fairflow.statistics.bootstrap import resample
from fairflow.statistics.intervals import resampled_interval

RESAMPLES = 500


def normal(random, *shape):
    return random.normal(0, 1, shape)


def skewed(random, *shape):
    return random.exponential(1, shape) - 1


def of_statistic(value, statistic, name, random):
    """The interval of a value over all that its statistic resamples."""
    drawn = resample(statistic, RESAMPLES, int(random.integers(2**31)))
    draws = (drawn.draws_both or drawn.draws)[name]
    found = resampled_interval(value, draws, drawn.left_out[name])
    return found.low, found.high
