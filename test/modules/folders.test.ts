// Command folders that appear, disappear, are replaced or lie behind a symbolic link.
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { is } from 'uvu/assert'
import { textCommand } from '../harness/site-folder.ts'
import { startTestHost } from '../harness/test-host.ts'

const parent = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-folders-')))
const late = join(parent, 'late')
const linked = join(parent, 'linked')
const lab = await startTestHost({ options: { commands: [late, linked] } })
const textOf = async (path: string) => (await lab.call(`GET ${path}`)).json?.text
const nextEvent = (file: string, type: 'module-loaded' | 'module-removed' = 'module-loaded') =>
  lab.event(type, { file })

const folders = suite('command folders')
folders.after(async () => {
  await lab.stop()
  rmSync(parent, { recursive: true, force: true })
})

folders('a folder that does not exist yet gives one warning at start', () => {
  for (const folder of [late, linked]) {
    const warning = `warn  modules: ${folder}: the folder does not exist yet, its files load once it does\n`
    is(lab.log.filter(line => line.endsWith(warning)).length, 1)
  }
})

folders('a folder can be created, deleted and replaced while the daemon runs', async () => {
  const file = join(late, 'hello.ts')
  const created = nextEvent(file)
  mkdirSync(late)
  writeFileSync(file, textCommand('one'))
  await created
  is(await textOf('/hello'), 'one')
  const deleted = nextEvent(file, 'module-removed')
  rmSync(late, { recursive: true })
  await deleted
  is((await lab.call('GET /hello')).status, 404)
  const next = join(parent, 'next')
  mkdirSync(next)
  writeFileSync(join(next, 'hello.ts'), textCommand('two'))
  const replaced = nextEvent(file)
  renameSync(next, late)
  await replaced
  is(await textOf('/hello'), 'two')
})

folders('a symbolic link that is replaced replaces the commands of its folder', async () => {
  const createRelease = (name: string) => {
    const folder = join(parent, `release-${name}`)
    mkdirSync(folder)
    writeFileSync(join(folder, 'linked.ts'), textCommand(name, 'GET /linked'))
    return folder
  }
  const file = join(linked, 'linked.ts')
  const first = nextEvent(file)
  symlinkSync(createRelease('one'), linked)
  await first
  is(await textOf('/linked'), 'one')
  const second = nextEvent(file)
  symlinkSync(createRelease('two'), `${linked}.tmp`)
  renameSync(`${linked}.tmp`, linked)
  await second
  is(await textOf('/linked'), 'two')
})

folders.run()
