"""The rules of Duet, once. The letters and numbers in comments are the rulings.

Every function takes one game (a record of ``state.STATE``) and the compiled ruleset (a record of
``ruleset.RULES``). Nothing here is random: the cards of all rounds lie in ``game.decks`` from the
start (``shuffle_decks`` is the only one who draws). ``play`` trusts that its action is legal.
"""

from ..jit import jit
from ..sets import first_items, has, one
from ..streams import DEAL, below, random_words, shuffle
from .actions import ANNOUNCE_FIRST, DECLINE, MOVE_FIRST
from .cards import (
    FOXES,
    GAZELLE,
    GIFT,
    MUSICIAN,
    ROYAL_HEIR,
    rank_of,
    suit_of,
    suit_set,
)
from .state import (
    ANNOUNCE,
    EXCHANGE,
    GIFT_PHASE,
    LOST_PATH,
    LOST_TIME,
    MOVE,
    NONE,
    OVER,
    PLAY,
    UNDECIDED,
    WIN,
)

BLOCKS_PER_DECK = 8  # random blocks of four words: enough for the 29 draws of one shuffle


# --- cards and tricks -------------------------------------------------------------------------------


@jit
def is_character(card, rank, rules):
    """Whether this card is that character, and the character is switched on (D3)."""
    return card != NONE and rank_of(card) == rank and rules.character[rank] == 1


@jit
def take(game, seat, card, known):
    """A card comes to a hand; ``known`` says whether the seat's partner knows it."""
    game.hand[seat] |= one(card)
    if known:
        game.known[seat] |= one(card)


@jit
def give_away(game, seat, card):
    """A card leaves a hand."""
    game.hand[seat] &= ~one(card)
    game.known[seat] &= ~one(card)


@jit
def follower_wins(led, reply, trump):
    """D8: same suit, the higher rank; else the follower's card if it is trump."""
    if suit_of(led) == suit_of(reply):
        return rank_of(reply) > rank_of(led)
    return suit_of(reply) == trump


@jit
def steps_of(led, reply, follower_won, ignored, rules):
    """D9: the footprints that count; ``ignored`` is a sum of 1 (leader's card) and 2 (follower's), D17."""
    steps = 0
    if ignored & 1 == 0 and (rules.sum_steps == 1 or not follower_won):
        steps += rules.footprints[rank_of(led) - 1]
    if ignored & 2 == 0 and (rules.sum_steps == 1 or follower_won):
        steps += rules.footprints[rank_of(reply) - 1]
    return steps


# --- the board --------------------------------------------------------------------------------------


@jit
def put_gems(game, space, count, inward, rules):
    """Put gems beside a space, or, if it is covered, beside the nearest gem space inward (D11, D14)."""
    while space < game.path[0] or space > game.path[1] or space == rules.start:
        space += inward
    game.gems[space] += count


@jit
def lay_tile(game, end, rules):
    """Cover the last uncovered space at a seat's end; its gems slide inward (D11). Without a tile: lost."""
    if game.forest_tiles == 0:
        finish(game, LOST_PATH)
        return
    game.forest_tiles -= 1
    space = game.path[end]
    inward = 1 - 2 * end
    game.path[end] += inward
    gems = game.gems[space]
    game.gems[space] = 0
    put_gems(game, space, gems, inward, rules)
    if rules.last_tile_loses == 1 and game.forest_tiles == 0:
        finish(game, LOST_PATH)


@jit
def collect(game, rules):
    """D12: one gem beside the tracker's space, if there is any. D13: the last one wins."""
    if game.gems[game.tracker] == 0:
        return
    game.gems[game.tracker] -= 1
    game.gems_left -= 1
    game.collected += 1
    if rules.progress_reward == 1:
        game.reward += 1 / rules.all_gems
    if game.gems_left == 0:
        game.reward += 1
        finish(game, WIN)


@jit
def landing(tracker, steps, end, path):
    """D10, D11: the space that so many steps towards a seat's end lead to; NONE over the edge."""
    target = tracker + (steps if end == 1 else -steps)
    return target if path[0] <= target <= path[1] else NONE


@jit
def move_tracker(game, steps, end, rules):
    """D10-D12: towards a seat's end, over the edge or onto a space."""
    target = landing(game.tracker, steps, end, game.path)
    if target == NONE:
        game.tracker = rules.start
        lay_tile(game, end, rules)
    else:
        game.tracker = target
        collect(game, rules)


@jit
def between_rounds(game, rules):
    """D14: a gem on every plus mark, then a tile at the end farther from the tracker."""
    for space in range(rules.spaces):
        if has(rules.plus_marks[0], space):
            game.gems_left += 1
            put_gems(game, space, 1, 1 if space < game.path[0] else -1, rules)
    to_first = game.tracker - game.path[0]
    to_last = game.path[1] - game.tracker
    if to_first == to_last:
        end = 1 - round_leader(game, game.round_number + 1, rules)
    else:
        end = 0 if to_first > to_last else 1
    lay_tile(game, end, rules)


