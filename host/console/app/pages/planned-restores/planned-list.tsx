// The restores that schedules run: when they start, how they run, and the report of the newest job.
import type { PlanAnswer } from '../../../../contract/answers.ts'
import { post } from '../../api/request.ts'
import { formatTime, t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { confirmed } from '../../parts/confirmation.tsx'
import { optionWords } from '../../parts/run-options.tsx'
import { report } from '../../state/notices.ts'
import { linkTo } from '../../state/route.ts'
import { may } from '../../state/session.ts'

export function PlannedList({ plans, onChange }: { plans: readonly PlanAnswer[]; onChange(): void }) {
  if (plans.length === 0) return <p class="card empty-state">{t('plannedRestores.none')}</p>
  const timeOf = ({ next = '' }: PlanAnswer) => next || '~'
  return (
    <ul class="list">
      {plans
        .toSorted((one, other) => timeOf(one).localeCompare(timeOf(other)) || other.schedule - one.schedule)
        .map(restore => (
          <PlannedCard key={restore.schedule} restore={restore} onChange={onChange} />
        ))}
    </ul>
  )
}

function PlannedCard({ restore, onChange }: { restore: PlanAnswer; onChange(): void }) {
  const { schedule, name, image, disk, partition, computers, next, suspended, options, job } = restore
  const remove = async () => {
    if (!(await confirmed(t('plannedRestores.delete'), t('plannedRestores.deleteText', { name }), t('records.delete'))))
      return
    if (report(await post('/image/unplan', { id: String(schedule) }), t('records.deleted', { name }))) onChange()
  }
  const when = suspended ? t('plannedRestores.suspended') : next ? formatTime(next) : t('plannedRestores.over')
  const where = t('plannedRestores.where', { disk, partition })
  const count = computers === undefined ? [] : [t('rooms.all', { n: computers })]
  return (
    <li class="card row record">
      <div class="record-text">
        <h3>
          {image} <span class={next && !suspended ? 'badge' : 'badge warn'}>{when}</span>
        </h3>
        <p class="hint">{[where, ...count, ...optionWords(options)].join(' · ')}</p>
      </div>
      <div class="actions">
        {job !== undefined && (
          <a class="button" href={linkTo('job', job)}>
            {t('plannedRestores.report', { id: String(job) })}
          </a>
        )}
        {may('operate') && <Button text={t('records.delete')} of={name} press={remove} />}
      </div>
    </li>
  )
}
