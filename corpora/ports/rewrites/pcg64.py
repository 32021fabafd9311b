"""NumPy's PCG64 generator, seeded as Gymnasium seeds it, without NumPy.

Sources: NumPy's documentation of ``SeedSequence`` and PCG64; O'Neill, "PCG: A Family of Simple Fast Space-Efficient
Statistically Good Algorithms for Random Number Generation" (2014); Lemire, "Fast Random Integer Generation in an
Interval" (2019).
"""

MASK_32, MASK_64, MASK_128 = (1 << 32) - 1, (1 << 64) - 1, (1 << 128) - 1
MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
"""Multiplier of the congruential generator with 128 bits of state."""


class Generator:
    """The numbers of NumPy's ``default_rng(seed)``."""

    def __init__(self, seed: int) -> None:
        words = _mixed_words(seed)
        start = words[0] << 64 | words[1]
        self._step = ((words[2] << 64 | words[3]) << 1 | 1) & MASK_128
        self._state = (self._step + start) * MULTIPLIER + self._step & MASK_128
        self._half: int | None = None

    def random(self) -> float:
        """Return a float from 0 up to 1."""
        return (self._next_64() >> 11) / (1 << 53)

    def below(self, bound: int) -> int:
        """Return an integer from 0 up to ``bound``, by Lemire's method."""
        if bound == 1:
            return 0  # NumPy draws nothing then
        product = self._next_32() * bound
        if product & MASK_32 < bound:
            threshold = (MASK_32 - bound + 1) % bound
            while product & MASK_32 < threshold:
                product = self._next_32() * bound
        return product >> 32

    def _next_64(self) -> int:
        self._state = self._state * MULTIPLIER + self._step & MASK_128
        mixed = (self._state >> 64 ^ self._state) & MASK_64
        turn = self._state >> 122
        return (mixed >> turn | mixed << (-turn & 63)) & MASK_64

    def _next_32(self) -> int:
        if self._half is not None:
            found, self._half = self._half, None
            return found
        both = self._next_64()
        self._half = both >> 32
        return both & MASK_32


def _mixed_words(seed: int) -> list[int]:
    """Return the four words of 64 bits that ``SeedSequence`` makes from a seed."""
    parts = [seed >> shift & MASK_32 for shift in range(0, max(seed.bit_length(), 1), 32)]
    parts += [0] * (4 - len(parts))
    factor = 0x43B0D7E5

    def hashed(value: int) -> int:
        nonlocal factor
        value ^= factor
        factor = factor * 0x931E8875 & MASK_32
        value = value * factor & MASK_32
        return value ^ value >> 16

    def mix(pool: list[int], to: int, value: int) -> None:
        found = pool[to] * 0xCA01F9DD - hashed(value) * 0x4973F715 & MASK_32
        pool[to] = found ^ found >> 16

    pool = [hashed(part) for part in parts[:4]]
    for source in range(4):
        for to in range(4):
            if to != source:
                mix(pool, to, pool[source])
    for part in parts[4:]:
        for to in range(4):
            mix(pool, to, part)
    factor, found = 0x8B51F9DD, []
    for number in range(8):
        value = pool[number % 4] ^ factor
        factor = factor * 0x58F38DED & MASK_32
        value = value * factor & MASK_32
        found.append(value ^ value >> 16)
    return [found[n] | found[n + 1] << 32 for n in range(0, 8, 2)]
