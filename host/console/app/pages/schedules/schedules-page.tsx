// The schedules: what fires in the coming week, and each schedule in words with its next times.
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { FiringsAnswer, ScheduleAnswer, SchedulesAnswer } from '../../../../contract/answers.ts'
import { locale, t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { useResource } from '../../state/resource.ts'
import { route } from '../../state/route.ts'
import { may } from '../../state/session.ts'
import { type StepLists, useStepLists } from '../procedures/step-words.ts'
import { useFirings } from './firings.ts'
import { ScheduleCard } from './schedule-card.tsx'
import { ScheduleEditor } from './schedule-editor.tsx'
import { dayAfter, WeekTable } from './week-table.tsx'

/** Milliseconds in which the ends of jobs are gathered: those of no schedule are many. */
const jobPeriod = 3000

export function SchedulesPage() {
  const list = useResource<SchedulesAnswer>('/schedules', ({ type }) =>
    type === 'job-finished' ? jobPeriod : type.startsWith('schedule-'),
  )
  const { lists: targets } = useStepLists()
  const edited = useSignal<ScheduleAnswer | 'new' | undefined>(undefined)
  const edit = (schedule: ScheduleAnswer | 'new' | undefined) => {
    edited.value = schedule
  }
  /** As others have changed it meanwhile. */
  const liveOf = (schedule: ScheduleAnswer) =>
    list.value.value?.schedules.find(({ id }) => id === schedule.id) ?? schedule
  return (
    <>
      <PageHead title={t('group.schedules')}>
        {may('operate') && <Button text={t('schedules.new')} class="primary" press={() => edit('new')} />}
      </PageHead>
      <ResourceView resource={list}>
        {({ schedules }) => <Schedules schedules={schedules} targets={targets} edit={edit} reload={list.reload} />}
      </ResourceView>
      {edited.value && (
        <ScheduleEditor
          schedule={edited.value === 'new' ? undefined : liveOf(edited.value)}
          targets={targets}
          onClose={() => edit(undefined)}
          onSaved={() => void list.reload()}
        />
      )}
    </>
  )
}

interface SchedulesProps {
  schedules: readonly ScheduleAnswer[]
  targets: StepLists
  edit(schedule: ScheduleAnswer): void
  reload(): Promise<void>
}

const pastFirings = '/schedule/firings'
const noFirings: FiringsAnswer['firings'] = []

/** So long firings are kept. */
const pastWeeks = 4

/** Further weeks have more times than the daemon computes at once. */
const mostWeeks = 8

function Schedules({ schedules, targets, edit, reload }: SchedulesProps) {
  const week = useSignal(0)
  const { firings, isComplete } = useFirings(schedules, Math.max(week.value, 0) + 1)
  const start = dayAfter(new Date(), 7 * week.value)
  const end = dayAfter(start, 7)
  const past = useResource<FiringsAnswer>(pastFirings, ({ type }) => type === 'job-finished' && jobPeriod)
  const ended = past.value.value?.firings ?? noFirings
  const shown = useMemo(
    () =>
      schedules
        .flatMap(schedule => [
          ...ended.flatMap(each =>
            each.schedule === schedule.id ? { schedule, time: new Date(each.time), past: each } : [],
          ),
          ...(firings.get(schedule.id) ?? []).map(time => ({ schedule, time })),
        ])
        .filter(({ time }) => time >= start && time < end),
    [schedules, firings, ended, start.getTime()],
  )
  useEffect(() => {
    document.getElementById(`schedule-${route.peek().query.get('schedule')}`)?.scrollIntoView({ block: 'center' })
  }, [])
  if (schedules.length === 0) return <p class="card empty-state">{t('schedules.none')}</p>
  return (
    <>
      <section class="card">
        <WeekHead start={start} week={week.value} go={next => (week.value = next)} />
        <WeekTable start={start} firings={shown} open={edit} />
        {isComplete && shown.length === 0 && <p class="hint">{t('schedules.quietWeek')}</p>}
      </section>
      <ul class="list">
        {schedules.map(schedule => (
          <ScheduleCard
            key={schedule.id}
            schedule={schedule}
            targets={targets}
            next={isComplete ? (firings.get(schedule.id) ?? []) : undefined}
            edit={edit}
            reload={reload}
          />
        ))}
      </ul>
    </>
  )
}

function WeekHead({ start, week, go }: { start: Date; week: number; go(week: number): void }) {
  const range = new Intl.DateTimeFormat(locale.value, { day: 'numeric', month: 'long', year: 'numeric' })
  return (
    <header>
      <h2 aria-live="polite">{range.formatRange(start, dayAfter(start, 6))}</h2>
      <div class="actions">
        <Button text={t('schedules.thisWeek')} disabled={week === 0} press={() => go(0)} />
        <Button
          text="‹"
          class="icon"
          disabled={week <= -pastWeeks}
          aria-label={t('schedules.earlier')}
          press={() => go(week - 1)}
        />
        <Button
          text="›"
          class="icon"
          disabled={week >= mostWeeks}
          aria-label={t('schedules.later')}
          press={() => go(week + 1)}
        />
      </div>
    </header>
  )
}
