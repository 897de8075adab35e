// Finds a room, a computer, a page or a command by a few letters and opens it: Ctrl+K.
import { useSignal, useSignalEffect } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { type MessageKey, t } from '../language/translate.ts'
import { Combobox, type Option } from '../parts/combobox.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { elsewhere, everywhere, type SearchResult, search } from './search-results.ts'

const kinds: Record<SearchResult['kind'], MessageKey> = {
  page: 'palette.page',
  room: 'palette.room',
  computer: 'palette.computer',
  command: 'palette.command',
  selection: 'palette.selection',
  search: 'nav.search',
}

export function Palette({ onClose }: { onClose(): void }) {
  const typed = useSignal('')
  const content = useRef<HTMLDivElement>(null)
  useSignalEffect(() => elsewhere.find(typed.value))
  const toOption = ({ kind, name, note, open }: SearchResult): Option => ({
    key: `${kind} ${name} ${note}`,
    name,
    note,
    kind: t(kinds[kind]),
    pick() {
      content.current?.closest('dialog')?.close()
      open()
      return undefined
    },
  })
  const optionsOf = () => [...search(typed.value), ...everywhere(typed.value)].map(toOption)
  return (
    <Dialog title={t('palette.title')} onClose={onClose}>
      <div ref={content}>
        <Combobox id="palette" label={t('palette.search')} typed={typed} optionsOf={optionsOf} isList />
      </div>
    </Dialog>
  )
}
