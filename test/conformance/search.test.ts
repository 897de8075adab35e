// The rules for searching computers: each condition by itself, and random trees of them, in which all engines agree.
import { equal, ok } from 'uvu/assert'
import openMemory from '../../stores/memory/index.ts'
import type { Store, TextCondition, Where } from '../../stores/store.ts'
import { silent } from '../harness/store-folders.ts'
import { createRandom, fillAtRandom, randomTree } from './random-search.ts'
import type { Rule } from './rule.ts'
import { addLab, computer, image, restoredImage, room, row } from './samples.ts'
import { conformance } from './stores.ts'

export const runs = { postgres: true }

const found = async (store: Store, where: Where) => (await store.computers.search(where)).map(({ ip }) => ip.slice(-1))

/** Four computers, the last one in another room, of which three have been asked for their inventory. */
async function fill(store: Store): Promise<void> {
  const lab = await addLab(store)
  const other = await store.rooms.add({ ...room(1, 'Área 51_%'), tags: ['exam'] })
  await store.computers.add([
    computer(lab, '10.0.0.1', { name: 'PC-one', serial_number: 'ABC1', tags: ['CAD', 'os:win11', 'cad'] }),
    computer(lab, '10.0.0.2', { name: 'pc-two', boot: 'disk', maintenance: true, mac: 'AABBCC000002' }),
    computer(lab, '10.0.0.3', { name: 'printer', serial_number: 'abc*', tags: [] }),
    computer(Number(other), '10.0.0.4', { name: 'pc-four', tags: ['cad:3d'] }),
  ])
  const [one, two] = ['10.0.0.1', '10.0.0.2']
  const disk = (gib: number) => row(0, '', { size: gib * 1024 * 1024, filesystem: '' })
  await store.inventory.refresh(one, { serial_number: '', rows: [disk(500), row(1, 'Windows 11', { used_size: 95 })] })
  await store.inventory.refresh(two, { serial_number: '', rows: [disk(200), row(1, 'Debian 13'), row(2)] })
  await store.inventory.refresh('10.0.0.3', { serial_number: '', rows: [disk(250)] })
  const id = await store.images.add(image('win11-cad'))
  await store.images.recordRestore('10.0.0.3', restoredImage(Number(id)))
  await store.inventory.setHardware(one, [
    { type: 'memory', description: 'DDR4 8 GiB 3200 MHz' },
    { type: 'memory', description: '8192 MB' },
    { type: 'disk', description: 'Samsung SSD 980 NVMe' },
  ])
  await store.inventory.setHardware(two, [
    { type: 'memory', description: '4 GB' },
    { type: 'disk', description: 'Seagate' },
    { type: 'graphics card', description: 'NVMe of no use' },
  ])
  await store.inventory.setSoftware(one, 1, 1, { os: 'Windows 11', programs: ['Blender 3.10.0', '7-Zip 23.01 (x64)'] })
  await store.inventory.setSoftware(two, 1, 1, { os: 'Debian 13', programs: ['blender 2.83.5-1', 'bc 1.07', 'ÑU 1.0'] })
}

