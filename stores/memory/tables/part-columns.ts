// Several parts of a job as one row: columns of text, about a tenth of the memory of a row each.
import type { Part, PartState } from '../../store.ts'
import type { OwnPart, Pack } from './row-types.ts'

/** A pack has the place of a state as its digit: new ones go to the end. */
const states = [
  'queued',
  'sent',
  'success',
  'failure',
  'skipped',
  'expired',
  'cancelled',
] as const satisfies readonly PartState[]

const digits = new Map<PartState, string>(states.map((state, place) => [state, String(place)]))

function digitOf(state: PartState): string {
  const digit = digits.get(state)
  if (digit === undefined) throw new Error(`store: a part has the unknown state ${state}`)
  return digit
}

/** The digits of queued and sent. */
const live = /[01]/

const zero = '0'.charCodeAt(0)

type Column<Value> = (part: Readonly<Part>) => Value

// Functions, not keys: a key that varies is several times slower to read.
const numbers: Column<number>[] = [
  ({ step }) => step,
  ({ queued }) => queued,
  ({ sent }) => sent,
  ({ ended }) => ended,
  ({ expires }) => expires,
]
const texts: Column<string>[] = [({ reason }) => reason, ({ output }) => output]

export const isLive = ({ state }: Pick<Part, 'state'>) => state === 'queued' || state === 'sent'

/** Whether a part of a pack is live. */
export const hasLive = ({ states }: Pack): boolean => live.test(states)

export function toPack(id: number, parts: readonly Readonly<Part>[]): Pack {
  let ofAll = ''
  for (const { state } of parts) ofAll += digitOf(state)
  return {
    id,
    states: ofAll,
    clients: JSON.stringify(toRuns(parts, ({ client }) => client)),
    // Times of one job are alike: the difference to the one before has few digits, and is often the same.
    numbers: JSON.stringify(
      numbers.map(read => toRuns(parts, (part, before) => read(part) - (before ? read(before) : 0))),
    ),
    texts: JSON.stringify(texts.map(read => toRuns(parts, read))),
  }
}

export function fromPack(pack: Pack): Part[] {
  const clients: Run<string>[] = JSON.parse(pack.clients)
  const counted: Run<number>[][] = JSON.parse(pack.numbers)
  const written: Run<string>[][] = JSON.parse(pack.texts)
  const [step, queued, sent, ended, expires] = counted.map(column => fromDifferences(fromRuns(column)))
  const [reason, output] = written.map(fromRuns)
  return fromRuns(clients).map((client, at) => ({
    client,
    step: step?.[at] ?? 0,
    state: stateAt(pack, at),
    reason: reason?.[at] ?? '',
    queued: queued?.[at] ?? 0,
    sent: sent?.[at] ?? 0,
    ended: ended?.[at] ?? 0,
    expires: expires?.[at] ?? 0,
    output: output?.[at] ?? '',
  }))
}

/** Whether a pack is worth reading for a client. */
export function mayName(client: string): (pack: Pack) => boolean {
  const text = JSON.stringify(client)
  return ({ clients }) => clients.includes(text)
}

/** Gives the state of each part in the row. */
export function visitStates(row: OwnPart | Pack, visit: (state: PartState) => void): void {
  if (!('states' in row)) visit(row.state)
  else for (let at = 0; at < row.states.length; at += 1) visit(stateAt(row, at))
}

const stateAt = (pack: Pack, at: number): PartState => states[pack.states.charCodeAt(at) - zero] ?? 'failure'

/** A value, or one that comes several times in a row. */
type Run<Value> = Value | [Value, number]

/** What each part has, given the one before: in one pass, as thousands are packed before their agents answer. */
function toRuns<Value extends string | number>(
  parts: readonly Readonly<Part>[],
  read: (part: Readonly<Part>, before: Readonly<Part> | undefined) => Value,
): Run<Value>[] {
  const runs: Run<Value>[] = []
  let before: Readonly<Part> | undefined
  let value: Value | undefined
  let count = 0
  for (const part of parts) {
    const next = read(part, before)
    before = part
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
