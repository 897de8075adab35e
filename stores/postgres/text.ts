// Texts that PostgreSQL cannot hold: NUL and lone surrogates are stored as an escape sequence, so that every text is read
// as it was written.

/** A noncharacter of Unicode, which no text for people contains; followed by the four hex digits of a code unit. */
const escapeUnit = '\uffff'

const largest = Number.MAX_SAFE_INTEGER

const mayNeedEscape = /[\0\ud800-\udfff\uffff]/
const toBeEscaped = /[\0\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
const escaped = /\uffff([0-9a-f]{4})/g

export function encodeText(text: string): string {
  if (!mayNeedEscape.test(text)) return text
  return text.replace(toBeEscaped, unit => escapeUnit + unit.charCodeAt(0).toString(16).padStart(4, '0'))
}

export function decodeText(text: string): string {
  if (!text.includes(escapeUnit)) return text
  return text.replace(escaped, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}

/**
 * Encodes the texts in a parameter of a statement. A number beyond the safe integers, which no row can have as its id,
 * becomes the largest one, as PostgreSQL would refuse its decimal form. Others stay as they are.
 */
export function encodeParameter(value: unknown): unknown {
  if (typeof value === 'string') return encodeText(value)
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) > largest)
    return Math.sign(value) * largest
  return Array.isArray(value) ? encodeList(value) : value
}

/** Returns the same list when nothing in it changes, as for nearly all of the lists with thousands of values. */
function encodeList(values: readonly unknown[]): readonly unknown[] {
  for (const value of values) if (encodeParameter(value) !== value) return values.map(encodeParameter)
  return values
}

/** Decodes the texts in the columns of a result's rows, in place. */
export function decodeRows(rows: readonly Record<string, unknown>[]): void {
  for (const row of rows) {
    for (const [column, value] of Object.entries(row)) {
      if (typeof value === 'string') {
        if (value.includes(escapeUnit)) row[column] = decodeText(value)
      } else if (Array.isArray(value))
        row[column] = value.map(item => (typeof item === 'string' ? decodeText(item) : item))
    }
  }
}
