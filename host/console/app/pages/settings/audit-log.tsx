// The audit log: who has written what, the newest first.
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { AuditAnswer, AuditPageAnswer, UndoAnswer } from '../../../../contract/answers.ts'
import type { StreamEvent } from '../../../../contract/fleet-events.ts'
import { get } from '../../api/request.ts'
import { formatTime, type MessageKey, t } from '../../language/translate.ts'
import { type Column, DataTable, type Filter } from '../../parts/data-table.tsx'
import { labelOfRoute } from '../../state/commands.ts'
import { refusal } from '../../state/notices.ts'
import { ofRecords, useResource } from '../../state/resource.ts'
import { linkTo, route } from '../../state/route.ts'
import {
  allNames,
  type Entry,
  hasNoUndo,
  type Related,
  reasonWords,
  relatedOf,
  takenBackWords,
  wordsOf,
} from './audit-words.ts'

/** Days; the first one is read when none is chosen. */
const periods = [
  { days: 1, words: 'views.day' },
  { days: 7, words: 'views.week' },
  { days: 30, words: 'views.month' },
  { days: 366, words: 'audit.year' },
] as const satisfies { days: number; words: MessageKey }[]

const dayMilliseconds = 86_400_000
/** Records of a page, as many as the daemon sends, and pages that are read. */
const [limit, mostPages] = [1000, 20]

export function AuditLog() {
  const days = Number(route.value.query.get('days') ?? 1)
  const records = useSignal<readonly Entry[]>([])
  const state = useSignal<'reading' | 'part' | 'whole'>('reading')
  const problem = useSignal('')
  /** Where newer records begin. */
  const next = useSignal('')
  const changes = useResource<UndoAnswer>('/undo', ofRecords).value.value?.changes
  const open = useMemo(() => new Set(changes?.map(({ id }) => id)), [changes])
  useEffect(() => {
    let isOver = false
    const read = async () => {
      const all: AuditAnswer[] = []
      let after = ''
      state.value = 'reading'
      next.value = ''
      for await (const reply of pagesSince(new Date(Date.now() - days * dayMilliseconds))) {
        if (isOver) return
        problem.value = reply.ok ? '' : refusal(reply)
        all.push(...(reply.value?.audit ?? []))
        after = reply.value?.next ?? ''
      }
      records.value = numbered(all)
      state.value = all.length < limit * mostPages ? 'whole' : 'part'
      next.value = after
    }
    void read()
    return () => {
      isOver = true
    }
  }, [days])
  const add = (page: AuditPageAnswer) => {
    records.value = [...numbered(page.audit, records.value.length), ...records.value]
    next.value = page.next
  }
  return (
    <section class="card">
      {state.value === 'whole' && next.value !== '' && <Newer after={next.value} add={add} />}
      <p class="problem" role="alert">
        {problem.value}
      </p>
      {state.value === 'part' && <p class="banner warn">{t('audit.part', { n: records.value.length })}</p>}
      <DataTable
        label={t('settings.audit')}
        rows={records.value}
        keyOf={({ number }) => number}
        columns={columns(open, relatedOf(records.value))}
        filters={filtersOf(records.value)}
        empty={t(state.value === 'reading' ? 'resource.loading' : 'audit.none')}
        csvName="audit"
      />
    </section>
  )
}

/** The newest first. */
const numbered = (records: readonly AuditAnswer[], first = 0): Entry[] =>
  records.map((record, at) => ({ ...record, number: first + at })).toReversed()

/** Milliseconds: a write is recorded after its event. */
const gatherTime = 1000

const isOfWrite = (event: StreamEvent) => ofRecords(event) || /^(job-|change-undone)/.test(event.type)

/** Reads what is written while the page is open. */
function Newer({ after, add }: { after: string; add(page: AuditPageAnswer): void }) {
  const query = new URLSearchParams({ after, limit: String(limit) })
  const page = useResource<AuditPageAnswer>(
    `/audit?${query}`,
    event => event.type === 'write-refused' || (isOfWrite(event) ? gatherTime : 0),
  ).value.value
  useEffect(() => {
    if (page && page.audit.length > 0) add(page)
  }, [page])
  return null
}

async function* pagesSince(time: Date) {
  let after = ''
  for (let page = 0; page < mostPages; page += 1) {
    const from = { since: time.toISOString(), limit: String(limit), ...(after && { after }) }
    const reply = await get<AuditPageAnswer>(`/audit?${new URLSearchParams(from)}`)
    yield reply
    if (!reply.value || reply.value.audit.length < limit) return
    after = reply.value.next
  }
}

const filtersOf = (records: readonly Entry[]): Filter<Entry>[] => [
  // The daemon has chosen by it.
  {
    id: 'days',
    any: t('views.day'),
    options: periods.slice(1).map(({ days, words }) => option(String(days), t(words))),
  },
  {
    id: 'who',
    any: t('audit.anybody'),
    options: [...new Set(records.map(({ who }) => who))].sort().map(who => option(who, who)),
    matches: ({ who }, value) => who === value,
  },
  {
    id: 'result',
    any: t('audit.anyResult'),
    options: [option('done', t('audit.done')), option('refused', t('audit.refused'))],
    matches: ({ status }, value) => status < 400 === (value === 'done'),
  },
]

const option = (value: string, word: string) => ({ value, word })

/** `open`: the ids of changes that can be taken back. */
const columns = (open: ReadonlySet<number | undefined>, related: Related): Column<Entry>[] => [
  { id: 'time', head: t('audit.time'), text: ({ time }) => formatTime(time), value: ({ time }) => time },
  { id: 'who', head: t('audit.who'), text: ({ who }) => who },
  {
    id: 'what',
    head: t('undo.what'),
    width: 72,
    text: entry =>
      [
        labelOfRoute(entry.route),
        wordsOf(entry, related, allNames),
        takenBackWords(related.undoing.get(entry.undo)),
        entry.route,
      ]
        .filter(Boolean)
        .join(' '),
    cell: entry => <What entry={entry} isOpen={open.has(entry.undo)} related={related} />,
  },
  {
    id: 'status',
    head: t('audit.status'),
    text: entry => `${resultWord(entry.status)} (${entry.status}) ${reasonWords(entry)}`.trim(),
    value: ({ status }) => status,
    cell: entry => (
      <>
        <span class={entry.status < 400 ? '' : 'badge bad'}>{resultWord(entry.status)}</span> {reasonWords(entry)}
      </>
    ),
  },
  { id: 'from', head: t('audit.from'), text: ({ address }) => address },
]

const resultWord = (status: number): string => t(status < 400 ? 'audit.done' : 'audit.refused')

function What({ entry, isOpen, related }: { entry: Entry; isOpen: boolean; related: Related }) {
  const { route, undo, job, more } = entry
  const undoing = related.undoing.get(undo)
  return (
    <>
      {[labelOfRoute(route), wordsOf(entry, related)].filter(Boolean).join(': ')}{' '}
      {undoing && <span class="hint">{takenBackWords(undoing)}</span>}
      {!undoing && isOpen && (
        <a href={`${linkTo('undo')}?${new URLSearchParams({ q: `#${undo}` })}`}>{t('undo.title')}</a>
      )}
      {hasNoUndo(entry) && <span class="hint">{t('undo.never')}</span>}{' '}
      {job !== undefined && <a href={linkTo('job', job)}>{t('panel.job', { id: String(job) })}</a>}
      {more !== undefined && <span class="hint">{t('audit.further', { n: more })}</span>}
    </>
  )
}
