// Compares texts with patterns in which `*` stands for any text, without regard to case.

/** Whether a text meets the pattern, which is in lower case. Takes time in proportion to the text. */
export function patternTest(pattern: string): (text: string) => boolean {
  const pieces = pattern.split('*')
  const [first = '', ...others] = pieces
  const last = others.pop()
  if (last === undefined) return text => text !== '' && text.toLowerCase() === pattern
  return value => {
    const text = value.toLowerCase()
    if (text === '' || text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
      return false
    let from = first.length
    for (const piece of others) {
      const at = text.indexOf(piece, from)
      if (at < 0) return false
      from = at + piece.length
    }
    return from <= text.length - last.length
  }
}
