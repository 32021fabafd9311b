"""A right letter for each brief, and the stand-in for the judge."""

import re

from .letter import words

BODIES = {
    "invitation": "we are glad to invite you to {what}. It takes place on {date} at {hour} at {place}. There will be "
    "something to eat and to drink, and you are welcome to bring a guest. Please tell us whether you will come.",
    "notice": "please note that there will be {what}. It takes place on {date} at {hour} at {place}. It will last "
    "about an hour, and there is nothing that you need to do. Thank you for your patience while it goes on.",
    "complaint": "I am writing about {what}. I reported it on {date}, and at {place} nothing has changed since that "
    "day. Please look into it and let me know within two weeks what you will do. Thank you for your attention.",
    "thanks": "thank you for your help with {what}. On {date} you spent a whole day with us at {place}, and thanks to "
    "you there were 42 visitors. We are grateful for your time and hope to see you again next year.",
    "apology": "we are sorry for {what}. It happened on {date} at {place}, and it was our mistake alone. We have "
    "changed how we work so that it does not happen again, and you find a voucher of 20 euros with this letter.",
    "request": "we are writing to ask for {what}. On {date} we met at {place}, and 18 signatures were collected from "
    "people who would use it every day. Would you please consider it? We would be glad to talk about the details.",
}
KIND = {"please", "thank", "thanks", "glad", "sorry", "grateful", "welcome"}
RUDE = {"stupid", "rubbish", "idiots", "shame"}


def solve(task, seed):
    body = BODIES[task["id"].partition("-")[0]].format_map(task)
    who = task["who"]
    return [
        {
            "message": f"Dear {who.removeprefix('the ')},\n\n{body}\n\nKind regards,\n{task['sender']}"
        }
    ]


def judge(task, messages, data):
    """Rate by simple signs; the third vote is stricter about the prose than the others."""
    reply = data["reply"]
    said, tones, proses = set(words(reply)), data["labels"]["tone"], data["labels"]["prose"]
    sentences = [each for each in re.split(r"(?<=[.!?])\s+|\n\s*[-*]", reply) if words(each)]
    early = set(words(" ".join(sentences[:2])))
    length = len(words(reply)) / len(sentences)
    listed = len(re.findall(r"^\s*[-*]", reply, re.MULTILINE)) > 2
    prose = 0 if listed or length < 5 else 1 if length < 9 else 3 if len(sentences) > 2 else 2
    return {
        "reason": "by its words",
        "purpose": "yes" if words(task["what"])[-1] in early else "no",
        "tone": tones[0 if said & RUDE else 2 if said & KIND else 1],
        "prose": proses[max(0, prose - (data["vote"] == 2))],
    }
