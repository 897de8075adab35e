// Defines suites of rules: a rule is a sentence that is true for every store, checked with a new store.
import { suite } from 'uvu'
import type { Store, StoreOptions } from '../../stores/store.ts'

/** A store that was empty when it was opened. */
export interface OpenedStore {
  store: Store
  /** Only of a persistent store: closes it and opens its data again. */
  reopen?: () => Promise<Store>
  /** Closes the store and removes its data. */
  remove(): Promise<void>
}

/** A store whose data stay when its process ends. */
export interface PersistentStore extends OpenedStore {
  reopen: () => Promise<Store>
  /** Path of the adapter's file, and the options with which the store was opened. */
  adapter: string
  options: StoreOptions
}

/** A store whose disk the test can fill. */
export interface FillableStore extends PersistentStore {
  /** Leaves `bytes` free, by default none. */
  fill(bytes?: number): Promise<void>
  /** Frees the disk again. */
  free(): Promise<void>
}

export type Rule<Opened = OpenedStore> = (
  sentence: string,
  check: (store: Store, opened: Opened) => Promise<void>,
) => void

export type Sections<Opened> = Record<string, (rule: Rule<Opened>) => void>

/** Creates one suite for each section; the key is its title. */
export function suites<Opened extends OpenedStore>(
  adapter: string,
  sections: Sections<Opened>,
  open: () => Promise<Opened>,
): { run(): void } {
  const all = Object.entries(sections).map(([name, section]) => {
    const title = name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
    return toSuite(`${adapter} store: ${title}`, section, open)
  })
  return {
    run() {
      for (const test of all) test.run()
    },
  }
}

function toSuite<Opened extends OpenedStore>(
  title: string,
  section: (rule: Rule<Opened>) => void,
  open: () => Promise<Opened>,
) {
  const test = suite(title)
  section((sentence, check) =>
    test(sentence, async () => {
      const opened = await open()
      try {
        await check(opened.store, opened)
      } finally {
        await opened.remove()
      }
    }),
  )
  return test
}
