// Reads the host declarations of a dhcpd.conf at any depth of nesting, with the part of the grammar that this needs.

/** `option host-name "pc-1";` as its words, without the quotes; `line` is where it begins. */
export interface Statement {
  line: number
  words: string[]
}

/** `host pc-1 { … }`, without the blocks in it. */
export interface Host extends Statement {
  statements: Statement[]
}

export interface Hosts {
  hosts: Host[]
  /** Syntax errors; nothing is read after a quote that is not closed. */
  errors: { line: number; reason: string }[]
}

interface Token {
  line: number
  /** `{`, `}`, `;`, or `"` for a quote that is not closed. */
  sign?: string
  word?: string
}

export function readHosts(text: string): Hosts {
  const hosts: Host[] = []
  const errors: Hosts['errors'] = []
  const open: Host[] = []
  let statement: Statement = { line: 1, words: [] }
  const checkEnded = ({ line, words }: Statement) => {
    const reason = `${words[0]}: expected a ; at the end of the statement, got none`
    if (words.length > 0) errors.push({ line, reason })
  }
  for (const { line, sign, word } of tokensOf(text)) {
    if (statement.words.length === 0) statement.line = line
    if (word !== undefined) {
      statement.words.push(word)
      continue
    }
    if (sign === '{') open.push({ ...statement, statements: [] })
    else open.at(-1)?.statements.push(statement)
    if (sign === '"') errors.push({ line, reason: 'quote: expected a closing quote, got none' })
    if (sign === '}') {
      checkEnded(statement)
      const block = open.pop()
      if (!block) errors.push({ line, reason: '}: expected a { before it, got none' })
      else if (isHost(block)) hosts.push(block)
    }
    statement = { line, words: [] }
  }
  checkEnded(statement)
  for (const { line, words } of open) {
    errors.push({ line, reason: `${words.join(' ')}: expected a } at the end of the block, got none` })
  }
  return { hosts, errors }
}

const isHost = ({ words }: Statement) => words[0]?.toLowerCase() === 'host'

// A comment, a text in quotes, a sign, a word, the end of a line, or a quote that is not closed.
const token = /#[^\n]*|"((?:[^"\\]|\\.)*)"|([{};])|([^\s{};"#]+)|\n|"/gs

function* tokensOf(text: string): Generator<Token> {
  let line = 1
  for (const [match, quoted, sign, word] of text.matchAll(token)) {
    if (match === '"') return yield { line, sign: match }
    if (sign !== undefined) yield { line, sign }
    else if (quoted !== undefined) yield { line, word: quoted.replaceAll(/\\(.)/gs, '$1') }
    else if (word !== undefined) yield { line, word }
    line += match.split('\n').length - 1
  }
}