# --- the course of the game -------------------------------------------------------------------------


@jit
def finish(game, outcome):
    """The game ends here."""
    game.outcome = outcome
    game.phase = OVER
    game.to_move = NONE


@jit
def round_leader(game, number, rules):
    """D14: who leads the first trick of a round."""
    return (game.first_player + rules.alternate_lead * number) % 2


@jit
def shuffle_decks(game, rules):
    """D5: all that chance decides in an episode, from the game's own stream (X1)."""
    game.decks[:] = NONE
    for number in range(rules.rounds):
        deck = game.decks[number]
        for k in range(rules.deck_size):
            deck[k] = rules.deck[k]
        position = number * BLOCKS_PER_DECK
        shuffle(deck, rules.deck_size, game.key, game.game, game.episode, DEAL, position)
    game.first_player = rules.first_player
    if rules.first_player == NONE:
        words = random_words(game.key, game.game, game.episode, DEAL, rules.rounds * BLOCKS_PER_DECK)
        game.first_player = below(words[0], 2)


@jit
def begin(game, rules):
    """Lay out the board and begin the first round with the decks and the first player that are set."""
    game.gems[:] = rules.gems
    game.gems_left = rules.gems.sum()
    game.path[0] = 0
    game.path[1] = rules.spaces - 1
    game.tracker = rules.start
    game.forest_tiles = rules.forest_tiles
    game.collected = 0
    game.moves = 0
    game.reward = 0
    game.outcome = UNDECIDED
    begin_round(game, 0, rules)


@jit
def begin_round(game, number, rules):
    """Gather the cards; announce first if that is agreed (D22), else deal."""
    game.round_number = number
    game.trick = 0
    game.hand[:] = 0
    game.known[:] = 0
    game.played[:] = 0
    game.played_trick[:] = 0
    game.void[:] = 0
    game.decree = NONE
    game.led = NONE
    game.reply = NONE
    game.gift[:] = NONE
    game.signal[:] = NONE
    game.tricks_led[:] = 0
    game.tricks_won[:] = 0
    game.tricks_swapped[:] = 0
    game.tricks_trump[:] = 0
    game.trick_tracker[:] = 0
    game.leader = round_leader(game, number, rules)
    game.to_move = game.leader
    if rules.agreement > 0:
        game.phase = ANNOUNCE
    else:
        deal(game, rules)


@jit
def deal(game, rules):
    """D5: a hand for seat 0, one for seat 1, the decree."""
    deck = game.decks[game.round_number]
    for k in range(rules.hand_size):
        take(game, 0, deck[k], False)
        take(game, 1, deck[rules.hand_size + k], False)
    game.decree = deck[2 * rules.hand_size]
    begin_trick(game, game.leader)


@jit
def begin_trick(game, leader):
    """The leader is to play."""
    game.leader = leader
    game.led = NONE
    game.reply = NONE
    game.tricks_led[leader] |= one(game.trick)
    game.to_move = leader
    game.phase = PLAY


