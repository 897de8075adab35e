// The counts of a job's parts as a stacked bar and as words.
import type { Counts } from '../state/part-counts.ts'
import { countWords, shownStates, stateCount } from './job-words.ts'

/** The words are beside it, so it is hidden from screen readers. */
export function JobBar({ counts }: { counts: Counts }) {
  return (
    <span class="bar" aria-hidden="true" title={countWords(counts)}>
      {shownStates
        .filter(state => counts[state] > 0)
        .map(state => (
          <span key={state} data-state={state} style={{ flexGrow: counts[state] }} />
        ))}
    </span>
  )
}

export function JobCounts({ counts }: { counts: Counts }) {
  return (
    <span class="row texts">
      {shownStates
        .filter(state => counts[state] > 0)
        .map(state => (
          <span key={state} class="sign" data-state={state}>
            {stateCount(state, counts[state])}
          </span>
        ))}
    </span>
  )
}
