import re


def _mots(s):
    s = s.strip(" \t\r\n.*_\"'«»“”\u00a0\u202f").lower()
    # 1990 : tous les traits d'union ; avant : pas autour de "et", "cent", "mille"
    return re.sub(r"[\s\u00a0\-\u2010\u2011]+", " ", s)


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    """Le nombre seul ; les traits d'union sont libres, l'accord de vingt et cent ne l'est pas."""
    if len(solution_str) > 200 or not solution_str.strip():
        return 0.0
    return 1.0 if _mots(solution_str) == _mots(ground_truth) else 0.0
