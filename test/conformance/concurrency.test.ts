// The rules for ids, for texts, and for concurrent writes.
import * as assert from 'uvu/assert'
import type { Rule } from './rule.ts'
import { addCenter, addLab, addRoom, computer, image, report, room, row, software } from './samples.ts'
import { conformance } from './stores.ts'

export const runs = { postgres: true }

const ip = '10.0.0.1'

function ids(rule: Rule): void {
  rule('ids are positive and never assigned twice, also after opening again', async (first, { reopen }) => {
    let store = first
    const ids = { centers: new Set<number>(), rooms: new Set<number>(), computers: new Set<number>() }
    for (const round of [1, 2, 3]) {
      const center = await addCenter(store)
      const lab = await addRoom(store, center)
      await store.computers.add([computer(lab, ip)])
      const { id = 0 } = (await store.computers.find(ip)) ?? {}
      ids.centers.add(center)
      ids.rooms.add(lab)
      ids.computers.add(id)
      assert.is(ids.centers.size + ids.rooms.size + ids.computers.size, 3 * round)
      assert.ok(Math.min(center, lab, id) > 0)
      await store.centers.delete(center)
      if (reopen) store = await reopen()
    }
  })
}

function texts(rule: Rule): void {
  const names = ['aula 1'.repeat(50).slice(0, 250), 'Ciències · 教室 · 🖥', 'a"b\\c\'d', 'two\nlines\t\0', ' ', '']

  rule(
    'names with any characters are read as they were stored, also after opening again',
    async (first, { reopen }) => {
      const center = await addCenter(first)
      for (const name of names) await addRoom(first, center, name)
      const lab = await addRoom(first, center, 'lab')
      await first.computers.add(names.map((name, at) => computer(lab, `10.0.0.${at}`, { name, livedir: name })))
      await first.inventory.setSoftware('10.0.0.1', 1, 1, { os: 'Ñ', programs: names })
      const store = reopen ? await reopen() : first
      const rooms = (await store.scopes())[0]?.scope ?? []
      assert.equal(
        rooms.map(({ name }) => name),
        [...names, 'lab'],
      )
      for (const [at, name] of names.entries()) {
        assert.is((await store.computers.find(`10.0.0.${at}`))?.livedir, name)
        assert.is(await store.rooms.add(room(center, name)), 'name taken')
      }
      assert.equal(await store.inventory.software('10.0.0.1', 1, 1), names)
    },
  )

  rule('names that differ only in case, accents or spaces at an end are different', async store => {
    const center = await addCenter(store)
    for (const name of ['aula', 'Aula', 'áula', 'a\u0301ula', 'aula ', ' aula']) await addRoom(store, center, name)
  })
}

function concurrency(rule: Rule): void {
  const thirtyTwo = Array.from({ length: 32 }, (_, at) => at)

  rule('of 32 concurrent adds of one name or address exactly one succeeds', async store => {
    const lab = await addLab(store)
    const center = (await store.rooms.find(lab))?.center ?? 0
    const centers = await Promise.all(thirtyTwo.map(() => store.centers.add({ name: 'x', comment: '' })))
    const rooms = await Promise.all(thirtyTwo.map(() => store.rooms.add(room(center, 'x'))))
    const repositories = await Promise.all(thirtyTwo.map(() => store.repositories.add({ name: 'x', ip })))
    const images = await Promise.all(thirtyTwo.map(() => store.images.add(image('x'))))
    for (const outcomes of [centers, rooms, repositories, images]) {
      assert.is(outcomes.filter(outcome => typeof outcome === 'number').length, 1)
    }
    const computers = await Promise.all(
      thirtyTwo.map(at => store.computers.add([computer(lab, ip, { name: `${at}` })])),
    )
    assert.is(computers.filter(conflicts => conflicts.length === 0).length, 1)
    assert.is((await store.scopes())[0]?.scope[0]?.scope.length, 1)
  })

  rule('concurrent writes of one list share one profile, also when half of them change it again', async store => {
    const ips = thirtyTwo.map(at => `10.0.1.${at}`)
    await addLab(store, ...ips)
    const list = software('Debian', 'vim', 'gcc')
    await Promise.all(ips.map(ip => store.inventory.setSoftware(ip, 1, 1, list)))
    const profiles = await Promise.all(ips.map(async ip => (await store.inventory.partitions(ip))[0]?.software))
    assert.is(new Set(profiles).size, 1)
    const halves = ips.map((ip, at) => store.inventory.setSoftware(ip, 1, 1, at % 2 ? list : software('other')))
    await Promise.all(halves)
    for (const [at, ip] of ips.entries()) {
      assert.equal(await store.inventory.software(ip, 1, 1), at % 2 ? list.programs : [])
    }
  })

  rule('32 concurrent refreshes with new names of filesystems get one id per name', async store => {
    const ips = thirtyTwo.map(at => `10.0.1.${at}`)
    await addLab(store, ...ips)
    const rows = (at: number) => [`FS${at % 4}`, 'SAME'].map((filesystem, index) => row(index, '', { filesystem }))
    await Promise.all(ips.map((ip, at) => store.inventory.refresh(ip, report(...rows(at)))))
    const partitions = await Promise.all(ips.map(ip => store.inventory.partitions(ip)))
    const pairs = partitions.map(rows => rows.map(({ filesystem }) => filesystem))
    for (const [at, pair] of pairs.entries()) assert.equal(pair, pairs[at % 4])
    assert.equal([...new Set(pairs.flat())].sort(), [22, 23, 24, 25, 26])
  })

  rule('concurrent deletes and adds of one address leave consistent scopes', async store => {
    const lab = await addLab(store, ip)
    const writes = thirtyTwo.map(at =>
      at % 2 ? store.computers.delete([ip]) : store.computers.add([computer(lab, ip, { name: `${at}` })]),
    )
    await Promise.all(writes)
    const listed = (await store.scopes())[0]?.scope[0]?.scope ?? []
    const stored = await store.computers.find(ip)
    assert.equal(
      listed.map(({ id }) => id),
      stored ? [stored.id] : [],
    )
  })
}

conformance({ ids, texts, concurrency })
