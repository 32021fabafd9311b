"""Questions with the forms of their answer; no question is in both splits."""

TRAIN = [
    ("Which planet is nearest to the Sun?", ["Mercury", "planet Mercury"]),
    ('Who wrote the novel "War and Peace"?', ["Leo Tolstoy", "Tolstoy", "Tolstoi", "Lev Tolstoy", "Leo Tolstoi", "Lev Tolstoi", "Lev Nikolayevich Tolstoy", "Count Leo Tolstoy", "Leo Nikolayevich Tolstoy", "Толстой", "Лев Толстой"]),
    ('Who composed the ballet "Swan Lake"?', ["Tchaikovsky", "Chaikovsky", "Tchaikovski", "Tschaikowski", "Tchaikowsky", "Pyotr Tchaikovsky", "Peter Tchaikovsky", "Pyotr Ilyich Tchaikovsky", "Peter Ilyich Tchaikovsky", "Чайковский"]),
    ("Which city was called Constantinople until the twentieth century?", ["Istanbul", "İstanbul", "Stambul"]),
    ("What is the capital of Ukraine?", ["Kyiv", "Kiev", "Kyïv", "Kyjiw", "Kijev", "Київ"]),
    ("Which sea creature has eight arms and three hearts?", ["octopus", "octopuses", "octopi", "octopodes"]),
    ("Which gas makes up most of the air?", ["nitrogen", "nitrogen gas", "dinitrogen"]),
    ("Who painted the ceiling of the Sistine Chapel?", ["Michelangelo", "Michelangelo Buonarroti", "Michael Angelo", "Michelagniolo"]),
    ("Which mountain is the highest above the sea?", ["Everest", "Mount Everest", "Mt. Everest", "Sagarmatha", "Chomolungma", "Qomolangma", "Sagarmāthā"]),
    ("What is the fruit of the oak called?", ["acorn", "acorns", "oak nut"]),
    ("Who was the first person to walk on the Moon?", ["Armstrong", "Neil Armstrong", "Neil A. Armstrong", "Neil Alden Armstrong"]),
    ("Which food is milk soured with Lactobacillus bulgaricus and eaten with a spoon?", ["yogurt", "yoghurt", "yoghourt", "yogourt", "joghurt"]),
    ("Which instrument has eighty-eight black and white keys?", ["piano", "pianoforte", "pianos", "the grand piano"]),
    ("Which festival of eight nights is kept with a lamp of nine branches?", ["Hanukkah", "Chanukah", "Hanukah", "Chanukkah", "Hannukah", "Channukah", "Chanuka", "Hanukka"]),
    ("Which river flows through Cairo?", ["Nile", "River Nile", "Nile River"]),
    ("Who led the Salt March of 1930?", ["Gandhi", "Mahatma Gandhi", "Mohandas Gandhi", "M. K. Gandhi", "Mohandas Karamchand Gandhi", "Gandhiji"]),
    ("Which spice is made of the threads of a crocus?", ["saffron", "safron"]),
    ("Which black and white animal eats almost nothing but bamboo?", ["panda", "giant panda", "panda bear", "giant panda bear", "pandas"]),
]  # fmt: skip
TEST = [
    ('Who wrote the novel "Crime and Punishment"?', ["Dostoevsky", "Dostoyevsky", "Dostojewski", "Dostoevskij", "Dostoyevski", "Dostoevski", "Fyodor Dostoevsky", "Fyodor Dostoyevsky", "Fedor Dostoevsky", "Fyodor Mikhailovich Dostoevsky", "Достоевский"]),
    ("Which city is called Peking in older books?", ["Beijing", "Pei-ching", "Běijīng", "Beijing City"]),
    ("What is the holy book of Islam called?", ["Quran", "Koran", "Qur'an", "Al-Quran", "Holy Quran", "Holy Koran", "Coran", "القرآن"]),
    ("Which metal has the symbol Al?", ["aluminium", "aluminum"]),
    ("Which is the largest ocean?", ["Pacific", "Pacific Ocean"]),
    ('Who composed the oratorio "Messiah"?', ["Handel", "Händel", "Haendel", "George Frideric Handel", "George Frederick Handel", "Georg Friedrich Händel", "G. F. Handel"]),
    ("Which planet has the Great Red Spot?", ["Jupiter", "planet Jupiter"]),
    ("What is a slowly moving river of ice called?", ["glacier", "glaciers"]),
    ('Who painted the "Mona Lisa"?', ["Leonardo da Vinci", "da Vinci", "Leonardo", "Leonardo di ser Piero da Vinci", "Lionardo da Vinci"]),
    ("Which small bird that cannot fly stands for New Zealand?", ["kiwi", "kiwi bird", "kiwis"]),
]  # fmt: skip


def quiz(split: str, entries: list) -> list[dict]:
    return [
        {"id": f"{split}-{number:02}", "question": question, "accepted": forms}
        for number, (question, forms) in enumerate(entries)
    ]


TASKS = {"train": quiz("train", TRAIN), "test": quiz("test", TEST)}
