// What has changed in inventories: `GET /inventory/history`, the event of each change, and who learns of it.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import type { InventoryChange } from '../../host/contract/services.ts'
import { openShellOf } from '../harness/cli-shell.ts'
import { readEvents } from '../harness/event-reader.ts'
import { reported, startInventoryLab } from '../harness/inventory-lab.ts'

export const runs = { postgres: true }

const subnet = '127.0.43'
const lab = await startInventoryLab(subnet)
const [one = '', two = '', three = '', four = ''] = lab.addresses
const { token } = await lab.addToken('limited', 'read')
const headers = { Authorization: token }
const events = await readEvents(lab.host.ports.rest)
const { fleet, remove } = openShellOf(lab)

const test = suite('history of inventories')
test.after(async () => {
  remove()
  await lab.stop()
})

const historyOf = async (client: string, more: object = {}, as = {}) =>
  (await lab.call(`GET /inventory/history?${new URLSearchParams({ client, ...more })}`, undefined, as)).json
const found = async (query: object, as = {}) =>
  (await lab.call(`GET /inventory/history?${new URLSearchParams({ ...query })}`, undefined, as)).json
const withoutTime = ({ changes }: { changes: InventoryChange[] }) => changes.map(({ time: _, ...change }) => change)

/** One after the other. */
async function report(addr: string, route: 'software' | 'hardware', texts: string[], partition = '1'): Promise<void> {
  const agent = await lab.agent(addr, { refresh: { status: 200, body: {} } })
  for (const text of texts) {
    if (route === 'hardware') await lab.command(addr, agent, 'POST /hardware', {}, { hardware: text })
    else await lab.command(addr, agent, 'POST /software', { disk: '1', partition }, { partition, software: text })
  }
  await close(addr, agent)
}

async function close(addr: string, agent: { destroy(): void }): Promise<void> {
  const gone = lab.event('client-gone', { addr })
  agent.destroy()
  await gone
}

/** The disks that the computer says when it connects. */
async function connect(addr: string, body: object): Promise<void> {
  await close(addr, await lab.agent(addr, { refresh: { status: 200, body } }))
}

test('the first inventories of a computer are no changes, and their times are known', async () => {
  const { since, changes } = await historyOf(one)
  equal([Object.keys(since).sort(), changes], [['disk', 'hardware', 'software', 'system'], []])
  equal(Object.keys((await historyOf(three)).since).sort(), ['disk', 'system'])
  equal(await historyOf(four), { since: {}, changes: [] })
})

test('programs that came and went are a change, with an event; the same list again is none', async () => {
  await report(one, 'software', ['Windows 11\nGIMP 2.10\nBlender 4.2.1\n'])
  const change = { kind: 'software', disk: 1, partition: 1, added: ['Blender 4.2.1'], removed: ['Blender 3.6.2'] }
  const { kind: inventory, ...rest } = change
  await events.first({ type: 'inventory-changed', clients: [one], rooms: [1], inventory, ...rest })
  await report(one, 'software', ['Windows 11\nBlender 4.2.1\nGIMP 2.10\n'])
  equal(withoutTime(await historyOf(one)), [change])
})

test('a list of a partition that had none is no change', async () => {
  await report(one, 'software', ['Windows 11\nWord 2021\n'], '2')
  is((await historyOf(one)).changes.length, 1)
})

test('one of two equal memory modules that is missing is a change', async () => {
  await report(two, 'hardware', ['mem=8 GiB\nmem=8 GiB\nmod=OptiPlex 7010\n'])
  await report(two, 'hardware', ['mem=8 GiB\nmod=OptiPlex 7010\n'])
  equal(withoutTime(await historyOf(two)), [
    { kind: 'hardware', added: [], removed: ['memory: 8 GiB'] },
    { kind: 'hardware', added: ['memory: 8 GiB', 'memory: 8 GiB'], removed: ['memory: 3.8 GiB'] },
  ])
})

test('disks and systems that other ones replace are changes, also when all are gone and come back', async () => {
  await connect(three, reported(465, 'Debian 13', '1'))
  const disk = { kind: 'disk', disk: 1 }
  const system = { kind: 'system', disk: 1, partition: 1 }
  equal(withoutTime(await historyOf(three)), [
    { ...system, added: ['Debian 13'], removed: ['Windows 10'] },
    { ...disk, added: ['disk 1: 499 GB'], removed: ['disk 1: 107 GB'] },
  ])
  await connect(three, { disk_setup: [], partition_setup: [] })
  await connect(three, reported(465, 'Debian 13', '5'))
  await connect(three, reported(465, 'Debian 13', '90'))
  equal(withoutTime(await historyOf(three)).slice(0, 4), [
    { ...system, added: ['Debian 13'], removed: [] },
    { ...disk, added: ['disk 1: 499 GB'], removed: [] },
    { ...system, added: [], removed: ['Debian 13'] },
    { ...disk, added: [], removed: ['disk 1: 499 GB'] },
  ])
})

