// Updates of the agent for Linux whose folder is full or read-only, on real file systems.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { newerCode, startProgramServer, updateTo } from '../harness/agent-programs.ts'
import { startAgentsPort } from '../harness/agents-port.ts'
import { canMakeComputers } from '../harness/computer-root.ts'
import { endPrograms } from '../harness/daemon-process.ts'
import { agentCode, startLinuxAgent } from '../harness/linux-agent.ts'
import { createLinuxFixture } from '../harness/linux-fixture.ts'
import { skipFile } from '../harness/skip-file.ts'

if (!canMakeComputers()) skipFile('root')

const folder = mkdtempSync(join(tmpdir(), 'update-disk-'))
const source = join(folder, 'source.js')
writeFileSync(source, agentCode)
const mounted = join(folder, 'mounted')
mkdirSync(mounted)

const fixture = createLinuxFixture()
const files = await startProgramServer()
const server = await startAgentsPort()

/** An agent on a file system of its own, which `then` changes before it starts. */
async function startAgent(addr: string, kilobytes: number, then: string) {
  const script = `mount -t tmpfs -o size=${kilobytes}k test ${mounted} && cp ${source} ${mounted}/fleet-agent.js && ${then}`
  const agent = startLinuxAgent({
    ...{ port: server.port, addr, fixture, more: { url: files.url } },
    program: join(mounted, 'fleet-agent.js'),
    runner: ['unshare', '--mount', 'sh', '-c', `${script} && exec ${process.execPath} "$@"`, 'sh'],
  })
  const daemon = await server.connection()
  await daemon.next()
  return {
    agent,
    async ask(route: string, body?: object) {
      daemon.request(route, body)
      const reply = await daemon.next()
      return { status: reply.status, ...Object.assign({ reason: '', out: '' }, reply.body) }
    },
  }
}

const programKilobytes = Math.ceil(agentCode.length / 1024)

const test = suite('update of the agent for Linux without space')
test.after(async () => {
  await endPrograms()
  await server.stop()
  await files.stop()
  fixture.remove()
  rmSync(folder, { recursive: true, force: true })
})

for (const [name, kilobytes, then, reason] of [
  ['a full file system', programKilobytes + 12, 'true', /^ENOSPC/],
  ['space for one more program, but not for two', 2 * programKilobytes + 12, 'true', /^ENOSPC/],
  ['a read-only file system', 1024, `mount -o remount,ro ${mounted}`, /^EROFS/],
] as const) {
  test(`${name} is 500 with the reason, and the present program stays alone`, async () => {
    files.serve(newerCode)
    const { agent, ask } = await startAgent('127.0.48.1', kilobytes, then)
    const { status, reason: got } = await ask('POST /agent/update', updateTo(newerCode))
    is(status, 500)
    match(got, reason)
    const { out } = await ask('POST /shell/run', {
      run: `cmp ${mounted}/fleet-agent.js ${source} && ls ${mounted}`,
      echo: true,
    })
    is(out, 'fleet-agent.js\n')
    agent.kill('SIGTERM')
    equal(await agent.ended, { code: 0, signal: null })
  })
}

test.run()
