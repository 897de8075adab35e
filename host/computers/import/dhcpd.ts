// The host declarations of a dhcpd.conf: as much of its grammar as it takes to find them, however they are nested.

/** `option host-name "pc-1";` as its words, without the quotes; `line` is where it begins. */
export interface Statement {
  line: number
  words: string[]
}

/** `host pc-1 { … }`, less the blocks in it. */
export interface Host extends Statement {
  statements: Statement[]
}

export interface Hosts {
  hosts: Host[]
  /** What breaks the grammar; nothing is read after a quote that is never closed. */
  broken: { line: number; reason: string }[]
}

interface Token {
  line: number
  /** `{`, `}`, `;`, or `"` for a quote that is never closed. */
  sign?: string
  word?: string
}

export function readHosts(text: string): Hosts {
  const hosts: Host[] = []
  const broken: Hosts['broken'] = []
  const open: Host[] = []
  let statement: Statement = { line: 1, words: [] }
  const unended = ({ line, words }: Statement) => {
    if (words.length > 0)
      broken.push({ line, reason: `${words[0]}: expected a ; at the end of the statement, got none` })
  }
  for (const { line, sign, word } of tokensOf(text)) {
    if (statement.words.length === 0) statement.line = line
    if (word !== undefined) {
      statement.words.push(word)
      continue
    }
    if (sign === '{') open.push({ ...statement, statements: [] })
    else open.at(-1)?.statements.push(statement)
    if (sign === '"') broken.push({ line, reason: 'quote: it is never closed' })
    if (sign === '}') {
      unended(statement)
      const block = open.pop()
      if (!block) broken.push({ line, reason: '}: no { is open' })
      else if (isHost(block)) hosts.push(block)
    }
    statement = { line, words: [] }
  }
  unended(statement)
  for (const { line, words } of open) broken.push({ line, reason: `${words.join(' ')}: its { is never closed` })
  return { hosts, broken }
}

const isHost = ({ words }: Statement) => words[0]?.toLowerCase() === 'host'

// A comment, a text in quotes, a sign, a word, or the end of a line.
const token = /#[^\n]*|"((?:[^"\\]|\\.)*)"|([{};])|([^\s{};"#]+)|\n|"/gs

function* tokensOf(text: string): Generator<Token> {
  let line = 1
  for (const [found, quoted, sign, word] of text.matchAll(token)) {
    if (found === '"') return yield { line, sign: found }
    if (sign !== undefined) yield { line, sign }
    else if (quoted !== undefined) yield { line, word: quoted.replaceAll(/\\(.)/gs, '$1') }
    else if (word !== undefined) yield { line, word }
    line += found.split('\n').length - 1
  }
}
