// The rules for what is read of many computers at once.
import { equal } from 'uvu/assert'
import type { Store } from '../../stores/store.ts'
import type { Rule } from './rule.ts'
import { addLab, image, report, restoredImage, row, software } from './samples.ts'
import { conformance } from './stores.ts'

export const runs = { postgres: true }

const [one, two, three] = ['10.0.0.1', '10.0.0.2', '10.0.0.3'] as const
const devices = [
  { type: 'memory', description: '8 GiB' },
  { type: 'disk', description: 'Samsung' },
]

/** Two computers with the same lists and one without any. */
async function fill(store: Store): Promise<number> {
  const room = await addLab(store, one, two, three)
  for (const ip of [one, two]) {
    await store.inventory.refresh(ip, report(row(0, '', { size: 4000 }), row(1, 'Debian 13'), row(2)))
    await store.inventory.setHardware(ip, devices)
    await store.inventory.setSoftware(ip, 1, 1, software('Debian 13', 'vim 9', 'Zed 1', 'bc 1.07', 'vim 9'))
  }
  const id = await store.images.add(image('win11'))
  await store.images.recordRestore(two, restoredImage(Number(id), 2))
  await store.inventory.setSoftware(two, 1, 2, software('Windows 11', 'vim 9', 'Éclair 2'))
  return room
}

const byList = (one: { list: number }, other: { list: number }) => one.list - other.list

function surveys(rule: Rule): void {
  rule('a survey has the computers in the order of their ids, with the names of what they have', async store => {
    const room = await fill(store)
    const found = await store.inventory.survey([three, two, '10.9.9.9', one])
    equal(
      found.map(({ ip, room, rows }) => [
        ip,
        room,
        rows.map(({ partition, system, image }) => [partition, system, image]),
      ]),
      [
        [
          one,
          room,
          [
            [0, '', ''],
            [1, 'Debian 13', ''],
            [2, '', ''],
          ],
        ],
        [
          two,
          room,
          [
            [0, '', ''],
            [1, 'Debian 13', ''],
            [2, '', 'win11'],
          ],
        ],
        [three, room, []],
      ],
    )
    const [first, second, last] = found
    equal([first?.hardware, last?.hardware], [second?.hardware, 0])
    equal(first?.rows[1]?.software, second?.rows[1]?.software)
    equal([first?.rows[0]?.size, first?.rows[0]?.software], [4000, 0])
    equal(await store.inventory.devices([first?.hardware ?? 0, 99]), [{ id: first?.hardware, items: devices }])
  })

  rule(
    'the lines of lists of software are read in their order, a page at a time, with the lists that have them',
    async store => {
      await fill(store)
      const [, second] = await store.inventory.survey([one, two])
      const [common = 0, other = 0] = second?.rows.slice(1).map(({ software }) => software) ?? []
      const read = async (like: string, after?: string) =>
        (await store.inventory.programs([other, common, 99], { like, after, limit: 2 })).map(({ program, lists }) => [
          program,
          lists.sort((a, b) => a - b),
        ])
      equal(await read('*'), [
        ['Zed 1', [common]],
        ['bc 1.07', [common]],
      ])
      equal(await read('*', 'bc 1.07'), [
        ['vim 9', [common, other].sort((a, b) => a - b)],
        ['Éclair 2', [other]],
      ])
      equal(await read('*ze*'), [['Zed 1', [common]]])
      equal(await read('*debian*'), [])
      equal(await store.inventory.programs([], { like: '*', limit: 2 }), [])
    },
  )

  rule('each list of software has its owners, by room', async store => {
    const room = await fill(store)
    const [first, second] = await store.inventory.survey([one, two])
    const [common, other] = second?.rows.slice(1).map(({ software }) => software) ?? []
    const owners = await store.inventory.owners([three, two, '10.9.9.9', one])
    equal(owners.map(({ computers, ...others }) => ({ ...others, computers: computers.sort() })).sort(byList), [
      { list: common, room, computers: [first?.id, second?.id] },
      { list: other, room, computers: [second?.id] },
    ])
    equal(await store.inventory.owners([three]), [])
  })

  rule('lines of more lists than an engine reads as they are', async store => {
    await fill(store)
    const found = await store.inventory.survey([one])
    const lists = [...found.flatMap(({ rows }) => rows.map(({ software }) => software)), 9]
    const many = [...lists, ...Array.from({ length: 1000 }, (_, at) => 1000 + at)]
    for (const like of ['*', '*i*'])
      equal(
        await store.inventory.programs(many, { like, limit: 2 }),
        await store.inventory.programs(lists, { like, limit: 2 }),
      )
  })
}

conformance({ surveys })
