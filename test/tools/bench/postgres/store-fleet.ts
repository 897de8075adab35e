// Fills a store with a fleet of computers that has realistic inventories; the same size gives the same data.
import type { DiskReport, HardwareItem, Software, Store } from '../../../../stores/store.ts'
import { addRoom, computer as sample } from '../../../conformance/samples.ts'

/** The part of hardware and software lists that several computers share, as computers of one room are alike. */
const sharedPart = 0.8
const computersPerRoom = 25

export type Random = () => number

/** A small random generator with a seed (mulberry32), so that runs can be compared. */
export function random(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const randomInteger = (next: Random, from: number, to: number) => from + Math.floor(next() * (to - from + 1))

const program = (number: number) => `package-${number}-runtime ${number % 17}.${number % 9}.${number}-ubuntu amd64`

export const address = (index: number) => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`

/** 300 to 2,000 programs. A shared list depends on the seed only; with `changing` a tenth of the programs differs. */
export function software(system: string, seed: number, changing: Random | undefined): Software {
  const next = random(seed)
  const programs = Array.from({ length: randomInteger(next, 300, 2000) }, () => program(randomInteger(next, 0, 20_000)))
  const changed = changing
    ? programs.map(text => (changing() < 0.1 ? program(randomInteger(changing, 0, 60_000)) : text))
    : programs
  return { os: `${system} ${seed % 5}`, programs: changed }
}

export function hardware(room: number, serial: number | undefined): HardwareItem[] {
  return Array.from({ length: 25 }, (_, at) => ({
    type: `device ${at % 18}`,
    description: `vendor ${(room * 7 + at) % 400} model ${(room * at) % 900}${serial && at === 0 ? ` serial ${serial}` : ''}`,
  }))
}

export function report(index: number, used: number): DiskReport {
  const sizes = [500_000_000, 512_000, 200_000_000, 16_000, 150_000_000, 50_000_000]
  const rows = sizes.map((size, partition) => ({
    disk: 1,
    partition,
    code: partition === 0 ? 2 : 7,
    size,
    used_size: partition === 0 ? 0 : (used + partition) % 100,
    filesystem: partition === 0 ? '' : 'NTFS',
    os: partition === 2 ? 'Windows 10 Education 64 bits' : partition === 4 ? 'Ubuntu 22.04.3 LTS 64 bits' : '',
  }))
  return { rows, serial_number: `SN${index}` }
}

/** What an agent reports of one computer. */
export function inventoryOf(index: number) {
  const own = random(index)
  const room = Math.floor(index / computersPerRoom)
  const items = hardware(room, own() < sharedPart ? undefined : index)
  const list = (system: string, seed: number) => software(system, seed, own() < sharedPart ? undefined : own)
  const [windows, ubuntu] = [list('Windows', room % 40), list('Ubuntu', 100 + (room % 40))]
  return { ip: address(index), disks: report(index, index), items, windows, ubuntu }
}

type Inventory = ReturnType<typeof inventoryOf>

/** Stores all that an agent reports of one computer. */
async function inventory(store: Store, { ip, disks, items, windows, ubuntu }: Inventory): Promise<void> {
  await store.inventory.refresh(ip, disks)
  await store.inventory.setHardware(ip, items)
  await store.inventory.setSoftware(ip, 1, 2, windows)
  await store.inventory.setSoftware(ip, 1, 4, ubuntu)
}

export async function fill(store: Store, computers: number, reported = inventoryOf): Promise<void> {
  const center = (await store.centers.add({ name: 'campus', comment: '' })) ?? 0
  for (let first = 0; first < computers; first += computersPerRoom) {
    const room = await addRoom(store, center, `room ${first / computersPerRoom}`)
    const indexes = Array.from({ length: Math.min(computersPerRoom, computers - first) }, (_, at) => first + at)
    await store.computers.add(indexes.map(index => computer(room, index)))
    await Promise.all(indexes.map(index => inventory(store, reported(index))))
  }
}

export const computer = (room: number, index: number) =>
  sample(room, address(index), { name: `pc-${index}`, mac: index.toString(16).padStart(12, '0') })

const forty = Array.from({ length: 40 }, (_, at) => at)
const lists = forty.map(at => software('Windows', at, undefined))
const items = forty.map(at => hardware(at, undefined))

/** A typical mix of writes: mostly refreshes with changes, some inventories and new computers. */
export async function write(store: Store, index: number, what: number): Promise<unknown> {
  const ip = address(index)
  if (what < 0.94) return store.inventory.refresh(ip, report(index, Math.floor(what * 100_000)))
  if (what < 0.96) return store.inventory.setHardware(ip, items[index % 40] ?? [])
  if (what < 0.98) return store.inventory.setSoftware(ip, 1, 2, lists[index % 40] ?? { os: '', programs: [] })
  return store.computers.add([computer(1, index + (1 << 20) + Math.floor(what * 1e9))])
}
