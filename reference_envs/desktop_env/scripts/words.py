"""What differs between the splits: words and names, and the programs that tasks start."""

EDITOR = ["mousepad", "--disable-server"]
BROWSER = [
    *("chromium", "--no-sandbox", "--test-type", "--no-first-run", "--no-default-browser-check"),
    *("--disable-gpu", "--password-store=basic", "--disable-features=Translate"),
]

WORDS = {
    "train": {
        "lines": ["Call the plumber on Monday.", "Water the basil.", "Renew the library card."],
        "names": ["Ada", "Grace"],
        "colours": ["green", "blue"],
        "swap": [("colour", "color"), ("Tuesday", "Thursday")],
        "items": ["rent", "food", "bus", "books", "phone", "water"],
        "files": ["report.txt", "invoice.txt"],
        "folders": ["archive", "done"],
        "codes": ["KX-4471", "PR-9028"],
        "dragged": ("galculator", "the calculator", ["galculator"]),
    },
    "test": {
        "lines": ["Return the drill to Sam.", "Buy stamps.", "Book the 8:15 train."],
        "names": ["Linus", "Barbara"],
        "colours": ["red", "blue"],
        "swap": [("centre", "center"), ("March", "April")],
        "items": ["heating", "tea", "tram", "paper", "stamps", "soap"],
        "files": ["minutes.txt", "letter.txt"],
        "folders": ["sent", "old"],
        "codes": ["ZT-3096", "MW-7513"],
        "dragged": ("Mousepad", "the text editor", EDITOR),
    },
}
