// Encodes several parts of a job as one row: columns of text, which take about a tenth of the memory of a row each.

import { partStates, unfinishedStates } from '../../rules/part-states.ts'
import type { PartState } from '../../store.ts'
import type { PartChunk, PartRow, StoredPart } from './row-types.ts'

const digitsByState = new Map<PartState, string>(partStates.map((state, index) => [state, String(index)]))

function digitOf(state: PartState): string {
  const digit = digitsByState.get(state)
  if (digit === undefined) throw new Error(`store: state of a part: expected ${partStates.join(', ')}, got ${state}`)
  return digit
}

const unfinishedDigit = new RegExp(`[${unfinishedStates.map(digitOf).join('')}]`)

const zero = '0'.charCodeAt(0)

type Column<Value> = (part: StoredPart) => Value

// Functions instead of keys: reading a property by a variable key is several times slower.
const numberColumns: Column<number>[] = [
  ({ step }) => step,
  ({ queued }) => queued,
  ({ sent }) => sent,
  ({ ended }) => ended,
  ({ expires }) => expires,
]
const textColumns: Column<string>[] = [
  ({ reason }) => reason,
  ({ output }) => (typeof output === 'string' ? output : ''),
]
const referenceColumn: Column<number> = ({ output }) => (typeof output === 'number' ? output : 0)

export const hasUnfinished = ({ states }: PartChunk): boolean => unfinishedDigit.test(states)

export function encodeChunk(id: number, parts: readonly StoredPart[]): PartChunk {
  let digits = ''
  for (const { state } of parts) digits += digitOf(state)
  const chunk = {
    id,
    states: digits,
    clients: JSON.stringify(toRuns(parts, ({ client }) => client)),
    numbers: JSON.stringify(numberColumns.map(read => toDifferences(parts, read))),
    texts: JSON.stringify(textColumns.map(read => toRuns(parts, read))),
  }
  if (parts.every(part => referenceColumn(part) === 0)) return chunk
  return { ...chunk, outputs: JSON.stringify(toDifferences(parts, referenceColumn)) }
}

export function decodeChunk(chunk: PartChunk): StoredPart[] {
  const clients: Run<string>[] = JSON.parse(chunk.clients)
  const numberRuns: Run<number>[][] = JSON.parse(chunk.numbers)
  const textRuns: Run<string>[][] = JSON.parse(chunk.texts)
  const [step, queued, sent, ended, expires] = numberRuns.map(runs => fromDifferences(fromRuns(runs)))
  const [reason, output] = textRuns.map(fromRuns)
  const references = decodeReferences(chunk)
  return fromRuns(clients).map((client, at) => ({
    client,
    step: step?.[at] ?? 0,
    state: stateAt(chunk, at),
    reason: reason?.[at] ?? '',
    queued: queued?.[at] ?? 0,
    sent: sent?.[at] ?? 0,
    ended: ended?.[at] ?? 0,
    expires: expires?.[at] ?? 0,
    output: references?.[at] || (output?.[at] ?? ''),
  }))
}

function decodeReferences({ outputs }: PartChunk): number[] | undefined {
  if (outputs === undefined) return undefined
  const runs: Run<number>[] = JSON.parse(outputs)
  return fromDifferences(fromRuns(runs))
}

/** Calls `visit` with each reference to an output in the row, and the index of its part in the row. */
export function forEachReference(row: PartRow | PartChunk, visit: (reference: number, at: number) => void): void {
  if (!('states' in row)) {
    if (typeof row.output === 'number') visit(row.output, 0)
    return
  }
  const references = decodeReferences(row) ?? []
  references.forEach((reference, at) => {
    if (reference > 0) visit(reference, at)
  })
}

/** A test that skips, without decoding them, chunks that have no part of the client. */
export function mayContainClient(client: string): (chunk: PartChunk) => boolean {
  const text = JSON.stringify(client)
  return ({ clients }) => clients.includes(text)
}

export function mayContainState(state: PartState): (chunk: PartChunk) => boolean {
  const digit = digitOf(state)
  return ({ states }) => states.includes(digit)
}

/** Calls `visit` with the state of each part in the row. */
export function forEachState(row: PartRow | PartChunk, visit: (state: PartState) => void): void {
  if (!('states' in row)) visit(row.state)
  else for (let at = 0; at < row.states.length; at += 1) visit(stateAt(row, at))
}

/** Calls `visit` with the client and the state of each part in the row; the other columns are not decoded. */
export function forEachClient(row: PartRow | PartChunk, visit: (client: string, state: PartState) => void): void {
  if (!('states' in row)) return visit(row.client, row.state)
  const runs: Run<string>[] = JSON.parse(row.clients)
  for (const [at, client] of fromRuns(runs).entries()) visit(client, stateAt(row, at))
}

const stateAt = (chunk: PartChunk, at: number): PartState => partStates[chunk.states.charCodeAt(at) - zero] ?? 'failure'

/** A value, or a value with the number of its repetitions. */
type Run<Value> = Value | [Value, number]

/** Values of one job are alike: the difference to the previous part has few digits and is often the same. */
const toDifferences = (parts: readonly StoredPart[], read: Column<number>): Run<number>[] =>
  toRuns(parts, (part, previous) => read(part) - (previous ? read(previous) : 0))

/** Encodes one value per part in a single pass, as thousands of parts are encoded before their agents reply. */
function toRuns<Value extends string | number>(
  parts: readonly StoredPart[],
  read: (part: StoredPart, previous: StoredPart | undefined) => Value,
): Run<Value>[] {
  const runs: Run<Value>[] = []
  let previous: StoredPart | undefined
  let value: Value | undefined
  let count = 0
  for (const part of parts) {
    const next = read(part, previous)
    previous = part
    if (next === value) {
      count += 1
      continue
    }
    if (value !== undefined) runs.push(count === 1 ? value : [value, count])
    value = next
    count = 1
  }
  if (value !== undefined) runs.push(count === 1 ? value : [value, count])
  return runs
}

function fromRuns<Value extends string | number>(runs: readonly Run<Value>[]): Value[] {
  const values: Value[] = []
  for (const run of runs) {
    if (!Array.isArray(run)) values.push(run)
    else for (let count = run[1]; count > 0; count -= 1) values.push(run[0])
  }
  return values
}

function fromDifferences(differences: number[]): number[] {
  let sum = 0
  return differences.map(difference => {
    sum += difference
    return sum
  })
}
