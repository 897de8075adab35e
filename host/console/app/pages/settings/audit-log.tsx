// The audit log: who has written what, by page, with filters.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { AuditAnswer, AuditPageAnswer } from '../../../../contract/answers.ts'
import { get } from '../../api/request.ts'
import { formatTime, t } from '../../language/translate.ts'
import { ScrollBox } from '../../parts/scroll-box.tsx'
import { nameOf } from '../../state/lab.ts'
import { refusal } from '../../state/notices.ts'
import { linkTo } from '../../state/route.ts'

/** Local times, as the field of the browser has them. */
const fieldTime = (time: Date): string =>
  new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)

const dayMilliseconds = 86_400_000
/** Records of a page. */
const limit = 100

export function AuditLog() {
  const filter = useRef({ who: '', route: '', since: fieldTime(new Date(Date.now() - dayMilliseconds)) })
  const records = useSignal<readonly AuditAnswer[]>([])
  const next = useSignal('')
  const state = useSignal<'reading' | 'more' | 'end'>('reading')
  const problem = useSignal('')
  const newest = useRef(0)
  const read = async (after: string) => {
    newest.current += 1
    const number = newest.current
    state.value = 'reading'
    const reply = await get<AuditPageAnswer>(`/audit?${queryOf(filter.current, after)}`)
    if (number !== newest.current) return
    problem.value = reply.ok ? '' : refusal(reply)
    const page = reply.value
    state.value = page && page.audit.length === limit ? 'more' : 'end'
    if (!page) return
    records.value = after ? [...records.value, ...page.audit] : page.audit
    next.value = page.next
  }
  useEffect(() => {
    void read('')
  }, [])
  return (
    <section class="card">
      <AuditFilter
        filter={filter.current}
        apply={next => {
          filter.current = next
          void read('')
        }}
      />
      <p class="problem" role="alert">
        {problem.value}
      </p>
      <AuditTable records={records.value} />
      <p class="hint" role="status">
        {state.value === 'reading' ? t('resource.loading') : t('audit.count', { n: records.value.length })}
      </p>
      {state.value === 'more' && (
        <button type="button" onClick={() => void read(next.value)}>
          {t('jobs.more')}
        </button>
      )}
    </section>
  )
}

interface AuditFields {
  who: string
  route: string
  since: string
}

function AuditFilter({ filter, apply }: { filter: AuditFields; apply(filter: AuditFields): void }) {
  return (
    <form
      class="audit-filter"
      onSubmit={event => {
        event.preventDefault()
        const data = new FormData(event.currentTarget)
        const field = (name: string) => String(data.get(name) ?? '').trim()
        apply({ who: field('who'), route: field('route'), since: field('since') })
      }}
    >
      <label class="field">
        <span>{t('audit.since')}</span>
        <input type="datetime-local" name="since" defaultValue={filter.since} />
      </label>
      <label class="field">
        <span>{t('audit.who')}</span>
        <input name="who" autocomplete="off" placeholder="token lab" />
      </label>
      <label class="field">
        <span>{t('audit.route')}</span>
        <input name="route" autocomplete="off" placeholder="/task" />
      </label>
      <button type="submit">{t('audit.show')}</button>
    </form>
  )
}

function queryOf({ who, route, since }: AuditFields, after: string): string {
  // Without any time the daemon answers the last day only.
  const from = since ? new Date(since).toISOString() : '1970-01-01'
  const entries = Object.entries({ since: from, who, route, after, limit: String(limit) })
  return new URLSearchParams(entries.filter(([, value]) => value !== '')).toString()
}

function AuditTable({ records }: { records: readonly AuditAnswer[] }) {
  if (records.length === 0) return null
  return (
    <ScrollBox class="table-box" label={t('settings.audit')}>
      <table class="audit">
        <thead>
          <tr>
            {(['time', 'who', 'what', 'status', 'computers', 'from'] as const).map(key => (
              <th scope="col" key={key}>
                {t(`audit.${key}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((record, index) => (
            <AuditRow key={index} record={record} />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

function AuditRow({
  record: { time, who, address, route, status, clients, count, job, more },
}: {
  record: AuditAnswer
}) {
  const names = clients.map(nameOf).join(', ')
  return (
    <tr>
      <td>{formatTime(time)}</td>
      <td>{who}</td>
      <td>
        <code>{route}</code>{' '}
        {job !== undefined && <a href={linkTo('job', job)}>{t('panel.job', { id: String(job) })}</a>}
        {more !== undefined && <span class="hint">{t('audit.further', { n: more })}</span>}
      </td>
      <td>
        <span class={status < 400 ? 'badge good' : 'badge bad'}>{status}</span>
      </td>
      <td>{count > clients.length ? `${names} … (${count})` : names}</td>
      <td>{address}</td>
    </tr>
  )
}
