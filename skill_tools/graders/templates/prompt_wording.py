"""What the wording of a prompt says about the form of an answer.

A prompt is untrusted text: every pattern is bounded.
"""

from __future__ import annotations

import re

_SAYS = {
    "alone": r"\b(only|nothing (?:else|more|before|after|but)|just (?:the|a|one|your)|no (?:other|extra"
    r"|additional|explanation|words|text))\b",
    "plain": r"\b(?:no|without|omit|never)\b.{0,40}\b(?:comma|separator|punctuation|symbol|currency|unit"
    r"|sign|space)|\b(?:digits only|only digits|plain (?:integer|number|digits)|bare (?:integer"
    r"|number))\b",
    "decimals": r"\bdecimals?\b|\bsignificant\b|\bround|\bto the nearest\b|\bplaces\b|\bprecision\b"
    r"|\bfixed[- ]point\b",
    "whole": r"\bintegers?\b|\bwhole numbers?\b",
    "case": r"\b(?:upper|lower)[- ]?case\b|\bcapital|\bcase[- ]sensitiv|\bcase matters\b|\bletter case\b"
    r"|\ball caps\b",
    "cased": r"\bcase[- ]sensitiv|\bcase matters\b|\bmind (?:the )?(?:case|capital)",
    "exact": r"\bverbatim\b|\bcharacter[- ](?:for|by)[- ]character\b|\bexact(?:ly)? (?:as|match|string"
    r"|spelling|text|the same|this|like|in)\b|\bstrict(?:ly)?\b|\bbyte|\bpasswords?\b"
    r"|\bpassphrase\b|\bcopy\b|\bsymbols? (?:of|for)\b|\bwhitespace\b"
    r"|\bspaces?\b[^.]{0,30} (?:matter|count|included)|\bwith (?:a|one) (?:single )?(?:space"
    r"|blank) (?:after|between|before)\b|\bline breaks?\b[^.]{0,40}\b(?:matter|count)|\b(?:no"
    r"|not any|without) (?:extra )?(?:line breaks?|spaces?|blanks?)\b",
    "form": r"\bformat(?:ted)?\b|\bYYYY|\bDD/|\bMM/|\bISO\b|\bnotation\b|\bSAN\b|\bUCI\b|\bregex"
    r"|\bsyntax\b|\bpattern\b",
    "every": r"\b(?:one|an?) \w+(?: \w+)? (?:for|per) (?:every|each)\b|\bfor (?:every|each) of the\b"
    r"|(?:\b(?:report|list|name|give|return|write|output|find|identify|mention)\w{0,3}\b[^.\n]{0,30}"
    r"\b(?:all|every|each)\b|(?:\A|[.!?\n] ?)\s?(?!(?:for|from|with|after|before|since|between|then|and"
    r"|but|that)\b)[a-z]{3,12} (?:every|each) (?!other|time|line|row)\w{3,})"
    r"(?![^.\n]{0,40}\b(?:on|in) (?:a|its|their) (?:own )?(?:line|row)\b)",
    "share": r"\b(?:share|fraction|proportion) of (?:the |its )?\w+(?: \w+)? that (?:is|are) (?:right"
    r"|correct)\b",
    "tolerance": r"\bwithin\b|\btolerance\b|\bapprox|\babout how\b|\brough|\bestimate|\bclose(?:st)? to\b|±"
    r"|\bmargin\b|\bnearly\b|\bdiffers? (?:from|by)\b|\bdeviat",
    "any_order": r"(?:\A|[.;\n])(?:(?!\b(?:ties?|tied|equal\w*)\b)[^.;\n])*\bany order\b(?! (?:that|which"
    r"|in which)\b)|\border\b[^.;]{0,30} (?:do(?:es)? not|do(?:es)?n't) matter\b"
    r"|\border (?:does not|doesn't|is not|will not|is ignored|is free)\b|\bno particular order\b"
    r"|\bunordered\b|\bas a set\b|\bthe set of\b|\bregardless of order\b",
    "ordered": r"\bin (?:the )?(?:right |correct |given |chronological |alphabetical |ascending |descending "
    r"|increasing |decreasing )?order\b|\brank|\bsort\w{0,4}\b[^.]{0,80}\b(?:by|from|order|first"
    r"|\w+est|\w+ending|\w+creasing)\b|\bfrom (?:the )?\w{1,20} to\b|\b(?:ascending|descending"
    r"|chronological|alphabetical)|\bsequence\b|\border matters\b|\bearliest\b",
    "sorted": r"\b(?:ordered|sorted|ranked) (?:by|from|in)\b|\border (?:matters|counts)\b"
    r"|\border of (?:the )?\w+ (?:must|matters|counts)\b|\b(?:best|highest|lowest|largest|smallest"
    r"|earliest|latest|oldest|newest)\b[^.\n]{0,20}\bfirst\b",
    "blanks": r"\b(?:spaces?|blanks?|hyphens?)\b[^.\n]{0,60}\b(?:allowed|permitted|ignored|optional|fine"
    r"|do(?:es)? not matter|make no difference)\b",
    "unmarked": r"\b(?:accents?|diacritics?|umlauts?)\b[^.\n]{0,60}\b(?:do(?:es)? not (?:matter|count)|ignored"
    r"|optional|left out|make no difference)\b",
    "lowest": r"(?<!not be in )(?<!not be )(?<!not in )\b(?:lowest terms|simplest form|fully (?:reduced"
    r"|simplified))\b",
    "last": r"\b(?:last|final) line\b|\bonly the last\b|\blast (?:answer|one|number|value) (?:counts"
    r"|is (?:read|graded|scored))\b",
    "include": r"\b(?:contain|includ|mention|us(?:e|ing|es)|incorporat)\w{0,4}\b|\bwith the words?\b",
    "unit": r"\bunits?\b",
    "percent": r"\bpercent|%|\bpercentage\b",
    "fraction": r"\bfractions?\b|\bsimplest form\b|\blowest terms\b|\breduced\b",
    "expression": r"\bexpression\b|\bin terms of\b|\bsimplif",
    "computed": r"\b(?:expressions?|equations?|arithmetic|calculations?|formulas?|evaluat\w{1,4})\b",
    "creative": r"\b(?:write|compose|create|invent|suggest|give|name|find|propose)\b.{0,40}\b(?:any|an example"
    r"|one (?:of|such)|a (?:valid|legal|possible|sentence|word|poem|story|title|path|move))\b"
    r"|\b(?:write|compose|draft) an? (?:\w+ ){0,2}(?:letter|e-?mail|message|notice|note|essay"
    r"|review|speech) (?:to|for|about|on|of)\b|\b(?:write|give|find"
    r"|construct) [^.\n]{0,30}\b(?:regular expression|regex)\b|\bany (?:valid|legal|correct|one"
    r"|word|such|solution|answer)\b|\bone of the\b|\bmore than one\b|\bseveral (?:right|correct"
    r"|valid)\b",
    "length": r"\b(?:short|brief|concise|length|characters?|words?)\b.{0,60}\b(?:penal|cost|deduct|limit"
    r"|most|fewer|less)|\bpenalt|\bpenaliz|\bpenalis",
}
_PATTERNS = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _SAYS.items()}


def wording_of(prompt: str) -> frozenset[str]:
    """Return marks of what a prompt says about the form of the answer, such as ``whole`` or ``any_order``."""
    return frozenset(name for name, pattern in _PATTERNS.items() if pattern.search(prompt))
