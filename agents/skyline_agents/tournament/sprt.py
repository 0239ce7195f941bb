"""A sequential test between two agents, which stops as soon as it is clear which of two strengths is the true one.

    test = Sprt(elo0=0, elo1=20)
    verdict = test.verdict(scores)     # (deals,) the first agent's mean score in every deal, 0 .. 1

The hypotheses are that the first agent's expected score against the second is that of an Elo difference of `elo0`, or
of `elo1`. A score is what one seat gets against another: 1 for the better place, 1/2 for a shared one. The observations
are whole deals, every line-up in all seat rotations: the games of a deal are not independent of each other, deals are.

The test is the generalised sequential probability ratio test (Van den Bergh, "The generalized sequential probability
ratio test for chess engines"; also in fishtest and fastchess): the log-likelihood ratio of the two most likely
distributions of the observed values that have the expected scores of the hypotheses. It ends when the ratio leaves
(log(beta / (1 - alpha)), log((1 - beta) / alpha)).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from skyline.typing import Array
from skyline_agents.results import CONFIDENCE

VALUES = (0.0, 0.25, 0.5, 0.75, 1.0)  # possible scores of a deal of two games; other scores are added as they occur
PRIOR = 1e-3  # the count of a value that has not occurred
ALWAYS = 512  # up to this number of deals the test looks after every deal; later 256 to 512 times per doubling
HALVINGS = 50  # of the interval that holds the multiplier


def expected_score(elo: float) -> float:
    """The expected score of an agent whose strength is larger by `elo`."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The Elo difference of an expected score; infinite for 0 and 1."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return -400 * math.log10(1 / score - 1)


@dataclass(frozen=True)
class Verdict:
    """The state of the test after some deals."""

    deals: int
    llr: float
    stopped: bool
    accepted: str | None  # "elo0", "elo1", None while the test goes on
    score: float  # the mean score of the first agent
    elo: float
    elo_low: float  # ends of the 95 % interval; after an early stop the interval lies a little too far from 0
    elo_high: float


@dataclass(frozen=True)
class Sprt:
    """The hypotheses and the accepted chances of errors."""

    elo0: float
    elo1: float
    alpha: float = 0.05  # of accepting elo1 although elo0 is true
    beta: float = 0.05  # of accepting elo0 although elo1 is true

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"the test needs elo0 < elo1, not {self.elo0:g} and {self.elo1:g}")
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < chance < 0.5:
                raise ValueError(f"{name} is a chance between 0 and 0.5, not {chance:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Below the first elo0 is accepted, above the second elo1."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, values: Array, counts: Array) -> float:
        """The log-likelihood ratio of values (k,) with their counts (k,)."""
        counts = np.where(counts > 0, counts, PRIOR)
        shares = counts / counts.sum()
        slower, faster = (_most_likely(values, shares, expected_score(elo)) for elo in (self.elo0, self.elo1))
        return float(np.sum(counts * np.log(faster / slower)))

    def verdict(self, scores: Array, begin: int = 0) -> Verdict:
        """The state after the deal at which the test stops, or after all deals; it looks from deal `begin` on."""
        values, which = np.unique(np.concatenate([VALUES, np.round(scores, 9)]), return_inverse=True)
        which = which[len(VALUES) :]
        counts = np.bincount(which[:begin], minlength=len(values)).astype(float)
        low, high = self.bounds
        llr, n = 0.0, begin
        for n in range(begin + 1, len(scores) + 1):
            counts[which[n - 1]] += 1
            if looks_after(n):
                llr = self.llr(values, counts)
                if not low < llr < high:
                    return self._stands(scores[:n], llr)
        return self._stands(scores, self.llr(values, counts) if n else 0.0)

    def _stands(self, scores: Array, llr: float) -> Verdict:
        low, high = self.bounds
        n = len(scores)
        accepted = None
        if n and looks_after(n):
            accepted = "elo0" if llr <= low else "elo1" if llr >= high else None
        mean = float(scores.mean()) if n else 0.5
        half = CONFIDENCE * float(scores.std(ddof=1)) / math.sqrt(n) if n > 1 else 1.0
        return Verdict(
            n, llr, accepted is not None, accepted, mean, elo_of(mean), elo_of(mean - half), elo_of(mean + half)
        )


def looks_after(deals: int) -> bool:
    """Whether the test looks after this number of deals. Interruptions of the tournament do not change the answer."""
    return deals <= ALWAYS or deals % (1 << (deals.bit_length() - ALWAYS.bit_length() + 1)) == 0


def _most_likely(values: Array, shares: Array, mean: float) -> Array:
    """The distribution over the values with this mean that makes the observed shares most likely.

    It is shares / (1 + t (values - mean)) with the t that gives the mean (Lagrange); its excess falls with t.
    """
    away = values - mean
    pairs = list(zip(shares.tolist(), away.tolist(), strict=True))  # for these few numbers faster than arrays
    low, high = -1 / float(away.max()), -1 / float(away.min())
    for _ in range(HALVINGS):
        t = (low + high) / 2
        if sum(share * x / (1 + t * x) for share, x in pairs) > 0:
            low = t
        else:
            high = t
    return np.asarray(shares / (1 + (low + high) / 2 * away))


def deal_scores(deals: Array, agents: Array, places: Array, first: int) -> Array:
    """The first agent's mean score against the other one in every deal, (deals,), from games (n, P) of two agents.

    The deals of the games must be 0 .. d - 1, each of them complete.
    """
    own = agents == first
    better = places[:, :, np.newaxis] < places[:, np.newaxis, :]
    level = places[:, :, np.newaxis] == places[:, np.newaxis, :]
    pairs = own[:, :, np.newaxis] & ~own[:, np.newaxis, :]
    won = np.where(pairs, better + 0.5 * level, 0.0).sum(axis=(1, 2))
    sums = np.bincount(deals, won)
    scores: Array = sums / np.bincount(deals, pairs.sum(axis=(1, 2)))
    return scores
