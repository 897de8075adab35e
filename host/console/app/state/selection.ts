// Which computers are selected. The selection is kept in each computer's own signal, so that a click changes one tile.
import { batch, computed, type ReadonlySignal } from '@preact/signals'
import { type ComputerView, computers, pendingClients } from './lab.ts'

const selected = computed<readonly ComputerView[]>(() =>
  [...computers.value.values(), ...pendingClients.value].filter(computer => computer.selected.value),
)

/** In the order of the rooms. Reading it in a component follows the selection. */
export const selectedComputers = (): readonly ComputerView[] => selected.value

export const selectedCount: ReadonlySignal<number> = computed(() => selected.value.length)

/** `only` replaces the selection, `toggle` reverses each of these computers. */
export function select(chosen: Iterable<ComputerView>, mode: 'only' | 'add' | 'remove' | 'toggle'): void {
  const set = new Set(chosen)
  batch(() => {
    if (mode === 'only') for (const each of selected.peek()) each.selected.value = set.has(each)
    for (const each of set) each.selected.value = mode === 'toggle' ? !each.selected.peek() : mode !== 'remove'
  })
}

export const clearSelection = (): void => select([], 'only')
