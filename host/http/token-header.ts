// Finds the token of a request in its header `Authorization` and in its query.
import { timingSafeEqual } from 'node:crypto'

/** The token that callers must have; it may change at any time. */
export interface ExpectedToken {
  readonly value: string
}

/** Compares in constant time: only the length of the token can be measured. */
export function createTokenCheck(token: ExpectedToken): (text: string) => boolean {
  let value = token.value
  let expected = Buffer.from(value)
  return text => {
    if (value !== token.value) {
      value = token.value
      expected = Buffer.from(value)
    }
    if (text.length !== value.length) return false
    const received = Buffer.from(text)
    return received.length === expected.length && timingSafeEqual(received, expected)
  }
}

const bearer = 'Bearer '

/** The text that is the token in the forms that programs use: after `Bearer `, or the header itself. */
export const plainToken = (header: string): string => (header.startsWith(bearer) ? header.slice(bearer.length) : header)

/**
 * The token of `Bearer <token>`, or the password of `Basic <base64 of user:password>` where that form is taken; another
 * text is a token itself.
 */
export function tokensOfHeader(header: string, takesBasic: boolean): string[] {
  const [, scheme = '', value = ''] = /^(Bearer|Basic) +(\S+)$/i.exec(header) ?? []
  if (scheme === '') return header === '' ? [] : [header]
  if (scheme.toLowerCase() === 'bearer') return [value]
  if (!takesBasic) return []
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(value, 'base64').toString()) ?? []
  return [password]
}

export const tokensOfQuery = (querystring: string): string[] => new URLSearchParams(querystring).getAll('token')
