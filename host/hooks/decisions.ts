// Asks the hooks with `before` about a command: whether it may begin, and on which clients.
import type { Audit } from '../access/audit.ts'
import { noRights } from '../access/rights.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { LoadedHook } from '../contract/loaded-module.ts'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { Refusal } from '../contract/services.ts'
import type { Decider, Question } from '../jobs/hook-decider.ts'
import { type Log, message } from '../log/log.ts'
import { shownClients, showValue } from '../log/shown-text.ts'
import { measureBusyTime } from '../modules/module-runs.ts'
import type { Registry } from '../modules/registry.ts'
import { freeze } from '../system/frozen.ts'
import { withTimeout } from '../system/timeout.ts'
import type { HookRunDeps } from './hook-run.ts'
import type { HookRunner } from './hook-runner.ts'

export interface DecisionsDeps extends HookRunDeps {
  log: Log
  audit: Pick<Audit, 'add'>
  registry: Pick<Registry, 'find'>
}

/** How long a command waits for a check. */
const checkMilliseconds = 2000

/** A hook that names a command. `loaded`: undefined while its file is broken since the start. */
interface Check {
  name: string
  loaded: LoadedHook | undefined
  allowsErrors: boolean
}

type Answer = Refusal | ReadonlyMap<string, string> | undefined

export class Decisions implements Decider {
  readonly #deps: DecisionsDeps
  /** By the name of the command. */
  #checks: ReadonlyMap<string, readonly Check[]> = new Map()

  constructor(deps: DecisionsDeps) {
    this.#deps = deps
  }

  /** The hooks, the commands, or what is paused have changed. */
  update(runners: ReadonlyMap<string, HookRunner>): void {
    const checks = new Map<string, Check[]>()
    for (const [id, { loaded, state, position }] of [...runners].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const { before = [], allowsErrors = false } = position.declared ?? {}
      if (state === 'paused') continue
      const names = new Set(before.map(command => this.#deps.registry.find(command)?.name ?? command))
      const check = { name: loaded?.name ?? id, loaded, allowsErrors }
      for (const name of names) checks.set(name, [...(checks.get(name) ?? []), check])
    }
    this.#checks = checks
  }

  concerns({ name }: LoadedCommand): boolean {
    return this.#checks.has(name)
  }

  /** The first refusal, or all clients that are to be skipped. */
  async ask(question: Question): Promise<Refusal | ReadonlyMap<string, string>> {
    const checks = this.#checks.get(question.loaded.name) ?? []
    const context = contextOf(question)
    const answers = await Promise.all(checks.map(check => this.#ask(check, context)))
    const skipped = new Map<string, string>()
    for (const [index, answer] of answers.entries()) {
      if (isRefusal(answer)) {
        if (question.begins) this.#record(checks[index]?.name ?? '', question, answer)
        return answer
      }
      for (const [client, reason] of answer ?? []) if (!skipped.has(client)) skipped.set(client, reason)
    }
    return skipped
  }

  #record(hook: string, { loaded, clients, rights = noRights }: Question, { status }: Refusal): void {
    const route = `hook ${hook} before ${loaded.name}`
    const shown = clients.slice(0, shownClients)
    this.#deps.audit.add({ who: rights.name, address: '', route, status, clients: shown, count: clients.length }, true)
  }

  async #ask(check: Check, context: ReturnType<typeof contextOf>): Promise<Answer> {
    const { name, loaded, allowsErrors } = check
    try {
      if (!loaded) throw new Error('its file could not be loaded')
      return named(name, await this.#run(loaded, context))
    } catch (error) {
      this.#deps.log.error('hook', `${loaded?.file ?? name}: check of ${context.command} failed`, error)
      // A policy that is broken must not be open.
      return allowsErrors ? undefined : refuse(`hook ${name} has failed: ${message(error)}`, 403)
    }
  }

  async #run(loaded: LoadedHook, context: ReturnType<typeof contextOf>): Promise<unknown> {
    const { runs, clock, contextOf: contextOfHook } = this.#deps
    const { hook } = loaded
    if (!hook.before) return undefined
    const busyTime = measureBusyTime()
    const count = (result: 'success' | 'failure') => runs.add(loaded.name, result, busyTime(), clock.now())
    try {
      const check = async () => hook.check({ ...contextOfHook(loaded), ...context })
      const seconds = checkMilliseconds / 1000
      const answer = await withTimeout(check(), checkMilliseconds, `expected an answer within ${seconds} s`)
      count('success')
      return answer
    } catch (error) {
      count('failure')
      throw error
    }
  }
}

/** A copy that no check can change for the others or for the command. */
const contextOf = ({ loaded, payload, clients, rights }: Question) => ({
  command: loaded.name,
  payload: freeze(payload instanceof Object ? { ...structuredClone(payload) } : {}),
  clients: Object.freeze([...clients]),
  rights: rights ?? noRights,
})

/** With the name of the hook in the reasons; throws for what is no answer. */
function named(name: string, answer: unknown): Answer {
  if (answer === undefined || answer === null) return undefined
  if (isRefusal(answer)) return refuse(`hook ${name}: ${answer.refused}`, answer.status)
  if (!(answer instanceof Map)) throw new Error(`check: expected nothing, a refusal or a Map, got ${showValue(answer)}`)
  return new Map(Array.from(answer, ([client, reason]) => [String(client), `hook ${name}: ${String(reason)}`]))
}
