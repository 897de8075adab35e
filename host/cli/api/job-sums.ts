// The sums of a job as people see them: of computers, and what was stopped apart from what has failed.
import { noParts, shownStates } from '../../../stores/rules/part-states.ts'
import type { JobAnswer, JobDetails, PartAnswer, PartState } from '../../contract/answers.ts'

/** What somebody has stopped is no failure for people. */
export type ShownState = PartState | 'stopped'
export type Sums = Readonly<Record<ShownState, number>>

export const sumStates = shownStates.flatMap((state): ShownState[] =>
  state === 'failure' ? [state, 'stopped'] : [state],
)

/** As people read it: who was sent a step works on it. */
export const stateWord = (state: ShownState): string => (state === 'sent' ? 'running' : state)

/** `1 failure`, `2 running`: the states that occur. */
export const listSums = (sums: Sums, states = sumStates): { state: ShownState; text: string }[] =>
  states.filter(state => sums[state] > 0).map(state => ({ state, text: `${sums[state]} ${stateWord(state)}` }))

export const shownStateOf = ({ state, stopped }: PartAnswer): ShownState => (stopped === undefined ? state : 'stopped')

/** Of one computer: the first step that did not succeed. */
export function countComputers({ parts }: Pick<JobDetails, 'parts'>): Sums {
  const states = new Map<string, ShownState>()
  for (const part of parts.toSorted((one, other) => one.step - other.step))
    if ((states.get(part.client) ?? 'success') === 'success') states.set(part.client, shownStateOf(part))
  const sums = { ...noParts(), stopped: 0 }
  for (const state of states.values()) sums[state] += 1
  return sums
}

export const stepsOf = ({ commands, steps = commands.length }: Pick<JobAnswer, 'commands' | 'steps'>) => steps
