"""The rules of Lišák, once. The letters and numbers in comments are the rulings.

Every function takes one game (a record of ``state.STATE``) and the ruleset's options (a record of
``compiled.OPTIONS``). Nothing here is random but ``draw_answer``. ``play`` trusts that its action is
legal; who may know what is said in ``observation.py``.
"""

from ..jit import jit
from ..sets import first_items, one
from ..streams import DEAL, below, random_words
from .ruleset import MAX_ROW
from .state import (
    BLANK_CARD,
    CLUE_CARD,
    CONSULT,
    FIRST_SEEKER,
    FOX,
    JOKER,
    LOST_CLUE,
    LOST_ROUNDS,
    LOST_TROPHIES,
    NONE,
    OVER,
    PASS,
    TOKENS,
    TROPHY_CARD,
    UNDECIDED,
    WIN,
    WRITE,
)
from .world import NO, YES

# --- cards ------------------------------------------------------------------------------------------


@jit
def fill(card, action, options):
    """Write what an action writes on a card, or proposes to write."""
    if action < options.trophy:
        card[0] = CLUE_CARD
        card[1] = action + 1
    elif action < options.blank:
        card[0] = TROPHY_CARD
        card[1] = action - options.trophy + 1
    else:
        card[0] = BLANK_CARD if action == options.blank else PASS
        card[1] = 0


@jit
def meaning(card, options):
    """The clue that a card is judged as; below 0 for a blank one.

    A wrong trophy is an ordinary clue card: the answer it names (L8).
    """
    return card[1] - 1 + (options.ideas if card[0] == TROPHY_CARD else 0)


@jit
def is_answer(card, answer, options):
    """Whether the answer stands on the card, be it a clue card or a trophy."""
    return meaning(card, options) == options.ideas + answer


@jit
def judge(answer, card, options, judgement):
    """L9, L10: whether a card leads in the right direction. A blank card never does."""
    clue = meaning(card, options)
    return NO if clue < 0 else judgement[answer, clue]


# --- the course of the game -------------------------------------------------------------------------


@jit
def draw_answer(game, options, deck):
    """L3: by the episode's seed, or the next card of the box."""
    if options.box_order == 1:
        place = (game.game + game.episode) % len(deck)
    else:
        place = below(random_words(game.key, game.game, game.episode, DEAL, 0)[0], len(deck))
    game.answer = deck[place]


@jit
def begin(game, options):
    """Begin an episode with the answer that is set."""
    game.cards_numbers[:] = 0
    game.proposals_numbers[:] = 0
    game.tokens[:] = NONE
    game.joker = NONE
    game.trophies_left = options.trophies  # L2
    game.outcome = UNDECIDED
    game.moves = 0
    game.reward = 0
    begin_round(game, 0, options)


@jit
def begin_round(game, number, options):
    """L4: consultation first, if there is any."""
    game.round_number = number
    game.place = 0
    game.said = 0
    game.phase = CONSULT if options.consultation > 0 else WRITE
    game.to_move = FIRST_SEEKER


@jit
def play(game, action, options):
    """Play a legal action of the seat to move."""
    game.moves += 1
    game.reward = 0
    if game.phase == CONSULT:
        propose(game, action, options)
    elif game.phase == WRITE:
        write(game, action, options)
    elif game.phase == TOKENS:
        put_tokens(game, action - options.token, options)
    else:
        use_joker(game, action, options)


@jit
def propose(game, action, options):
    """L5: a seeker's proposal; a pass, or the last one, hands over to the next seeker."""
    seeker = game.to_move - FIRST_SEEKER
    turn = (game.round_number * options.seekers + seeker) * options.consultation + game.said
    fill(game.proposals[turn], action, options)
    game.said += 1
    if action == options.silence or game.said == options.consultation:
        game.said = 0
        game.to_move += 1
        if seeker + 1 == options.seekers:
            game.phase = WRITE
            game.to_move = FIRST_SEEKER


