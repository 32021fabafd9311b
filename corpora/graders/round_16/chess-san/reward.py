"""Chess moves in standard algebraic notation, checked with a small legal-move generator."""
import re

STEPS = {
    "N": [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)],
    "B": [(1, 1), (1, -1), (-1, 1), (-1, -1)],
    "R": [(1, 0), (-1, 0), (0, 1), (0, -1)],
}
STEPS["Q"] = STEPS["K"] = STEPS["B"] + STEPS["R"]
LINE = re.compile(r"^[ \t]*Move:[ \t]*(.*?)[ \t]*$", re.M)


def square(name):
    return "abcdefgh".index(name[0]), int(name[1]) - 1


def label(sq):
    return "abcdefgh"[sq[0]] + str(sq[1] + 1)


def parse_fen(fen):
    rows, side, castling, ep = fen.split()[:4]
    board = {}
    for r, text in enumerate(rows.split("/")):
        f = 0
        for ch in text:
            if ch.isdigit():
                f += int(ch)
            else:
                board[f, 7 - r] = ch
                f += 1
    return board, side == "w", castling, None if ep == "-" else square(ep)


def reach(board, sq, kind):
    """Squares that a piece of this kind on sq attacks."""
    for dx, dy in STEPS[kind]:
        to = (sq[0] + dx, sq[1] + dy)
        while to[0] in range(8) and to[1] in range(8):
            yield to
            if to in board or kind in "NK":
                break
            to = (to[0] + dx, to[1] + dy)


def attacked(board, sq, by_white):
    for kind in "NBRQK":
        piece = kind if by_white else kind.lower()
        if any(board.get(to) == piece for to in reach(board, sq, kind)):
            return True
    back = -1 if by_white else 1
    pawn = "P" if by_white else "p"
    return any(board.get((sq[0] + dx, sq[1] + back)) == pawn for dx in (-1, 1))


def in_check(board, white):
    king = "K" if white else "k"
    return attacked(board, next(s for s, p in board.items() if p == king), not white)


def pseudo(pos):
    board, white, castling, ep = pos
    for sq, piece in list(board.items()):
        if piece.isupper() != white:
            continue
        kind = piece.upper()
        if kind != "P":
            for to in reach(board, sq, kind):
                if to not in board or board[to].isupper() != white:
                    yield sq, to, ""
            continue
        up, start, last = (1, 1, 7) if white else (-1, 6, 0)
        targets = [] if (sq[0], sq[1] + up) in board else [(sq[0], sq[1] + up)]
        if targets and sq[1] == start and (sq[0], sq[1] + 2 * up) not in board:
            targets.append((sq[0], sq[1] + 2 * up))
        for to in ((sq[0] - 1, sq[1] + up), (sq[0] + 1, sq[1] + up)):
            if to == ep or (to in board and board[to].isupper() != white):
                targets.append(to)
        for to in targets:
            for promo in "QRBN" if to[1] == last else [""]:
                yield sq, to, promo
    y = 0 if white else 7
    for flag, path, safe in (("k", (5, 6), (4, 5, 6)), ("q", (1, 2, 3), (4, 3, 2))):
        if (flag.upper() if white else flag) in castling:
            if not any((x, y) in board for x in path) and not any(attacked(board, (x, y), not white) for x in safe):
                yield (4, y), (path[1], y), ""


def play(pos, move):
    board, white, castling, ep = dict(pos[0]), *pos[1:]
    sq, to, promo = move
    piece = board.pop(sq)
    if piece in "Pp" and to == ep:
        del board[to[0], sq[1]]
    if piece in "Kk" and abs(to[0] - sq[0]) == 2:
        board[(sq[0] + to[0]) // 2, sq[1]] = board.pop((7 if to[0] == 6 else 0, sq[1]))
    board[to] = (promo if white else promo.lower()) or piece
    lost = {(4, 0): "KQ", (4, 7): "kq", (7, 0): "K", (0, 0): "Q", (7, 7): "k", (0, 7): "q"}
    castling = "".join(c for c in castling if c not in lost.get(sq, "") + lost.get(to, ""))
    double = piece in "Pp" and abs(to[1] - sq[1]) == 2
    return board, not white, castling, (sq[0], (sq[1] + to[1]) // 2) if double else None


def legal(pos):
    return [m for m in pseudo(pos) if not in_check(play(pos, m)[0], pos[1])]


def describe(pos, move, moves):
    """(SAN without sign, sign) of a legal move."""
    board, (sq, to, promo) = pos[0], move
    after = play(pos, move)
    sign = ("+" if legal(after) else "#") if in_check(after[0], after[1]) else ""
    kind = board[sq].upper()
    if kind == "K" and abs(to[0] - sq[0]) == 2:
        return ("O-O" if to[0] == 6 else "O-O-O"), sign
    takes = "x" if to in board or (kind == "P" and to[0] != sq[0]) else ""
    if kind == "P":
        return (label(sq)[0] if takes else "") + takes + label(to) + promo, sign
    rivals = [m[0] for m in moves if m[1] == to and m[0] != sq and board[m[0]] == board[sq]]
    origin = ""
    if rivals:
        same_file, same_rank = (any(r[i] == sq[i] for r in rivals) for i in (0, 1))
        origin = label(sq) if same_file and same_rank else label(sq)[1 if same_file else 0]
    return kind + origin + takes + label(to), sign


def wanted(pos, goal, detail, move, sign):
    if goal == "mate":
        return sign == "#"
    if goal == "capture":
        return move[1] == square(detail)
    return move == (square(detail[:2]), square(detail[2:4]), detail[4:].upper())


def reward(completion, fen, goal, detail="", **row):
    lines = LINE.findall(completion.replace("\r\n", "\n"))
    if not lines:
        return 0.0
    text, sign = re.fullmatch(r"(.*?)([+#]?)", lines[-1]).groups()
    if re.fullmatch(r"0-0(-0)?", text):
        text = text.replace("0", "O")
    text = re.sub(r"^(.*[18])=([QRBN])$", r"\1\2", text)
    pos = parse_fen(fen)
    moves = legal(pos)
    for move in moves:
        san, true_sign = describe(pos, move, moves)
        if san == text and sign in ("", true_sign) and wanted(pos, goal, detail, move, true_sign):
            return 1.0
    return 0.0
