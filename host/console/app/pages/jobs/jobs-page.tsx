// The jobs, the newest first, live; filtered by state, command and computer as the address says.
import { useSignal } from '@preact/signals'
import { countUnfinished } from '../../../../../stores/rules/part-states.ts'
import type { JobAnswer, JobsAnswer } from '../../../../contract/answers.ts'
import { formatTime, t, tryTranslate } from '../../language/translate.ts'
import { JobBar, JobCounts } from '../../parts/job-counts.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { labelOfName } from '../../state/commands.ts'
import { useJobList } from '../../state/resource.ts'
import { linkTo, route } from '../../state/route.ts'
import { JobFilter } from './job-filter.tsx'

const pageSize = 100

export function JobsPage() {
  const limit = useSignal(pageSize)
  const { query } = route.value
  const filter = new URLSearchParams(['state', 'command', 'client'].flatMap(key => pairOf(key, query.get(key))))
  const path = `/jobs?${new URLSearchParams([...filter, ['limit', String(limit.value)]])}`
  const list = useJobList(path)
  return (
    <>
      <PageHead title={t('nav.jobs')}>
        <JobFilter filter={filter} />
      </PageHead>
      <ResourceView resource={list}>
        {({ jobs }) => (
          <>
            {jobs.length === 0 ? <NoJobs isFiltered={[...filter].length > 0} /> : <JobTable jobs={jobs} />}
            {jobs.length >= limit.value && (
              <p class="more">
                <button
                  type="button"
                  onClick={() => {
                    limit.value += 2 * pageSize
                  }}
                >
                  {t('jobs.more')}
                </button>
              </p>
            )}
          </>
        )}
      </ResourceView>
    </>
  )
}

const pairOf = (key: string, value: string | null): [string, string][] => (value ? [[key, value]] : [])

function NoJobs({ isFiltered }: { isFiltered: boolean }) {
  return (
    <div class="card no-jobs">
      <p>{isFiltered ? t('jobs.noneFound') : t('jobs.none')}</p>
      {isFiltered ? <a href={linkTo('jobs')}>{t('jobs.showAll')}</a> : <a href={linkTo('')}>{t('jobs.toRooms')}</a>}
    </div>
  )
}

function JobTable({ jobs }: JobsAnswer) {
  return (
    <div class="table-box card jobs-table">
      <table>
        <thead>
          <tr>
            <th scope="col">{t('jobs.id')}</th>
            <th scope="col">{t('jobs.what')}</th>
            <th scope="col">{t('jobs.outcome')}</th>
            <th scope="col">{t('jobs.who')}</th>
            <th scope="col">{t('jobs.when')}</th>
          </tr>
        </thead>
        <tbody>
          {jobs.map(job => (
            <JobRow key={job.id} job={job} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

export const originWord = (origin: string): string => tryTranslate(`origin.${origin}`) ?? origin

function JobRow({ job }: { job: JobAnswer }) {
  const { id, name, where, origin, by, caller, created, counts, commands, steps = commands.length } = job
  const isOpen = countUnfinished(counts) > 0
  return (
    <tr class={isOpen ? 'open' : undefined}>
      <td class="job-number">
        <a href={linkTo('job', id)}>{id}</a>
      </td>
      <td class="what">
        <a href={linkTo('job', id)}>{labelOfName(name)}</a>
        {origin !== 'request' && <span class="origin-badge">{originWord(origin)}</span>}
        {where && <small class="hint">{where}</small>}
        <small class="hint">{steps > 1 ? t('jobs.steps', { n: steps }) : firstArgument(job)}</small>
      </td>
      <td class="outcome-cell">
        <JobBar counts={counts} />
        <JobCounts counts={counts} />
      </td>
      <td class="who">
        {by || originWord(origin)}
        {caller && <small class="hint"> {caller}</small>}
      </td>
      <td class="time">
        <time datetime={created}>{formatTime(created)}</time>
      </td>
    </tr>
  )
}

/** The first line of a script: it says more than the name of the command. */
function firstArgument({ arguments: args }: JobAnswer): string {
  const run = args?.[0]?.run
  return typeof run === 'string' ? (run.trim().split('\n')[0] ?? '') : ''
}
