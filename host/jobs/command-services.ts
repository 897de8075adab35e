// The services as each module file gets them: shared by all, but with a log, a signal and a pack of its own.
import { isIPv4 } from 'node:net'
import { writeRecord } from '../computers/import/csv.ts'
import type { LoadedModule } from '../contract/loaded-module.ts'
import type { PackContext } from '../contract/pack.ts'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { CommandLog, CommandRun, PackAlert, Refusal, Rights, Services } from '../contract/services.ts'
import { text } from '../contract/text-response.ts'
import type { Log } from '../log/log.ts'
import { toPrintable } from '../log/shown-text.ts'
import type { Events } from '../system/events.ts'
import { slices } from '../system/request-slices.ts'

/** `rights`: those of the pack; undefined when it is not in service, or what asks is no pack. */
export type RunForPack = (work: CommandRun, rights: Rights | undefined) => Promise<number | Refusal>

type OwnServices = 'slices' | 'alert' | 'log' | 'signal' | 'refuse' | 'isRefusal' | 'csvRecord' | 'text'

/** The services that all files share. */
export type SharedServices = Omit<Services, OwnServices | 'jobs'> & {
  jobs: Omit<Services['jobs'], 'run'> & { runForPack: RunForPack }
}

/** What the functions of a file are handed, besides what each is for. */
export interface FileContext extends PackContext {
  services: Services
}

export interface CommandServicesDeps {
  log: Log
  events: Pick<Events, 'emit'>
  /** Returns the signal that is aborted when a version goes out of service. */
  signalOf(loaded: LoadedModule): AbortSignal
  /** Of a pack, by its name. */
  packs: {
    contextOf(pack: string): PackContext
    rightsOf(pack: string): Rights | undefined
  }
}

/**
 * Commands run jobs and jobs run commands, so the shared services exist only after everything that runs commands:
 * they are set once, by `provide`, before the first command runs.
 */
export class CommandServices {
  readonly #deps: CommandServicesDeps
  readonly #services = new WeakMap<LoadedModule, Services>()
  #common: SharedServices | undefined

  constructor(deps: CommandServicesDeps) {
    this.#deps = deps
  }

  provide(shared: SharedServices): void {
    this.#common = shared
  }

  of(loaded: LoadedModule): Services {
    const { log, signalOf, packs } = this.#deps
    const signal = signalOf(loaded)
    const cached = this.#services.get(loaded)
    // A version that came back into service has a new signal.
    if (cached?.signal === signal) return cached
    const common = this.#common
    if (!common) throw new Error('services: expected provide() to be called first')
    const { runForPack, ...jobs } = common.jobs
    const services: Services = {
      ...common,
      jobs: { ...jobs, run: work => runForPack(work, packs.rightsOf(loaded.pack)) },
      slices,
      alert: given => this.#alert(loaded, given),
      log: createFileLog(log, loaded),
      signal,
      refuse,
      isRefusal,
      csvRecord: writeRecord,
      text,
    }
    this.#services.set(loaded, services)
    return services
  }

  /** As they are now: to be asked for each call. */
  contextOf(loaded: LoadedModule): FileContext {
    const { settings, collections } = this.#deps.packs.contextOf(loaded.pack)
    return { services: this.of(loaded), settings, collections }
  }

  #alert({ pack, name }: LoadedModule, { client, kind, text: line }: PackAlert): void {
    if (!isIPv4(client)) throw new Error(`alert: client: expected an address, got ${client}`)
    if (!/^[a-z][a-z-]{0,39}$/.test(kind)) throw new Error(`alert: kind: expected letters and hyphens, got ${kind}`)
    const alert = `${pack || name}/${kind}`
    this.#deps.events.emit({ type: 'pack-alert', addr: client, alert, text: toPrintable(line, alertLength) })
  }
}

/** Characters of the text of an alert. */
const alertLength = 300

function createFileLog(log: Log, { kind, file }: LoadedModule): CommandLog {
  return {
    info: line => log.info(kind, `${file}: ${line}`),
    warn: line => log.warn(kind, `${file}: ${line}`),
    error: (line, error) => log.error(kind, `${file}: ${line}`, error),
  }
}
