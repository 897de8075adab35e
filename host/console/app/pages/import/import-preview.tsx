// What an import would do: the numbers, what stands against it, and each row with the values that change.
import { useSignal } from '@preact/signals'
import type { ImportAnswer, ImportConflict, ImportRow } from '../../../../contract/answers.ts'
import { t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { ScrollBox } from '../../parts/scroll-box.tsx'
import { RoomForm } from './add-records.tsx'

export interface ImportPreviewProps {
  answer: ImportAnswer
  isUpdate: boolean
  apply(): Promise<void>
}

export function ImportPreview({ answer, isUpdate, apply }: ImportPreviewProps) {
  const { added, updated = 0, exists, conflicts, warnings = [], rows = [], omitted = 0 } = answer
  const hasConflicts = conflicts.length > 0
  const changed = rows.filter(({ action }) => action !== 'none')
  const nothing = added + updated === 0
  return (
    <>
      <p class="row">
        {hasConflicts ? (
          <span class="badge bad">{t('import.conflicts', { n: conflicts.length })}</span>
        ) : (
          <>
            <span class="badge good">{t('import.added', { n: added })}</span>
            {isUpdate && <span class="badge">{t('import.updated', { n: updated })}</span>}
            <span class="badge quiet">{t('import.exists', { n: exists })}</span>
          </>
        )}
        {warnings.length > 0 && <span class="badge warn">{t('import.warnings', { n: warnings.length })}</span>}
      </p>
      {hasConflicts && <LineList title={t('import.conflictsTitle')} kind="bad" lines={conflicts} />}
      {warnings.length > 0 && <LineList title={t('import.warningsTitle')} kind="warn" lines={warnings} />}
      {!hasConflicts && changed.length > 0 && <RowTable rows={changed} />}
      {!hasConflicts && omitted > 0 && <p class="hint">{t('import.omitted', { n: omitted })}</p>}
      <div class="row">
        <Button
          text={hasConflicts || nothing ? t('import.applyNone') : t('import.apply', { n: added + updated })}
          class="primary"
          disabled={hasConflicts || nothing}
          press={apply}
        />
        <span class="hint">
          {hasConflicts ? t('import.blocked') : nothing ? t('import.nothing') : t('import.allOrNone')}
        </span>
      </div>
    </>
  )
}

function LineList({ title, kind, lines }: { title: string; kind: string; lines: readonly ImportConflict[] }) {
  return (
    <>
      <h3>{title}</h3>
      <ul class={`line-list scroll ${kind}`}>
        {withSameReason(lines).map(({ line, last, reason }) => (
          <li class="marked" key={`${line} ${reason}`}>
            <b>{t('import.line', { n: last === line ? line : `${line}–${last}` })}</b>{' '}
            <span>
              {reason} <MissingRoom reason={reason} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The room that a list names and the server does not have, as the reason quotes it. */
const missingRoom = /^room: there is no room (".+")$/

function MissingRoom({ reason }: { reason: string }) {
  const isOpen = useSignal(false)
  const quoted = missingRoom.exec(reason)?.[1]
  if (quoted === undefined) return null
  const name: string = JSON.parse(quoted)
  return (
    <>
      <Button text={t('import.addThisRoom', { name })} press={() => (isOpen.value = true)} />
      {isOpen.value && <RoomForm path={name} onClose={() => (isOpen.value = false)} />}
    </>
  )
}

/** Lines that follow each other and have the same reason are one: a room that is missing is said once. */
function withSameReason(lines: readonly ImportConflict[]) {
  const groups: (ImportConflict & { last: number })[] = []
  for (const { line, reason } of lines) {
    const group = groups.at(-1)
    if (group?.reason === reason && group.last === line - 1) group.last = line
    else groups.push({ line, reason, last: line })
  }
  return groups
}

/** More rows are counted: nobody reads them, and they make the page slow. */
const mostRows = 500

function RowTable({ rows }: { rows: readonly ImportRow[] }) {
  return (
    <>
      <ScrollBox class="table-box scroll" label={t('import.rows')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('import.lineHead')}</th>
              <th scope="col">{t('nav.computer')}</th>
              <th scope="col">{t('import.what')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, mostRows).map(row => (
              <tr key={row.line}>
                <td>{row.line}</td>
                <td>
                  <b>{row.name}</b> <span class="hint">{row.ip}</span>
                </td>
                <td>{row.action === 'add' ? <Addition room={row.room} /> : <Changes row={row} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {rows.length > mostRows && <p class="hint">{t('import.omitted', { n: rows.length - mostRows })}</p>}
    </>
  )
}

function Addition({ room }: { room: string | undefined }) {
  return (
    <>
      <span class="badge good">{t('import.new')}</span> {room}
    </>
  )
}

function Changes({ row: { changes = [] } }: { row: ImportRow }) {
  return (
    <ul class="changes">
      {changes.map(({ key, from, to }) => (
        <li key={key}>
          {key}: <del class="tone bad">{from || '–'}</del> <span aria-hidden="true">→</span>{' '}
          <ins class="tone good">{to || '–'}</ins>
        </li>
      ))}
    </ul>
  )
}
