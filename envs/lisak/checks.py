"""What a good world is like, beyond being readable: for whoever extends one.

``reynard world NAME`` prints what is found here.
"""

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from .world import BORDERLINE, YES, World, fold

MIN_DIFFERENCES: Final = 5  # ideas that are yes for one of two answers of a hint and no for the other
YES_OF_AN_IDEA: Final = (0.02, 0.60)  # share of the answers
YES_OF_AN_ANSWER: Final = (15, 110)  # ideas
BORDERLINE_SHARE: Final = (0.03, 0.15)  # of all pairs of an answer and an idea


def summary(world: World) -> dict[str, str]:
    """A world in figures."""
    judged = world.judgement[:, : len(world.ideas)]
    of_answers, of_ideas = (judged == YES).sum(axis=1), (judged == YES).sum(axis=0)
    sizes = np.bincount(world.hint_of, minlength=len(world.hints))
    nearest = min((count for *_, count in differences(world)), default=0)
    return {
        "answers": f"{len(world.answers)} under {len(world.hints)} hints "
        f"({sizes.min()} to {sizes.max()} each)",
        "ideas": f"{len(world.ideas)}",
        "yes": f"{(judged == YES).mean():.1%} of all pairs",
        "borderline": f"{(judged == BORDERLINE).mean():.1%} of all pairs",
        "yes of an answer": f"{of_answers.min()} to {of_answers.max()} ideas, "
        f"{of_answers.mean():.1f} on average",
        "yes of an idea": f"{of_ideas.min()} to {of_ideas.max()} answers, {of_ideas.mean():.1f} on average",
        "decisive differences": f"{nearest} or more between answers of one hint",
    }


def differences(world: World) -> Iterator[tuple[int, int, int]]:
    """Every pair of answers of one hint, with how many ideas are yes for one and no for the other."""
    judged = world.judgement[:, : len(world.ideas)]
    yes, no = (judged == YES).astype(np.float32), (judged == 0).astype(np.float32)
    one_way = yes @ no.T
    both_ways = (one_way + one_way.T).astype(np.int64)
    same_hint = world.hint_of[:, None] == world.hint_of[None, :]
    for first, second in np.argwhere(np.triu(same_hint, 1)):
        yield int(first), int(second), int(both_ways[first, second])


def faults(world: World) -> list[str]:
    """Where a world falls short, a sentence each; none for a good world."""
    return [*_faults_of_answers(world), *_faults_of_ideas(world), *_faults_of_texts(world)]


def _faults_of_answers(world: World) -> Iterator[str]:
    low, high = YES_OF_AN_ANSWER
    yes = (world.judgement[:, : len(world.ideas)] == YES).sum(axis=1)
    for answer, count in zip(world.answers, yes, strict=True):
        if not low <= count <= high:
            yield f"{answer.en!r} has {count} ideas that are true of it; {low} to {high} are good"
    for first, second, count in differences(world):
        if count < MIN_DIFFERENCES:
            names = f"{world.answers[first].en!r} and {world.answers[second].en!r}"
            yield f"{names} differ decisively in {count} ideas; {MIN_DIFFERENCES} are needed"


def _faults_of_ideas(world: World) -> Iterator[str]:
    judged = world.judgement[:, : len(world.ideas)]
    low, high = YES_OF_AN_IDEA
    for idea, share in zip(world.ideas, (judged == YES).mean(axis=0), strict=True):
        if not low <= share <= high:
            yield f"{idea.en!r} is true of {share:.1%} of the answers; {low:.0%} to {high:.0%} are good"
    low, high = BORDERLINE_SHARE
    share = (judged == BORDERLINE).mean()
    if not low <= share <= high:
        yield f"{share:.1%} of all pairs are borderline; {low:.0%} to {high:.0%} are good"


def _faults_of_texts(world: World) -> Iterator[str]:
    for language in ("en", "cs"):
        answers = {fold(text.in_language(language)) for text in world.answers}
        longest = max(len(answer.split()) for answer in answers)
        seen: set[str] = set()
        for text in (*world.answers, *world.ideas):
            folded = fold(text.in_language(language))
            if folded in seen:
                yield f"{text.in_language(language)!r} is there twice"
            seen.add(folded)
        for idea in world.ideas:
            words = re.findall(r"[\w'-]+", fold(idea.in_language(language)))
            for length in range(1, longest + 1):
                for start in range(len(words) - length + 1):
                    phrase = " ".join(words[start : start + length])
                    if phrase in answers:
                        yield f"{idea.in_language(language)!r} names the answer {phrase!r}"
