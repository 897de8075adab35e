// What a query finds. The list stays as it was read: what matches meanwhile is counted, and read on request.
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { SearchAnswer } from '../../../../contract/answers.ts'
import { t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { ConditionLabel } from '../../parts/condition-sign.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { SelectAll } from '../../parts/select-all.tsx'
import { Badges } from '../../parts/tone.tsx'
import { lostSince } from '../../state/event-stream.ts'
import { listed } from '../../state/filter.ts'
import { addressesOf, isWords, queryOfWords } from '../../state/found-elsewhere.ts'
import { computers as allComputers, type ComputerView } from '../../state/lab.ts'
import { useResource } from '../../state/resource.ts'
import { linkTo } from '../../state/route.ts'
import { linkToSearch, newMatches } from '../../state/searches.ts'
import { select } from '../../state/selection.ts'
import { ColumnChoice } from './column-choice.tsx'
import {
  type ColumnName,
  cellValue,
  cellWords,
  chosenColumns,
  columnsAbout,
  columnTitle,
  hasWords,
  isSize,
  type Row,
} from './found-columns.ts'
import { QueryProblem } from './query-problem.tsx'

/** Computers that are read: as many as a page is made for. */
const mostComputers = 2000

/** Milliseconds in which events are gathered before the query is asked again. */
const gatherTime = 3000

export function FoundComputers({ where }: { where: string }) {
  const chosen = chosenColumns.value
  const asked = [...new Set([...chosen, ...columnsAbout(where)])]
  const path = (columns: readonly ColumnName[], more: Record<string, string>) =>
    `/search?${new URLSearchParams({ where: queryOfWords(where), columns: ['client', 'name', ...columns].join(), ...more })}`
  const resource = useResource<SearchAnswer>(
    path(asked, { limit: String(mostComputers), explain: '1' }),
    () => gatherTime,
  )
  const answer = resource.value.value
  const shown = useSignal<SearchAnswer | undefined>(undefined)
  if (!shown.peek()) shown.value = answer
  const problem = lostSince.value === undefined ? resource.problem.value : ''
  if (problem) return <QueryProblem where={where} reason={problem} />
  if (!shown.value) return <p class="hint">{t('resource.loading')}</p>
  const { computers } = shown.value
  const isText = isWords(where)
  // Words are in some of them only.
  const columns = asked.filter(name => chosen.includes(name) || !isText || hasWords(computers, name, where))
  return (
    <div class="card">
      <Found
        shown={shown.value}
        now={answer ?? shown.value}
        isText={isText}
        columns={columns}
        csvPath={path(columns, { format: 'csv', limit: '99999' })}
      />
      <Changes shown={shown.value} now={answer ?? shown.value} take={() => (shown.value = answer)} />
    </div>
  )
}

const byName = (one: Row, other: Row) =>
  String(one.name).localeCompare(String(other.name), undefined, { numeric: true })

interface FoundProps {
  shown: SearchAnswer
  now: SearchAnswer
  /** Words were typed, which are one query of several fields. */
  isText: boolean
  columns: readonly ColumnName[]
  csvPath: string
}

function Found({ shown: { total, computers, reason, meant }, now, isText, columns, csvPath }: FoundProps) {
  const better = isText ? meant?.split(' or ')[0] : meant
  const newest = useMemo(() => new Map(now.computers.map(row => [row.client, row])), [now])
  const rows = useMemo(() => computers.map(row => newest.get(row.client) ?? row).toSorted(byName), [computers, newest])
  return (
    <>
      {total > computers.length && <p class="hint">{t('search.first', { n: computers.length })}</p>}
      {reason && !isText && <p>{reason.replace(/^at \d+: /, '')}</p>}
      {better && (
        <p>
          {t('search.maybeMeant')}{' '}
          <a href={linkToSearch(better)}>
            <code>{better}</code>
          </a>
        </p>
      )}
      {computers.length > 0 && <ColumnChoice />}
      <DataTable
        label={t('search.results')}
        rows={rows}
        keyOf={({ client }) => client}
        ipOf={({ client }) => client}
        columns={[nameColumn(), ...columns.map(columnOf)]}
        empty={t('search.none')}
        count={t('rooms.all', { n: total })}
        csvName="search"
        csvPath={csvPath}
        tools={shown => <Selection rows={shown} />}
      />
    </>
  )
}

/** Selects all that the table shows. */
function Selection({ rows }: { rows: readonly Row[] }) {
  const known = allComputers.value
  const views = useMemo(() => rows.flatMap(({ client }) => known.get(client) ?? []), [rows, known])
  useEffect(() => {
    listed.value = new Set(views.map(({ ip }) => ip))
    return () => {
      listed.value = new Set()
    }
  }, [views])
  return views.length > 0 ? <SelectAll computers={views} label={t('search.selectAll')} /> : null
}

const nameColumn = (): Column<Row> => ({
  id: 'name',
  head: t('nav.computer'),
  text: ({ name, client }) => `${name ?? ''} ${client}`,
  cell: ({ client, name }) => {
    const computer = allComputers.value.get(client)
    return (
      <>
        {computer && <Choice computer={computer} name={name ?? client} />}{' '}
        <a href={linkTo('computer', client)}>{name}</a> <small class="hint">{client}</small> <Badges ip={client} />
      </>
    )
  },
})

const columnOf = (id: ColumnName): Column<Row> => ({
  id,
  head: columnTitle(id),
  isNumber: isSize(id),
  text: row => cellWords(row, id),
  value: row => cellValue(row, id),
  cell: row => {
    const computer = id === 'state' ? allComputers.value.get(row.client) : undefined
    return computer ? <ConditionLabel condition={computer.live.value.condition} /> : cellWords(row, id)
  },
})

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
  const [before, after] = [new Set(addressesOf(shown)), new Set(addressesOf(now))]
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
          <Button text={t('search.take')} press={take} />
        </p>
      )}
    </div>
  )
}
