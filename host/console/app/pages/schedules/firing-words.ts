// How a firing of a schedule went, in words.
import type { FiringAnswer } from '../../../../contract/answers.ts'
import { t } from '../../language/translate.ts'

/** `26 of 30, 2 failed, 2 not run`; why there is nothing to count. */
export function firingWords({ state, reason = '', computers, succeeded, ...others }: FiringAnswer): string {
  if (computers === 0) return t(`schedules.firing.${state}`, { reason })
  return [
    t('schedules.firing.of', { n: computers, done: succeeded }),
    ...(others.failed > 0 ? [t('schedules.firing.failed', { n: others.failed })] : []),
    ...(others.not_run > 0 ? [t('schedules.firing.not_run', { n: others.not_run })] : []),
    ...(others.waiting > 0 ? [t('schedules.firing.waiting', { n: others.waiting })] : []),
  ].join(', ')
}

export function toneOf({ state, failed, not_run, waiting }: FiringAnswer): 'good' | 'warning' | 'bad' | 'neutral' {
  if (state === 'refused' || state === 'missed' || failed > 0) return 'bad'
  if (state === 'empty' || not_run > 0) return 'warning'
  return waiting > 0 ? 'neutral' : 'good'
}
