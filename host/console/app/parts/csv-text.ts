// Writes CSV for spreadsheets.

/** An apostrophe makes a text of what a spreadsheet would calculate. */
const asText = (value: string) => (/^'*[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value)

const cell = (value: string) => {
  const text = asText(value)
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** With CRLF, as RFC 4180 has it. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map(row => `${row.map(cell).join(',')}\r\n`).join('')
