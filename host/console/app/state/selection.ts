// Which computers are selected: one selection for all pages. It is in each computer's own signal, so that a click changes one tile.
import { batch, computed } from '@preact/signals'
import { t } from '../language/translate.ts'
import { isShown } from './filter.ts'
import { type ComputerView, computers, pendingClients } from './lab.ts'
import { notices, notify } from './notices.ts'
import { route } from './route.ts'

const selected = computed<readonly ComputerView[]>(() =>
  [...computers.value.values(), ...pendingClients.value].filter(computer => computer.selected.value),
)

/** In the order of the rooms. Reading it in a component follows the selection. */
export const selectedComputers = (): readonly ComputerView[] => selected.value

export const selectedCount = computed(() => selected.value.length)

/** What is selected, and not seen on the page: on pages without computers all. */
export const hiddenSelected = computed(() => {
  const hasComputers = ['', 'search'].includes(route.value.page)
  return selected.value.filter(computer => !hasComputers || !isShown(computer))
})

/**
 * `only` replaces what is selected of the computers that the page shows: what was selected elsewhere stays, and is counted.
 * `toggle` reverses each of these computers.
 */
export function select(chosen: Iterable<ComputerView>, mode: 'only' | 'add' | 'remove' | 'toggle'): void {
  const set = new Set(chosen)
  batch(() => {
    if (mode === 'only') for (const each of selected.peek()) each.selected.value = set.has(each) || !isShown(each)
    for (const each of set) each.selected.value = mode === 'toggle' ? !each.selected.peek() : mode !== 'remove'
  })
}

const mostNames = 6

/** Of computers whose records were deleted. Who has just done that has a notice that says so. */
export function sayDeselected(gone: readonly ComputerView[]): void {
  const names = gone.filter(each => each.selected.peek()).map(({ name }) => name)
  if (names.length === 0 || notices.peek().some(({ undo }) => undo !== undefined)) return
  const shown = names.length > mostNames ? [...names.slice(0, mostNames), '…'] : names
  notify('info', t('actions.gone', { names: shown.join(', ') }))
}

export const clearSelection = (): void => select(selected.peek(), 'remove')
