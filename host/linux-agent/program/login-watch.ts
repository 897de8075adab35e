// Watches who is logged in, as logind knows it.
import { once } from 'node:events'
import { type FSWatcher, watch } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { type AgentLog, messageOf } from '../../agent-program/agent-log.ts'
import type { LoginEvent } from '../../agent-program/agent-system.ts'
import { runProgram, type SystemFiles } from './machine.ts'

/** Milliseconds from the first change of logind's folder to the next look: a login changes several files. */
const settleDelay = 200
/** Milliseconds between two looks when nothing has changed, in case a change was not noticed. */
const lookInterval = 60_000

export class LoginWatch {
  readonly #log: AgentLog
  readonly #onEvent: (event: LoginEvent) => void
  readonly #closing = new AbortController()
  #users = new Set<string>()
  #problem = ''

  constructor(files: SystemFiles, log: AgentLog, onEvent: (event: LoginEvent) => void) {
    this.#log = log
    this.#onEvent = onEvent
    void this.#watch(files.path('run/systemd/sessions'))
  }

  /** Those who are logged in, in the order of their logins. */
  get users(): readonly string[] {
    return [...this.#users]
  }

  close(): void {
    this.#closing.abort()
  }

  /** The folder is a hint only: what counts is what loginctl prints. */
  async #watch(folder: string): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      // Before the look, so that no change is missed; anew each time, as the folder may be another one by now.
      const change = nextChange(folder, AbortSignal.any([signal, AbortSignal.timeout(lookInterval)]))
      await this.#look()
      await change
      await wait(settleDelay, undefined, { signal }).catch(() => {})
    }
  }

  async #look(): Promise<void> {
    try {
      await this.#readSessions()
      this.#problem = ''
    } catch (error) {
      const problem = messageOf(error).split('\n', 1).join()
      if (problem !== this.#problem) this.#log.info(`logins are not reported: ${problem}`)
      this.#problem = problem
    }
  }

  async #readSessions(): Promise<void> {
    const list = await runProgram('loginctl', ['list-sessions', '--no-legend', '--no-pager'])
    const ids = list.split('\n').flatMap(line => /^\s*(\S+)/.exec(line)?.[1] ?? [])
    const users = new Set<string>()
    for (const id of ids) {
      const user = await readUser(id)
      if (user !== undefined) users.add(user)
    }
    const before = this.#users
    this.#users = users
    for (const user of before) if (!users.has(user)) this.#onEvent({ action: 'stop', user })
    for (const user of users) if (!before.has(user)) this.#onEvent({ action: 'start', user })
  }
}

/** Resolves when something has changed in the folder, or `signal` is aborted. */
async function nextChange(folder: string, signal: AbortSignal): Promise<void> {
  let watcher: FSWatcher | undefined
  try {
    watcher = watch(folder)
    await once(watcher, 'change', { signal })
  } catch {
    // Without logind; it may be started later.
    if (!signal.aborted) await once(signal, 'abort')
  }
  watcher?.close()
}

/** Undefined for a session of a login screen or a service, and for one that has ended, also if it has left processes. */
async function readUser(id: string): Promise<string | undefined> {
  const properties = ['Name', 'Class', 'State'].flatMap(name => ['--property', name])
  const text = await runProgram('loginctl', ['show-session', id, ...properties]).catch(() => '')
  const read = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? ''
  const isOpen = read('Class').startsWith('user') && read('State') !== 'closing'
  return isOpen && read('Name') !== '' ? read('Name') : undefined
}
