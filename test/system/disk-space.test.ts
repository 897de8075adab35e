// How full the disks of the daemon's folders are.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { createLog } from '../../host/log/log.ts'
import { DiskSpace } from '../../host/system/disk-space.ts'
import { createHealth } from '../../host/system/health.ts'

const folders = { 'store.path': '/data', 'repository.directory': '/images', 'boot.output': '/data/boot' }

function createDisks() {
  const lines: string[] = []
  const health = createHealth()
  const percents: Record<string, number> = { '/data': 50, '/data/boot': 50, '/images': 50 }
  const disks = new DiskSpace({
    folders,
    health,
    log: createLog(text => lines.push(text.slice(25).trim())),
    async readDisk(folder) {
      const percent = percents[folder]
      if (percent === undefined) throw new Error('no disk')
      return { device: folder === '/images' ? 2 : 1, percent, free: 3 * 2 ** 30 }
    },
  })
  const readAt = async (data: number) => {
    Object.assign(percents, { '/data': data, '/data/boot': data })
    await disks.read()
    return health.notes()
  }
  return { disks, lines, percents, readAt }
}

const test = suite('disk space')

test('a disk that is full to 90 % is one warning and a note of the health until it has space again', async () => {
  const { disks, lines, readAt } = createDisks()
  const text = (percent: number) => `store.path, boot.output: ${percent} % full, 3.0 GiB free`
  equal(await readAt(89), [])
  equal(await readAt(90), [`disk: ${text(90)}`])
  equal(await readAt(97), [`disk: ${text(97)}`])
  equal(await readAt(89), [`disk: ${text(89)}`])
  equal(await readAt(88), [])
  equal(lines, [`warn  disk: ${text(90)}`, `info  disk: ${text(88)}`])
  disks.close()
})

test('a disk that cannot be read is left out', async () => {
  const { disks, percents } = createDisks()
  delete percents['/images']
  equal(await disks.read(), [{ options: ['store.path', 'boot.output'], percent: 50, free: 3 * 2 ** 30 }])
  disks.close()
})

test('a folder that does not exist yet is on the disk of the one above it', async () => {
  const disks = new DiskSpace({
    folders: { one: import.meta.dirname, other: `${import.meta.dirname}/none/below` },
    log: createLog(() => {}),
    health: createHealth(),
  })
  const [disk, ...others] = await disks.read()
  equal([disk?.options, others], [['one', 'other'], []])
  ok(disk && disk.percent > 0 && disk.percent <= 100)
  is(disk && Number.isInteger(disk.percent), true)
  disks.close()
})

test.run()
