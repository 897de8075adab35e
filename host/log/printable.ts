// Makes texts from the network safe to show: without control characters, and of limited length.
import { cutText } from '../system/cut-text.ts'

const lineEnds = /[\t-\r\u0085\u2028\u2029]/g
// Control characters, the invisible ones that change the direction of text or hide letters, and halves of characters.
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}]/gu

/** At most `length` UTF-16 units of the text, without spaces at its ends; line ends and tabs become spaces. */
export function toPrintable(text: string, length: number): string {
  return cutText(text.trim(), length).replaceAll(lineEnds, ' ').replaceAll(unprintable, '').trim()
}
