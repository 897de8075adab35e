// The rules for the versions of images: which one a partition has, and since when.
import * as assert from 'uvu/assert'
import type { Store } from '../../stores/store.ts'
import type { Rule } from './rule.ts'
import { addLab, createdImage, image, report, restoredImage, row, software } from './samples.ts'
import { conformance } from './stores.ts'

export const runs = { postgres: true }

const ip = '10.0.0.1'
const partition = async (store: Store, at = ip) => (await store.inventory.partitions(at))[0]

function imageVersions(rule: Rule): void {
  const [first, second] = [1_700_000_000_000, 1_700_000_100_000]

  rule('an image and the partition that it was created from have its version, and the time', async store => {
    await addLab(store, ip)
    const id = (await store.images.add(image('linux'))) ?? 0
    await store.images.recordCreate(ip, createdImage(id, software('Debian 12'), 1, first))
    await store.images.recordCreate(ip, createdImage(id, software('Debian 12'), 2, second))
    assert.is((await store.images.find('linux'))?.version, 2)
    const { image_version, image_since } = (await partition(store)) ?? {}
    assert.equal([image_version, image_since], [2, second])
    // Where neither is known, the image keeps its version, and the partition has none.
    await store.images.recordCreate(ip, createdImage(id, software('Debian 12')))
    assert.is((await store.images.find('linux'))?.version, 2)
    assert.not('image_version' in ((await partition(store)) ?? {}))
  })

  rule('the copies of images are listed with version and time, all or those of one image', async store => {
    await addLab(store, ip, '10.0.0.2')
    const one = (await store.images.add(image('one'))) ?? 0
    const two = (await store.images.add(image('two', { version: 7 }))) ?? 0
    await store.images.recordRestore('10.0.0.2', restoredImage(two, 1, 7, first))
    await store.images.recordRestore('10.0.0.2', restoredImage(one, 2, 1, first))
    await store.images.recordRestore(ip, restoredImage(two, 3, 6, second))
    await store.images.recordRestore(ip, restoredImage(two))
    const ofTwo = [
      { image: two, version: 0, since: 0, ip, disk: 1, partition: 1 },
      { image: two, version: 6, since: second, ip, disk: 1, partition: 3 },
      { image: two, version: 7, since: first, ip: '10.0.0.2', disk: 1, partition: 1 },
    ]
    assert.equal(await store.images.copies(two), ofTwo)
    const ofOne = { image: one, version: 1, since: first, ip: '10.0.0.2', disk: 1, partition: 2 }
    assert.equal(await store.images.copies(), [ofOne, ...ofTwo])
    await store.images.delete(two)
    assert.equal(await store.images.copies(), [ofOne])
    assert.equal(Object.keys((await partition(store, '10.0.0.2')) ?? {}).includes('image_version'), false)
  })

  rule('a partition keeps its image, version and time only while a report shows it unchanged', async store => {
    await addLab(store, ip)
    await store.inventory.refresh(ip, report(row(1, 'Debian 12')))
    const id = (await store.images.add(image('linux'))) ?? 0
    await store.images.recordCreate(ip, createdImage(id, software('Debian 12'), 3, first))
    const before = await partition(store)
    await store.inventory.refresh(ip, report(row(1, 'Debian 12')))
    assert.equal(await partition(store), before)
    await store.inventory.refresh(ip, report(row(1, 'Debian 13')))
    assert.equal(await store.images.copies(), [])
    assert.not('image_since' in ((await partition(store)) ?? {}))
  })
}

conformance({ imageVersions })
