// The jobs, the newest first, live; filtered by state, command and computer as the address says.
import { useSignal } from '@preact/signals'
import { countUnfinished } from '../../../../../stores/rules/part-states.ts'
import type { ListedJob } from '../../../../contract/answers.ts'
import { formatTime, t, tryTranslate } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { JobBar, JobCounts } from '../../parts/job-counts.tsx'
import { argumentOf, countWords } from '../../parts/job-words.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { titleOf } from '../../state/commands.ts'
import { useJobList } from '../../state/resource.ts'
import { linkTo, route } from '../../state/route.ts'
import { ClientFilter, jobFilters } from './job-filter.tsx'

const pageSize = 100

export function JobsPage() {
  const limit = useSignal(pageSize)
  const { query } = route.value
  const filter = new URLSearchParams(['state', 'command', 'client'].flatMap(key => pairOf(key, query.get(key))))
  const path = `/jobs?${new URLSearchParams([...filter, ['limit', String(limit.value)]])}`
  const list = useJobList(path)
  return (
    <>
      <PageHead title={t('place.jobs')} />
      <ResourceView resource={list}>
        {({ jobs }) => (
          <section class="card">
            <DataTable
              label={t('place.jobs')}
              rows={jobs}
              keyOf={({ id }) => id}
              columns={columns()}
              filters={jobFilters(filter.get('command') ?? '')}
              hrefOf={({ id }) => linkTo('job', id)}
              classOf={({ counts }) => (countUnfinished(counts) > 0 ? 'open' : '')}
              empty={t(filter.size > 0 ? 'jobs.noneFound' : 'jobs.none')}
              csvName="jobs"
              {...(jobs.length >= limit.value && { count: t('table.countSoFar', { n: jobs.length }) })}
              tools={() => <ClientFilter client={filter.get('client') ?? ''} />}
            />
            {jobs.length >= limit.value && (
              <p>
                <Button
                  text={t('jobs.more')}
                  press={() => {
                    limit.value += 2 * pageSize
                  }}
                />
              </p>
            )}
          </section>
        )}
      </ResourceView>
    </>
  )
}

const pairOf = (key: string, value: string | null): [string, string][] => (value ? [[key, value]] : [])

export const originWord = (origin: string): string => tryTranslate(`origin.${origin}`) ?? origin

const columns = (): Column<ListedJob>[] => [
  { id: 'id', head: t('jobs.id'), isNumber: true, text: ({ id }) => String(id), value: ({ id }) => id },
  {
    id: 'what',
    head: t('schedules.type.command'),
    width: 28,
    text: job => `${titleOf(job)} ${argumentOf(job)}`,
    cell: job => (
      <>
        <a href={linkTo('job', job.id)}>{titleOf(job)}</a> <small class="hint">{argumentOf(job)}</small>
      </>
    ),
  },
  {
    id: 'room',
    head: t('field.room'),
    text: ({ room, rooms: n = 0 }) => room ?? (n > 0 ? t('jobs.rooms', { n }) : ''),
  },
  {
    id: 'outcome',
    head: t('jobs.outcome'),
    width: 36,
    text: job => countWords(job.computers),
    cell: job => (
      <span class="job-outcome row">
        <JobBar counts={job.computers} />
        <JobCounts counts={job.computers} />
      </span>
    ),
  },
  {
    id: 'who',
    head: t('jobs.who'),
    text: ({ by, caller, origin }) => [by || originWord(origin), caller].filter(Boolean).join(' '),
  },
  {
    id: 'origin',
    head: t('jobs.origin'),
    text: ({ origin, where }) => [originWord(origin), where].filter(Boolean).join(' '),
  },
  {
    id: 'when',
    head: t('field.when'),
    text: ({ created }) => formatTime(created),
    value: ({ created }) => created,
    cell: ({ created }) => <time datetime={created}>{formatTime(created)}</time>,
  },
]
