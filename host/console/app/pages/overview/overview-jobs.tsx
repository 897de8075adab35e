// The jobs that run or wait, with their progress.
import type { ListedJob } from '../../../../contract/answers.ts'
import { formatTime, t } from '../../language/translate.ts'
import { JobCounts } from '../../parts/job-counts.tsx'
import { argumentOf } from '../../parts/job-words.ts'
import { ResourceView } from '../../parts/resource-view.tsx'
import { titleOf } from '../../state/commands.ts'
import { endedOf, totalOf } from '../../state/part-counts.ts'
import { useJobList } from '../../state/resource.ts'
import { linkTo } from '../../state/route.ts'

/** Jobs that are listed of each state. */
const limit = 10

export function RunningJobs() {
  const running = useJobList(`/jobs?state=sent&limit=${limit}`)
  const waiting = useJobList(`/jobs?state=queued&limit=${limit}`)
  const ids = new Set(running.value.value?.jobs.map(({ id }) => id))
  const others = waiting.value.value?.jobs.filter(({ id }) => !ids.has(id)) ?? []
  return (
    <section class="card">
      <h2>{t('overview.running')}</h2>
      <ResourceView resource={running}>
        {({ jobs }) =>
          jobs.length + others.length === 0 ? (
            <p class="hint">{t('overview.nothingRuns')}</p>
          ) : (
            <ul class="list">
              {[...jobs, ...others].map(job => (
                <RunningJob key={job.id} job={job} />
              ))}
            </ul>
          )
        }
      </ResourceView>
    </section>
  )
}

function RunningJob({ job }: { job: ListedJob }) {
  const { id, created, computers: counts } = job
  const total = totalOf(counts)
  const done = endedOf(counts)
  return (
    <li class="running-job head">
      <a href={linkTo('job', id)}>{t('overview.job', { id: String(id), name: titleOf(job) })}</a>
      <span class="hint">{formatTime(created)}</span>
      <span class="hint wide">{argumentOf(job)}</span>
      <progress max={total} value={done} aria-label={t('overview.progress', { done, total })} />
      <JobCounts counts={counts} />
    </li>
  )
}
