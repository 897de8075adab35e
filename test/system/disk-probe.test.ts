// The check of /readyz whether larger writes succeed on the disk of the store.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { createDiskProbe } from '../../host/system/disk-probe.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'fleet-disk-'))

const test = suite('disk probe')
test.after(() => rmSync(folder, { recursive: true }))

test('a disk with room has no problem, and nothing is left in the folder', async () => {
  is(await createDiskProbe(folder)(), undefined)
  equal(readdirSync(folder), [])
  is(await createDiskProbe('/nowhere/at/all')(), undefined)
})

test('a link in place of the file is removed and not written through', async () => {
  const victim = join(folder, 'victim')
  writeFileSync(victim, 'unchanged')
  symlinkSync(victim, join(folder, `.write-check.${process.pid}`))
  is(await createDiskProbe(folder)(), undefined)
  is(readFileSync(victim, 'utf8'), 'unchanged')
  rmSync(victim)
})

test('a disk that takes small writes only is a problem', () => {
  const program = `
import { writeFileSync } from 'node:fs'
import { createDiskProbe } from './host/system/disk-probe.ts'
writeFileSync('${folder}/small', 'x'.repeat(1000))
console.log(await createDiskProbe('${folder}')())
`
  const node = [process.execPath, '--import', 'tsx', '--input-type', 'module', '-e', program]
  // The longest file stands for the space that is left; its signal would end the program.
  const limited = `trap '' XFSZ; ulimit -f 64; exec "$@"`
  const { stdout } = spawnSync('sh', ['-c', limited, 'sh', ...node], { cwd: root, encoding: 'utf8' })
  match(stdout, /fleet-disk-\w+: 131072 bytes cannot be written: EFBIG/)
  equal(readdirSync(folder), ['small'])
})

test.run()
