// The states of a part of a job, from which follows what stores, host, API, CLI and console know of one. Imports nothing.

/** How users are shown a state. */
export type StateTone = 'good' | 'bad' | 'warning' | 'quiet' | 'running' | 'waiting'

interface StateOfPart {
  /** The state that it ends, which a host changes only when nobody has before; without it a part is unfinished. */
  ends?: 'queued' | 'sent'
  /** Its client was sent the step, and an output of it may be stored. */
  hasRun?: true
  /** Such parts run again when their job is tried again. */
  isRetried?: true
  tone: StateTone
  /** Before its name. */
  sign: string
}

/** Stored formats have the index of a state: append new states at the end. */
const table = {
  queued: { tone: 'waiting', sign: '◷' },
  sent: { tone: 'running', sign: '◐' },
  success: { ends: 'sent', hasRun: true, tone: 'good', sign: '✓' },
  failure: { ends: 'sent', hasRun: true, isRetried: true, tone: 'bad', sign: '✗' },
  skipped: { ends: 'sent', isRetried: true, tone: 'warning', sign: '↷' },
  expired: { ends: 'queued', isRetried: true, tone: 'warning', sign: '⧖' },
  cancelled: { ends: 'queued', isRetried: true, tone: 'quiet', sign: '–' },
} as const satisfies Record<string, StateOfPart>

export type PartState = keyof typeof table

/** How many parts of a job are in each state. */
export type PartCounts = Record<PartState, number>

export const stateTable: Readonly<Record<PartState, StateOfPart>> = table

// `as`: TypeScript takes the keys of an object for any text.
export const partStates = Object.keys(table) as readonly PartState[]

const statesWith = (matches: (state: StateOfPart) => boolean) => partStates.filter(state => matches(stateTable[state]))

export const unfinishedStates = statesWith(({ ends }) => ends === undefined)
export const retriedStates = statesWith(({ isRetried }) => isRetried === true)

/** In the order in which they are shown: what is unfinished comes last, what waits after what runs. */
export const shownStates: readonly PartState[] = [
  ...statesWith(({ ends }) => ends !== undefined),
  ...[...unfinishedStates].reverse(),
]

export const isUnfinished = ({ state }: { readonly state: PartState }): boolean => stateTable[state].ends === undefined

export const hasRun = ({ state }: { readonly state: PartState }): boolean => stateTable[state].hasRun === true

/** Whether a part in this state was never sent. */
export const endsQueued = (state: PartState): boolean => stateTable[state].ends === 'queued'

/** A value for each state. */
export const byState = <Value>(read: (state: PartState) => Value): Record<PartState, Value> =>
  // `as`: the keys are all states.
  Object.fromEntries(partStates.map(state => [state, read(state)])) as Record<PartState, Value>

/** How many of the parts have not ended. */
export const countUnfinished = (counts: Readonly<PartCounts>): number =>
  unfinishedStates.reduce((sum, state) => sum + counts[state], 0)

export const noParts = (): PartCounts => byState(() => 0)
