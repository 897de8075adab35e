// What computers are searched for: a tree of conditions on what a store knows of them. Types only.
import type { searchNumbers, searchTexts } from './rules/search/search-fields.ts'

/** A text of a computer, of its room or of what it has: a computer may have several, such as tags. */
export type SearchText = keyof typeof searchTexts

/** A number of a computer. */
export type SearchNumber = keyof typeof searchNumbers

export interface Comparison<Value> {
  operator: '=' | '<' | '<=' | '>' | '>='
  value: Value
}

/**
 * A condition on one computer. Patterns are in lower case and are compared with the whole text, in which `*` stands for any
 * text: `*` alone is met by every text but ''. A computer that has no such text or number does not meet the condition.
 */
export type Where =
  | { and: readonly Where[] }
  | { or: readonly Where[] }
  | { not: Where }
  | { text: SearchText; like: string }
  /** A line of the list of an installed system; see `versionOf` for what its version is. */
  | { program: string; version?: Comparison<string> }
  /** A device of this type, or of any type for ''. */
  | { device: string; like: string }
  | { number: SearchNumber; compare: Comparison<number> }
  | { maintenance: boolean }
  /** One of these addresses. */
  | { in: readonly string[] }

/** A condition on texts, of which those that meet it can be listed. */
export type TextCondition = Extract<Where, { text: SearchText } | { program: string } | { device: string }>

export interface SearchMethods {
  /** In the order of the ids. */
  search(where: Where): Promise<{ id: number; ip: string }[]>
  /** Some texts that meet the condition, sorted: of all computers, or of those with these addresses. */
  searchValues(where: TextCondition, ips?: readonly string[]): Promise<string[]>
}
