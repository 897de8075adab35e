// How a firing of a schedule went, in words.
import type { FiringAnswer } from '../../../../contract/answers.ts'
import { t } from '../../language/translate.ts'

/** `28 of 30, 2 failed`; why there is nothing to count. */
export function firingWords({ state, reason = '', computers, succeeded, failed, waiting }: FiringAnswer): string {
  if (computers === 0) return t(`schedules.firing.${state}`, { reason })
  return [
    t('schedules.firing.of', { n: computers, done: succeeded }),
    ...(failed > 0 ? [t('schedules.firing.failed', { n: failed })] : []),
    ...(waiting > 0 ? [t('schedules.firing.waiting', { n: waiting })] : []),
  ].join(', ')
}

export function toneOf({ state, failed, waiting }: FiringAnswer): 'good' | 'warning' | 'bad' | 'neutral' {
  if (state === 'refused' || state === 'missed' || failed > 0) return 'bad'
  if (state === 'empty') return 'warning'
  return waiting > 0 ? 'neutral' : 'good'
}
