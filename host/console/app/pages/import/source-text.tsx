// The text of an import: pasted, dropped or read from a file, with what it is and what is done with it.
import { useSignal } from '@preact/signals'
import { t } from '../../language/translate.ts'
import { Check } from '../../parts/computer-choice.tsx'
import { rooms } from '../../state/lab.ts'
import { notify } from '../../state/notices.ts'
import type { ImportDraft } from './import-draft.ts'
import { recogniseFormat } from './recognise-format.ts'

export interface SourceTextProps {
  draft: ImportDraft
  change(part: Partial<ImportDraft>): void
}

/** Bytes: more is no list of computers, and no browser should show it. */
const mostBytes = 10_000_000

export function SourceText({ draft, change }: SourceTextProps) {
  const isOver = useSignal(false)
  const read = async (file: File | undefined) => {
    if (!file) return
    if (file.size > mostBytes) return notify('bad', t('import.tooLong'))
    change({ text: await file.text(), fileName: file.name, format: undefined })
  }
  return (
    <>
      <fieldset
        class={isOver.value ? 'drop over' : 'drop'}
        onDragOver={event => {
          event.preventDefault()
          isOver.value = true
        }}
        onDragLeave={() => {
          isOver.value = false
        }}
        onDrop={event => {
          event.preventDefault()
          isOver.value = false
          void read(event.dataTransfer?.files[0])
        }}
      >
        <label class="field">
          <span>{t('place.computers')}</span>
          <textarea
            rows={14}
            spellcheck={false}
            wrap="off"
            placeholder={'name,ip,mac,room\npc-101,10.1.1.101,00:1b:21:0a:0b:0c,Room 101'}
            value={draft.text}
            onInput={event => change({ text: event.currentTarget.value })}
          />
        </label>
        <label class="field">
          <span>{t('import.file')}</span>
          <input type="file" accept=".csv,.conf,text/*" onChange={event => void read(event.currentTarget.files?.[0])} />
        </label>
        <small class="hint">{t('import.dropHint')}</small>
      </fieldset>
      <div class="form-row">
        <FormatChoice draft={draft} change={change} />
        <label class="field">
          <span>{t('import.room')}</span>
          <select value={draft.room} onChange={event => change({ room: Number(event.currentTarget.value) })}>
            <option value={0}>{t('import.noRoom')}</option>
            {rooms.value.map(({ id, name, centerName }) => (
              <option value={id} key={id}>
                {name} · {centerName}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Check label={t('import.update')} isOn={draft.isUpdate} change={isUpdate => change({ isUpdate })} />
    </>
  )
}

function FormatChoice({ draft, change }: SourceTextProps) {
  const { text, fileName, format } = draft
  const recognised = recogniseFormat(text, fileName)
  return (
    <label class="field">
      <span>{t('import.format')}</span>
      <select
        value={format ?? recognised ?? 'csv'}
        onChange={event => change({ format: event.currentTarget.value === 'dhcpd' ? 'dhcpd' : 'csv' })}
      >
        <option value="csv">CSV</option>
        <option value="dhcpd">dhcpd.conf</option>
      </select>
      <small class="hint">
        {text.trim() !== '' && !format && t(recognised ? 'import.recognised' : 'import.notRecognised')}
      </small>
    </label>
  )
}
