// Compares this version with another checkout: processor time per request, in turns in one process, so that what else
// the machine does concerns both.
//
//   node --import tsx test/tools/bench/compare-versions.ts --base DIR [--path PATH] [--rounds 11] [--connections keep|close]
//     [--callers 8] [--adapter memory|lowdb]
//
// DIR has another checkout with its `node_modules`; `--path` may be repeated. The path /client/add adds a new computer with
// each request; the others are those of reads.
import { parseArgs } from 'node:util'
import { inTurns } from './in-turns.ts'
import { median } from './measurement.ts'
import type { Callers } from './processes/callers.ts'
import { type Child, startChild } from './processes/child-process.ts'
import { computerSpecOf } from './processes/computers.ts'
import { type HostVersion, startVersion } from './processes/host-version.ts'
import { requestText } from './processes/request-text.ts'

const root = new URL('../../..', import.meta.url).pathname
const defaultPaths = ['/clients', '/scopes', '/client/info', '/hardware', '/images']
/** Those whose payload names one computer; the others are sent none. */
const computerPaths = ['/client/info', '/hardware']
const computers = 200
const addPath = '/client/add'
const milliseconds = 150
/** Requests of a round that adds computers, however long they take. */
const adds = { count: 300, milliseconds: 20_000 }
/** Rounds that are not counted, until the code is compiled. */
const warmUpRounds = 8

type Connections = 'keep' | 'close'

export interface Comparison {
  path: string
  connections: Connections
  /** Microseconds of processor time for one request, the medians of the rounds. */
  base: number
  present: number
  /** The median of the ratios of the rounds, present to base. */
  ratio: number
}

export interface CompareOptions {
  /** A folder with another checkout and its `node_modules`. */
  base: string
  paths: readonly string[]
  connections: readonly Connections[]
  rounds: number
  callers: number
  adapter: string
}

export async function compareVersions(options: CompareOptions): Promise<Comparison[]> {
  const versions: HostVersion[] = []
  const child = startChild<Callers>('callers.ts')
  try {
    const base = await startVersion(options.base, computers, options.adapter)
    versions.push(base)
    const present = await startVersion(root, computers, options.adapter)
    versions.push(present)
    const comparisons: Comparison[] = []
    for (const connections of options.connections) {
      for (const path of options.paths) {
        const costOf = (version: HostVersion) =>
          measure(child, version, { path, connections, callers: options.callers })
        comparisons.push({
          path,
          connections,
          ...(await compare(
            options.rounds,
            () => costOf(base),
            () => costOf(present),
          )),
        })
      }
    }
    return comparisons
  } finally {
    await child.stop()
    for (const version of versions) await version.stop()
  }
}

type Costs = Omit<Comparison, 'path' | 'connections'>

async function compare(
  rounds: number,
  costOfBase: () => Promise<number>,
  costOfPresent: () => Promise<number>,
): Promise<Costs> {
  const costs = await inTurns({ rounds, warmUpRounds }, costOfBase, costOfPresent)
  return {
    base: median(costs.map(({ base }) => base)),
    present: median(costs.map(({ present }) => present)),
    ratio: median(costs.map(({ base, present }) => present / base)),
  }
}

interface Asked {
  path: string
  connections: Connections
  callers: number
}

/** Microseconds of processor time of this process for one request. */
async function measure(
  child: Child<Callers>,
  { port }: HostVersion,
  { path, connections, callers }: Asked,
): Promise<number> {
  const keepAlive = connections === 'keep'
  const load = { port, callers, keepAlive, ...(path === addPath ? addLoad(keepAlive) : readLoad(path, keepAlive)) }
  const before = process.cpuUsage()
  const { requests: count, failed } = await child.ask('run', load)
  const { user, system } = process.cpuUsage(before)
  if (failed > 0 || count === 0) throw new Error(`${path}: expected 200, got ${failed} other responses of ${count}`)
  return (user + system) / count
}

function readLoad(path: string, keepAlive: boolean) {
  const payload = computerPaths.includes(path) ? { client: [computerSpecOf(0).ip] } : undefined
  return { requests: [requestText(`GET ${path}`, payload, keepAlive)], milliseconds }
}

let added = 0

function addLoad(keepAlive: boolean) {
  const requests = Array.from({ length: adds.count }, () => {
    added += 1
    const ip = `172.${added >> 16}.${(added >> 8) & 255}.${added & 255}`
    // The boot mode has no template, so that no boot files are written.
    const computer = { name: `new-${added}`, ip, mac: added.toString(16).padStart(12, '0'), room: 1, boot: 'none' }
    return requestText(`POST ${addPath}`, computer, keepAlive)
  })
  return { requests, milliseconds: adds.milliseconds, once: true }
}

export const usage =
  'usage: node --import tsx test/tools/bench/compare-versions.ts --base DIR [--path PATH] [--rounds 11]' +
  ' [--connections keep|close] [--callers 8] [--adapter memory|lowdb]'

/** Returns undefined for arguments that are not those of the usage. */
export function parseCompareOptions(args: string[]): CompareOptions | undefined {
  const { values } = parseArgs({
    args,
    options: {
      base: { type: 'string' },
      path: { type: 'string', multiple: true, default: defaultPaths },
      rounds: { type: 'string', default: '11' },
      connections: { type: 'string' },
      callers: { type: 'string', default: '8' },
      adapter: { type: 'string', default: 'memory' },
    },
  })
  const { base, path: paths, rounds, connections, callers, adapter } = values
  if (base === undefined || !['memory', 'lowdb'].includes(adapter)) return undefined
  if (![rounds, callers].every(text => /^[1-9]\d{0,3}$/.test(text))) return undefined
  if (connections !== undefined && connections !== 'keep' && connections !== 'close') return undefined
  const kinds: Connections[] = connections ? [connections] : ['keep', 'close']
  return { base, paths, rounds: Number(rounds), connections: kinds, callers: Number(callers), adapter }
}

async function main(): Promise<void> {
  const options = parseCompareOptions(process.argv.slice(2))
  if (!options) {
    console.error(usage)
    process.exitCode = 2
    return
  }
  const rows = await compareVersions(options)
  console.log('| request | connections | base | present | ratio |\n|---|---|---|---|---|')
  for (const { path, connections, base, present, ratio } of rows) {
    const cells = [`${base.toFixed(1)} µs`, `${present.toFixed(1)} µs`, ratio.toFixed(3)]
    console.log(`| ${path} | ${connections} | ${cells.join(' | ')} |`)
  }
}

if (process.argv[1] === import.meta.filename) await main()
