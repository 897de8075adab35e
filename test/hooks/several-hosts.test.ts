// Hooks of a fleet of several hosts: one host runs each, another one after its death, and each host those of `each: 'host'`.
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { type FleetHost, type FleetProcesses, startFleet } from '../harness/fleet-processes.ts'
import { pollUntil } from '../harness/poll.ts'
import { postgresPrograms } from '../harness/postgres.ts'
import { skipFile } from '../harness/skip-file.ts'

export const runs = { alone: true }

if (postgresPrograms === undefined) skipFile('postgresql')

/** Writes the types of its events, with their jobs, and the process that has run it. */
const hook = (file: string, on: string, more = '') => `
import { appendFileSync } from 'node:fs'

export default {
  summary: 'Write events',
  on: ['${on}'],
  ${more}
  run({ events }) {
    appendFileSync('${file}', events.map(({ type, job, clients }) => [process.pid, job ?? type, clients].join(' ') + '\\n').join(''))
  },
}
`

async function storeJob({ call }: FleetHost): Promise<number> {
  const { status, headers, text } = await call('POST /shell/run', { clients: ['127.9.9.9'], run: 'true', echo: false })
  is(status, 200, text)
  return Number(headers['x-job-id'])
}

interface Site {
  other: FleetHost
  leader: FleetHost
  linesOf(name: string): string[][]
  explain(error: unknown): Error
  end(): Promise<void>
}

async function startSite(): Promise<Site> {
  const site = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-hooks-')))
  const file = (name: string) => join(site, `${name}.log`)
  writeFileSync(join(site, 'finished.ts'), hook(file('finished'), 'job-finished'))
  writeFileSync(join(site, 'added.ts'), hook(file('added'), 'computer-added', `each: 'host',`))
  const fleet = await startFleet({ count: 2, options: { commands: [site] } })
  const end = async () => {
    await fleet.end()
    rmSync(site, { recursive: true, force: true })
  }
  const linesOf = (name: string) => {
    const text = existsSync(file(name)) ? readFileSync(file(name), 'utf8') : ''
    return text.split('\n').flatMap(line => (line === '' ? [] : [line.split(' ')]))
  }
  try {
    return { ...(await findLeader(fleet)), linesOf, explain: fleet.explain, end }
  } catch (error) {
    const explained = fleet.explain(error)
    await end()
    throw explained
  }
}

async function findLeader({ hosts }: FleetProcesses) {
  const known = async () =>
    (await Promise.all(hosts.map(async host => (await host.call('GET /hooks')).json.hooks))).flat()
  await pollUntil(async () => (await known()).filter(({ state }) => state === 'waiting').length === 3)
  const list = (await hosts[0]?.call('GET /hosts'))?.json.hosts
  const leaderName = list.find(({ leader }: { leader: boolean }) => leader).name
  const leader = hosts.find(({ name }) => name === leaderName)
  const other = hosts.find(({ name }) => name !== leaderName)
  if (!leader || !other) throw new Error('expected two hosts')
  return { leader, other }
}

const { other, leader, linesOf, explain, end } = await startSite()
const test = suite('hooks of several hosts')
test.after(end)

/** An error has the last lines of each host's log. */
const explained = (run: () => Promise<void>) => () =>
  run().catch(error => {
    throw explain(error)
  })

test(
  'a hook of each host runs on all of them',
  explained(async () => {
    await other.call('POST /center/add', { name: 'Center' })
    await other.call('POST /room/add', { name: 'Room', netmask: '255.255.255.0', center: 1 })
    await other.call('POST /client/add', { name: 'a', ip: '127.9.9.1', mac: '020000000001', room: 1 })
    await pollUntil(() => linesOf('added').length >= 2)
    equal(
      linesOf('added').sort(),
      [leader, other].map(({ program }) => [`${program.pid}`, 'computer-added', '127.9.9.1']).sort(),
    )
  }),
)

test(
  'a host lists no times of a hook that another host runs, which it knows late',
  explained(async () => {
    for (let count = 1; count <= 2; count += 1) {
      await storeJob(leader)
      await pollUntil(() => linesOf('finished').length >= count)
    }
    const lastRunOf = async ({ call }: FleetHost) => {
      const { hooks } = (await call('GET /hooks')).json
      const { state, last_run } = hooks.find(({ name }: { name: string }) => name === 'finished')
      return [state, last_run !== undefined]
    }
    equal(await lastRunOf(other), ['elsewhere', false])
    equal((await lastRunOf(leader))[1], true)
  }),
)

test(
  'the leader runs a hook, and after its death another host within 10 s; no job is missed',
  explained(async () => {
    const jobs: number[] = []
    const before = linesOf('finished').length
    const called = () =>
      linesOf('finished')
        .slice(before)
        .map(([pid, job]) => ({ pid: Number(pid), job: Number(job) }))
    for (let count = 0; count < 20; count += 1) jobs.push(await storeJob(other))
    await pollUntil(() => called().length >= 20)
    equal([...new Set(called().map(({ pid }) => pid))], [leader.program.pid])
    leader.program.kill('SIGKILL')
    const killed = performance.now()
    for (let count = 0; count < 20; count += 1) jobs.push(await storeJob(other))
    await pollUntil(() => called().some(({ pid }) => pid === other.program.pid))
    const seconds = (performance.now() - killed) / 1000
    ok(seconds < 10, `${seconds} s`)
    await pollUntil(() => new Set(called().map(({ job }) => job)).size === jobs.length)
    equal([...new Set(called().map(({ job }) => job))], jobs)
  }),
)

test.run()
