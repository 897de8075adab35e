// Reads the host declarations of a dhcpd.conf at any depth of nesting, with the part of the grammar that this needs.
import type { ImportConflict } from './conflict-list.ts'
import { lineEnd, longestLine } from './line-reader.ts'

/** `option host-name "pc-1";` as its words, without the quotes; `line` is where it begins. */
export interface Statement {
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
    if (error !== undefined) return yield { line, reason: error }
    // No value of a computer has more words.
    if (word !== undefined && statement.words.length < mostWords) statement.words.push(word)
    if (sign === undefined) continue
    const limit = sign === '{' ? openBlock(open, statement) : addStatement(open, statement)
    if (limit !== undefined) return yield { line, reason: limit }
    if (sign === '}') {
      yield* missingEnd(statement)
      yield closeBlock(open, line)
    }
    statement = { line, words: [] }
  }
  yield* missingEnd(statement)
  for (const { line, words } of open) {
    yield { line, reason: `${words.join(' ')}: expected a } at the end of the block, got none` }
  }
}

/** Returns why the block cannot be read. */
function openBlock(open: Host[], statement: Statement): string | undefined {
  if (open.length === deepest) return `{: expected at most ${deepest} blocks inside each other, got more`
  open.push({ ...statement, statements: [] })
  return undefined
}

/** Adds the statement to its host; returns why that is not possible. */
function addStatement(open: Host[], statement: Statement): string | undefined {
  const block = open.at(-1)
  if (!block || !isHost(block)) return undefined
  if (block.statements.length === mostStatements) return `host: expected at most ${mostStatements} statements, got more`
  block.statements.push(statement)
  return undefined
}

/** The closed block if it is a host. */
function closeBlock(open: Host[], line: number): Host | ImportConflict | undefined {
  const block = open.pop()
  if (!block) return { line, reason: '}: expected a { before it, got none' }
  return isHost(block) ? block : undefined
}

function* missingEnd({ line, words: [first] }: Statement): Generator<ImportConflict> {
  if (first !== undefined) yield { line, reason: `${first}: expected a ; at the end of the statement, got none` }
}

const isHost = ({ words }: Statement) => words[0]?.toLowerCase() === 'host'

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
    if (error !== undefined) return
    if (word !== undefined || sign !== undefined) continue
    const lineEnds = match.match(lineEnd)?.length ?? 0
    line += lineEnds
    if (lineEnds > 0) lineStart = index + match.length
  }
}

/** Why the text cannot be read from this token on, which begins after so many characters of its line. */
function tokenError(match: string, column: number): string | undefined {
  if (Math.max(column, match.length) > longestLine) return `line: expected at most ${longestLine} characters, got more`
  if (match === '"') return `quote: expected a closing quote within ${longestQuote} characters, got none`
  return undefined
}

const unescaped = (quoted: string) => quoted.replaceAll(lineEnd, '\n').replaceAll(/\\(.)/gs, '$1')
