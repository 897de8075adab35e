// The contract of an attack program: what it does to a daemon, and what callers and agents may notice of it.
import type { Socket } from 'node:net'
import type { CallResponse } from '../../harness/rest-call.ts'

export interface Attack {
  /** The name for `--only`. */
  name: string
  /** One sentence: what is done to the daemon. */
  summary: string
  /** How long the attack goes on, since its beginning or its last progress. */
  seconds: number
  /** Takes few seconds and little processor time: also runs in the test suite. */
  cheap?: true
  /** A program that the attack needs and this machine lacks. */
  missing?: string | undefined
  daemon?: DaemonStart
  bounds?: Partial<Bounds>
  /** Runs until it is done or `target.isOver()`; all its connections are closed afterwards. */
  run(target: Target): Promise<Findings>
}

export interface Findings {
  /** What was done, and what it achieved, in a few words. */
  figures: string
  /** What must not be possible: one sentence each, false for what was not. */
  problems?: (string | false | undefined)[]
}

/** How the daemon is started. */
export interface DaemonStart {
  /** Sections of the options file. */
  options?: Record<string, object>
  /** Arguments of Node, such as a heap limit. */
  nodeArguments?: string[]
  /** The limit of open descriptors. */
  descriptors?: number
  /** Where standard output goes once the daemon runs; default: a file. */
  log?: 'file' | 'closed pipe' | 'unread pipe' | 'full disk'
}

/** What the attack may cost at most. */
export interface Bounds {
  /** Milliseconds that 99 % of the requests of well-behaved callers take at most. */
  p99: number
  /** Requests of well-behaved callers that may fail. */
  failed: number
  /** Commands that may not reach their agents in time. */
  missed: number
  /** Bytes of the daemon's resident memory. */
  memory: number
  /** Bytes that the log may grow. */
  log: number
  /** Bytes that the data folder may grow. */
  data: number
}

/** How an attack is run. */
export interface MeasureOptions {
  /** The root folder of a source tree. */
  tree: string
  count?: number | undefined
  seed?: number
  /** A folder for the logs of the daemons. */
  logs?: string | undefined
  /** False on a machine that other programs use: response times are not judged. */
  isStrict?: boolean
}

/** The daemon under attack. */
export interface Target {
  pid: number
  ports: { rest: number; agents: number }
  /** The folder of the options file and of the data. */
  folder: string
  /** The root folder of the source tree whose daemon runs. */
  tree: string
  /** Addresses of computer records without an agent. */
  absent: string[]
  /** `--count` and `--seed`, for the programs that send random messages. */
  count: number | undefined
  seed: number
  /** Whether the time of the attack is over. */
  isOver(): boolean
  /** The time of the attack begins again: for one that goes on as long as something happens. */
  progressed(): void
  /** Sends a request with the right token. */
  call(route: string, payload?: unknown, headers?: Record<string, string>): Promise<CallResponse>
  /** Connects from a loopback address to the agent port; resolves when connected, or when the connection has failed. */
  agent(addr: string): Promise<Socket>
  /** The same to the REST port. */
  caller(addr: string): Promise<Socket>
  /** The log so far; empty when the log is not a file. */
  log(): string
}
