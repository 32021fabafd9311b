import re
import unicodedata

MESES = ["janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho",
         "agosto", "setembro", "outubro", "novembro", "dezembro"]


def _plano(s):
    s = unicodedata.normalize("NFKD", s)
    return "".join(c for c in s if not unicodedata.combining(c)).casefold()


def mes_reward(prompts, completions, mes, **kwargs):
    """O prompt pede só o nome do mês; acento e maiúscula não contam."""
    notas = []
    for resposta, certo in zip(completions, mes):
        dito = _plano(resposta).strip(" \t\r\n.!*_`\"'“”")
        dito = re.sub(r"^(em )?(o )?(mes de )?", "", dito)
        notas.append(1.0 if dito == _plano(MESES[certo - 1]) else 0.0)
    return notas
