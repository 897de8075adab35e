// The files of the audit log: a disk that fails, damaged and moved files, old months, and large ones.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { type NewAuditRecord, openAudit } from '../../host/access/audit.ts'
import { createLog } from '../../host/log/log.ts'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { measurePause } from '../harness/longest-pause.ts'
import { pollUntil } from '../harness/poll.ts'

const folders: string[] = []
const month = 'audit-2026-09.jsonl'
const limits = { audit_months: 24, response: 262_144 }

async function openLog({ folder = newFolder(), audit_months = limits.audit_months } = {}) {
  const clock = createManualClock('2026-09-14T08:00:00Z')
  const log: string[] = []
  const audit = await openAudit({
    folder,
    limits: { ...limits, audit_months },
    clock,
    store: { computers: { findMany: async () => [] } },
    log: createLog(line => log.push(line)),
    events: { emit: () => {}, on: () => () => {} },
  })
  return { audit, clock, log, folder, file: join(folder, month) }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-audit-'))
  folders.push(folder)
  return folder
}

const record = (job: number): NewAuditRecord => ({
  who: 'admin',
  address: '10.1.0.5',
  route: 'POST /poweroff',
  status: 200,
  clients: ['10.1.1.20'],
  count: 1,
  job,
})

const jobsIn = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).job)

const test = suite('files of the audit log')
test.after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

test('while the disk cannot be written records wait, with one log line and a problem, and then all are written', async () => {
  const { audit, clock, log, file } = await openLog()
  mkdirSync(file)
  audit.add(record(1), true)
  await pollUntil(() => audit.problem() !== undefined)
  audit.add(record(2), true)
  for (let count = 0; count < 5; count += 1) await clock.advance(1000)
  equal(log.length, 1)
  match(log[0] ?? '', /warn {2}audit: records cannot be written, retrying: EISDIR/)
  match(audit.problem() ?? '', 'EISDIR')
  // A reader does not wait for the disk.
  await audit.service.read({ limit: 10, after: '2026-10.0' })
  rmdirSync(file)
  await pollUntil(async () => {
    await clock.advance(1000)
    return audit.problem() === undefined
  })
  equal(jobsIn(file), [1, 2])
  match(log[1] ?? '', /info {2}audit: records are written again/)
  await audit.close()
})

test('more than 8 MiB of waiting records are lost, and counted in one line', async () => {
  const { audit, clock, log, file } = await openLog()
  mkdirSync(file)
  audit.add(record(0), true)
  await pollUntil(() => audit.problem() !== undefined)
  const count = 60_000
  for (let job = 1; job < count; job += 1) audit.add(record(job), true)
  rmdirSync(file)
  await pollUntil(async () => {
    await clock.advance(1000)
    return audit.problem() === undefined
  })
  const written = jobsIn(file).length
  ok(written > 10_000 && written < count, `${written}`)
  match(log[1] ?? '', `records are written again; ${count - written} records are lost`)
  await audit.close()
})

test('what cannot be written at the end is counted in the log', async () => {
  const { audit, log, file } = await openLog()
  mkdirSync(file)
  audit.add(record(1), true)
  await pollUntil(() => audit.problem() !== undefined)
  audit.add(record(2), true)
  await audit.close()
  match(log.at(-1) ?? '', '2 records are lost')
})

test('a part of a line, which a power cut has left, damages no other record', async () => {
  const folder = newFolder()
  const line = `${JSON.stringify({ time: '2026-09-14T07:00:00.000Z', ...record(1) })}\n`
  writeFileSync(join(folder, month), line + line.slice(0, 60))
  const { audit } = await openLog({ folder })
  audit.add(record(2), true)
  const { audit: records } = await audit.service.read({ limit: 10 })
  equal(
    records.map(({ job }) => job),
    [1, 2],
  )
  await audit.close()
})

test('a file that was moved away is made again', async () => {
  const { audit, file } = await openLog()
  audit.add(record(1), true)
  await audit.service.read({ limit: 1 })
  renameSync(file, `${file}.old`)
  let job = 1
  await pollUntil(async () => {
    job += 1
    audit.add(record(job), true)
    const { audit: records } = await audit.service.read({ limit: 1 })
    return records.length === 1
  })
  ok(jobsIn(`${file}.old`).includes(1))
  is(jobsIn(file).at(-1), job)
  await audit.close()
})

test('files of months before the last audit_months are deleted at the start and with each new month, with 0 none', async () => {
  const folder = newFolder()
  const names = ['audit-2024-08.jsonl', 'audit-2024-09.jsonl', 'audit-2024-10.jsonl', 'notes.txt']
  for (const name of names) writeFileSync(join(folder, name), '')
  await (await openLog({ folder, audit_months: 0 })).audit.close()
  equal(readdirSync(folder).sort(), names)
  const { audit, clock } = await openLog({ folder })
  equal(readdirSync(folder).sort(), names.slice(1))
  await clock.advanceTo('2026-10-01T00:00:00Z')
  audit.add(record(1), true)
  await audit.close()
  equal(readdirSync(folder).sort(), ['audit-2024-10.jsonl', 'audit-2026-10.jsonl', 'notes.txt'])
})

test('of unknown addresses a hundred a minute have records of their own, the others are counted in one', async () => {
  const { audit, clock } = await openLog()
  for (let index = 0; index < 1000; index += 1) {
    const address = `10.9.${index >> 8}.${index & 255}`
    for (let count = 0; count < 10; count += 1) audit.add({ ...record(1), who: 'nobody', address, status: 401 }, false)
  }
  await clock.advance(60_000)
  const { audit: records } = await audit.service.read({ limit: 1000 })
  equal(records.length, 100 * 5 + 100 + 1)
  const { address, more } = records.at(-1) ?? {}
  equal([address, more], ['', 9000])
  await audit.close()
})

test('a page of a file of 100 MB is found without a pause of the event loop and without much memory', async () => {
  const folder = newFolder()
  const text = `${JSON.stringify({ time: '2026-09-14T07:00:00.000Z', ...record(1) })}\n`.repeat(6500)
  const last = JSON.stringify({ time: '2026-09-14T07:30:00.000Z', ...record(2) })
  writeFileSync(join(folder, month), `${text.repeat(Math.ceil(1e8 / text.length))}${last}\n`)
  const { audit } = await openLog({ folder })
  const before = process.memoryUsage().rss
  const find = async (query: object) => {
    const jobs: (number | undefined)[] = []
    for (let after = '', next = '2026-09.0'; after !== next; ) {
      after = next
      const page = await audit.service.read({ ...query, limit: 10, after })
      jobs.push(...page.audit.map(({ job }) => job))
      next = page.next
    }
    return jobs
  }
  const { result, longest } = await measurePause(async () => [
    await find({ since: '2026-09-14T07:15:00.000Z' }),
    await find({ who: 'nobody' }),
  ])
  equal(result, [[2], []])
  ok(longest < 100, `${longest} ms`)
  ok(process.memoryUsage().rss - before < 50e6, 'memory')
  await audit.close()
})

test('a page is not longer than a response may be', async () => {
  const { audit } = await openLog()
  for (let job = 0; job < 1000; job += 1) {
    audit.add({ ...record(job), who: 'ä'.repeat(64), route: `POST /${'ä'.repeat(190)}` }, true)
  }
  const page = await audit.service.read({ limit: 1000 })
  const bytes = Buffer.byteLength(JSON.stringify(page))
  ok(bytes > limits.response / 2 && bytes <= limits.response, `${bytes} bytes`)
  await audit.close()
})

test.run()
