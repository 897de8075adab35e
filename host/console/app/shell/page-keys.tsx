// The keys that work on every page, and the dialogs that they open.
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { t } from '../language/translate.ts'
import { isTyping } from '../state/typing.ts'
import { KeysHelp } from './keys-help.tsx'
import { Palette } from './palette.tsx'
import { focusSearch } from './search-box.tsx'

const opened = signal<'palette' | 'keys' | undefined>(undefined)

export function PageKeys() {
  useEffect(() => {
    addEventListener('keydown', press)
    return () => {
      removeEventListener('keydown', press)
      close()
    }
  }, [])
  if (opened.value === 'palette') return <Palette onClose={close} />
  return opened.value === 'keys' ? <KeysHelp onClose={close} /> : null
}

export function KeysButton() {
  return (
    <button type="button" class="plain icon keys-button" aria-label={t('keys.title')} onClick={() => open('keys')}>
      ?
    </button>
  )
}

function open(name: 'palette' | 'keys'): void {
  opened.value = name
}

function close(): void {
  opened.value = undefined
}

function press(event: KeyboardEvent): void {
  if (isTyping(event.target) || event.defaultPrevented || event.altKey) return
  const isControl = event.ctrlKey || event.metaKey
  if (isControl && event.key.toLowerCase() === 'k') open('palette')
  else if (!isControl && event.key === '?') open('keys')
  else if (!isControl && event.key === '/') {
    focusSearch()
  } else return
  event.preventDefault()
}
