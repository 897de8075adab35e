// What a schedule runs, and when, in words.
import type { ProcedureAnswer, ScheduleAnswer, TaskAnswer } from '../../../../contract/answers.ts'
import { language, t } from '../../language/translate.ts'
import { labelOfName } from '../../state/commands.ts'
import { wordsOf } from './recurrence-words.ts'

/** What a schedule can run, by name. */
export interface Targets {
  tasks: readonly TaskAnswer[]
  procedures: readonly ProcedureAnswer[]
}

export const inWords = (when: ScheduleAnswer['when']): string => wordsOf(when, { t, language: language.value })

/** `Task Evening`; the id of what does not exist. */
export function targetName({ type, task, scheduled }: ScheduleAnswer, { tasks, procedures }: Targets): string {
  if (type === 'command') {
    if (!scheduled) return t('schedules.missing', { kind: t('schedules.type.command'), id: task })
    const { clients, group, where = group === undefined ? undefined : `group:${group}` } = scheduled
    const command = labelOfName(scheduled.command)
    return where === undefined
      ? t('schedules.commandFor', { command, n: clients.length })
      : t('schedules.commandFound', { command, where })
  }
  const record = (type === 'task' ? tasks : procedures).find(({ id }) => id === task)
  const kind = t(`schedules.type.${type}`)
  return record ? `${kind} · ${record.name}` : t('schedules.missing', { kind, id: task })
}
