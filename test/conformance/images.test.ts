// The rules for images, and for lists that computers and images share.
import * as assert from 'uvu/assert'
import type { Store } from '../../stores/store.ts'
import type { Rule } from './rule.ts'
import { addLab, computer, createdImage, image, report, restoredImage, row, software } from './samples.ts'
import { conformance } from './stores.ts'

export const runs = { postgres: true }

const ip = '10.0.0.1'
const partition = async (store: Store, at = ip) => (await store.inventory.partitions(at))[0]

function images(rule: Rule): void {
  rule('an image is found by its name, with all its values', async store => {
    const place = { disk: 2, partition: 3 }
    const added = image('linux', { description: 'x', datasize: 2 ** 45, group_id: 3, center_id: 4, ...place })
    const id = await store.images.add(added)
    assert.equal(await store.images.find('linux'), { id, ...added })
    assert.is(await store.images.find('Linux'), undefined)
  })

  rule('an image is found by its id, and none by the id of none', async store => {
    const id = (await store.images.add(image('linux'))) ?? 0
    assert.equal(await store.images.findById(id), { id, ...image('linux') })
    assert.is(await store.images.findById(id + 1), undefined)
  })

  rule('images are listed by id, and their names are unique', async store => {
    const [z, a] = [await store.images.add(image('z')), await store.images.add(image('a'))]
    assert.is(await store.images.add(image('z', { description: 'other' })), undefined)
    assert.equal(
      (await store.images.list()).map(({ id, name }) => ({ id, name })),
      [
        { id: z, name: 'z' },
        { id: a, name: 'a' },
      ],
    )
  })

  rule('an image belongs to a room, to a center or to all, also after it was created again', async store => {
    await addLab(store, ip)
    const id = (await store.images.add(image('own', { room_id: 3 }))) ?? 0
    await store.images.recordCreate(ip, createdImage(id, software('Debian 12')))
    const read = async () => {
      const { center_id, room_id } = (await store.images.find('own')) ?? {}
      return [center_id, room_id]
    }
    assert.equal(await read(), [0, 3])
    assert.is(await store.images.setOwner(id, { center_id: 2 }), true)
    assert.equal(await read(), [2, undefined])
    assert.is(await store.images.setOwner(id, { center_id: 0, room_id: 4 }), true)
    assert.equal(await read(), [0, 4])
    assert.is(await store.images.setOwner(id + 1, { center_id: 0 }), false)
  })

  rule('creating an image updates its record, and its partition names it', async store => {
    await addLab(store, ip)
    await store.inventory.refresh(ip, report(row(1, 'Debian 12')))
    const id = (await store.images.add(image('linux', { description: 'unchanged' }))) ?? 0
    assert.is(await store.images.recordCreate(ip, createdImage(id, software('Debian 12', 'vim', 'gcc'))), true)
    const stored = await store.images.find('linux')
    const source = { disk: 1, partition: 1 }
    const reported = { datasize: 4096, clonator: 'PARTCLONE', compressor: 'LZOP', filesystem: 'EXT4', ...source }
    assert.equal(stored, {
      id,
      ...image('linux', { description: 'unchanged', ...reported }),
      software_id: stored?.software_id,
    })
    const after = await partition(store)
    assert.is(after?.image, id)
    assert.is(after?.software, stored?.software_id)
    assert.equal(await store.inventory.software(ip, 1, 1), ['vim', 'gcc'])
  })

  rule('creating an unknown image stores only the software of its partition', async store => {
    await addLab(store, ip)
    assert.is(await store.images.recordCreate(ip, createdImage(9, software('Debian 12', 'vim'))), true)
    assert.is((await partition(store))?.image, 0)
    assert.equal(await store.inventory.software(ip, 1, 1), ['vim'])
    assert.equal(await store.images.list(), [])
  })
}

function restoredImages(rule: Rule): void {
  rule('the uses of images have their systems, and how many computers have a partition of each', async store => {
    await addLab(store, ip, '10.0.0.2')
    const used = (await store.images.add(image('used'))) ?? 0
    const unused = (await store.images.add(image('unused'))) ?? 0
    await store.images.recordCreate(ip, createdImage(used, software('Debian 12', 'vim')))
    await store.images.recordRestore(ip, restoredImage(used, 2))
    await store.images.recordRestore('10.0.0.2', restoredImage(used))
    const uses = [
      { id: used, system: 'Debian 12', computers: 2 },
      { id: unused, system: '', computers: 0 },
    ]
    assert.equal(await store.images.uses(), uses)
    assert.equal([await store.images.system(used), await store.images.system(unused)], ['Debian 12', ''])
    assert.is(await store.images.system(99), '')
    await store.computers.delete([ip])
    assert.equal((await store.images.uses())[0]?.computers, 1)
  })

  rule('a restored partition has the image, its software and its operating system', async store => {
    await addLab(store, ip, '10.0.0.2')
    const id = (await store.images.add(image('linux'))) ?? 0
    await store.images.recordCreate(ip, createdImage(id, software('Debian 12', 'vim')))
    assert.is(await store.images.recordRestore('10.0.0.2', restoredImage(id)), true)
    const restored = await partition(store, '10.0.0.2')
    assert.is(restored?.image, id)
    assert.is(restored?.software, (await partition(store))?.software)
    assert.equal(await store.inventory.sessions('10.0.0.2'), [{ disk: 1, partition: 1, name: 'Debian 12' }])
    assert.equal(await store.inventory.software('10.0.0.2', 1, 1), ['vim'])
  })

  rule('restoring an unknown image changes nothing', async store => {
    await addLab(store, ip)
    await store.inventory.refresh(ip, report(row(1, 'Debian 12')))
    const before = await store.inventory.partitions(ip)
    await store.images.recordRestore(ip, restoredImage(99))
    await store.images.recordRestore(ip, restoredImage(99, 2))
    assert.equal(await store.inventory.partitions(ip), before)
  })

  rule(
    'restoring an image that was never created leaves a partition without software and operating system',
    async store => {
      await addLab(store, ip)
      await store.inventory.refresh(ip, report(row(1, 'Debian 12')))
      const id = (await store.images.add(image('empty'))) ?? 0
      await store.images.recordRestore(ip, restoredImage(id))
      const after = await partition(store)
      const { image: restored, software, os } = after ?? {}
      assert.equal({ restored, software, os }, { restored: id, software: 0, os: 0 })
    },
  )
}

