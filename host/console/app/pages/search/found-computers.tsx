// What a query finds. The list stays as it was read: what matches meanwhile is counted, and taken in when the user wants it.
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { SearchAnswer } from '../../../../contract/answers.ts'
import { urlOf } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { ConditionLabel } from '../../parts/condition-sign.tsx'
import { SelectAll } from '../../parts/select-all.tsx'
import { Badges } from '../../parts/tone.tsx'
import { lostSince } from '../../state/event-stream.ts'
import { computers as allComputers, type ComputerView } from '../../state/lab.ts'
import { useResource } from '../../state/resource.ts'
import { linkTo } from '../../state/route.ts'
import { select, selectedComputers } from '../../state/selection.ts'
import { QueryProblem } from './query-problem.tsx'

type Row = SearchAnswer['computers'][number]

/** Computers that are read: as many as a page is made for. */
const mostComputers = 2000

/** Milliseconds in which events are gathered before the query is asked again. */
const gatherTime = 3000

export function FoundComputers({ where }: { where: string }) {
  const path = (more: Record<string, string>) => `/search?${new URLSearchParams({ where, ...more })}`
  const resource = useResource<SearchAnswer>(path({ limit: String(mostComputers) }), () => gatherTime)
  const answer = resource.value.value
  const shown = useSignal<SearchAnswer | undefined>(undefined)
  if (answer && !shown.peek()) shown.value = answer
  const problem = lostSince.value === undefined ? resource.problem.value : ''
  if (problem) return <QueryProblem where={where} reason={problem} />
  if (!answer || !shown.value) return <p class="hint">{t('resource.loading')}</p>
  return (
    <section class="card part-section" aria-label={t('search.results')}>
      <Found shown={shown.value} csvPath={path({ format: 'csv', limit: '99999' })} />
      <Changes shown={shown.value} now={answer} take={() => (shown.value = answer)} />
    </section>
  )
}

function Found({ shown: { total, computers }, csvPath }: { shown: SearchAnswer; csvPath: string }) {
  const known = allComputers.value
  const views = useMemo(() => computers.flatMap(({ client }) => known.get(client) ?? []), [computers, known])
  // What is selected is in the list: nothing else is sent.
  useEffect(() => {
    const own = new Set(views)
    select(
      selectedComputers().filter(each => !own.has(each)),
      'remove',
    )
  }, [views])
  return (
    <>
      <div class="part-filter">
        <SelectAll computers={views} label={t('search.selectAll')} />
        <h2>
          <span role="status">{t('search.count', { n: total })}</span>
        </h2>
        <a class="button" href={urlOf(csvPath)} download="search.csv">
          {t('job.csv')}
        </a>
      </div>
      {total > computers.length && <p class="hint">{t('search.first', { n: computers.length })}</p>}
      {total === 0 && <p class="hint">{t('search.none')}</p>}
      <ul class="part-list">
        {computers.map(row => (
          <FoundRow key={row.client} row={row} />
        ))}
      </ul>
    </>
  )
}

function FoundRow({ row: { client, name, room = '', center = '' } }: { row: Row }) {
  const computer = allComputers.value.get(client)
  return (
    <li class="part-row">
      <span class="part-client">
        {computer && <Choice computer={computer} name={name ?? client} />}{' '}
        <a href={linkTo('computer', client)}>{name}</a> <small class="hint">{client}</small> <Badges ip={client} />
      </span>
      <span>
        {room} <small class="hint">{center}</small>
      </span>
      <span>{computer && <ConditionLabel condition={computer.live.value.condition} />}</span>
    </li>
  )
}

function Choice({ computer, name }: { computer: ComputerView; name: string }) {
  return (
    <input
      type="checkbox"
      aria-label={t('search.select', { name })}
      checked={computer.selected.value}
      onChange={() => select([computer], 'toggle')}
    />
  )
}

interface ChangesProps {
  shown: SearchAnswer
  now: SearchAnswer
  take(): void
}

function Changes({ shown, now, take }: ChangesProps) {
  const addresses = ({ computers }: SearchAnswer) => new Set(computers.map(({ client }) => client))
  const [before, after] = [addresses(shown), addresses(now)]
  const more = [...after].filter(each => !before.has(each)).length
  const gone = [...before].filter(each => !after.has(each)).length
  return (
    <div role="status">
      {more + gone > 0 && (
        <p class="banner warn">
          {more > 0 && t('search.more', { n: more })} {gone > 0 && t('search.gone', { n: gone })}{' '}
          <button type="button" onClick={take}>
            {t('search.take')}
          </button>
        </p>
      )}
    </div>
  )
}
