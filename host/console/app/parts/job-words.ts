// The words for the states of a job's parts: `38 succeeded`, `2 skipped: busy`.
import { hasRun, isUnfinished, shownStates as shownPartStates } from '../../../../stores/rules/part-states.ts'
import type { JobAnswer, PartAnswer, PartState } from '../../../contract/answers.ts'
import { formatNumber, locale, type MessageKey, t } from '../language/translate.ts'
import type { PartView } from '../state/jobs.ts'
import type { Counts, ShownState } from '../state/part-counts.ts'
import { stopWords } from './condition-sign.tsx'
import { groupBy } from './group-by.ts'
import { scriptLine } from './script-line.ts'

/** Of a computer that was to be woken, and is on: nothing would become of it another time. */
export const isOnReason = 'connected'

export const stateWord = (state: PartState): string => t(`partState.${state}`)

/** `stopped by anna`. */
export const partWord = (part: Pick<PartAnswer, 'state' | 'stopped'>): string =>
  part.stopped === undefined ? stateWord(part.state) : stopWords(part)

/** How many steps it has, or a line of its script, or the name of a script of the library or of an image. */
export function argumentOf({ commands, steps = commands.length, arguments: args }: JobAnswer): string {
  if (steps > 1) return t('jobs.steps', { n: steps })
  const { script, run, name } = args?.[0] ?? {}
  const text = script ?? run ?? name
  return typeof text === 'string' ? scriptLine(text) : ''
}

/** Of what the daemon itself has decided. */
const reasonKeys: Readonly<Record<string, MessageKey>> = {
  [isOnReason]: 'job.isOn',
  'not connected': 'job.notConnected',
  busy: 'job.waitsBusy',
  maintenance: 'field.maintenance',
}

/** What an agent answered, as a sentence; most other reasons are words already. */
export function reasonWords(reason: string): string {
  const [, status = '', detail] = /^agent replied (\d+)(?:: (.*))?$/s.exec(reason) ?? []
  const { [reason]: key } = reasonKeys
  if (status === '') return key ? t(key) : reason
  return [t('job.agentError', { status }), detail].filter(Boolean).join(': ')
}

export const stateCount = (state: ShownState, n: number): string => t(`partCount.${state}`, { n })

export const shownStates = shownPartStates.flatMap((state): ShownState[] =>
  state === 'failure' ? [state, 'stopped'] : [state],
)

/** `a, b and c` in the language of the user; of more than `most` `a, b and 7 more`. */
export function listOf(words: readonly string[], most = words.length): string {
  const rest = words.length - most + 1
  const shown = rest > 1 ? [...words.slice(0, most - 1), t('inUse.more', { n: rest })] : words
  return new Intl.ListFormat(locale.value, { style: 'long', type: 'conjunction' }).format(shown)
}

export const countWords = (counts: Counts): string =>
  shownStates
    .filter(state => counts[state] > 0)
    .map(state => stateCount(state, counts[state]))
    .join(', ')

const ranStates = shownStates.filter(state => state === 'stopped' || hasRun({ state }))
const waitingStates = shownPartStates.filter(state => isUnfinished({ state }) && state !== 'sent')
const unsentStates = shownPartStates.filter(state => !hasRun({ state }) && !isUnfinished({ state }))

/** More different reasons are not named in the summary. */
const maxReasons = 3

/** At once `38 sent, 2 skipped: busy`; at the end `36 succeeded, 2 failed, 2 skipped: busy`. */
export function sendingWords(counts: Counts, parts: readonly PartView[], isFinished = false): string {
  const sent = isFinished ? 0 : ranStates.reduce((sum, state) => sum + counts[state], counts.sent)
  const ended = ranStates.filter(state => isFinished && counts[state] > 0)
  const waiting = waitingStates.filter(state => counts[state] > 0)
  return [
    ...(sent > 0 ? [t('job.sent', { n: sent })] : []),
    ...ended.flatMap(state => (state === 'stopped' ? stopCounts(parts) : [stateCount(state, counts[state])])),
    ...unsentStates.flatMap(state => skipWords(state, counts[state], parts)),
    ...waiting.map(state => stateCount(state, counts[state])),
  ].join(', ')
}

/** `3 stopped by anna` of each who has stopped some. */
const stopCounts = (parts: readonly PartView[]): string[] =>
  [...groupBy(parts, ({ live }) => live.peek().stopped ?? null)].flatMap(([name, { length: n }]) =>
    name === null ? [] : [name === '' ? stateCount('stopped', n) : t('partCount.stoppedBy', { n, name })],
  )

function skipWords(state: PartState, count: number, parts: readonly PartView[]): string[] {
  if (count === 0) return []
  const reasons = new Map<string, number>()
  for (const { live } of parts) {
    const part = live.peek()
    if (part.state === state) reasons.set(part.reason ?? '', (reasons.get(part.reason ?? '') ?? 0) + 1)
  }
  if (reasons.size === 0 || reasons.size > maxReasons) return [stateCount(state, count)]
  return [...reasons].map(([reason, n]) => stateCount(state, n) + (reason && `: ${reasonWords(reason)}`))
}

/** Of whole seconds without a fraction: it is also for a time that still runs. */
export function durationWords(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000
  if (seconds >= 60) return t('job.minutes', { m: String(Math.round(seconds / 60)) })
  return t('job.seconds', {
    s: seconds < 10 ? formatNumber(Math.round(seconds * 10) / 10) : String(Math.round(seconds)),
  })
}
