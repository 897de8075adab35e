// Which connected clients are to get a record.
import { signal } from '@preact/signals'
import { pendingClients } from '../../state/lab.ts'

/** The addresses that are checked when the dialog opens; undefined while it is closed. */
export const adopting = signal<ReadonlySet<string> | undefined>(undefined)

/** Opens the dialog with the selected clients checked, or with all when none is selected. */
export function startAdopting(): void {
  const all = pendingClients.peek()
  const selected = all.filter(each => each.selected.peek())
  adopting.value = new Set((selected.length > 0 ? selected : all).map(({ ip }) => ip))
}
