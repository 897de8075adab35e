// The report of a job that restores an image: how many computers of each room have it, which have not, and why.
import { isUnfinished } from '../../../../../stores/rules/part-states.ts'
import type { ReportAnswer, ReportCounts } from '../../../../contract/answers.ts'
import { formatTime, t } from '../../language/translate.ts'
import { reasonWords, stateWord } from '../../parts/job-words.ts'
import { ResourceView } from '../../parts/resource-view.tsx'
import { ScrollBox } from '../../parts/scroll-box.tsx'
import { useResource } from '../../state/resource.ts'

/** Milliseconds in which the ends of parts are gathered. */
const partPeriod = 1000

export function ReportCard({ job }: { job: number }) {
  const report = useResource<ReportAnswer>(`/job/report?id=${job}&only=missing`, event => {
    if (!('job' in event) || event.job !== job) return false
    return event.type === 'job-part' ? partPeriod : event.type === 'job-finished'
  })
  return (
    <section class="card" aria-label={t('report.title')}>
      <h2>{t('report.title')}</h2>
      <ResourceView resource={report}>
        {answer => (
          <>
            <p role="status">
              <strong>{t('report.sentence', { has: answer.has, n: answer.total })}</strong>
            </p>
            <RoomTable report={answer} />
            <MissingList report={answer} />
          </>
        )}
      </ResourceView>
    </section>
  )
}

const columns = ['total', 'has', 'unconfirmed', 'open', 'missing'] as const satisfies (keyof ReportCounts)[]

const RoomTable = ({ report: { rooms } }: { report: ReportAnswer }) => (
  <ScrollBox class="table-box" label={t('plannedRestores.rooms')}>
    <table>
      <thead>
        <tr>
          <th>{t('field.room')}</th>
          {columns.map(column => (
            <th class="number" key={column}>
              {t(`report.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rooms.map(counts => (
          <tr key={`${counts.center} ${counts.room}`}>
            <th scope="row">
              {counts.room || t('report.noRoom')} <small class="hint">{counts.center}</small>
            </th>
            {columns.map(column => (
              <td class="number" key={column}>
                {counts[column]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </ScrollBox>
)

function MissingList({ report: { computers, next } }: { report: ReportAnswer }) {
  if (computers.length === 0) return null
  return (
    <details open={computers.length <= 12 && computers.some(each => !isUnfinished(each))}>
      <summary>{t('report.notable', { n: computers.length })}</summary>
      <ul>
        {computers.map(({ client, name, room, state, unconfirmed, reason, started, ended }) => (
          <li key={client}>
            <strong>{name || client}</strong> <span class="hint">{room}</span>{' '}
            <span class={unconfirmed || isUnfinished({ state }) ? 'badge warn' : 'badge bad'}>
              {unconfirmed ? t('report.unconfirmed') : stateWord(state)}
            </span>{' '}
            {reason && reasonWords(reason)}{' '}
            <small class="hint">{[started, ended].filter(Boolean).map(formatTime).join(' – ')}</small>
          </li>
        ))}
      </ul>
      {next !== undefined && <p class="hint">{t('report.more')}</p>}
    </details>
  )
}
