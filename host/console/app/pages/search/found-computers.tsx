// What a query finds. The list stays as it was read: what matches meanwhile is counted, and taken in when the user wants it.
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { SearchAnswer } from '../../../../contract/answers.ts'
import { urlOf } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { ConditionLabel } from '../../parts/condition-sign.tsx'
import { ScrollBox } from '../../parts/scroll-box.tsx'
import { SelectAll } from '../../parts/select-all.tsx'
import { Badges } from '../../parts/tone.tsx'
import { lostSince } from '../../state/event-stream.ts'
import { computers as allComputers, type ComputerView } from '../../state/lab.ts'
import { useResource } from '../../state/resource.ts'
import { linkTo } from '../../state/route.ts'
import { linkToSearch, newMatches } from '../../state/searches.ts'
import { select, selectedComputers } from '../../state/selection.ts'
import { ColumnChoice } from './column-choice.tsx'
import { type ColumnName, cellWords, chosenColumns, columnTitle, isSize, type Row } from './found-columns.ts'
import { QueryProblem } from './query-problem.tsx'

/** Computers that are read: as many as a page is made for. */
const mostComputers = 2000

/** Milliseconds in which events are gathered before the query is asked again. */
const gatherTime = 3000

export function FoundComputers({ where }: { where: string }) {
  const columns = chosenColumns.value
  const path = (more: Record<string, string>) =>
    `/search?${new URLSearchParams({ where, columns: ['client', 'name', ...columns].join(), ...more })}`
  const resource = useResource<SearchAnswer>(path({ limit: String(mostComputers), explain: '1' }), () => gatherTime)
  const answer = resource.value.value
  const shown = useSignal<SearchAnswer | undefined>(undefined)
  if (answer && !shown.peek()) shown.value = answer
  const problem = lostSince.value === undefined ? resource.problem.value : ''
  if (problem) return <QueryProblem where={where} reason={problem} />
  if (!shown.value) return <p class="hint">{t('resource.loading')}</p>
  return (
    <div class="card part-section">
      <Found
        shown={shown.value}
        now={answer ?? shown.value}
        columns={columns}
        csvPath={path({ format: 'csv', limit: '99999' })}
      />
      <Changes shown={shown.value} now={answer ?? shown.value} take={() => (shown.value = answer)} />
    </div>
  )
}

interface FoundProps {
  shown: SearchAnswer
  now: SearchAnswer
  columns: readonly ColumnName[]
  csvPath: string
}

function Found({ shown: { total, computers, reason, meant }, now, columns, csvPath }: FoundProps) {
  const known = allComputers.value
  const views = useMemo(() => computers.flatMap(({ client }) => known.get(client) ?? []), [computers, known])
  const newest = useMemo(() => new Map(now.computers.map(row => [row.client, row])), [now])
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
      {reason && <p>{reason}</p>}
      {meant && (
        <p>
          {t('search.maybeMeant')}{' '}
          <a href={linkToSearch(meant)}>
            <code>{meant}</code>
          </a>
        </p>
      )}
      <ColumnChoice />
      {total > 0 && (
        <ScrollBox class="table-box found-box" label={t('search.results')}>
          <table>
            <thead>
              <tr>
                <th>{t('nav.computer')}</th>
                {columns.map(name => (
                  <th key={name} class={isSize(name) ? 'size' : ''}>
                    {columnTitle(name)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {computers.map(row => (
                <FoundRow key={row.client} row={newest.get(row.client) ?? row} columns={columns} />
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
    </>
  )
}

function FoundRow({ row, columns }: { row: Row; columns: readonly ColumnName[] }) {
  const { client, name } = row
  const computer = allComputers.value.get(client)
  return (
    <tr class="found-row">
      <td class="part-client">
        {computer && <Choice computer={computer} name={name ?? client} />}{' '}
        <a href={linkTo('computer', client)}>{name}</a> <small class="hint">{client}</small> <Badges ip={client} />
      </td>
      {columns.map(column => (
        <td key={column} class={isSize(column) ? 'size' : ''}>
          {column === 'state' && computer ? (
            <ConditionLabel condition={computer.live.value.condition} />
          ) : (
            cellWords(row, column)
          )}
        </td>
      ))}
    </tr>
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
  useEffect(() => {
    newMatches.value = more
    return () => {
      newMatches.value = 0
    }
  }, [more])
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
