"""Briefs for short letters and notices."""

KINDS = {
    "invitation": {
        "brief": "Write a letter to {who} on behalf of {sender}: invite them to {what} at {place}.",
        "what": ["a garden party", "a reading", "the summer concert"],
        "facts": ["{date}", "{hour}", "{place}"],
        "forbidden": ["mandatory", "obviously"],
        "tone": ["cold", "neutral", "warm"],
    },
    "notice": {
        "brief": "Write a notice to {who} on behalf of {sender}: there will be {what} at {place}.",
        "what": ["a water cut", "a fire drill", "painting work"],
        "facts": ["{date}", "{hour}", "{place}"],
        "forbidden": ["unfortunately", "asap"],
        "tone": ["alarming", "unclear", "calm"],
    },
    "complaint": {
        "brief": "Write a letter to {who} on behalf of {sender}: complain about {what} at {place}.",
        "what": ["a broken heater", "nightly noise", "a wrong bill"],
        "facts": ["{date}", "{place}", "within two weeks"],
        "forbidden": ["lawyer", "ridiculous"],
        "tone": ["insulting", "firm but curt", "firm and civil"],
    },
    "thanks": {
        "brief": "Write a letter to {who} on behalf of {sender}: thank them for help with {what} at {place}.",
        "what": ["a bake sale", "the book fair", "a clean-up day"],
        "facts": ["{date}", "{place}", "42 visitors"],
        "forbidden": ["however", "literally"],
        "tone": ["cold", "neutral", "warm"],
    },
    "apology": {
        "brief": "Write a letter to {who} on behalf of {sender}: apologise for {what} at {place}.",
        "what": ["a lost parcel", "a cancelled course", "a late reply"],
        "facts": ["{date}", "{place}", "a voucher of 20 euros"],
        "forbidden": ["but", "your fault"],
        "tone": ["evasive", "dutiful", "sincere"],
    },
    "request": {
        "brief": "Write a letter to {who} on behalf of {sender}: ask for {what} at {place}.",
        "what": ["longer opening hours", "a bench", "a bicycle rack"],
        "facts": ["{date}", "{place}", "18 signatures"],
        "forbidden": ["demand", "immediately"],
        "tone": ["pushy", "neutral", "courteous"],
    },
}
WHO = [
    "the residents",
    "Mr Hall",
    "the members",
    "Ms Ortega",
    "the neighbours",
    "Dr Weber",
    "the parents",
]
SENDERS = ["Ruth Adler", "the house committee", "Samuel Brandt", "the library team", "Nina Koch"]
DATES = ["3 May", "14 June", "21 July", "8 August", "30 September", "11 October", "2 November"]
HOURS = ["9:30", "14:00", "18:15", "19:45"]
PLACES = ["12 Elm Street", "the North Library", "Station Square", "5 Harbour Road", "the Old Mill"]


def make(number):
    kind = list(KINDS)[number % len(KINDS)]
    rule = KINDS[kind]
    filled = {
        "who": WHO[number % 7],
        "sender": SENDERS[number % 5],
        "what": rule["what"][number // len(KINDS) % 3],
        "place": PLACES[(number + number // 5) % 5],
        "date": DATES[(number + 3) % 7],
        "hour": HOURS[number % 4],
    }
    return {
        "id": f"{kind}-{number}",
        **filled,
        "brief": rule["brief"].format(**filled),
        "facts": [fact.format(**filled) for fact in rule["facts"]],
        "forbidden": rule["forbidden"],
        "length": [40, 90],
        "criteria": {
            "purpose": "Its first two sentences say what it is about.",
            "tone": {
                "description": f"Its tone is {rule['tone'][-1]}.",
                "scale": rule["tone"],
                "weight": 2,
            },
            "prose": {
                "description": "It is connected prose and no list of facts.",
                "scale": ["list", "choppy", "readable", "fluent"],
            },
        },
    }


TASKS = {"train": [make(n) for n in range(12)], "test": [make(n) for n in range(12, 18)]}
