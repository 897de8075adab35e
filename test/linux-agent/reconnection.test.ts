// The agent for Linux and a daemon that is killed, stopped, and not there yet.
import { existsSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { endPrograms, newFolder, removeFolder, startProgram } from '../harness/daemon-process.ts'
import { startLinuxAgent } from '../harness/linux-agent.ts'
import { createLinuxFixture } from '../harness/linux-fixture.ts'
import { pollUntil } from '../harness/poll.ts'
import { isRunning } from '../harness/running-process.ts'

const folder = newFolder()
const fixture = createLinuxFixture()
const token = 'token-of-the-reconnection-test'
const addr = '127.0.46.1'
const sleeper = fixture.record('sleeper')

/** `port`: of the agents. */
const startDaemon = (port: number) =>
  startProgram(folder, {
    options: { agents: { ip: '127.0.0.1', port }, store: { adapter: 'memory' } },
    env: { FLEET_API_TOKEN: token },
  })

const test = suite('connections of the agent for Linux')
test.after(async () => {
  await endPrograms()
  removeFolder(folder)
  fixture.remove()
})

const refreshed = (count: number) => new RegExp(Array(count).fill('reply 200 to GET /refresh').join('[\\s\\S]*'))

test('it connects again to a daemon that was killed, and what it ran has ended', async () => {
  const first = startDaemon(0)
  const port = await first.agentsPort()
  const agent = startLinuxAgent({ port, addr, fixture })
  await agent.waitFor(refreshed(1))
  await pollUntil(async () => (await first.call(token, 'GET /clients')).json.clients[0]?.status === 'linux')
  const script = `sleep 600 & echo $! > ${sleeper}; wait`
  await first.call(token, 'POST /shell/run', { clients: [addr], run: script, echo: true })
  await pollUntil(() => existsSync(sleeper) && readFileSync(sleeper, 'utf8').endsWith('\n'))
  const child = Number(readFileSync(sleeper, 'utf8'))
  first.kill('SIGKILL')
  await first.ended
  await pollUntil(() => !isRunning(child))
  await agent.waitFor(/connect ECONNREFUSED/)

  const second = startDaemon(port)
  await agent.waitFor(refreshed(2))
  await pollUntil(async () => (await second.call(token, 'GET /clients')).json.clients[0]?.status === 'linux')
  equal(agent.output().match(/ECONNREFUSED/g)?.length, 1)
  second.kill('SIGTERM')
  is((await second.ended).code, 0)
  await agent.waitFor(/connection lost[\s\S]*connection lost/)
})

test.run()
