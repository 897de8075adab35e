// Seven days by hours, with what fires in each hour; hours without any are narrow.
import type { FiringAnswer, ScheduleAnswer } from '../../../../contract/answers.ts'
import { locale, t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { groupBy } from '../../parts/group-by.ts'
import { ScrollBox } from '../../parts/scroll-box.tsx'
import { ToneSign } from '../../parts/tone.tsx'
import { linkTo } from '../../state/route.ts'
import { firingWords, toneOf } from './firing-words.ts'

export interface Firing {
  schedule: ScheduleAnswer
  time: Date
  /** How it went. */
  past?: FiringAnswer
}

export interface WeekTableProps {
  /** Midnight of the first day. */
  start: Date
  firings: readonly Firing[]
  open(schedule: ScheduleAnswer): void
}

/** Colours of the style sheet. */
const tones = ['violet', 'blue', 'good', 'warn', 'bad']

/** None is broken in a narrow column. */
const dayParts = [{ weekday: 'short' }, { day: 'numeric', month: 'short' }] as const

export const dayAfter = (start: Date, days: number): Date =>
  new Date(start.getFullYear(), start.getMonth(), start.getDate() + days)

export const shortTime = (time: Date): string =>
  time.toLocaleTimeString(locale.value, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

export function WeekTable({ start, firings, open }: WeekTableProps) {
  const days = Array.from({ length: 7 }, (_, index) => dayAfter(start, index))
  const byHour = groupBy(firings, ({ time }) => `${time.toDateString()} ${time.getHours()}`)
  const hoursInUse = new Set(firings.map(({ time }) => time.getHours()))
  const today = new Date().toDateString()
  return (
    <ScrollBox class="table-box week-box" label={t('schedules.week')}>
      <table class="week">
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden-text">{t('schedules.hour')}</span>
            </th>
            {days.map(day => (
              <th scope="col" key={day.getTime()} class={day.toDateString() === today ? 'today' : undefined}>
                {dayParts.map(part => (
                  <span key={day.toLocaleDateString(locale.value, part)}>
                    {day.toLocaleDateString(locale.value, part)}{' '}
                  </span>
                ))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: 24 }, (_, hour) => (
            <tr key={hour} class={hoursInUse.has(hour) ? undefined : 'idle'}>
              <th scope="row">{shortTime(new Date(2024, 0, 1, hour))}</th>
              {days.map(day => (
                <td key={day.getTime()} class={day.toDateString() === today ? 'today' : undefined}>
                  {byHour.get(`${day.toDateString()} ${hour}`)?.map(firing => (
                    <FiringButton key={`${firing.schedule.id} ${firing.time.getTime()}`} firing={firing} open={open} />
                  ))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

function FiringButton({ firing, open }: { firing: Firing; open: WeekTableProps['open'] }) {
  const { schedule, time, past } = firing
  const className = `firing cut ${tones[schedule.id % tones.length]}`
  const words = (
    <>
      <b>
        {shortTime(time)} <ToneSign tone={past && toneOf(past)} />
      </b>{' '}
      <span class="cut">{schedule.name}</span>
    </>
  )
  if (past?.job !== undefined)
    return (
      <a class={className} title={`${schedule.name}: ${firingWords(past)}`} href={linkTo('job', String(past.job))}>
        {words}
      </a>
    )
  const title = past ? `${schedule.name}: ${firingWords(past)}` : schedule.name
  return <Button text={words} class={className} title={title} press={() => open(schedule)} />
}