@jit
def play(game, action, rules):
    """One legal action of the seat that is to move, and all that follows from it."""
    game.reward = 0
    game.moves += 1
    if game.phase == ANNOUNCE:
        announce(game, action - ANNOUNCE_FIRST, rules)
    elif game.phase == PLAY:
        play_card(game, action, rules)
    elif game.phase == EXCHANGE:
        exchange(game, action, rules)
    elif game.phase == GIFT_PHASE:
        choose_gift(game, action, rules)
    else:
        chosen = action - MOVE_FIRST
        decide_move(game, chosen // 4, chosen % 4, rules)


@jit
def announce(game, symbol, rules):
    """D22: the leader of the round, then the other; the deal follows."""
    game.signal[game.to_move] = symbol
    if game.to_move == game.leader:
        game.to_move = 1 - game.leader
    else:
        deal(game, rules)


@jit
def play_card(game, card, rules):
    """A card goes to the trick; Foxes and Gift act before the trick goes on (D18, D19)."""
    seat = game.to_move
    give_away(game, seat, card)
    game.played[seat] |= one(card)
    game.played_trick[card] = game.trick + 1
    if seat == game.leader:
        game.led = card
    else:
        game.reply = card
        if suit_of(card) != suit_of(game.led) and not is_character(game.led, ROYAL_HEIR, rules):
            game.void[seat] |= one(suit_of(game.led))
    if is_character(card, FOXES, rules) and game.hand[seat] != 0:
        game.phase = EXCHANGE
    elif is_character(card, GIFT, rules) and game.hand[0] != 0 and game.hand[1] != 0:
        game.phase = GIFT_PHASE
    else:
        go_on(game, rules)


@jit
def exchange(game, action, rules):
    """D18: the decree comes to the hand, for all to see, and a card of the hand becomes the decree."""
    if action != DECLINE:
        seat = game.to_move
        give_away(game, seat, action)
        take(game, seat, game.decree, True)
        game.decree = action
        game.tricks_swapped[seat] |= one(game.trick)
    go_on(game, rules)


@jit
def choose_gift(game, card, rules):
    """D19: one chooses, then the other, hidden from each other; then the cards change hands."""
    seat = game.to_move
    game.gift[seat] = card
    if game.gift[1 - seat] == NONE:
        game.to_move = 1 - seat
        return
    for giver in range(2):
        give_away(game, giver, game.gift[giver])
    for giver in range(2):
        take(game, 1 - giver, game.gift[giver], True)
    game.gift[:] = NONE
    go_on(game, rules)


@jit
def go_on(game, rules):
    """After a card and its effect: the follower's turn, or the trick is decided (D8)."""
    if game.reply == NONE:
        game.to_move = 1 - game.leader
        game.phase = PLAY
        return
    trump = suit_of(game.decree)
    winner = 1 - game.leader if follower_wins(game.led, game.reply, trump) else game.leader
    game.tricks_won[winner] |= one(game.trick)
    game.tricks_trump[trump] |= one(game.trick)
    game.to_move = winner
    if has_choice(game.led, game.reply, rules):
        game.phase = MOVE
    else:
        decide_move(game, 0, 0, rules)


@jit
def count_character(led, reply, rank, rules):
    """How many of a character's cards were played to a trick."""
    return int(is_character(led, rank, rules)) + int(is_character(reply, rank, rules))


@jit
def has_choice(led, reply, rules):
    """D16, D17: a Musician or a Gazelle gives the winner something to decide."""
    return count_character(led, reply, MUSICIAN, rules) + count_character(led, reply, GAZELLE, rules) > 0


@jit
def decide_move(game, direction, ignored, rules):
    """Move the tracker and end the trick; ``direction`` 0 is the winner's own end, 1 the partner's (D16)."""
    winner = game.to_move
    steps = steps_of(game.led, game.reply, winner != game.leader, ignored, rules)
    move_tracker(game, steps, winner if direction == 0 else 1 - winner, rules)
    game.trick_tracker[0, game.trick] = game.tracker + 1
    game.trick_tracker[1, game.trick] = rules.spaces - game.tracker
    if game.outcome != UNDECIDED:
        return
    if game.trick + 1 < rules.hand_size:
        game.trick += 1
        begin_trick(game, winner)  # D8
    elif game.round_number + 1 == rules.rounds:
        finish(game, LOST_TIME)  # D15 (b)
    else:
        between_rounds(game, rules)
        if game.outcome == UNDECIDED:
            begin_round(game, game.round_number + 1, rules)


# --- what is legal ----------------------------------------------------------------------------------


@jit
def legal_actions(game, rules):
    """All that the seat to move may do, as a set of actions."""
    if game.phase == ANNOUNCE:
        return first_items(rules.agreement) << ANNOUNCE_FIRST
    if game.phase == PLAY:
        return playable(game, rules)
    if game.phase == EXCHANGE:
        return int(game.hand[game.to_move]) | one(DECLINE)
    if game.phase == GIFT_PHASE:
        return int(game.hand[game.to_move])
    if game.phase == MOVE:
        follower_won = game.to_move != game.leader
        return possible_moves(game.led, game.reply, follower_won, rules) << MOVE_FIRST
    return 0


@jit
def playable(game, rules):
    """D7: the follower is bound to the led suit if they hold it, unless a Royal Heir was led (D20)."""
    hand = int(game.hand[game.to_move])
    if game.led == NONE or is_character(game.led, ROYAL_HEIR, rules):
        return hand
    following = hand & suit_set(suit_of(game.led))
    return following if following else hand


@jit
def possible_moves(led, reply, follower_won, rules):
    """D16, D17: what the winner of a trick may choose, as a set of ``4 * direction + ignored``."""
    gazelles = count_character(led, reply, GAZELLE, rules)
    losing = 1 if follower_won else 2
    moves = 0
    for ignored in range(4):
        cards = (ignored & 1) + (ignored >> 1)
        # only footprints that count can be ignored: under `standard` those of the winning card
        if cards <= gazelles and (rules.sum_steps == 1 or ignored & losing == 0):
            moves |= one(ignored)
    if count_character(led, reply, MUSICIAN, rules):
        moves |= moves << 4
    return moves