@jit
def write(game, action, options):
    """L6: a card for the row, in seat order, twice round in a three-player game."""
    card = game.cards[game.round_number, game.place]
    fill(card, action, options)
    game.place += 1
    if card[0] == TROPHY_CARD:
        game.trophies_left -= 1
    if game.round_number == options.last_round:
        judge_last_trophy(game, card, options)
    elif game.place == options.row_length:
        reveal(game, options)
    if game.phase == WRITE:
        game.to_move = FIRST_SEEKER + game.place % options.seekers


@jit
def judge_last_trophy(game, card, options):
    """L7: in the last round one trophy after another, until one is right or none is left."""
    if is_answer(card, game.answer, options):
        win(game, options)
    elif game.trophies_left == 0:
        finish(game, LOST_ROUNDS)


@jit
def reveal(game, options):
    """L8: trophies first, then clue cards; then it is the fox's turn."""
    on_trophy = False
    on_clue = False
    for place in range(options.row_length):
        card = game.cards[game.round_number, place]
        if is_answer(card, game.answer, options):
            if card[0] == TROPHY_CARD:
                on_trophy = True
            else:
                on_clue = True
    if on_trophy:
        win(game, options)
    elif on_clue:
        finish(game, LOST_CLUE)
    elif game.trophies_left == 0:
        finish(game, LOST_TROPHIES)
    else:
        game.phase = TOKENS
        game.to_move = FOX


@jit
def put_tokens(game, count, options):
    """L9; then the joker, if it can be used at all (L11)."""
    game.tokens[game.round_number] = count
    if game.joker == NONE and has_tokens(game):
        game.phase = JOKER
    else:
        begin_round(game, game.round_number + 1, options)


@jit
def has_tokens(game):
    """Whether a token lies at the end of any row."""
    return game.tokens.max() > 0


@jit
def use_joker(game, action, options):
    """L11: a token of a row goes on one of its cards, or the fox keeps its joker."""
    if action != options.silence:
        game.joker = action - options.joker
    begin_round(game, game.round_number + 1, options)


@jit
def win(game, options):
    """L12, L16."""
    game.reward = options.reward[game.round_number]
    finish(game, WIN)


@jit
def finish(game, outcome):
    """The game is over."""
    game.outcome = outcome
    game.phase = OVER
    game.to_move = NONE


# --- what is legal ----------------------------------------------------------------------------------
# The legal actions are neighbours among the clues and trophies, [first, end), and a set of the few
# others, bit k for action `blank + k`.


@jit
def legal_actions(game, options, judgement):
    """All that the seat to move may do: ``first``, ``end`` and the set of others, counted from blank."""
    blank = int(options.blank)
    silent = one(options.silence - blank)
    if game.phase == CONSULT:
        return 0, written_end(game, options), silent
    if game.phase == WRITE:
        if game.round_number == options.last_round:
            return int(options.trophy), blank, 0  # L7
        return 0, written_end(game, options), one(0)
    if game.phase == TOKENS:
        return 0, 0, legal_tokens(game, options, judgement) << (int(options.token) - blank)
    if game.phase == JOKER:
        return 0, 0, silent | legal_jokers(game, options, judgement) << (int(options.joker) - blank)
    return 0, 0, 0


@jit
def written_end(game, options):
    """L6: any clue, and an answer on a trophy as long as there is one left."""
    return int(options.blank) if game.trophies_left > 0 else int(options.trophy)


@jit
def legal_tokens(game, options, judgement):
    """L10: the counts that the fox may give, as a set."""
    least, most = 0, 0
    for place in range(options.row_length):
        card = game.cards[game.round_number, place]
        if options.literal == 1:
            judged = judge(game.answer, card, options, judgement)
            least += judged == YES
            most += judged != NO
        else:
            most += card[0] != BLANK_CARD
    return first_items(most + 1) & ~first_items(least)


@jit
def legal_jokers(game, options, judgement):
    """L11: the cards that the joker may lie on, as a set of ``5 * row + position``."""
    cards = 0
    for row in range(game.round_number + 1):
        if game.tokens[row] <= 0:
            continue
        for place in range(options.row_length):
            card = game.cards[row, place]
            if options.literal == 1:
                fits = judge(game.answer, card, options, judgement) != NO
            else:
                fits = card[0] != BLANK_CARD
            cards |= int(fits) << (row * MAX_ROW + place)
    return cards
