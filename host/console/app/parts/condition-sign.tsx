// The sign, the colour and the word of a computer's condition.
import { type MessageKey, t } from '../language/translate.ts'
import type { Condition } from '../state/lab.ts'

export const conditionWord = (condition: Condition): string => t(conditionKeys[condition])

const conditionKeys: Record<Condition, MessageKey> = {
  off: 'condition.off',
  waking: 'condition.waking',
  ready: 'condition.ready',
  busy: 'condition.busy',
  linux: 'condition.linux',
  'linux-session': 'condition.linux',
  windows: 'condition.windows',
  'windows-session': 'condition.windows',
  virtual: 'condition.virtual',
}

/** The style sheet draws the sign. */
export function ConditionSign({ condition }: { condition: Condition }) {
  return <span class="sign" data-condition={condition} aria-hidden="true" />
}

/** `stopped by anna`. */
export const stopWords = ({ stopped = '' }: { stopped?: string | undefined }): string =>
  stopped === '' ? t('failures.stopped') : t('failures.stoppedBy', { name: stopped })

/** Of what has failed, beside the condition. */
export function FailureSign() {
  return <span class="sign" data-condition="failed" aria-hidden="true" />
}

export function ConditionLabel({ condition }: { condition: Condition }) {
  return (
    <span data-condition={condition}>
      <ConditionSign condition={condition} /> {conditionWord(condition)}
    </span>
  )
}
