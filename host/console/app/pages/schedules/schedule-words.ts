// What a schedule runs, and when, in words.
import type { ScheduleAnswer, TargetWords } from '../../../../contract/answers.ts'
import { wordsOf } from '../../../../contract/recurrence-words.ts'
import { locale, t } from '../../language/translate.ts'
import { listOf } from '../../parts/job-words.ts'
import { labelOfName } from '../../state/commands.ts'
import type { StepLists } from '../procedures/step-words.ts'

export const inWords = (when: ScheduleAnswer['when']): string => wordsOf(when, { t, language: locale.value })

/** `Task Evening`; the id of what does not exist. */
export function targetName(
  { type, task, scheduled }: Pick<ScheduleAnswer, 'type' | 'task' | 'scheduled'>,
  { tasks, procedures }: StepLists,
): string {
  const record = (type === 'task' ? tasks : procedures).find(({ id }) => type !== 'command' && id === task)
  const kind = t(`schedules.type.${type}`)
  const name = scheduled ? labelOfName(scheduled.command) : record?.name
  return name === undefined ? t('schedules.missing', { kind, id: task }) : `${kind} · ${name}`
}

/** Whom it is for: what it finds each time, or a list that stays as it is. */
export function followedWords(target: TargetWords | undefined): string {
  if (!target) return ''
  const { kind, names, computers: n = 0 } = target
  if (kind === 'list') return t('targets.list', { n })
  return names.length === 0 ? t(`targets.${kind}.none`) : t(`targets.${kind}`, { names: listOf(names), n })
}
