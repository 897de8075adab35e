// Attacks by files: command files that are broken, and a journal that is damaged.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { call as callRest } from '../../../harness/rest-call.ts'
import type { Attack, Target } from '../attack.ts'
import { addressesOf, importComputers } from '../peers.ts'
import { startTargetDaemon } from '../target-daemon.ts'

const serviceTime = 2_000 // ms until a saved command must be in service
const computers = addressesOf(63, 200)

/** Each returns the damaged content of a journal, whose records are lines. */
const damages: Record<string, (bytes: Buffer) => Buffer> = {
  'NULs over the last 20 kB': bytes => Buffer.concat([bytes.subarray(0, -20_000), Buffer.alloc(20_000)]),
  'NULs after the last record': bytes => Buffer.concat([bytes, Buffer.alloc(4096)]),
  'an empty file': () => Buffer.alloc(0),
  'a flipped bit': bytes => {
    const at = bytes.length >> 1
    return Buffer.from(bytes).fill((bytes[at] ?? 0) ^ 1, at, at + 1)
  },
  'two swapped records': changeRecords(lines => lines.toSpliced(90, 2, lines[91] ?? '', lines[90] ?? '')),
  'a missing record': changeRecords(lines => lines.toSpliced(90, 1)),
  'a repeated record': changeRecords(lines => lines.toSpliced(90, 0, lines[90] ?? '')),
}

function changeRecords(change: (lines: string[]) => string[]) {
  return (bytes: Buffer) => Buffer.from(change(bytes.toString('latin1').split('\n')).join('\n'), 'latin1')
}

export const fileAttacks: Attack[] = [
  {
    name: 'broken-commands',
    summary: '20,000 broken command files, and one that imports a device',
    seconds: 20,
    daemon: { options: { commands: ['./site'] } },
    bounds: { data: Number.POSITIVE_INFINITY, log: 8_000_000 },
    async run(target) {
      const edits = 6
      const site = join(target.folder, 'site')
      mkdirSync(site, { recursive: true })
      const save = (name: string, text: string) => writeFileSync(join(site, `${name}.ts`), text)
      const breakFile = (name: string) => save(name, 'export default {')
      for (let version = 2; version <= edits; version += 1) breakFile(`mended-${version}`)
      save('device', "import x from '/dev/zero'\nexport default x\n")
      const afterDevice = await serviceTimeOf(target, 1, save)
      for (let index = 0; index < 20_000; index += 1) breakFile(`broken-${index}`)
      // Edits while the broken files are loaded: of a command in service, and of a file that was broken before.
      const amongFiles: number[] = []
      for (let version = 2; version === 2 || (version <= edits && !target.isOver()); version += 1) {
        for (const name of ['saved', `mended-${version}`]) {
          amongFiles.push(await serviceTimeOf(target, version, save, name))
        }
      }
      rmSync(site, { recursive: true })
      const problemOf = (where: string, time: number) =>
        time > serviceTime && `${where} a saved command is in service after ${time} ms`
      return {
        figures: `in service after ${afterDevice} ms with a device, and after ${amongFiles.join(', ')} ms`,
        problems: [
          problemOf('after the file that imports a device', afterDevice),
          problemOf('among broken files', Math.max(0, ...amongFiles)),
        ],
      }
    },
  },
  {
    name: 'damaged-journal',
    summary: 'the journal of a killed daemon with 200 acknowledged computers is damaged in seven ways',
    seconds: 20,
    // Other daemons are started meanwhile.
    bounds: { p99: Number.POSITIVE_INFINITY },
    async run({ tree }) {
      const folder = mkdtempSync(join(tmpdir(), 'attack-journal-'))
      try {
        await fillStore(tree, folder)
        const intact = await startDamaged(tree, folder, bytes => bytes)
        const outcomes: string[] = []
        const problems = [intact === undefined && 'the undamaged journal is refused']
        for (const [name, damage] of Object.entries(damages)) {
          const rows = await startDamaged(tree, folder, damage)
          const outcome = rows === undefined ? 'refused' : `${rows.length} computers`
          outcomes.push(`${name}: ${outcome}`)
          // A start has all that was acknowledged, or none is made.
          problems.push(rows !== undefined && rows.join() !== intact?.join() && `${name}: started with ${outcome}`)
        }
        return { figures: outcomes.join(', '), problems }
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  },
]

/** Saves a version of a command and returns the milliseconds until it is in service. */
async function serviceTimeOf(
  { call, isOver }: Target,
  version: number,
  save: (name: string, text: string) => void,
  name = 'saved',
) {
  const began = performance.now()
  const answer = `answer: () => ({ version: ${version} })`
  save(name, `export default { summary: 'Saved', route: 'GET /${name}', ${answer} }\n`)
  const since = () => Math.round(performance.now() - began)
  while ((await call(`GET /${name}`)).json?.version !== version) {
    if (isOver() && since() > serviceTime) return Number.POSITIVE_INFINITY
    await wait(50)
  }
  return since()
}

/** Leaves the store of a killed daemon in the folder; each computer is a write of its own. */
async function fillStore(tree: string, folder: string): Promise<void> {
  const daemon = await startTargetDaemon(tree, folder)
  const call = (route: string, payload?: unknown) => callRest(daemon.ports.rest, route, payload)
  await call('POST /center/add', { name: 'Center' })
  await call('POST /room/add', { name: 'Room', netmask: '255.0.0.0', center: 1 })
  for (const addr of computers) await importComputers(call, [addr], 1)
  await daemon.kill()
}

/** Returns the computers with which the daemon starts, as lines; undefined when it refuses. */
async function startDamaged(
  tree: string,
  folder: string,
  damage: (bytes: Buffer) => Buffer,
): Promise<string[] | undefined> {
  const data = join(folder, 'data')
  const copy = join(folder, 'copy')
  rmSync(copy, { recursive: true, force: true })
  mkdirSync(copy)
  cpSync(data, join(copy, 'data'), { recursive: true })
  const journals = readdirSync(data).filter(name => /^journal\.\d+$/.test(name))
  const newest = join(copy, 'data', journals.toSorted((a, b) => Number(a.slice(8)) - Number(b.slice(8))).at(-1) ?? '')
  writeFileSync(newest, damage(readFileSync(newest)))
  const daemon = await startTargetDaemon(tree, copy).catch(() => undefined)
  if (!daemon) return undefined
  const { text } = await callRest(daemon.ports.rest, 'GET /client/export')
  await daemon.kill()
  return text.split('\r\n').filter(line => line.startsWith('pc-'))
}
