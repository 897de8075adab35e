// What an adapter's file exports besides the function that opens its stores, and what it is handed. Types only.

/** Further exports of an adapter that has files of its own: checks and repairs them. */
export interface Maintenance {
  check(options: StoreOptions): Promise<Finding[]>
  repair(options: StoreOptions): Promise<Finding[]>
}

/** Further exports of an adapter: `describe` where its data are not in the folder `path`. */
export interface Description {
  /** Where its data are, without a password. Throws an error of one line when an option is wrong. */
  describe(options: StoreOptions): string
  /** Which process has the store open, such as a daemon; undefined when none has. */
  usedBy(options: StoreOptions): Promise<string | undefined>
}

export interface Finding {
  ok: boolean
  /** One line. */
  message: string
}

/** The options' section `store`: `path` is absolute, other keys are the adapter's own. */
export interface StoreOptions {
  adapter: string
  path: string
  /** Opens the store while a daemon may be running, and writes nothing. */
  readonly?: boolean
  /** The name of this host of a fleet: other hosts may have the store open, too. Without it no other process may. */
  member?: string | undefined
  [key: string]: unknown
}

export interface StoreLog {
  info(component: string, message: string): void
  warn(component: string, message: string): void
}
