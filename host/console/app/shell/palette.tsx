// Finds a room, a computer, a page or a command by a few letters and opens it: Ctrl+K.
import { useSignal } from '@preact/signals'
import type { TargetedKeyboardEvent } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { type MessageKey, t } from '../language/translate.ts'
import { Dialog } from '../parts/dialog.tsx'
import { type SearchResult, search } from './search-results.ts'

const kinds: Record<SearchResult['kind'], MessageKey> = {
  page: 'palette.page',
  room: 'palette.room',
  computer: 'palette.computer',
  command: 'palette.command',
}

export function Palette({ onClose }: { onClose(): void }) {
  const typed = useSignal('')
  const current = useSignal(0)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const results = search(typed.value)
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [current.value])
  const open = (result: SearchResult | undefined) => {
    if (!result) return
    field.current?.closest('dialog')?.close()
    result.open()
  }
  const press = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) current.value = (current.value + step + results.length) % Math.max(1, results.length)
    else if (event.key === 'Enter') open(search(typed.value)[current.value])
    else return
    event.preventDefault()
  }
  return (
    <Dialog title={t('palette.title')} onClose={onClose}>
      <div class="palette">
        <input
          ref={field}
          type="text"
          role="combobox"
          autofocus
          autocomplete="off"
          spellcheck={false}
          aria-label={t('palette.search')}
          placeholder={t('palette.search')}
          aria-expanded={results.length > 0}
          aria-controls="palette-results"
          aria-activedescendant={results.length > 0 ? `palette-${current.value}` : undefined}
          onInput={event => {
            typed.value = event.currentTarget.value
            current.value = 0
          }}
          onKeyDown={press}
        />
        <div ref={list} id="palette-results" role="listbox" aria-label={t('palette.results')}>
          {results.map((result, index) => (
            <Result
              key={`${result.kind} ${result.name} ${result.note}`}
              result={result}
              index={index}
              isCurrent={index === current.value}
              open={open}
            />
          ))}
        </div>
        <p class={results.length === 0 ? 'hint' : 'hidden-text'} role="status">
          {results.length === 0 ? t('palette.none') : t('palette.found', { n: results.length })}
        </p>
      </div>
    </Dialog>
  )
}

interface ResultProps {
  result: SearchResult
  index: number
  isCurrent: boolean
  open(result: SearchResult): void
}

function Result({ result, index, isCurrent, open }: ResultProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the search field has the focus and takes the keys.
    <div
      id={`palette-${index}`}
      class="palette-result"
      role="option"
      aria-selected={isCurrent}
      onClick={() => open(result)}
    >
      <span class="palette-name">{result.name}</span>
      <span class="hint palette-note">{result.note}</span>
      <span class="palette-kind">{t(kinds[result.kind])}</span>
    </div>
  )
}
