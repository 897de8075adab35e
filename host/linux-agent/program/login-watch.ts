// Watches who is logged in, as logind knows it.
import { once } from 'node:events'
import { type FSWatcher, watch } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { type AgentLog, messageOf } from '../../agent-program/agent-log.ts'
import { changeEvents, type LoginEvent, type Logins } from '../../agent-program/logins.ts'
import { runProgram, type SystemFiles } from './machine.ts'

/** Milliseconds from the first change of logind's folder to the next look: a login changes several files. */
const settleDelay = 200
/** Milliseconds between two looks when nothing has changed, in case a change was not noticed. */
const lookInterval = 60_000

export class LoginWatch {
  readonly #log: AgentLog
  readonly #onEvent: (event: LoginEvent) => void
  readonly #closing = new AbortController()
  #logins: Logins = new Map()
  #problem = ''

  constructor(files: SystemFiles, log: AgentLog, onEvent: (event: LoginEvent) => void) {
    this.#log = log
    this.#onEvent = onEvent
    void this.#watch(files.path('run/systemd/sessions'))
  }

  get logins(): Logins {
    return this.#logins
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
    const logins = new Map<string, boolean>()
    for (const id of ids) {
      const session = await readSession(id)
      if (session) logins.set(session.user, session.isLocked && logins.get(session.user) !== false)
    }
    const before = this.#logins
    this.#logins = logins
    for (const event of changeEvents(before, logins)) this.#onEvent(event)
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
async function readSession(id: string): Promise<{ user: string; isLocked: boolean } | undefined> {
  const properties = ['Name', 'Class', 'State', 'LockedHint'].flatMap(name => ['--property', name])
  const text = await runProgram('loginctl', ['show-session', id, ...properties]).catch(() => '')
  const read = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? ''
  const isOpen = read('Class').startsWith('user') && read('State') !== 'closing'
  const user = read('Name')
  return isOpen && user !== '' ? { user, isLocked: read('LockedHint') === 'yes' } : undefined
}
