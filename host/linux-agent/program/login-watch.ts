// Watches who is logged in, as logind knows it.
import { type FSWatcher, watch } from 'node:fs'
import { type AgentLog, messageOf } from './agent-log.ts'
import { runProgram, type SystemFiles } from './machine.ts'

export interface LoginEvent {
  action: 'start' | 'stop'
  user: string
}

/** Milliseconds from the first change of logind's folder to the next look: a login changes several files. */
const settleDelay = 200
/** Milliseconds between two looks when nothing has changed, in case a change was not noticed. */
const lookInterval = 60_000

export class LoginWatch {
  readonly #files: SystemFiles
  readonly #log: AgentLog
  readonly #onEvent: (event: LoginEvent) => void
  #users = new Set<string>()
  #watcher: FSWatcher | undefined
  #timer: NodeJS.Timeout | undefined
  #isLooking = false
  /** The folder has changed since the last look began. */
  #hasChanged = false
  #problem = ''
  #isClosed = false

  constructor(files: SystemFiles, log: AgentLog, onEvent: (event: LoginEvent) => void) {
    this.#files = files
    this.#log = log
    this.#onEvent = onEvent
    void this.#look()
  }

  /** Those who are logged in, in the order of their logins. */
  get users(): readonly string[] {
    return [...this.#users]
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#watcher?.close()
  }

  /** Looks soon. */
  #onChange(): void {
    if (this.#hasChanged || this.#isClosed) return
    this.#hasChanged = true
    if (this.#isLooking) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#look(), settleDelay)
  }

  async #look(): Promise<void> {
    this.#isLooking = true
    this.#hasChanged = false
    // Before the look, so that no change is missed.
    this.#watchFolder()
    try {
      await this.#readSessions()
      this.#problem = ''
    } catch (error) {
      const problem = messageOf(error).split('\n', 1).join()
      if (problem !== this.#problem) this.#log.info(`logins are not reported: ${problem}`)
      this.#problem = problem
    }
    this.#isLooking = false
    if (this.#isClosed) return
    this.#timer = setTimeout(() => this.#look(), this.#hasChanged ? settleDelay : lookInterval)
  }

  /** The folder is a hint only: what counts is what loginctl prints. */
  #watchFolder(): void {
    // Anew for each look: the folder may be another one by now.
    this.#watcher?.close()
    this.#watcher = undefined
    try {
      this.#watcher = watch(this.#files.path('run/systemd/sessions'), () => this.#onChange())
      this.#watcher.on('error', () => this.#watcher?.close())
    } catch {
      // Without logind; it may be started later.
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

/** Undefined for a session of a login screen or a service, and for one that has ended, also if it has left processes. */
async function readUser(id: string): Promise<string | undefined> {
  const properties = ['Name', 'Class', 'State'].flatMap(name => ['--property', name])
  const text = await runProgram('loginctl', ['show-session', id, ...properties]).catch(() => '')
  const read = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? ''
  const isOpen = read('Class').startsWith('user') && read('State') !== 'closing'
  return isOpen && read('Name') !== '' ? read('Name') : undefined
}
