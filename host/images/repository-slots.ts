// How many clients may copy images at once from or to each repository: `slots` of its record.
import type { Store } from '../../stores/store.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { RepositoryService } from '../contract/services.ts'
import { type Log, message } from '../log/log.ts'
import type { Events } from '../system/events.ts'

interface RepositorySlotsDeps {
  store: Pick<Store, 'repositories'>
  /** A record without an address is the repository of this server. */
  repository: Pick<RepositoryService, 'address'>
  events: Events
  log: Log
}

export class RepositorySlots {
  readonly #deps: RepositorySlotsDeps
  /** By address; repositories without a limit are left out. */
  #slots: ReadonlyMap<string, number> = new Map()
  #onChange: () => void = () => {}

  constructor(deps: RepositorySlotsDeps) {
    this.#deps = deps
    deps.events.on(
      () => void this.read().catch(error => deps.log.error('images', `slots not read: ${message(error)}`, error)),
      ['repository-changed'],
    )
  }

  /** 0: any number. */
  of(address: string): number {
    return this.#slots.get(address) ?? 0
  }

  /** As the store has it now. */
  async isLimited(address: string): Promise<boolean> {
    await this.read()
    return this.of(address) > 0
  }

  /** Called when the slots of a repository are others than before. */
  onChange(listener: () => void): void {
    this.#onChange = listener
  }

  async read(): Promise<void> {
    const { store, repository } = this.#deps
    const limited = (await store.repositories.list()).filter(({ slots = 0 }) => slots > 0)
    const slots = new Map(limited.map(({ ip, slots = 0 }) => [ip || repository.address, slots]))
    const isChanged = !isEqual(slots, this.#slots)
    this.#slots = slots
    if (isChanged) this.#onChange()
  }
}

const isEqual = (some: ReadonlyMap<string, number>, others: ReadonlyMap<string, number>) =>
  some.size === others.size && [...some].every(([address, slots]) => others.get(address) === slots)

/** The address of the repository whose slots a command takes; undefined for commands that copy no image. */
export function repositoryOf(loaded: LoadedCommand | undefined, payload: unknown): string | undefined {
  if (!loaded?.command.imaging || !(payload instanceof Object) || !('repository' in payload)) return undefined
  return typeof payload.repository === 'string' ? payload.repository : undefined
}
