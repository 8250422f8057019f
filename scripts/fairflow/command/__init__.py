"""The command `fairflow`: scores of your own vectors, and the entries of the configuration.

    $ fairflow list queries gender
    $ fairflow show query gender_1
    $ fairflow score glove.6B.300d.txt.gz --query weat:6 weat:7 --metric weat_es
    $ fairflow explain glove-6B-50d weat_es weat_6

Without installation it is `PYTHONPATH=scripts python -m fairflow` in a clone. It starts light: what
lists names loads neither numpy nor pandas.
"""
