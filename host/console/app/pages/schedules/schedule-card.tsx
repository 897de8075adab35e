// One schedule: what it runs, its times in words, when it fires next, and what can be done with it.
import type { FiringAnswer, ScheduleAnswer } from '../../../../contract/answers.ts'
import { post } from '../../api/request.ts'
import { locale, t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { stateWord } from '../../parts/job-words.ts'
import { deleteRecord } from '../../parts/record-actions.tsx'
import { ToneSign } from '../../parts/tone.tsx'
import { report } from '../../state/notices.ts'
import { linkTo } from '../../state/route.ts'
import { may } from '../../state/session.ts'
import type { StepLists } from '../procedures/step-words.ts'
import { firingWords, toneOf } from './firing-words.ts'
import { followedWords, inWords, targetName } from './schedule-words.ts'

export interface ScheduleCardProps {
  schedule: ScheduleAnswer
  targets: StepLists
  /** Undefined until they are known. */
  next: readonly Date[] | undefined
  edit(schedule: ScheduleAnswer): void
  reload(): Promise<void>
}

export function ScheduleCard({ schedule, targets, next, edit, reload }: ScheduleCardProps) {
  const { id, name, when, suspended } = schedule
  return (
    <li id={`schedule-${id}`} class={suspended ? 'card row record suspended' : 'card row record'}>
      <div class="record-text">
        <h3>
          {name} {suspended === 1 && <span class="badge warn">{t('plannedRestores.suspended')}</span>}
        </h3>
        <p>{inWords(when)}</p>
        <p class="hint">{[targetName(schedule, targets), followedWords(schedule.for)].filter(Boolean).join(' · ')}</p>
        {schedule.last && <LastFiring firing={schedule.last} />}
      </div>
      <div class="next-times">{suspended === 0 && next && <NextTimes next={next} />}</div>
      {may('operate') && (
        <div class="actions">
          <Button
            text={t(suspended ? 'hooks.resume' : 'schedules.suspend')}
            of={name}
            press={() => suspend(schedule, reload)}
          />
          <Button text={t('records.edit')} of={name} press={() => edit(schedule)} />
          <Button text={t('records.delete')} of={name} press={() => remove(id, name, reload)} />
        </div>
      )}
    </li>
  )
}

/** `Last: 28 of 30, 2 failed`, with a link to the job. */
function LastFiring({ firing }: { firing: FiringAnswer }) {
  const { job, time, problems } = firing
  const words = firingWords(firing)
  const reasons = problems.map(({ computers, reason, state }) => `${computers}: ${reason ?? stateWord(state)}`)
  return (
    <p title={reasons.join('\n')}>
      <ToneSign tone={toneOf(firing)} /> {t('schedules.last')}{' '}
      {job === undefined ? words : <a href={linkTo('job', String(job))}>{words}</a>}{' '}
      <span class="hint">{dayAndTime(new Date(time))}</span>
    </p>
  )
}

const dayAndTime = (time: Date): string =>
  time.toLocaleString(locale.value, {
    ...({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const),
    ...({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const),
  })

/** Times that a card shows. */
const mostShown = 3

function NextTimes({ next }: { next: readonly Date[] }) {
  if (next.length === 0) return <p class="hint">{t('schedules.noNext')}</p>
  return (
    <>
      <span class="hint">{t('schedules.next')}</span>
      <ol>
        {next.slice(0, mostShown).map(time => (
          <li key={time.getTime()}>{dayAndTime(time)}</li>
        ))}
      </ol>
    </>
  )
}

/** With its own times and type: without them it would fire at once, or run a task. */
async function suspend({ id, type, task, name, when, suspended }: ScheduleAnswer, reload: () => Promise<void>) {
  const payload = { id: String(id), type, task: String(task), name, when, suspended: suspended ? 0 : 1 }
  report(
    await post('/schedule/update', payload),
    t(suspended ? 'schedules.resumed' : 'schedules.isSuspended', { name }),
  )
  await reload()
}

async function remove(id: number, name: string, reload: () => Promise<void>): Promise<void> {
  const [title, text] = [t('schedules.delete'), t('schedules.deleteText', { name })]
  await deleteRecord({ title, text, path: '/schedule/delete', id, name })
  await reload()
}
