// cache/list, cache/delete and cache/fetch: the scripts, run by a real shell, and what their outputs lead to.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { startLab } from '../harness/lab.ts'

const lab = await startLab({ repository: true })
const root = mkdtempSync(join(tmpdir(), 'fleet-host-cache-'))
const images = join(root, 'cache/opt/opengnsys/images')
const fileOf = (name: string) => join(images, name)

/** The stand-in of ogLive's tool fails for an image `missing`. */
const updateCache = `#!/bin/sh
echo "got $1 $2 $3"
case "$2" in */missing.img) echo no such image; exit 3;; */nothing.img) exit 0;; esac
echo content > "$OGCAC/opt/opengnsys/images$2"
`

/** Sends a command to a new client, whose agent runs the script with a shell; resolves to the end and the output. */
async function run(route: string, payload: object, shell = 'sh', environment: object = {}) {
  const { addr, agent } = await lab.computer()
  const ended = lab.event('command-ended', { addr })
  const { status, headers } = await lab.call(route, { clients: [addr], ...payload })
  is(status, 200, String(headers['x-reason']))
  const { body } = await agent.next('/shell/run')
  // `as`: the body of shell/run.
  const { run, echo } = body as { run: string; echo: boolean }
  is(echo, true)
  const env = { PATH: process.env.PATH, OPENGNSYS: root, OGCAC: join(root, 'cache'), ...environment }
  agent.answer(200, { out: execFileSync(shell, ['-c', run], { env, encoding: 'utf8' }) })
  const { result, reason } = await ended
  const { clients } = (await lab.call('POST /shell/output', { clients: [addr] })).json
  return { result, reason, output: clients[0].output }
}

const test = suite('caches of live systems')

test.before(() => {
  mkdirSync(images, { recursive: true })
  mkdirSync(join(root, 'scripts'))
  writeFileSync(join(root, 'scripts/updateCache'), updateCache, { mode: 0o755 })
})

test('cache/list prints the free space, and bytes and name of each image', async () => {
  writeFileSync(fileOf('win11.img'), 'twelve bytes')
  writeFileSync(fileOf('win11.img.sum'), 'x')
  for (const shell of ['sh', 'bash']) {
    const { result, output } = await run('POST /cache/list', {}, shell)
    is(result, 'success')
    match(output, /^\d+ of \d+ KiB free\n12 win11$/)
  }
})

test('cache/fetch copies an image with the tool of the live system', async () => {
  const payload = { name: 'linux.v2', repository: '10.1.1.2' }
  const { result, output } = await run('POST /cache/fetch', payload)
  equal([result, output], ['success', 'got 10.1.1.2 /linux.v2.img UNICAST'])
  is(existsSync(fileOf('linux.v2.img')), true)
})

test('cache/fetch fails with the reason when the tool fails, writes nothing, or is not there', async () => {
  const fetch = (name: string, environment?: object) =>
    run('POST /cache/fetch', { name, repository: '10.1.1.2', type: 'TORRENT' }, 'sh', environment)
  const failed = await fetch('missing')
  equal([failed.result, failed.reason], ['failure', 'updateCache ended with exit code 3'])
  match(failed.output, /TORRENT\nno such image$/)
  is((await fetch('nothing')).reason, 'updateCache has not written nothing.img')
  is((await fetch('linux', { OPENGNSYS: '/nowhere' })).reason, 'this system has no updateCache')
})

test('cache/fetch without a repository takes that of the record, and is refused without a record', async () => {
  await lab.create(await lab.computer(), { name: 'known', description: 'x' }, { content: 'x' })
  match((await run('POST /cache/fetch', { name: 'known.v1' })).output, /^got 10\.9\.9\.9 \/known\.v1\.img UNICAST$/)
  const { status } = await lab.call('POST /cache/fetch', { clients: ['10.1.1.1'], name: 'unknown' })
  is(status, 400)
})

test('cache/delete deletes images with what belongs to them; one that is not there is no failure', async () => {
  const { result, output } = await run('POST /cache/delete', { images: ['win11', 'other'] })
  equal([result, output], ['success', 'deleted: win11\nnot in the cache: other'])
  equal([existsSync(fileOf('win11.img')), existsSync(fileOf('win11.img.sum'))], [false, false])
  is(existsSync(fileOf('linux.v2.img')), true)
})

test('names with characters of a shell or of a path are refused', async () => {
  for (const name of ['', '-rf', '../x', 'a b', "a'b", 'a;b', '$(id)', 'a\nb', '*', '.x', 'ñ', 'x'.repeat(201)]) {
    is((await lab.call('POST /cache/delete', { clients: ['10.1.1.1'], images: [name] })).status, 400, name)
    const fetch = { clients: ['10.1.1.1'], name, repository: '10.1.1.2' }
    is((await lab.call('POST /cache/fetch', fetch)).status, 400, name)
  }
})

test('a system without a cache, and an agent that ran no script, are failures', async () => {
  const { result, reason } = await run('POST /cache/list', {}, 'sh', { OGCAC: '/nowhere' })
  equal([result, reason], ['failure', 'this system has no image cache at /nowhere'])
  const { addr, agent } = await lab.computer()
  const ended = lab.event('command-ended', { addr })
  await lab.call('POST /cache/list', { clients: [addr] })
  await agent.next('/shell/run')
  agent.answer(200, { out: 'sh: not found' })
  is((await ended).reason, 'the script was not run to its end')
})

test.after(async () => {
  rmSync(root, { recursive: true })
  await lab.stop()
})
test.run()
