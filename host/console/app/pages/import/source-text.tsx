// The text of an import: pasted, dropped or read from a file, with what it is and what is done with it.
import { useSignal } from '@preact/signals'
import { t } from '../../language/translate.ts'
import { Check, Choice, Field } from '../../parts/fields.tsx'
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
        class={isOver.value ? 'group stack over' : 'group stack'}
        onDragOver={event => {
          event.preventDefault()
          isOver.value = true
        }}
        onDragLeave={() => (isOver.value = false)}
        onDrop={event => {
          event.preventDefault()
          isOver.value = false
          void read(event.dataTransfer?.files[0])
        }}
      >
        <Field label={t('place.computers')}>
          <textarea
            rows={14}
            spellcheck={false}
            wrap="off"
            placeholder={'name,ip,mac,room\npc-101,10.1.1.101,00:1b:21:0a:0b:0c,Room 101'}
            value={draft.text}
            onInput={event => change({ text: event.currentTarget.value })}
          />
        </Field>
        <Field label={t('import.file')} hint={t('import.dropHint')}>
          <input type="file" accept=".csv,.conf,text/*" onChange={event => void read(event.currentTarget.files?.[0])} />
        </Field>
      </fieldset>
      <div class="row fields">
        <FormatChoice draft={draft} change={change} />
        <Choice
          label={t('import.room')}
          value={draft.room}
          options={[
            [0, t('import.noRoom')],
            ...rooms.value.map(({ id, name, centerName }) => [id, `${name} · ${centerName}`] as const),
          ]}
          change={room => change({ room })}
        />
      </div>
      <Check label={t('import.update')} isOn={draft.isUpdate} change={isUpdate => change({ isUpdate })} />
    </>
  )
}

function FormatChoice({ draft, change }: SourceTextProps) {
  const { text, fileName, format } = draft
  const recognised = recogniseFormat(text, fileName)
  return (
    <Choice
      label={t('import.format')}
      hint={text.trim() !== '' && !format && t(recognised ? 'import.recognised' : 'import.notRecognised')}
      value={format ?? recognised ?? 'csv'}
      options={[
        ['csv', 'CSV'],
        ['dhcpd', 'dhcpd.conf'],
      ]}
      change={format => change({ format })}
    />
  )
}