const list = software('Debian 12', ...Array.from({ length: 300 }, (_, at) => `program ${at}`))

function sharing(rule: Rule): void {
  rule('equal lists share one profile, and another sequence or another operating system has its own', async store => {
    await addLab(store, ip, '10.0.0.2', '10.0.0.3', '10.0.0.4')
    await store.inventory.setSoftware(ip, 1, 1, list)
    await store.inventory.setSoftware('10.0.0.2', 1, 1, structuredClone(list))
    await store.inventory.setSoftware('10.0.0.3', 1, 1, { ...list, programs: list.programs.toReversed() })
    await store.inventory.setSoftware('10.0.0.4', 1, 1, { ...list, os: 'Debian 13' })
    const ids = [1, 2, 3, 4].map(async n => (await partition(store, `10.0.0.${n}`))?.software)
    const [one, two, three, four] = await Promise.all(ids)
    assert.is(one, two)
    assert.is(new Set([one, three, four]).size, 3)
    assert.equal(await store.inventory.software('10.0.0.3', 1, 1), list.programs.toReversed())
  })

  rule('equal hardware shares one profile, which a new computer may name', async store => {
    const lab = await addLab(store, ip, '10.0.0.2')
    const items = [{ type: 'disk', description: 'one' }]
    await store.inventory.setHardware(ip, items)
    await store.inventory.setHardware('10.0.0.2', structuredClone(items))
    const hardware_id = (await store.computers.find(ip))?.hardware_id ?? 0
    assert.is((await store.computers.find('10.0.0.2'))?.hardware_id, hardware_id)
    await store.computers.add([computer(lab, '10.0.0.3', { hardware_id })])
    await store.computers.delete([ip, '10.0.0.2'])
    assert.equal(await store.inventory.hardware('10.0.0.3'), items)
  })

  rule('the id of a missing profile that a computer names is never assigned to another list', async store => {
    const lab = await addLab(store, ip)
    await store.computers.add([1, 2, 3].map(id => computer(lab, `10.0.1.${id}`, { hardware_id: id })))
    await store.inventory.setHardware(ip, [{ type: 'disk', description: 'one' }])
    assert.equal(await store.inventory.hardware('10.0.1.1'), [])
    assert.equal(await store.inventory.hardware('10.0.1.2'), [])
    assert.is((await store.computers.find('10.0.1.3'))?.hardware_id, 3)
  })

  rule('a list that one computer no longer has stays for other computers and for images', async store => {
    await addLab(store, ip, '10.0.0.2')
    const id = (await store.images.add(image('linux'))) ?? 0
    await store.images.recordCreate(ip, createdImage(id, list))
    await store.inventory.setSoftware('10.0.0.2', 1, 1, list)
    await store.inventory.setSoftware(ip, 1, 1, software('other'))
    assert.equal(await store.inventory.software('10.0.0.2', 1, 1), list.programs)
    await store.computers.delete(['10.0.0.2'])
    await store.images.recordRestore(ip, restoredImage(id))
    assert.equal(await store.inventory.software(ip, 1, 1), list.programs)
  })

  rule('a profile without users is deleted, and its list gets a new id when it is set again', async store => {
    await addLab(store, ip, '10.0.0.2')
    await store.inventory.setSoftware(ip, 1, 1, list)
    const first = (await partition(store))?.software ?? 0
    await store.inventory.setSoftware(ip, 1, 1, software('other', 'program 1'))
    await store.inventory.setSoftware(ip, 1, 1, list)
    assert.ok(((await partition(store))?.software ?? 0) > first)
    assert.equal(await store.inventory.software(ip, 1, 1), list.programs)
    await store.inventory.refresh(ip, report(row(2)))
    await store.inventory.setSoftware('10.0.0.2', 1, 1, list)
    assert.equal(await store.inventory.software('10.0.0.2', 1, 1), list.programs)
  })
}

conformance({ images, restoredImages, sharing })
