// What a simulated fleet has before anything happens: hosts, a room of computers with an image, and a repository.
import { restorePayload } from '../../harness/lab-images.ts'
import { callHost } from './callers.ts'
import type { Computer } from './computers.ts'
import { type Limits, rooms } from './limits.ts'
import type { Scenario } from './scenario.ts'
import type { World } from './world.ts'

export const repository = '10.9.9.9'

/** In that repository. */
const image = {
  ...{ name: restorePayload.name, description: '', repo_id: 2, type: 1, datasize: 1, software_id: 0, group_id: 0 },
  ...{ center_id: 0, clonator: '', compressor: '', filesystem: '' },
}

/** Milliseconds in which all computers connect. */
const connectMilliseconds = 3000

export async function setUp(
  world: World,
  computers: readonly Computer[],
  limits: Limits,
  { slots }: Scenario,
): Promise<void> {
  const { hosts, database, time } = world
  for (const host of hosts) await host.start()
  const [first] = hosts
  if (!first) return
  const add = async (route: string, payload: object) => {
    const { status, text } = await callHost(world, first, route, payload)
    if (status !== 200) throw new Error(`${route}: ${status} ${text}`)
    return text
  }
  await add('POST /center/add', { name: 'Center' })
  await add('POST /repository/add', { name: 'slots', ip: repository, slots })
  for (const room of rooms)
    await add('POST /room/add', { name: `Room ${room}`, netmask: '255.255.255.0', center: 1, remote: true })
  const limited = await add('POST /token/add', { name: 'limited', role: 'operate', rooms: [rooms[0]] })
  limits.token = JSON.parse(limited).token
  for (const [index, { addr }] of computers.entries()) {
    const mac = `0200000000${(index + 1).toString(16).padStart(2, '0')}`
    await add('POST /client/add', { name: `pc-${index + 1}`, ip: addr, mac, room: 1 })
  }
  await add('POST /pack/enable', { pack: 'remote-labs' })
  for (const computer of computers) computer.connect()
  const id = await database.store.images.add(image)
  await time.wait(connectMilliseconds)
  const restored = { id: id ?? 0, disk: 1, partition: 1, version: 1, at: time.now }
  for (const { addr } of computers) await database.store.images.recordRestore(addr, restored)
}
