// Writes CSV for spreadsheets, with CRLF as RFC 4180 has it.

/** An apostrophe makes a text of what a spreadsheet would calculate. */
const asText = (value: string) => (/^'*[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value)

function cell(value: string): string {
  const text = asText(value)
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const csvLines = (rows: readonly (readonly string[])[]): string =>
  rows.map(row => `${row.map(cell).join(',')}\r\n`).join('')
