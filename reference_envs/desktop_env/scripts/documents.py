"""The documents that tasks open: a page with an order form, and spreadsheets."""

from __future__ import annotations

ORDER_PAGE = """<!doctype html>
<meta charset="utf-8">
<title>Order</title>
<style>
body { font: 18px sans-serif; margin: 24px; background: #fff; color: #111 }
label { display: block; margin: 14px 0 }
input, select, button { font: inherit }
</style>
<h1>Order form</h1>
<form onsubmit="return send(this)">
<label>Name <input name="name" autofocus></label>
<label>Quantity <input name="quantity" type="number"></label>
<label>Colour <select name="colour"><option>red<option>green<option>blue</select></label>
<label><input type="checkbox" name="gift" value="yes"> It is a gift</label>
<button>Send order</button>
</form>
<p id="said"></p>
<script>
function send(form) {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([JSON.stringify(Object.fromEntries(new FormData(form)))]))
  link.download = "order.json"
  link.click()
  document.getElementById("said").textContent = "The order was sent."
  return false
}
</script>
"""


def sheet(rows: list[tuple[str, str]]) -> str:
    """A spreadsheet in Gnumeric's own format (http://www.gnumeric.org), not packed."""
    cells = [
        f'<gnm:Cell Row="{row}" Col="{column}" ValueType="{40 if text.isdigit() else 60}">'
        f"{text}</gnm:Cell>"
        for row, line in enumerate(rows)
        for column, text in enumerate(line)
        if text
    ]
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<gnm:Workbook xmlns:gnm="http://www.gnumeric.org/v10.dtd"><gnm:SheetNameIndex>'
        '<gnm:SheetName gnm:Cols="256" gnm:Rows="65536">Budget</gnm:SheetName></gnm:SheetNameIndex>'
        "<gnm:Sheets><gnm:Sheet>"
        f"<gnm:Name>Budget</gnm:Name><gnm:Cells>{''.join(cells)}</gnm:Cells>"
        "</gnm:Sheet></gnm:Sheets></gnm:Workbook>\n"
    )
