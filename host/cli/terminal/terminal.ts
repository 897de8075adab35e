// What a person sees: colours on a terminal only, and no text from elsewhere that could steer the terminal.
import { stripVTControlCharacters, styleText } from 'node:util'

export type Paint = 'green' | 'red' | 'yellow' | 'cyan' | 'gray' | 'bold'

/** What a program writes to, as `process.stdout` is; a pipe has `write` only. */
export interface Stream {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
  rows?: number
  hasColors?(): boolean
}

export interface Terminal {
  /** Writes text of our own and a line break; what is painted in it has its colour where there are colours. */
  print(text: string): void
  printJson(value: unknown): void
  /** Writes what others have written, as it is; on a terminal without anything that moves the cursor. */
  pass(text: string): void
  /** Writes a line to standard error. */
  complain(text: string): void
  /** Shows people, on standard error, a line in the place of the one before; '' for none. */
  progress(line: string): void
  /** Undefined where there is no terminal. */
  screen: Screen | undefined
}

/** A terminal of which a program takes all. */
export interface Screen {
  size(): { columns: number; rows: number }
  enter(): void
  /** From the first line on; as many as there are rows. */
  show(lines: string[]): void
  leave(): void
}

export function createTerminal(out: Stream, error: Stream): Terminal {
  // Respects NO_COLOR, FORCE_COLOR and TERM=dumb.
  const hasColours = out.isTTY === true && out.hasColors?.() === true
  const visible = (text: string) => (hasColours ? text : stripVTControlCharacters(text))
  const print = (text: string) => void out.write(`${visible(text)}\n`)
  return {
    print,
    // JSON has no control characters.
    printJson: value => void out.write(`${JSON.stringify(value, null, 2)}\n`),
    pass: text => void out.write(out.isTTY ? harmless(text) : text),
    complain: text => void error.write(`${text}\n`),
    progress(line) {
      if (error.isTTY) error.write(`\r\x1b[K${[...line].slice(0, widthOf(error) - 1).join('')}`)
    },
    screen: out.isTTY ? createScreen(out, visible) : undefined,
  }
}

/** Of a terminal that does not tell, and of a pipe. */
const usualColumns = 80
const usualRows = 24

export const widthOf = ({ columns }: Stream): number => columns || usualColumns

const codes = {
  enter: '\x1b[?1049h\x1b[?25l',
  leave: '\x1b[?25h\x1b[?1049l',
  home: '\x1b[H',
  erase: '\x1b[J',
  line: '\x1b[K',
}

const createScreen = (out: Stream, visible: (text: string) => string): Screen => ({
  size: () => ({ columns: widthOf(out), rows: out.rows || usualRows }),
  enter: () => void out.write(codes.enter),
  show: lines => void out.write(codes.home + lines.map(line => visible(line) + codes.line).join('\n') + codes.erase),
  leave: () => void out.write(codes.leave),
})

const harmless = (text: string) => text.replaceAll(/(?![\n\t])\p{Cc}/gu, character => (character === '\r' ? '' : '�'))

/** Whether the colour is seen is for the terminal to say, which writes it. */
export const paint = (colour: Paint | undefined, text: string): string =>
  colour === undefined || text === '' ? text : styleText(colour, text, { validateStream: false })

/** Names and reasons come from agents and other people; a line of a table must stay one. */
export const onOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')

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
