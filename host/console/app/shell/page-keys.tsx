// The keys that work on every page, and the dialogs that they open.
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { t } from '../language/translate.ts'
import { type PlaceName, shownPlaces, tabsOf } from '../pages/page-list.ts'
import { Button } from '../parts/button.tsx'
import { chooseCommand } from '../state/commands.ts'
import { goTo } from '../state/route.ts'
import { selectedComputers, selectedCount } from '../state/selection.ts'
import { isAsking, isTyping } from '../state/typing.ts'
import { KeysHelp } from './keys-help.tsx'
import { focusUndo } from './notice-list.tsx'
import { Palette } from './palette.tsx'
import { toggleMenu } from './place-menu.tsx'
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
  return <Button text="?" class="plain icon keys-button" aria-label={t('keys.title')} press={() => open('keys')} />
}

function open(name: 'palette' | 'keys'): void {
  opened.value = name
}

function close(): void {
  opened.value = undefined
}

/** After `g`. */
const placeKeys: Readonly<Record<string, PlaceName>> = {
  n: 'now',
  c: 'computers',
  j: 'jobs',
  i: 'images',
  a: 'automation',
  p: 'people',
  s: 'setup',
}

/** The commands whose forms they open for what is selected. */
const commandKeys: Readonly<Record<string, string>> = { w: 'wol', s: 'shell-run', r: 'image-restore', p: 'poweroff' }

/** Milliseconds between `g` and the letter of the place. */
const pairTime = 1500
let goPressed = Number.NEGATIVE_INFINITY

function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey) return
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k' && !isAsking()) open('palette')
  else if (isTyping(event.target) || event.ctrlKey || event.metaKey) return
  else if (event.timeStamp - goPressed < pairTime) goToPlace(event.key)
  else if (event.key === 'g') goPressed = event.timeStamp
  else if (selectedCount.peek() > 0 && commandKeys[event.key])
    chooseCommand(commandKeys[event.key] ?? '', selectedComputers())
  else if (!pressKey(event.key)) return
  event.preventDefault()
}

/** Whether the key does something. */
function pressKey(key: string): boolean {
  const actions: Readonly<Record<string, () => void>> = {
    '?': () => open('keys'),
    '/': focusSearch,
    u: focusUndo,
    '[': toggleMenu,
  }
  actions[key]?.()
  return key in actions
}

function goToPlace(key: string): void {
  goPressed = Number.NEGATIVE_INFINITY
  const place = placeKeys[key]
  if (place && shownPlaces().includes(place)) goTo(tabsOf(place)[0]?.name ?? '')
}
