// `GET /inventory/summary` and `GET /room/differences`: what computers have, and which of a room differ.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { reported, startInventoryLab, takeInventory } from '../harness/inventory-lab.ts'

const lab = await startInventoryLab('127.0.39')
const [one = '', two = '', three = '', four = ''] = lab.addresses
const { token } = await lab.addToken('limited', 'read')
const headers = { Authorization: token }
const { fleet, remove } = openShellOf(lab)

const test = suite('counts and differences')
test.after(async () => {
  remove()
  await lab.stop()
})

test('a summary counts what the computers have', async () => {
  const { json } = await lab.call('GET /inventory/summary')
  equal(json, {
    computers: 4,
    models: { values: [{ value: 'OptiPlex 7010', computers: 1 }] },
    memory: {
      values: [
        { value: 4, computers: 1 },
        { value: 16, computers: 1 },
      ],
    },
    disks: {
      values: [
        { value: 107, computers: 1 },
        { value: 249, computers: 1 },
        { value: 499, computers: 1 },
      ],
    },
    processors: { values: [{ value: 'Intel Core i5-12400', computers: 1 }] },
    systems: {
      values: [
        { value: 'Debian 13', computers: 1 },
        { value: 'Windows 10', computers: 1 },
        { value: 'Windows 11 Pro', computers: 1 },
      ],
    },
  })
  equal((await lab.call('GET /inventory/summary?where=os:debian')).json.disks, {
    values: [{ value: 249, computers: 1 }],
  })
})

test('what is in the partitions of computers is said once for all that have the same', async () => {
  const { partitions } = (await lab.call('GET /client/systems?where=os:windows')).json
  const words = partitions.map(({ disk, partition, system, clients }: Record<string, string[]>) =>
    [disk, partition, system, clients?.length].join(' '),
  )
  equal(words, ['1 1 Windows 11 Pro 1', '1 1 Windows 10 1'])
  is((await lab.call('GET /client/systems', { clients: lab.addresses }, headers)).status, 403)
})

test('a limited caller counts its own computers only', async () => {
  const { json } = await lab.call('GET /inventory/summary', undefined, headers)
  equal([json.computers, json.systems.values.length], [2, 2])
})

test('the odd one of a room is shown with what it lacks and what only it has', async () => {
  await lab.status('POST /client/move', { clients: [one, two, four], room: 2 })
  for (const addr of [one, two, four])
    await takeInventory(lab, addr, reported(465, 'Debian 13', '1'), 'mem=8 GiB\n', 'Debian\nvim 9\nzsh 5\n')
  await takeInventory(lab, three, reported(232, 'Debian 13', '1'), 'mem=8 GiB\n', 'Debian\nvim 9\nsolitaire 1\n')
  const { json } = await lab.call('GET /room/differences?room=2')
  equal(json, {
    compared: 4,
    different: 1,
    computers: [
      {
        client: three,
        name: `pc-${three}`,
        missing: [
          { kind: 'software', text: 'zsh 5', computers: 3, of: 4 },
          { kind: 'disk', text: '499 GB', computers: 3, of: 4 },
        ],
        extra: [
          { kind: 'software', text: 'solitaire 1', computers: 1, of: 4 },
          { kind: 'disk', text: '249 GB', computers: 1, of: 4 },
        ],
        missing_count: 2,
        extra_count: 2,
      },
    ],
  })
})

test('fleet inventory and fleet differences print tables', async () => {
  const rows = (out: string) =>
    out
      .trimEnd()
      .split('\n')
      .map(line => line.trim().split(/ {2,}/))
  equal(rows((await fleet('inventory', 'os:*')).out).slice(0, 3), [
    ['KIND', 'VALUE', 'COMPUTERS'],
    ['memory', '8 GiB', '4'],
    ['disk', '499 GB', '3'],
  ])
  const differences = rows((await fleet('differences', 'Second')).out)
  equal(differences[1], [`pc-${three}`, 'software', '- zsh 5', '3 of 4'])
  equal(differences.at(-1), ['1 of 4 computers differ'])
})

test('a room outside the limits of a caller is refused as one that does not exist', async () => {
  for (const room of [2, 99]) {
    const { status, headers: answered } = await lab.call(`GET /room/differences?room=${room}`, undefined, headers)
    equal([status, answered['x-reason']], [403, 'room: expected a room of the token'])
  }
  is((await lab.call('GET /room/differences?room=99')).headers['x-reason'], 'room: there is no room 99')
})

test.run()
