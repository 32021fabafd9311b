"""Seeds for ten generators, by split."""

GENERATORS = [
    *("basic_arithmetic", "chain_sum", "gcd", "lcm", "prime_factorization", "spell_backward"),
    *("word_sorting", "number_sorting", "base_conversion", "count_bits"),
]
TASKS = {
    "train": [
        {"id": f"train-{n:02}", "seed": n, "generator": GENERATORS[n % 10]} for n in range(40)
    ],
    "test": [
        {"id": f"test-{n:02}", "seed": 1000 + n, "generator": GENERATORS[n % 10]} for n in range(20)
    ],
}