test('changes are found in many computers by names and kind, the newest first, a page at a time', async () => {
  const { changes } = await found({ search: 'BLENDER' })
  equal(withoutTime({ changes }), [
    {
      client: one,
      name: 'lab-r01-1',
      kind: 'software',
      disk: 1,
      partition: 1,
      added: ['Blender 4.2.1'],
      removed: ['Blender 3.6.2'],
    },
  ])
  is((await found({ search: 'blender', where: 'name:lab-r01-2' })).changes.length, 0)
  const disks = await found({ kind: 'disk' })
  equal([disks.changes.length, new Set(disks.changes.map((each: InventoryChange) => each.kind)).size], [3, 1])
  const all = await found({})
  const pages: InventoryChange[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: { changes: InventoryChange[]; next?: string } = await found({ limit: '2', ...(after && { after }) })
    pages.push(...page.changes)
    after = page.next
  }
  equal([pages.length, pages], [9, all.changes])
  is((await lab.call('GET /inventory/history?where=rom:1')).status, 400)
})

test('a limited caller learns of its own computers only', async () => {
  const { changes } = await found({}, headers)
  equal([...new Set(changes.map(({ client }: { client: string }) => client))].sort(), [one, two])
  is((await historyOf(one, {}, headers)).changes.length, 1)
  for (const client of [three, `${subnet}.99`]) {
    const { status, headers: answered } = await lab.call(`GET /inventory/history?client=${client}`, undefined, headers)
    equal([status, answered['x-reason']], [403, 'client: expected a computer of the token'])
  }
  is((await lab.call(`GET /software?client=${three}&disk=1&partition=1`, undefined, headers)).status, 403)
})

test('long lists are cut and say how many names they had', async () => {
  const programs = Array.from({ length: 380 }, (_, number) => `program-${number} 1.0`)
  await report(one, 'software', [['Windows 11', ...programs].join('\n')])
  const [change] = (await historyOf(one)).changes
  equal([change.added.length, change.added_total, change.removed.length], [50, 380, 2])
})

test('a history has the newest 200 names', async () => {
  await report(
    two,
    'hardware',
    Array.from({ length: 120 }, (_, number) => `mem=${number} GiB\n`),
  )
  const { changes } = await historyOf(two)
  equal([changes.length, changes[0].added], [100, ['memory: 119 GiB']])
})

test('the command shows changes as a table', async () => {
  const { code, out } = await fleet('history', 'lab-r01-1', 'blender')
  is(code, 0)
  match(out, /WHEN +KIND +WHAT/)
  match(out, /software +- Blender 4\.2\.1/)
  match(
    (await fleet('history', '--where', 'name:lab-r01-1', 'program-7 ')).out,
    /lab-r01-1 +software +\+ program-7 1\.0/,
  )
  match((await fleet('history', 'lab-r01-1')).out, /\+ 330 more/)
  match((await fleet('history', three, '--kind', 'disk')).out, /- disk 1: 499 GB/)
  match((await fleet('history', '--where', 'name:lab-r01-2', 'nothing')).out, /no change/)
  match((await fleet('history', '--where', '', '--limit', '1')).out, /more: --after \d+\/\d+/)
  is((await fleet('history')).code, 2)
  is((await fleet('history', 'nobody')).code, 2)
})

test('the history follows a computer to another address, and goes with its record', async () => {
  const moved = `${subnet}.77`
  const { id, mac } = (await lab.call(`GET /client/info?client=${three}`)).json
  const text = `name,ip,mac\nmoved,${moved},${mac}\n`
  await lab.status('POST /client/import', { format: 'csv', text, room: 2, update: true })
  is((await lab.call(`GET /client/info?client=${moved}`)).json.id, id)
  const { changes } = await historyOf(moved)
  is(changes.length, 6)
  equal(await historyOf(three), { since: {}, changes: [] })
  await lab.status('POST /client/delete', { clients: [moved] })
  await lab.addComputer(moved, { room: 2 })
  equal(await historyOf(moved), { since: {}, changes: [] })
  is((await found({ search: 'disk' })).changes.length, 0)
})

test.run()
