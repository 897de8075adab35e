// The services as each module file gets them: shared by all, but with a log and a signal of its own.
import type { LoadedModule } from '../contract/loaded-module.ts'
import type { PackContext } from '../contract/pack.ts'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { CommandLog, Services } from '../contract/services.ts'
import { text } from '../contract/text-response.ts'
import type { Log } from '../log/log.ts'
import { slices } from '../system/request-slices.ts'

/** What the functions of a file are handed, besides what each is for. */
export interface FileContext extends PackContext {
  services: Services
}

/** Until packs have settings. */
const noPack: PackContext = Object.freeze({ settings: Object.freeze({}), collections: Object.freeze({}) })

/** The services that all commands share. */
type SharedServices = Omit<Services, 'slices' | 'log' | 'signal' | 'refuse' | 'isRefusal' | 'text'>

/**
 * Commands run jobs and jobs run commands, so the shared services exist only after everything that runs commands:
 * they are set once, by `provide`, before the first command runs.
 */
export class CommandServices {
  readonly #log: Log
  readonly #signalOf: (command: LoadedModule) => AbortSignal
  readonly #services = new WeakMap<LoadedModule, Services>()
  #common: SharedServices | undefined

  /** `signalOf` returns the signal that is aborted when a version goes out of service. */
  constructor(log: Log, signalOf: (command: LoadedModule) => AbortSignal) {
    this.#log = log
    this.#signalOf = signalOf
  }

  provide(shared: SharedServices): void {
    this.#common = shared
  }

  of(command: LoadedModule): Services {
    const signal = this.#signalOf(command)
    const cached = this.#services.get(command)
    // A version that came back into service has a new signal.
    if (cached?.signal === signal) return cached
    if (!this.#common) throw new Error('services: expected provide() to be called first')
    const log = createCommandLog(this.#log, command.file)
    const services: Services = { ...this.#common, slices, log, signal, refuse, isRefusal, text }
    this.#services.set(command, services)
    return services
  }

  /** As they are now: to be asked for each call. */
  contextOf(loaded: LoadedModule): FileContext {
    const { settings, collections } = noPack
    return { services: this.of(loaded), settings, collections }
  }
}

function createCommandLog(log: Log, file: string): CommandLog {
  return {
    info: line => log.info('command', `${file}: ${line}`),
    warn: line => log.warn('command', `${file}: ${line}`),
    error: (line, error) => log.error('command', `${file}: ${line}`, error),
  }
}
