// What a person sees: colours on a terminal only, and no text from elsewhere that could steer the terminal.
import { styleText } from 'node:util'

export type Paint = 'green' | 'red' | 'yellow' | 'cyan' | 'gray' | 'bold'

export const isTerminal = process.stdout.isTTY === true

// Respects NO_COLOR, FORCE_COLOR and TERM=dumb.
const hasColours = isTerminal && process.stdout.hasColors()

export const paint = (colour: Paint | undefined, text: string): string =>
  colour === undefined || !hasColours || text === '' ? text : styleText(colour, text)

export const print = (text: string): void => void process.stdout.write(`${text}\n`)
export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2))

/** Names and reasons come from agents and other people; a line of a table must stay one. */
export const onOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')

/** What a script printed: on a terminal without anything that moves the cursor. */
export const asPrinted = (text: string): string =>
  isTerminal ? text.replaceAll(/(?![\n\t])\p{Cc}/gu, character => (character === '\r' ? '' : '�')) : text

/** What a state or result is coloured with. */
export const stateColours: Record<string, Paint> = {
  success: 'green',
  failure: 'red',
  skipped: 'yellow',
  expired: 'yellow',
  cancelled: 'gray',
  queued: 'cyan',
  sent: 'cyan',
  BSY: 'yellow',
  WOL_SENT: 'cyan',
  off: 'gray',
}
