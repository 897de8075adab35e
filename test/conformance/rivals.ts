// The rules for ids, texts and rivals.
import * as assert from 'uvu/assert'
import type { Rule } from './rule.ts'
import { addCenter, addLab, addRoom, computer, image, room, software } from './samples.ts'

const ip = '10.0.0.1'

export function ids(rule: Rule): void {
  rule('ids are positive and never used again, also after closing and opening', async (first, { reopen }) => {
    let store = first
    const given = { centers: new Set<number>(), rooms: new Set<number>(), computers: new Set<number>() }
    for (const round of [1, 2, 3]) {
      const center = await addCenter(store)
      const lab = await addRoom(store, center)
      await store.computers.add([computer(lab, ip)])
      const { id = 0 } = (await store.computers.find(ip)) ?? {}
      given.centers.add(center)
      given.rooms.add(lab)
      given.computers.add(id)
      assert.is(given.centers.size + given.rooms.size + given.computers.size, 3 * round)
      assert.ok(Math.min(center, lab, id) > 0)
      await store.centers.delete(center)
      if (reopen) store = await reopen()
    }
  })
}

export function texts(rule: Rule): void {
  const names = ['aula 1'.repeat(50).slice(0, 250), 'Ciències · 教室 · 🖥', 'a"b\\c\'d', 'two\nlines\t\0', ' ', '']

  rule('names of any kind come back as they were, also after opening again', async (first, { reopen }) => {
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
  })

  rule('names that differ only in case, accents or a space at the end are different', async store => {
    const center = await addCenter(store)
    for (const name of ['aula', 'Aula', 'áula', 'a\u0301ula', 'aula ', ' aula']) await addRoom(store, center, name)
  })
}

export function rivals(rule: Rule): void {
  const thirtyTwo = Array.from({ length: 32 }, (_, at) => at)

  rule('of 32 rivals for a name or an address one wins', async store => {
    const lab = await addLab(store)
    const center = (await store.rooms.find(lab))?.center ?? 0
    const centers = await Promise.all(thirtyTwo.map(() => store.centers.add({ name: 'x', comment: '' })))
    const rooms = await Promise.all(thirtyTwo.map(() => store.rooms.add(room(center, 'x'))))
    const repositories = await Promise.all(thirtyTwo.map(() => store.repositories.add({ name: 'x', ip })))
    const images = await Promise.all(thirtyTwo.map(() => store.images.add(image('x'))))
    for (const won of [centers, rooms, repositories, images]) {
      assert.is(won.filter(outcome => typeof outcome === 'number').length, 1)
    }
    const computers = await Promise.all(
      thirtyTwo.map(at => store.computers.add([computer(lab, ip, { name: `${at}` })])),
    )
    assert.is(computers.filter(conflicts => conflicts.length === 0).length, 1)
    assert.is((await store.scopes())[0]?.scope[0]?.scope.length, 1)
  })

  rule('32 rivals that share a list, and give it up, share one profile or none', async store => {
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

  rule('32 rivals for new names get one id each name', async store => {
    const given = await Promise.all(thirtyTwo.map(at => store.filesystems([`FS${at % 4}`, 'SAME'])))
    for (const [at, pair] of given.entries()) assert.equal(pair, given[at % 4])
    assert.is(new Set(given.flat()).size, 5)
    assert.is(Math.max(...given.flat()), 5)
  })

  rule('rivals that delete and add leave a store that agrees with itself', async store => {
    const lab = await addLab(store, ip)
    const rounds = thirtyTwo.map(at =>
      at % 2 ? store.computers.delete([ip]) : store.computers.add([computer(lab, ip, { name: `${at}` })]),
    )
    await Promise.all(rounds)
    const listed = (await store.scopes())[0]?.scope[0]?.scope ?? []
    const found = await store.computers.find(ip)
    assert.equal(
      listed.map(({ id }) => id),
      found ? [found.id] : [],
    )
  })
}
