// What commands do with connected agents, pending clients, sessions and the agent program.
import type { client, pendingClient, refusedClient, session } from '../../commands/_schemas/clients.ts'
import type { host } from '../../commands/_schemas/server.ts'
import type { FromSchema } from './from-schema.ts'
import type { Outcome, Request, TextResponse } from './request.ts'

/**
 * An entry of `GET /clients`, of a host with another version perhaps with other words; wake-up entries have no `speed`
 * and `status`.
 */
export type ClientEntry = Omit<FromSchema<typeof client>, 'state' | 'status'> & { state: string; status?: string }

export interface FleetService {
  /**
   * Of the whole fleet: wake-up entries first, then connected agents, most recent first. The same frozen list until an
   * entry changes.
   */
  clients(): readonly ClientEntry[]
  /** Whether an agent of that address is connected, to any host of the fleet. */
  has(addr: string): boolean
  /**
   * The commands that connected agents are running, with their accepted payloads; of agents of other hosts with the
   * short texts and numbers of the payload only.
   */
  running(): { addr: string; command: string; payload: unknown }[]
  /**
   * Shows the address as WOL_SENT until its agent connects, for `wol.seconds` at most. With `kind`, a `type` of
   * `WakeService`, the other hosts send their magic packets, too.
   */
  addWakeEntry(addr: string, kind?: string): void
  /** The output of the last script on that address, '' for none. To be awaited: several hosts share outputs. */
  output(addr: string): string | Promise<string>
  /** Stores an output, cut at `limits.output` characters. */
  setOutput(addr: string, output: string): void | Promise<void>
  clearOutput(addrs: string[]): void | Promise<void>
}

/** A computer with somebody logged in; the agent may not say who. */
export type SessionEntry = FromSchema<typeof session>

export interface SessionsService {
  /** The newest login of each connected client, unless its agent has reported the logout. */
  list(): SessionEntry[]
}

/** A connected client without a computer record. */
export type PendingClient = FromSchema<typeof pendingClient>

/** What an agent says of its computer; each value printable and of limited length, absent when it was not said. */
export type Hello = Omit<PendingClient, 'client' | 'since' | 'advice'>

/** `omitted`: how many the response has no space for; absent when it has all. */
export interface PendingList {
  pending: PendingClient[]
  omitted?: number
  /** The latest refusal first, computers before addresses without a record. */
  refused?: FromSchema<typeof refusedClient>[]
  /** How many connections were refused since the daemon started. */
  refused_connections?: number
}

export interface PendingService {
  /** The oldest connection first; `mac` may come from the neighbour table of the server. */
  list(): Promise<PendingList>
  /** The connected clients that have said which agent they have, also those with a record. */
  agents(): { client: string; agent: string }[]
}

export interface WakeService {
  /**
   * Sends magic packets to a computer that has a record and is not connected, and shows it as WOL_SENT. `type` is
   * `unicast`, `broadcast`, `1` (broadcast) or `2` (unicast); any other type is logged and sent as broadcast.
   * Resolves when they are sent; `end` of the outcome when the computer has connected, or has not in time.
   */
  send(ip: string, type: string): Promise<Outcome>
  /**
   * When a host of the fleet has sent it packets last, since this one started: milliseconds since 1970. Undefined when it
   * has connected since.
   */
  lastSent(ip: string): number | undefined
}

/** A host of the fleet. */
export type HostEntry = FromSchema<typeof host>

export interface HostsService {
  /** All hosts of the fleet, the leader first; one in a daemon that runs alone. */
  list(): HostEntry[]
}

/** The agent for Linux and Windows: one file, which is made once. */
export interface AgentProgramService {
  /** Rejects when a source file cannot be read or compiled. */
  file(): Promise<AgentFile>
  /** The program as a response; 304 for who has it. */
  respond(request: Pick<Request, 'header'>): Promise<TextResponse>
  /** The program node.exe for Windows that was added to this server; 404 without one. */
  runtime(request: Pick<Request, 'header'>): Promise<TextResponse>
  /** A script that installs the program for the server that the request names. */
  installer(request: InstallRequest, name: InstallerName): Promise<TextResponse>
  /** The address of that script for other computers; undefined when `rest.ip` lets only this server use the API. */
  installUrl(request: InstallRequest): string | undefined
}

/** Those for `sh` and cmd.exe contain the program, that for PowerShell downloads the one for cmd.exe. */
export type InstallerName = 'install.sh' | 'install.cmd' | 'install.ps1'

export type InstallRequest = Pick<Request, 'header' | 'isSecure' | 'server'>

export interface AgentFile {
  bytes: Uint8Array
  /** 64 hex digits in lower case. */
  sha256: string
  /** As `fleet-agent --version` prints it: `fleet-agent 1.0.0`. */
  version: string
  /** Where the REST API that serves it listens; the port is 0 when the system has chosen it. */
  rest: { port: number; tls: boolean }
}
