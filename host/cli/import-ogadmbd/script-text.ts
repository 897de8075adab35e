// Decodes a script that a console stored in the encoding of URLs.

const escapes = /%u[0-9a-f]{4}|%[0-9a-f]{2}/gi

/** A script with white space, or with a % that begins no escape, was stored as it is. */
function isEncoded(text: string): boolean {
  return !/\s/.test(text) && text.includes('%') && !text.replaceAll(escapes, '').includes('%')
}

export function decodeScript(text: string): string {
  if (!isEncoded(text)) return text
  const spaced = hasPlusForSpace(text) ? text.replaceAll('+', ' ') : text
  return decodeUtf8(spaced) ?? decodeLatin1(spaced)
}

/** Forms write a space as + and leave only letters, digits and -_. as they are; other encoders write %20. */
const hasPlusForSpace = (text: string) => !/%20|[^\w.+%-]/.test(text)

/** Undefined when it is not UTF-8. */
function decodeUtf8(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The encoding of the function `escape` in the browsers of earlier consoles. */
const decodeLatin1 = (text: string): string =>
  text.replaceAll(escapes, code => String.fromCharCode(Number.parseInt(code.replace(/%u?/i, ''), 16)))
