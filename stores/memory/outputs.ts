// The outputs of parts, which do not lie in the tables: what the store needs of the place where they are kept.
import type { Part } from '../store.ts'
import { forEachReference } from './tables/part-columns.ts'
import type { PartChunk, PartRow, StoredPart } from './tables/row-types.ts'

/** `part` is the id of the part's row. */
export interface OutputReference {
  part: number
  reference: number
}

export interface Outputs {
  /** Returns the reference at once; the text can be read from now on, and is stored by `write`. */
  add(part: number, text: string): number
  /** Removes the newest output, whose transaction is rolled back. */
  undo(reference: number, text: string): void
  /** Resolves when these outputs are on disk. */
  write(references: readonly number[]): Promise<void>
  /** Resolves to the texts, undefined for outputs that were dropped. */
  read(references: readonly OutputReference[]): Promise<(string | undefined)[]>
  /** No output is dropped before the returned function is called: outputs may be added before their rows. */
  hold(): () => void
}

/** The references of a row's parts, which begin with the row's id. */
export function referencesIn(row: PartRow | PartChunk): OutputReference[] {
  const references: OutputReference[] = []
  forEachReference(row, (reference, at) => references.push({ part: row.id + at, reference }))
  return references
}

/**
 * Resolves to the output of each part, undefined where it was dropped. `idOf` returns the row id of the part at an index
 * of the list.
 */
export async function readTexts(
  outputs: Outputs,
  parts: readonly StoredPart[],
  idOf: (at: number) => number,
): Promise<(string | undefined)[]> {
  const references: OutputReference[] = []
  for (const [at, { output }] of parts.entries()) {
    if (typeof output === 'number') references.push({ part: idOf(at), reference: output })
  }
  const texts = references.length > 0 ? await outputs.read(references) : []
  let next = 0
  return parts.map(({ output }) => (typeof output === 'string' ? output : texts[next++]))
}

/** `text` is undefined for an output that was dropped. */
export function toPart(part: StoredPart, text: string | undefined): Part {
  const { client, step, state, reason, queued, sent, ended, expires } = part
  const copy = { client, step, state, reason, queued, sent, ended, expires, output: text ?? '' }
  return text === undefined ? { ...copy, output_dropped: true } : copy
}

/** A segment has fewer bytes than this. It is part of the stored format: a reference is segment × span + byte. */
export const segmentSpan = 2 ** 24

/** Refers to an output that was dropped before its part was loaded from a dump: there is no segment 0. */
export const droppedReference = 1

export const segmentOf = (reference: number): number => Math.floor(reference / segmentSpan)

export const offsetOf = (reference: number): number => reference % segmentSpan

/** A text whose JSON has at most this many characters takes no more memory in its row than a reference and its file. */
const shortJson = 20

/** Whether the text is stored in its part's row. */
export const isShort = (text: string): boolean => text.length < shortJson && JSON.stringify(text).length <= shortJson
