// Lists that the page keeps in this browser for the user who is logged in.
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { me } from './session.ts'

export interface KeptList<Entry> {
  list: ReadonlySignal<readonly Entry[]>
  keep(entries: readonly Entry[]): void
}

/** `first` is the list until one is kept. */
export function keptList<Entry>(
  name: string,
  isEntry: (value: unknown) => value is Entry,
  first: readonly Entry[] = [],
): KeptList<Entry> {
  const key = () => `${name}:${me.value?.name}`
  /** Counts the changes in this page. */
  const changes = signal(0)
  return {
    list: computed(() => {
      void changes.value
      return read(localStorage.getItem(key()))?.filter(isEntry) ?? first
    }),
    keep(entries) {
      localStorage.setItem(key(), JSON.stringify(entries))
      changes.value += 1
    },
  }
}

function read(text: string | null): unknown[] | undefined {
  try {
    const list: unknown = JSON.parse(text ?? '')
    return Array.isArray(list) ? list : undefined
  } catch {
    return undefined
  }
}
