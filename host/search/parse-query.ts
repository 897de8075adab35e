// Parses queries for computers, such as `room:"Lab 1" software:blender>=3 and not (state:off or seen>7d)`.

export type Operator = ':' | '=' | '<' | '<=' | '>' | '>='

/** One condition; without a field it is a free word. `version` follows the value: `blender>=3`. */
export interface Term {
  field?: string
  operator: Operator
  value: string
  version?: { operator: Exclude<Operator, ':'>; value: string }
  /** Where it begins in the text, and where its value does; from 0 on. */
  at: number
  valueAt: number
}

export type Query = { and: Query[] } | { or: Query[] } | { not: Query } | Term

/** What is wrong with a query, and where: a position from 0 on. */
export class QueryError extends Error {
  readonly at: number

  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}

/** More conditions than anybody writes; a tree of them is resolved at once. */
const mostTerms = 100

/** Levels of parentheses and `not`: what works through the tree calls itself for each. */
const mostLevels = 50

/** With its operator. What looks like a hardware address is none, as `ab:cd:ef:00:00:01`. */
const fieldName = /(?![\da-f]{2}:[\da-f]{2})([\p{L}_][\p{L}\p{N}_.-]*)\s*(:|!=|<=|>=|<|>|=)\s*/iuy

/** In front of a field or a parenthesis, as in mail search; the free word `-c01` is a part of a name. */
const negation = /[-!](?=\(|[\p{L}_][\p{L}\p{N}_.-]*\s*(?::|!=|<=|>=|<|>|=))/uy

/** `16 GB`, which would else be a free word behind a number. */
const sizeWithSpace = /\d[\d.]* [kmgt]i?b(?![^\s)])/iy

const keywords = new Set(['and', 'or', 'not'])

/** Throws a `QueryError`. An empty text has no condition. */
export function parseQuery(text: string): Query {
  const parser = new Parser(text)
  return parser.parse()
}

class Parser {
  readonly #text: string
  #at = 0
  #terms = 0
  #levels = 0

  constructor(text: string) {
    this.#text = text
  }

  parse(): Query {
    if (this.#match(/$/y)) return { and: [] }
    const query = this.#readOr()
    if (this.#at < this.#text.length) throw new QueryError(this.#at, 'expected no ")" without a "("')
    return query
  }

  #readOr(): Query {
    const queries = [this.#readAnd()]
    while (this.#keyword('or')) queries.push(this.#readAnd())
    return queries.length === 1 && queries[0] ? queries[0] : { or: queries }
  }

  #readAnd(): Query {
    const queries = [this.#readNot()]
    while (this.#keyword('and') || !this.#isEnd()) queries.push(this.#readNot())
    return queries.length === 1 && queries[0] ? queries[0] : { and: queries }
  }

  /** Whether no further condition follows in this list. */
  #isEnd(): boolean {
    return this.#match(/(?=$|\)|or(?=[\s()"]|$))/iy) !== undefined
  }

  #readNot(): Query {
    if (this.#keyword('not') || this.#match(negation)) return this.#nested(() => ({ not: this.#readNot() }))
    if (!this.#match(/\(/y)) return this.#readTerm()
    const from = this.#at - 1
    const query = this.#nested(() => this.#readOr())
    if (!this.#match(/\)/y)) throw new QueryError(from, 'expected a ")" for this "("')
    return query
  }

  #nested(read: () => Query): Query {
    this.#levels += 1
    if (this.#levels > mostLevels) throw new QueryError(this.#at, `expected at most ${mostLevels} levels`)
    const query = read()
    this.#levels -= 1
    return query
  }

  #readTerm(): Query {
    this.#match(/(?=.|$)/sy)
    const at = this.#at
    this.#terms += 1
    if (this.#terms > mostTerms) throw new QueryError(at, `expected at most ${mostTerms} conditions`)
    const [, name, operator] = this.#match(fieldName) ?? []
    const valueAt = this.#at
    if (name === undefined) {
      const value = this.#readValue()
      if (this.#text[at] !== '"' && (keywords.has(value.toLowerCase()) || !/[\p{L}\p{N}*]/u.test(value)))
        throw new QueryError(at, `expected a condition, got ${value}${offerFor(value)}`)
      return { operator: ':', value, at, valueAt }
    }
    if (this.#next() === '"("')
      throw new QueryError(valueAt, `expected one value, got "("; write (${name}:a or ${name}:b)`)
    const value = this.#match(sizeWithSpace, false)?.[0] ?? this.#readValue()
    const isNot = operator === '!='
    const term = { field: name.toLowerCase(), operator: toOperator(isNot ? ':' : operator), value, at, valueAt }
    const [, compared] = this.#match(/\s*(<=|>=|<|>|=)\s*/y, false) ?? []
    // `as`: the expression has the others only.
    const version = compared && { operator: toOperator(compared) as Exclude<Operator, ':'>, value: this.#readValue() }
    const query = version ? { ...term, version } : term
    return isNot ? { not: query } : query
  }

  /** A word without spaces, parentheses and comparisons, or a text between quotation marks. */
  #readValue(): string {
    const quoted = this.#match(/"([^"]*)("?)/y, false)
    if (quoted) {
      if (quoted[2] === '') throw new QueryError(this.#at - quoted[0].length, 'expected a second quotation mark')
      return quoted[1] ?? ''
    }
    // Not the mark itself: what is no ASCII is lost in a header.
    if (this.#match(/['‘’‚“”„«»]/y, false))
      throw new QueryError(this.#at - 1, 'expected " as the quotation mark, got another one')
    const [word] = this.#match(/(?:(?!!=)[^\s()"<>=])+/y, false) ?? []
    if (word === undefined) throw new QueryError(this.#at, `expected a condition or a value, got ${this.#next()}`)
    return word
  }

  #next(): string {
    return this.#at < this.#text.length ? `"${this.#text[this.#at]}"` : 'the end'
  }

  #keyword(word: string): boolean {
    return this.#match(new RegExp(`${word}(?=[\\s()"]|$)`, 'iy')) !== undefined
  }

  /** Moves on behind what the expression matches here, by default after spaces. */
  #match(expression: RegExp, skipsSpaces = true): RegExpExecArray | undefined {
    let at = this.#at
    if (skipsSpaces) while (/\s/.test(this.#text[at] ?? '')) at += 1
    expression.lastIndex = at
    const match = expression.exec(this.#text)
    if (!match) return undefined
    this.#at = at + match[0].length
    return match
  }
}

/** The words of programming languages. */
const otherWords: Readonly<Record<string, string>> = { '&&': 'and', '||': 'or', '!': 'not' }

const offerFor = (value: string) => (Object.hasOwn(otherWords, value) ? `; is ${otherWords[value]} meant?` : '')

// `as`: what the expressions match.
const toOperator = (text = ':') => text as Operator
