// The rules for the names of filesystems and operating systems, which get ids while partitions have them.
import * as assert from 'uvu/assert'
import type { Entry, Store } from '../../stores/store.ts'
import type { Rule } from './rule.ts'
import { addLab, report, row } from './samples.ts'
import { conformance } from './stores.ts'

export const runs = { postgres: true }

const ip = '10.0.0.1'

/** The names of operating systems and filesystems that the store contains. */
async function storedNames(store: Store): Promise<string[]> {
  const names: string[] = []
  for await (const [collection, row] of store.backup.dump()) {
    const hasNames = collection === 'systems' || collection === 'filesystems'
    if (hasNames && typeof row !== 'number' && 'name' in row) names.push(row.name)
  }
  return names.sort()
}

function filesystemNames(rule: Rule): void {
  const filesystemsOf = async (store: Store, at = ip) =>
    (await store.inventory.partitions(at)).map(({ filesystem }) => filesystem)
  const rowsWith = (...names: string[]) => report(...names.map((filesystem, at) => row(at, '', { filesystem })))

  rule('a filesystem of the fixed table has its id there, and other names get the ids from 22 on', async store => {
    await addLab(store, ip)
    await store.inventory.refresh(ip, rowsWith('', 'EMPTY', 'EXT4', 'NILFS2', 'ZFS', 'APFS', 'ZFS', 'zfs'))
    assert.equal(await filesystemsOf(store), [0, 1, 6, 21, 22, 23, 22, 24])
  })

  rule(
    'the id of a name stays while a partition has it, and is never assigned to another name',
    async (first, opened) => {
      let store = first
      await addLab(store, ip, '10.0.0.2')
      await store.inventory.refresh(ip, rowsWith('ZFS', 'APFS'))
      await store.inventory.refresh('10.0.0.2', rowsWith('APFS'))
      await store.inventory.refresh(ip, rowsWith('HAMMER'))
      if (opened.reopen) store = await opened.reopen()
      await store.inventory.refresh(ip, rowsWith('APFS', 'HAMMER', 'NEW', 'ZFS'))
      assert.equal(await filesystemsOf(store), [23, 24, 25, 26])
      await store.computers.delete([ip])
      await store.inventory.refresh('10.0.0.2', rowsWith('LAST'))
      assert.equal(await filesystemsOf(store, '10.0.0.2'), [27])
    },
  )

  rule('names of systems and filesystems are stored only while a partition has them', async store => {
    const invented = report(row(1, 'invented', { filesystem: 'INVENTED' }))
    await store.inventory.refresh(ip, invented)
    assert.equal(await storedNames(store), [])
    await addLab(store, ip, '10.0.0.2')
    for (let round = 0; round < 9; round += 1) {
      const rows = Array.from({ length: 20 }, (_, at) =>
        row(at, `system ${round} ${at}`, { filesystem: `FS ${round} ${at}` }),
      )
      await store.inventory.refresh(ip, report(...rows))
    }
    assert.is((await storedNames(store)).length, 40)
    await store.inventory.refresh('10.0.0.2', report(row(1, 'system 8 3')))
    await store.inventory.refresh(ip, report())
    assert.equal(await storedNames(store), ['system 8 3'])
    await store.computers.delete(['10.0.0.2'])
    assert.equal(await storedNames(store), [])
  })

  rule('a dump with names that no partition has is loaded without these names', async store => {
    await addLab(store, ip)
    const own = store.backup.dump()
    async function* dump(): AsyncGenerator<Entry> {
      yield* own
      yield ['systems', { id: 7, name: 'unused' }]
      yield ['filesystems', { id: 9, name: 'UNUSED' }]
    }
    await store.backup.load(dump())
    assert.equal(await storedNames(store), [])
    await store.inventory.refresh(ip, rowsWith('NEW'))
    assert.equal(await filesystemsOf(store), [31])
  })
}

conformance({ filesystemNames })
