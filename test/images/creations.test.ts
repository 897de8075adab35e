// The creations of images of several hosts that share a folder.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { Bin } from '../../host/images/bin.ts'
import { Checks } from '../../host/images/checks.ts'
import { Creations } from '../../host/images/creations.ts'
import { createLog } from '../../host/log/log.ts'
import { systemClock } from '../../host/system/clock.ts'

const directory = mkdtempSync(join(tmpdir(), 'creations-'))
const lines: string[] = []
const log = createLog(line => lines.push(line))
const path = (name: string) => join(directory, name)
const fileOf = (host: string) => path(`.fleet-host/creations-${host}.json`)
const options = { directory, keep_days: 1, keep_versions: 3, checksums: false }
const checks = new Checks({ directory, log, onEnd() {} })
const bin = new Bin({ options, log, clock: systemClock })

/** A host of two; `onRead` is called when it is about to read what the other one creates. */
function openHost(local: 'a' | 'b', onRead = () => {}, ownBin = bin): Creations {
  const members = () => {
    onRead()
    return ['a', 'b']
  }
  return new Creations({ options, hosts: { local, members }, log, bin: ownBin, checks, recordNames: async () => [] })
}

const test = suite('creations of several hosts')
test.after(() => rmSync(directory, { recursive: true }))

test('an image that a client of another host creates is refused, and another one is not', () => {
  const [a, b] = [openHost('a'), openHost('b')]
  is(a.begin('10.0.0.1', 'win11'), undefined)
  is(b.begin('10.0.0.2', 'win11'), 'image win11 is being created by 10.0.0.1')
  is(b.begin('10.0.0.2', 'debian'), undefined)
  a.end('win11', 'success')
  b.end('debian', 'success')
  is(b.creatorOf('win11'), undefined)
})

test('of two hosts that begin one image at the same time no more than one creates it, and the older file stays', () => {
  writeFileSync(path('win11.img'), 'old')
  const b = openHost('b')
  let reads = 0
  let other: string | undefined = 'not asked'
  // It has read that nobody creates the image, and has not yet written that it does.
  const a = openHost('a', () => {
    reads += 1
    if (reads === 2) other = b.begin('10.0.0.2', 'win11')
  })
  is(a.begin('10.0.0.1', 'win11'), undefined)
  is(other, 'image win11 is being created by 10.0.0.1')
  a.end('win11', 'failure')
  reads = 0
  const late = openHost('a', () => {
    reads += 1
    if (reads === 2) writeFileSync(fileOf('b'), JSON.stringify([{ name: 'win11', addr: '10.0.0.2' }]))
  })
  is(late.begin('10.0.0.1', 'win11'), 'image win11 is being created by 10.0.0.2')
  is(existsSync(fileOf('a')), false)
  equal(
    readdirSync(directory).filter(name => name.startsWith('win11')),
    ['win11.img'],
  )
})

/** Of a disk that is full. */
class FullBin extends Bin {
  override put(): never {
    throw Object.assign(new Error('ENOSPC: no space left on device, mkdir'), { code: 'ENOSPC' })
  }
}

test('on a full disk the older file is taken back, at the end of a creation and after a crash', async () => {
  const full = new FullBin({ options, log, clock: systemClock })
  const open = () => openHost('a', undefined, full)
  for (const end of ['reply', 'crash']) {
    writeFileSync(path('mint.img'), 'old')
    const host = open()
    is(host.begin('10.0.0.1', 'mint'), undefined)
    writeFileSync(path('mint.img'), 'newer')
    lines.length = 0
    if (end === 'crash') open().start()
    else {
      is(await host.verify('mint'), undefined)
      host.end('mint', 'failure')
    }
    is(readFileSync(path('mint.img'), 'utf8'), 'old', end)
    const said = lines.filter(line => line.includes('no space left'))
    equal([said.length, lines.some(line => line.includes('not taken back'))], [1, false], lines.join('\n'))
    match(said[0] ?? '', `creation of mint: its file is deleted, no space left in ${directory}`)
  }
})

test.run()
