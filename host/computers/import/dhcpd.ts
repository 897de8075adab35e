// Reads the host declarations of a dhcpd.conf at any depth of nesting, with the part of the grammar that this needs.
import { type ImportConflict, longestLine } from './validate-rows.ts'

/** `option host-name "pc-1";` as its words, without the quotes; `line` is where it begins. */
interface Statement {
  line: number
  words: string[]
}

/** `host pc-1 { … }`, without the blocks in it. */
export interface Host extends Statement {
  statements: Statement[]
}

/** Blocks inside each other, statements of a host, words of a statement and characters in quotes: more than sites use. */
const [deepest, mostStatements, mostWords, longestQuote] = [20, 100, 100, 1024]

/** Neither `sign` nor `word`: a comment or the end of a line. */
interface Token {
  line: number
  /** `{`, `}` or `;`. */
  sign: string | undefined
  word: string | undefined
  /** Why the rest of the text cannot be read. */
  error: string | undefined
}

/** The hosts and the syntax errors; undefined after each token, so that a reader may pause there. */
export function* readHosts(text: string): Generator<Host | ImportConflict | undefined> {
  const open: Host[] = []
  let statement: Statement = { line: 1, words: [] }
  for (const { line, sign, word, error } of tokensOf(text)) {
    yield undefined
    if (statement.words.length === 0) statement.line = line
    // No value of a computer has more words.
    if (word !== undefined && statement.words.length < mostWords) statement.words.push(word)
    const reason = error ?? (sign === undefined ? undefined : passedLimit(sign, open))
    if (reason !== undefined) return yield { line, reason }
    if (sign === undefined) continue
    const block = open.at(-1)
    if (sign === '{') open.push({ ...statement, statements: [] })
    else if (block && isHost(block)) block.statements.push(statement)
    if (sign === '}') {
      open.pop()
      yield* missingEnd(statement)
      if (!block) yield { line, reason: '}: expected a { before it, got none' }
      else if (isHost(block)) yield block
    }
    statement = { line, words: [] }
  }
  yield* missingEnd(statement)
  for (const { line, words } of open) {
    yield { line, reason: `${words.join(' ')}: expected a } at the end of the block, got none` }
  }
}

function passedLimit(sign: string, open: readonly Host[]): string | undefined {
  if (sign === '{' && open.length === deepest)
    return `{: expected at most ${deepest} blocks inside each other, got more`
  if (sign === '{' || open.at(-1)?.statements.length !== mostStatements) return undefined
  return `host: expected at most ${mostStatements} statements, got more`
}

function* missingEnd({ line, words: [first] }: Statement): Generator<ImportConflict> {
  if (first !== undefined) yield { line, reason: `${first}: expected a ; at the end of the statement, got none` }
}

const isHost = ({ words }: Statement) => words[0]?.toLowerCase() === 'host'

const lineEnd = /\r\n?|\n/g

// A comment, a text in quotes, a sign, a word, the end of a line, or a quote that is not closed.
const token = new RegExp(
  `#[^\\r\\n]*|"((?:[^"\\\\]|\\\\.){0,${longestQuote}})"|([{};])|([^\\s{};"#]+)|${lineEnd.source}|"`,
  'gs',
)

function* tokensOf(text: string): Generator<Token> {
  let line = 1
  let lineStart = 0
  for (const { index, 0: match, 1: quoted, 2: sign, 3: word } of text.matchAll(token)) {
    const error = tokenError(match, index - lineStart)
    yield { line, sign, word: quoted === undefined ? word : unescaped(quoted), error }
    if (word !== undefined || sign !== undefined) continue
    const lineEnds = match.match(lineEnd)?.length ?? 0
    line += lineEnds
    if (lineEnds > 0) lineStart = index + match.length
  }
}

/** Why the text cannot be read from this token on, which begins after so many characters of its line. */
function tokenError(match: string, column: number): string | undefined {
  if (Math.max(column, match.length) > longestLine) return `line: expected at most ${longestLine} characters, got more`
  return match === '"' ? `quote: expected a closing quote within ${longestQuote} characters, got none` : undefined
}

const unescaped = (quoted: string) => quoted.replaceAll(lineEnd, '\n').replaceAll(/\\(.)/gs, '$1')
