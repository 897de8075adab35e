// What schedules run next, each once: when, what and where. Nothing is shown where nothing is planned.
import type { ScheduleAnswer, SchedulesAnswer, TargetWords } from '../../../../contract/answers.ts'
import { formatTime, t } from '../../language/translate.ts'
import { listOf } from '../../parts/job-words.ts'
import { useResource } from '../../state/resource.ts'
import { linkTo } from '../../state/route.ts'
import { useRepeated } from '../../state/views.ts'

/** Schedules that are listed. */
const listed = 5
/** Milliseconds: a firing that finds no computer has no event. */
const minute = 60_000
/** Milliseconds in which new jobs are gathered: those of no schedule are many. */
const jobPeriod = 3000

export function NextFirings() {
  const schedules = useResource<SchedulesAnswer>('/schedules?next=1', ({ type }) =>
    type === 'job-created' ? jobPeriod : type.startsWith('schedule-'),
  )
  useRepeated(schedules, minute)
  const firings = nextOf(schedules.value.value?.schedules ?? [])
  if (firings.length === 0) return null
  return (
    <section class="card">
      <h2>{t('overview.next')}</h2>
      <ul class="list">
        {firings.map(({ time, schedule: { id, name, for: target } }) => (
          <li class="marked" key={`${id} ${time}`}>
            <a href={`${linkTo('schedules')}?schedule=${id}`}>{name}</a>
            <span class="hint">{[formatTime(time), ...(target ? placeWords(target) : [])].join(' · ')}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const nextOf = (schedules: readonly ScheduleAnswer[]) =>
  schedules
    .flatMap(schedule => schedule.next?.map(time => ({ time, schedule })) ?? [])
    .sort((one, other) => one.time.localeCompare(other.time))
    .slice(0, listed)

/** `Room 1 and Room 2`, `24 computers`. */
const placeWords = ({ names, computers: n }: TargetWords): string[] => [
  ...(names.length > 0 ? [listOf(names)] : []),
  ...(n === undefined ? [] : [t('rooms.all', { n })]),
]
