// Writes to standard output and standard error: colours on a terminal only, control characters of others removed.
import { createInterface } from 'node:readline'
import { type Readable, Writable } from 'node:stream'
import { stripVTControlCharacters, styleText } from 'node:util'
import { byState, type StateTone, stateTable } from '../../../stores/rules/part-states.ts'

export type Paint = 'green' | 'red' | 'yellow' | 'cyan' | 'gray' | 'bold'

/** An output such as `process.stdout`; a pipe only has `write`. */
export interface Stream {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
  rows?: number
  hasColors?(): boolean
}

export interface Terminal {
  /** Writes our own text and a line break; keeps the colours of `paint` if the terminal has colours. */
  print(text: string): void
  /** On a terminal, characters that could steer it are escaped. */
  printJson(value: unknown): void
  /** Writes text of agents or users: unchanged to a pipe, without control characters to a terminal. */
  printUntrusted(text: string): void
  /** Writes a line to standard error; as `printUntrusted`, since it may contain text of the daemon. */
  printError(text: string): void
  /** Replaces the progress line on standard error, on a terminal only; '' removes it. */
  progress(line: string): void
  /** Undefined when standard output is not a terminal. */
  screen: Screen | undefined
  /** The columns of the terminal; undefined for a pipe, whose lines are never cut. */
  width(): number | undefined
  /**
   * Asks for passwords on standard error, without showing what is typed. Undefined when nobody can answer; resolves to
   * undefined when the user ends the input.
   */
  askSecrets: ((questions: string[]) => Promise<string[] | undefined>) | undefined
  /** Asks for yes or no on standard error. Undefined when nobody can answer. */
  ask: ((question: string) => Promise<boolean>) | undefined
}

/** What a user types; `process.stdin` is one. */
export type Input = Readable & { isTTY?: boolean }

/** The full screen of a terminal. */
export interface Screen {
  size(): { columns: number; rows: number }
  enter(): void
  /** Draws from the first row on; at most as many lines as there are rows. */
  show(lines: string[]): void
  leave(): void
}

export function createTerminal(out: Stream, error: Stream, input?: Input): Terminal {
  // hasColors respects NO_COLOR, FORCE_COLOR and TERM=dumb.
  const hasColours = out.isTTY === true && out.hasColors?.() === true
  const user = input?.isTTY && error.isTTY ? { input, error } : undefined
  const applyColours = (text: string) => (hasColours ? text : stripVTControlCharacters(text))
  return {
    print: text => void out.write(`${applyColours(text)}\n`),
    printJson(value) {
      const text = JSON.stringify(value, null, 2)
      out.write(`${out.isTTY ? escapeInJson(text) : text}\n`)
    },
    printUntrusted: text => void out.write(out.isTTY ? replaceControlCharacters(text) : text),
    printError: text => void error.write(`${error.isTTY ? replaceControlCharacters(text) : text}\n`),
    progress(line) {
      if (error.isTTY) error.write(`\r\x1b[K${[...onOneLine(line)].slice(0, widthOf(error) - 1).join('')}`)
    },
    screen: out.isTTY ? createScreen(out, applyColours) : undefined,
    width: () => (out.isTTY ? widthOf(out) : undefined),
    askSecrets: user && (questions => askLines(questions, true, user)),
    // Only y and yes agree; the end of the input and Ctrl-C do not.
    ask:
      user &&
      (async question => /^\s*y(es)?\s*$/i.test((await askLines([`${question} [y/N]`], false, user))?.[0] ?? '')),
  }
}

/** Asks each question on a line; undefined when the input ends. What is typed as a secret is not shown. */
async function askLines(questions: string[], isSecret: boolean, { input, error }: { input: Input; error: Stream }) {
  // As a terminal with this output it shows nothing; without an output the terminal itself shows what is typed.
  const output = new Writable({ write: (_text, _encoding, done) => done() })
  const lines = createInterface(isSecret ? { input, output, terminal: true, historySize: 0 } : { input })
  const typed = lines[Symbol.asyncIterator]()
  const answers: string[] = []
  try {
    for (const question of questions) {
      error.write(`${replaceControlCharacters(question)} `)
      const { done, value } = await typed.next()
      if (isSecret || done) error.write('\n')
      if (done) return undefined
      answers.push(value)
    }
    return answers
  } finally {
    lines.close()
  }
}

/** For pipes, and terminals that do not report their size. */
const defaultColumns = 80
const defaultRows = 24

export const widthOf = ({ columns }: Stream): number => columns || defaultColumns

const codes = {
  enter: '\x1b[?1049h\x1b[?25l',
  leave: '\x1b[?25h\x1b[?1049l',
  home: '\x1b[H',
  eraseBelow: '\x1b[J',
  eraseRight: '\x1b[K',
}

const createScreen = (out: Stream, applyColours: (text: string) => string): Screen => ({
  size: () => ({ columns: widthOf(out), rows: out.rows || defaultRows }),
  enter: () => void out.write(codes.enter),
  show(lines) {
    const text = lines.map(line => applyColours(line) + codes.eraseRight).join('\n')
    out.write(codes.home + text + codes.eraseBelow)
  },
  leave: () => void out.write(codes.leave),
})

// Bidirectional controls show text in another order than it has.
const replaceControlCharacters = (text: string) =>
  text.replaceAll(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, character => (character === '\r' ? '' : '�'))

/** Escapes what JSON.stringify leaves: control characters from U+007F on and bidirectional controls. */
export const escapeInJson = (json: string): string =>
  json.replaceAll(
    /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    character => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )

/** Always adds the colour codes; `print` and `Screen.show` remove them where there are no colours. */
export const paint = (colour: Paint | undefined, text: string): string =>
  colour === undefined || text === '' ? text : styleText(colour, text, { validateStream: false })

/** Names and reasons come from agents and users: a line break in them must not split a row of a table. */
export const onOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')

const paints: Record<StateTone, Paint> = {
  good: 'green',
  bad: 'red',
  warning: 'yellow',
  quiet: 'gray',
  running: 'cyan',
  waiting: 'cyan',
}

/** Colours of results. */
export const stateColours: Readonly<Record<string, Paint>> = byState(state => paints[stateTable[state].tone])
