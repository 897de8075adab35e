// Adds and changes many computers from a CSV or a dhcpd.conf, after a preview; adds centers and rooms; exports computers.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ImportAnswer } from '../../../../contract/answers.ts'
import { post, urlOf } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { forgetDraft, useDraft } from '../../state/drafts.ts'
import { isLoaded, rooms } from '../../state/lab.ts'
import { report } from '../../state/notices.ts'
import { linkTo } from '../../state/route.ts'
import { may } from '../../state/session.ts'
import { undo } from '../../state/undo.ts'
import { CenterForm, RoomForm } from './add-records.tsx'
import { emptyDraft, type ImportDraft, payloadOf, readPreview } from './import-draft.ts'
import { ImportPreview } from './import-preview.tsx'
import { InstallLine } from './install-line.tsx'
import { SourceText } from './source-text.tsx'

export function ImportPage() {
  const isAdmin = may('admin')
  return (
    <>
      <PageHead title={t('nav.import')}>
        <a class="button" href={urlOf('/client/export')} download="computers.csv">
          {t('import.export')}
        </a>
        {isAdmin && <AddButtons />}
      </PageHead>
      {isAdmin && <InstallLine />}
      {isAdmin ? <ImportForm /> : <p class="card empty-state">{t('import.adminOnly')}</p>}
    </>
  )
}

function AddButtons() {
  const shown = useSignal<'center' | 'room' | undefined>(undefined)
  const show = (next: 'center' | 'room' | undefined) => {
    shown.value = next
  }
  return (
    <>
      <Button text={t('import.addCenter')} press={() => show('center')} />
      <Button text={t('import.addRoom')} press={() => show('room')} />
      {shown.value === 'center' && <CenterForm onClose={() => show(undefined)} />}
      {shown.value === 'room' && <RoomForm onClose={() => show(undefined)} />}
    </>
  )
}

/** Milliseconds without a change of the text before it is checked. */
const typingTime = 400

function ImportForm() {
  const { draft, change: keep } = useDraft('import', emptyDraft)
  const preview = useSignal<ImportAnswer | undefined>(undefined)
  const problem = useSignal('')
  const result = useSignal<Stored | undefined>(undefined)
  const newest = useRef(0)
  const change = (part: Partial<ImportDraft>) => {
    keep(part)
    // What was shown is not what would be stored now.
    preview.value = undefined
    result.value = undefined
  }
  const check = async () => {
    newest.current += 1
    const number = newest.current
    const reply = await readPreview(draft.value)
    if (number !== newest.current) return
    preview.value = typeof reply === 'string' ? undefined : reply
    problem.value = typeof reply === 'string' ? reply : ''
  }
  const { text, format, room, isUpdate } = draft.value
  // A room that was missing may have been added, here or by somebody else.
  const roomNames = rooms.value.map(({ name }) => name).join('\n')
  useEffect(() => {
    newest.current += 1
    problem.value = ''
    if (text.trim() === '') return
    const timer = setTimeout(() => void check(), typingTime)
    return () => clearTimeout(timer)
  }, [text, format, room, isUpdate, roomNames])
  const apply = async () => {
    const reply = await post<ImportAnswer>('/client/import', payloadOf(draft.value))
    if (!report(reply) || !reply.value) return
    if (reply.value.conflicts.length > 0) preview.value = reply.value
    else {
      draft.value = emptyDraft
      forgetDraft('import')
      preview.value = undefined
      result.value = { ...reply.value, undo: reply.undo }
    }
  }
  return (
    <>
      {isLoaded.value && rooms.value.length === 0 && <p class="banner">{t('import.noRooms')}</p>}
      <ImportResult result={result} />
      <div class="columns two">
        <section class="card form" aria-label={t('place.computers')}>
          <SourceText draft={draft.value} change={change} />
        </section>
        <section class="card" aria-label={t('import.preview')} aria-live="polite">
          <h2>{t('import.preview')}</h2>
          {problem.value && <p class="problem">{problem.value}</p>}
          {preview.value ? (
            <ImportPreview answer={preview.value} isUpdate={isUpdate} apply={apply} />
          ) : (
            !problem.value && <p class="hint">{text.trim() ? t('import.checking') : t('import.previewHint')}</p>
          )}
        </section>
      </div>
    </>
  )
}

interface Stored extends ImportAnswer {
  /** With this id the import can be taken back. */
  undo: number | undefined
}

function ImportResult({ result }: { result: Signal<Stored | undefined> }) {
  const answer = result.value
  const change = answer?.undo
  const takeBack = async (id: number) => {
    if (await undo(id)) result.value = undefined
  }
  return (
    <div role="status">
      {answer && (
        <p class="banner good">
          {t('import.done', { added: answer.added, updated: answer.updated ?? 0, exists: answer.exists })}{' '}
          <a href={linkTo('')}>{t('import.toRooms')}</a>{' '}
          {change !== undefined && (
            <Button text={t('undo.action')} class="notice-undo" press={() => takeBack(change)} />
          )}
        </p>
      )}
    </div>
  )
}
