// What differs between the operating systems on which the agent runs: one object for each.
import type { AgentLog } from './agent-log.ts'
import type { AgentOptions } from './agent-options.ts'
import type { AgentState, ProgressReport } from './agent-state.ts'
import type { DiskLists } from './disk-rows.ts'
import type { LoginEvent, Logins } from './logins.ts'
import type { AgentReply } from './messages.ts'
import type { ScriptShell } from './shell-script.ts'

export interface LoginWatch {
  readonly logins: Logins
  close(): void
}

/** `server` and `localAddress`: those of the connection to the daemon. */
export interface ActionContext extends Pick<AgentOptions, 'server' | 'localAddress'> {
  /** Aborted when the work has to end. */
  signal: AbortSignal
  onProgress(report: ProgressReport): void
  /** Adds to what the daemon shows as the output of the command. */
  onOutput(text: string): void
}

export interface AgentSystem {
  /** The word with which it reports its status: `LINUX`. */
  word: string
  /** The name of the installed system: `Debian GNU/Linux 12 (bookworm)`. */
  osName(): string
  computerName(): string
  /** '' when unknown. */
  serialNumber(): string
  /** Where the serial number and speeds take a while: resolves when they are known, or cannot be read. */
  factsRead?: Promise<void>
  /** Of a network interface: twelve hexadecimal digits with colons between; '' when it has none. */
  macOf(interfaceName: string): string
  /** Mbit/s; undefined when the interface does not say. */
  linkSpeed(interfaceName: string): number | undefined
  /** Keys of requests that only this system knows, besides those of all. */
  keys?: readonly string[]
  /** By their routes: why requests are refused that no agent of an installed system executes. */
  refusals?: Readonly<Record<string, string>>
  /**
   * By their routes: what only this system executes, with the body of the request. Without a reply of its own, a refresh is
   * the reply; a rejection is the reason of the failure.
   */
  actions?: Readonly<Record<string, (body: unknown, context: ActionContext) => Promise<AgentReply | undefined>>>
  shell: ScriptShell
  /** Where the computer has a screen for it: called at each change. */
  show?(state: AgentState): void
  watchLogins(log: AgentLog, onEvent: (event: LoginEvent) => void): LoginWatch
  // All of these reject when they fail, and when `signal` is aborted.
  listDisks(signal: AbortSignal): Promise<DiskLists>
  listHardware(signal: AbortSignal): Promise<string>
  listSoftware(signal: AbortSignal): Promise<string>
  readDiskHealth(log: AgentLog, signal: AbortSignal): Promise<object>
}
