// A sentence that holds for every store, checked on a fresh one.
import { suite } from 'uvu'
import type { Store, StoreOptions } from '../../stores/store.ts'

/** A store that starts empty. */
export interface Opened {
  store: Store
  /** For a store that outlives its process: closes it and opens what it left. */
  reopen?: () => Promise<Store>
  /** Closes it and removes what it left. */
  remove(): Promise<void>
}

/** A store that outlives its process. */
export interface Lasting extends Opened {
  reopen: () => Promise<Store>
  /** Path of the adapter's file, and what it is opened with. */
  adapter: string
  options: StoreOptions
}

/** A store whose disk can be made full. */
export interface Filled extends Lasting {
  /** Leaves that many bytes. */
  fill(room?: number): Promise<void>
  free(): Promise<void>
}

export type Rule<Given = Opened> = (sentence: string, check: (store: Store, opened: Given) => Promise<void>) => void

/** Each section as a suite of its own. */
export function suites<Given extends Opened>(
  adapter: string,
  sections: Record<string, (rule: Rule<Given>) => void>,
  open: () => Promise<Given>,
): { run(): void } {
  const all = Object.entries(sections).map(([title, section]) => toSuite(`${adapter} store: ${title}`, section, open))
  return {
    run() {
      for (const test of all) test.run()
    },
  }
}

function toSuite<Given extends Opened>(
  title: string,
  section: (rule: Rule<Given>) => void,
  open: () => Promise<Given>,
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
