// Decodes the mappings of a source map: which offset of the generated text stands for which position of which source.

export interface Segment {
  /** In the generated text. */
  offset: number
  /** The index of the source. */
  source: number
  /** Counted from 1. */
  line: number
  /** Counted from 0. */
  column: number
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** `lineLengths` are those of the generated text, without the ends of the lines. In the order of the generated text. */
export function decodeMappings(mappings: string, lineLengths: number[]): Segment[] {
  const segments: Segment[] = []
  let [lineStart, source, line, column] = [0, 0, 0, 0]
  for (const [index, text] of mappings.split(';').entries()) {
    let generated = 0
    for (const field of text === '' ? [] : text.split(',')) {
      const [ofGenerated = 0, ofSource, ofLine = 0, ofColumn = 0] = decodeNumbers(field)
      generated += ofGenerated
      if (ofSource === undefined) continue
      source += ofSource
      line += ofLine
      column += ofColumn
      segments.push({ offset: lineStart + generated, source, line: line + 1, column })
    }
    lineStart += (lineLengths[index] ?? 0) + 1
  }
  return segments
}

/** Base64 digits of five bits, the lowest first; the sixth bit is set when more follow, the lowest of all is the sign. */
function decodeNumbers(field: string): number[] {
  const numbers: number[] = []
  let [value, shift] = [0, 0]
  for (const character of field) {
    const digit = digits.indexOf(character)
    value += (digit & 31) << shift
    shift += 5
    if (digit & 32) continue
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1)
    ;[value, shift] = [0, 0]
  }
  return numbers
}
