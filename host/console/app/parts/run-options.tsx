// How a task or a planned restore runs: its end, how many at once, wake-up, waiting for users, and what follows.
import type { RunOptions } from '../../../contract/answers.ts'
import { t } from '../language/translate.ts'
import { Check, Choice, TextField } from './fields.tsx'

/** The values of the fields. */
export interface RunOptionsDraft {
  /** `06:30`, '' for no end. */
  until: string
  /** '' for no limit. */
  batch: string
  lastStep: '' | 'poweroff' | 'session'
  thenAfter: 'success' | 'any'
  wake: boolean
  whenIdle: boolean
}

export interface OptionFieldsProps {
  draft: RunOptionsDraft
  change(part: Partial<RunOptionsDraft>): void
}

const lastSteps = ['', 'poweroff', 'session'] as const

export function LimitFields({ draft: { until, batch }, change }: OptionFieldsProps) {
  return (
    <>
      <TextField label={t('runOptions.until')} type="time" value={until} change={until => change({ until })} />
      <TextField
        label={t('runOptions.batch')}
        type="number"
        min={1}
        max={100_000}
        value={batch}
        change={batch => change({ batch })}
      />
    </>
  )
}

export function WakeFields({ draft: { wake, whenIdle, lastStep, thenAfter }, change }: OptionFieldsProps) {
  return (
    <>
      <div class="list">
        <Check label={t('runOptions.wake')} isOn={wake} change={isOn => change({ wake: isOn })} />
        <Check label={t('runOptions.whenIdle')} isOn={whenIdle} change={isOn => change({ whenIdle: isOn })} />
      </div>
      <Choice
        label={t('runOptions.then')}
        value={lastStep}
        options={lastSteps.map(each => [each, t(`runOptions.then.${each || 'nothing'}`)])}
        change={lastStep => change({ lastStep })}
      />
      {lastStep !== '' && (
        <Check
          label={t('runOptions.thenAfter')}
          isOn={thenAfter === 'success'}
          change={isOn => change({ thenAfter: isOn ? 'success' : 'any' })}
        />
      )}
    </>
  )
}

/** As the API limits it; an empty one is no limit. */
export const isBatch = (text: string): boolean => /^([1-9]\d{0,4}|100000|)$/.test(text)

/** What a form begins with. */
export const optionsDraft = (options: RunOptions = {}): RunOptionsDraft => ({
  until: options.until ?? '',
  batch: options.batch === undefined ? '' : String(options.batch),
  lastStep: options.then ?? '',
  thenAfter: options.then_after ?? 'any',
  wake: options.wake ?? false,
  whenIdle: options.when_idle ?? false,
})

/** `draft.batch` must be one. */
export function optionsOf({ until, batch, lastStep, thenAfter, wake, whenIdle }: RunOptionsDraft): RunOptions {
  const then = lastStep || undefined
  return {
    wake,
    when_idle: whenIdle,
    ...(until !== '' && { until }),
    ...(batch !== '' && { batch: Number(batch) }),
    ...(then && { then, then_after: thenAfter }),
  }
}

export function optionWords(options: RunOptions): string[] {
  const { wake, when_idle: whenIdle, until, batch } = options
  return [
    ...(until === undefined ? [] : [t('runOptions.untilWords', { time: until })]),
    ...(batch === undefined ? [] : [t('runOptions.batchWords', { n: batch })]),
    ...(wake ? [t('runOptions.wakeWords')] : []),
    ...(whenIdle ? [t('runOptions.whenIdleWords')] : []),
    ...(options.then === undefined ? [] : [t('runOptions.thenWords', { step: t(`runOptions.then.${options.then}`) })]),
    ...(options.then_after === 'success' ? [t('runOptions.thenAfterWords')] : []),
  ]
}
