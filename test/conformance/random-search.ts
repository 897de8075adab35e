// Random computers and random conditions on them, for the rule that all engines find the same.
import type { SearchNumber, SearchText, Store, Where } from '../../stores/store.ts'
import { addCenter, computer, image, restoredImage, room, row } from './samples.ts'

/** A whole number from 0 to below the argument. */
export type Random = (below: number) => number

/** Of Park and Miller: the same numbers in each run. */
export function createRandom(seed: number): Random {
  let state = seed
  return below => {
    state = (state * 48_271) % 0x7fff_ffff
    return state % below
  }
}

const words = [
  'lab',
  'PC',
  'Área',
  'Ñandú_1',
  'win11',
  'os:Debian',
  '50%',
  'a*b',
  String.raw`back\slash`,
  'Blender',
  '',
]
const versions = ['3.10.0', '3.9', 'v2.83.5-1', '(23.01)', '17', '1.0rc1', '1.0', '64-bit', '']
const operators = ['=', '<', '<=', '>', '>='] as const
const texts: readonly SearchText[] = [
  ...(['name', 'ip', 'mac', 'serial_number', 'boot', 'computer_id', 'room', 'room_id', 'center', 'center_id'] as const),
  ...(['repository', 'tag', 'system', 'image'] as const),
]
const numbers: readonly SearchNumber[] = ['memory', 'disk', 'used']
const deviceTypes = ['memory', 'disk', 'processor']

/** The list has one at least. */
const oneOf = <Value>(random: Random, list: readonly Value[]): Value => list[random(list.length)] as Value

const some = <Value>(random: Random, most: number, make: () => Value): Value[] =>
  Array.from({ length: random(most + 1) }, make)

const phrase = (random: Random) => some(random, 3, () => oneOf(random, words)).join(' ')

const line = (random: Random) =>
  `${oneOf(random, words)} ${oneOf(random, words)} ${oneOf(random, versions)}`.trim() || '-'

/** The same for each store that gets the same numbers. */
export async function fillAtRandom(store: Store, random: Random, count: number): Promise<void> {
  const rooms: number[] = []
  for (const name of ['Área', 'campus']) {
    const center = await addCenter(store, name)
    for (const name of ['Lab 1', 'LAB_2 ñ']) {
      const added = await store.rooms.add({ ...room(center, name), tags: randomTags(random) })
      rooms.push(Number(added))
    }
  }
  const images: number[] = []
  for (const name of ['win11-cad', 'Ubuntu 24.04', 'ÜBUNG']) images.push(Number(await store.images.add(image(name))))
  for (let number = 1; number <= count; number += 1) {
    const ip = `10.0.${number % 3}.${number}`
    await store.computers.add([
      computer(oneOf(random, rooms), ip, {
        name: `${phrase(random)}${number}`,
        serial_number: oneOf(random, words),
        mac: `AABBCC0000${(16 + number).toString(16)}`,
        boot: oneOf(random, ['pxe', 'disk']),
        maintenance: random(3) === 0,
        tags: randomTags(random),
      }),
    ])
    await report(store, random, ip, images)
  }
}

const randomTags = (random: Random) => some(random, 3, () => oneOf(random, ['CAD', 'seat:left', 'Ñ', 'exam']))

/** Some computers have sent nothing, or not all. */
async function report(store: Store, random: Random, ip: string, images: readonly number[]): Promise<void> {
  if (random(4) === 0) return
  const disk = row(0, '', { size: random(900) * 1024 * 1024 + random(1024), filesystem: '' })
  const rows = some(random, 3, () => 0).map((_, at) => row(at + 1, phrase(random), { used_size: random(101) }))
  await store.inventory.refresh(ip, { serial_number: '', rows: [disk, ...rows] })
  if (random(3) === 0 && rows.length > 0) await store.images.recordRestore(ip, restoredImage(oneOf(random, images)))
  for (const [at, { os }] of rows.entries()) {
    if (random(4) > 0)
      await store.inventory.setSoftware(ip, 1, at + 1, { os, programs: some(random, 6, () => line(random)) })
  }
  const sizes = ['8 GiB', '8192 MB', '4 GB DDR4', '512 MB', 'DDR5', '1.5 TB']
  const devices = some(random, 5, () => ({
    type: oneOf(random, deviceTypes),
    description: `${oneOf(random, sizes)} ${phrase(random)}`,
  }))
  if (random(4) > 0) await store.inventory.setHardware(ip, devices)
}

/** Whole texts, parts of them, and stars anywhere. */
function pattern(random: Random): string {
  const whole =
    random(2) === 0 ? phrase(random) : random(2) === 0 ? line(random) : oneOf(random, ['10.0.1.*', 'pxe', '1'])
  const from = random(whole.length + 1)
  const piece = random(2) === 0 ? whole : whole.slice(from, from + random(6))
  const star = () => oneOf(random, ['*', '*', ''])
  return `${star()}${piece}${star()}`.toLowerCase()
}

function leaf(random: Random): Where {
  const compared = { operator: oneOf(random, operators) }
  const kinds: (() => Where)[] = [
    () => ({ text: oneOf(random, texts), like: pattern(random) }),
    () => ({ program: pattern(random) }),
    () => ({
      program: pattern(random),
      version: { ...compared, value: oneOf(random, ['3', '3.9', '1.0', '23', '2.83']) },
    }),
    () => ({ device: oneOf(random, [...deviceTypes, '']), like: pattern(random) }),
    () => ({
      number: oneOf(random, numbers),
      compare: { ...compared, value: random(2) === 0 ? random(101) : random(500_000) },
    }),
    () => ({ maintenance: random(2) === 0 }),
    () => ({ in: some(random, 6, () => `10.0.${random(3)}.${random(30)}`) }),
  ]
  return oneOf(random, kinds)()
}

export function randomTree(random: Random, depth: number): Where {
  const branches = () => some(random, 3, () => randomTree(random, depth - 1))
  const kind = depth === 0 ? 3 : random(5)
  if (kind === 0) return { and: branches() }
  if (kind === 1) return { or: branches() }
  if (kind === 2) return { not: randomTree(random, depth - 1) }
  return leaf(random)
}
