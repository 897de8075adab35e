// How many parts of a job are in each state, as users see it.
import { countUnfinished, noParts } from '../../../../stores/rules/part-states.ts'
import type { PartAnswer, PartState } from '../../../contract/answers.ts'

/** What somebody has stopped is no failure for users. */
export type ShownState = PartState | 'stopped'

export type Counts = Readonly<Record<ShownState, number>>

export const stateOf = ({ state, stopped }: PartAnswer): ShownState => (stopped === undefined ? state : 'stopped')

export const noCounts = (): Counts => ({ ...noParts(), stopped: 0 })

export const totalOf = (counts: Counts): number => Object.values(counts).reduce((total, count) => total + count, 0)

export const endedOf = (counts: Counts): number => totalOf(counts) - countUnfinished(counts)