function conditions(rule: Rule): void {
  const cases: [string, Where, string][] = [
    ['a text is compared as a whole, without regard to case', { text: 'name', like: 'pc-one' }, '1'],
    ['a star stands for any text, also for none', { text: 'name', like: 'pc-*o*' }, '124'],
    ['a star alone is met by each text but an empty one', { text: 'serial_number', like: '*' }, '13'],
    ['other characters stand for themselves', { text: 'room', like: 'área 51_%' }, '4'],
    ['an underscore is no wildcard', { text: 'room', like: '________%' }, ''],
    ['a piece between two stars comes after the one before', { text: 'name', like: 'pc*p*' }, ''],
    ['a computer has its tags, in lower case', { text: 'tag', like: 'cad' }, '1'],
    ['a computer has the tags of its room', { text: 'tag', like: 'exam' }, '4'],
    ['a tag may be a key with a value', { text: 'tag', like: '*:*' }, '14'],
    ['systems are those of its partitions', { text: 'system', like: '*windows*' }, '1'],
    ['images are those of its partitions', { text: 'image', like: 'win11*' }, '3'],
    ['centers are those of their rooms', { text: 'center', like: '*' }, '1234'],
    ['repositories have names', { text: 'repository', like: 'default' }, '1234'],
    ['hardware addresses are compared without regard to case', { text: 'mac', like: 'aabb*' }, '2'],
    ['a program is a line of a list of software', { program: '*blender*' }, '12'],
    ['versions are compared by numbers', { program: '*blender*', version: { operator: '>=', value: '3.9' } }, '1'],
    [
      'a version that is named by its first numbers',
      { program: '*blender*', version: { operator: '=', value: '2.83' } },
      '2',
    ],
    ['accents of programs are compared without regard to case', { program: '*ñu*' }, '2'],
    ['an operating system is no program', { program: '*debian*' }, ''],
    ['a device has a type', { device: 'disk', like: '*nvme*' }, '1'],
    ['a device of any type', { device: '', like: '*nvme*' }, '12'],
    ['memory is that of all modules', { number: 'memory', compare: { operator: '=', value: 16_384 } }, '1'],
    [
      'a computer of unknown memory meets no comparison',
      { number: 'memory', compare: { operator: '<', value: 9999 } },
      '2',
    ],
    ['its largest disk', { number: 'disk', compare: { operator: '>=', value: 250 * 1024 } }, '13'],
    ['its fullest partition', { number: 'used', compare: { operator: '>', value: 90 } }, '1'],
    ['maintenance', { maintenance: true }, '2'],
    ['addresses', { in: ['10.0.0.3', '10.0.0.99'] }, '3'],
    ['no conditions of which all must be met', { and: [] }, '1234'],
    ['no conditions of which one must be met', { or: [] }, ''],
    ['a condition that is not met, also where nothing is known', { not: { text: 'system', like: '*windows*' } }, '234'],
    ['trees', { and: [{ or: [{ in: ['10.0.0.1'] }, { in: ['10.0.0.2'] }] }, { not: { maintenance: true } }] }, '1'],
  ]
  for (const [name, where, expected] of cases) {
    rule(name, async store => {
      await fill(store)
      equal((await found(store, where)).join(''), expected)
    })
  }

  const offers: [string, TextCondition, string[], string[]][] = [
    ['names', { text: 'name', like: 'pc*' }, ['PC-one', 'pc-four', 'pc-two'], ['pc-two']],
    ['rooms with computers', { text: 'room', like: '*' }, ['lab', 'Área 51_%'], ['lab']],
    ['centers', { text: 'center', like: '*' }, ['campus'], ['campus']],
    ['tags of computers and of their rooms', { text: 'tag', like: '*' }, ['cad', 'cad:3d', 'exam', 'os:win11'], []],
    ['systems', { text: 'system', like: '*' }, ['Debian 13', 'Windows 11'], ['Debian 13']],
    ['images', { text: 'image', like: 'win*' }, ['win11-cad'], []],
    ['repositories', { text: 'repository', like: '*' }, ['default'], ['default']],
    ['programs with accents', { program: 'ñ*' }, ['ÑU 1.0'], ['ÑU 1.0']],
    ['programs', { program: 'b*' }, ['Blender 3.10.0', 'bc 1.07', 'blender 2.83.5-1'], ['bc 1.07', 'blender 2.83.5-1']],
    ['devices of a type', { device: 'disk', like: '*' }, ['Samsung SSD 980 NVMe', 'Seagate'], ['Seagate']],
    [
      'devices of any type',
      { device: '', like: '*nvme*' },
      ['NVMe of no use', 'Samsung SSD 980 NVMe'],
      ['NVMe of no use'],
    ],
  ]
  for (const [name, where, all, ofTwo] of offers) {
    rule(`what can be asked for is listed, of all or of some computers: ${name}`, async store => {
      await fill(store)
      equal(await store.computers.searchValues(where), all)
      equal(await store.computers.searchValues(where, ['10.0.0.2', '10.0.0.99']), ofTwo)
      equal(await store.computers.searchValues(where, []), [])
    })
  }

  rule('what a list that is replaced or a computer that is deleted had is found no more', async store => {
    await fill(store)
    await store.inventory.setSoftware('10.0.0.1', 1, 1, { os: 'Windows 11', programs: ['gimp 2.10'] })
    await store.computers.delete(['10.0.0.2'])
    equal(await found(store, { program: '*blender*' }), [])
    equal(await found(store, { program: 'gimp *' }), ['1'])
    equal(await store.computers.searchValues({ program: '*' }), ['gimp 2.10'])
  })

  rule('programs of many names are found in few and in many lists, also by version', async store => {
    await addLab(store, '10.0.0.1', '10.0.0.2', '10.0.0.3')
    const names = Array.from({ length: 2100 }, (_, at) => `tool ${at} 1.0`)
    await store.inventory.setSoftware('10.0.0.1', 1, 1, { os: '', programs: names })
    await store.inventory.setSoftware('10.0.0.2', 1, 1, { os: '', programs: ['another 7', 'tool x 2.0'] })
    const others = Array.from({ length: 301 }, (_, at) => ({ os: '', programs: [`other ${at}`] }))
    const isFound = async () => {
      const meeting = (operator: '<' | '>=', value: string) =>
        found(store, { program: 'tool *', version: { operator, value } })
      equal(await found(store, { program: 'tool *' }), ['1', '2'])
      equal(await meeting('>=', '2'), ['2'])
      equal(await meeting('<', '2'), ['1'])
      equal(await meeting('>=', '1'), ['1', '2'])
    }
    await isFound()
    await Promise.all(others.map((list, at) => store.inventory.setSoftware('10.0.0.3', 1, at + 1, list)))
    await isFound()
  })

  rule('random trees of conditions find the same of random computers in all engines', async store => {
    const reference = await openMemory({ adapter: 'memory', path: '' }, silent)
    for (const each of [store, reference]) await fillAtRandom(each, createRandom(5), 30)
    const random = createRandom(7)
    let hits = 0
    for (let count = 0; count < 400; count += 1) {
      const where = randomTree(random, 3)
      const expected = await reference.computers.search(where)
      equal(await store.computers.search(where), expected, JSON.stringify(where))
      hits += Number(expected.length > 0)
    }
    ok(hits > 100)
    await reference.close()
  })
}

conformance({ conditions })
