// The trial of a new program of the agent for Linux: the agent goes on as it was when that fails.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { brokenPrograms, newerCode, updateTo } from '../harness/agent-programs.ts'
import { agentCode } from '../harness/linux-agent.ts'
import { startUpdateLab } from '../harness/update-lab.ts'

export const runs = { seconds: 20 }

// Long enough for a trial to start on a busy machine.
const own = await startUpdateLab('127.0.47.2', 8)
const { files } = own
let agent = own.start()
let daemon = (await own.hello()).connection

/** Resolves when the agent has closed its connection for the trial. */
async function startTrial(code: string): Promise<void> {
  files.serve(code)
  daemon.request('POST /agent/update', updateTo(code))
  is((await daemon.next()).status, 202)
  await daemon.closed
}

/** The agent is connected again with the program that it had. */
async function expectOldProgram(): Promise<void> {
  const { connection, name } = await own.hello()
  daemon = connection
  match(name, /^fleet-agent (?!99)\S+, update failed$/)
  is(own.installed(), agentCode)
  equal(own.listing(), ['fleet-agent.js', 'old-fleet-agent.js'])
  daemon.request('GET /refresh')
  is((await daemon.next()).status, 200)
}

const test = suite('trial of a new agent for Linux')
test.after(() => own.stop())

for (const [name, code] of Object.entries(brokenPrograms)) {
  test(`after a program that ${name} the agent goes on and says so`, async () => {
    await startTrial(code)
    if (name === 'ends at the first request') {
      const trial = await own.connection()
      trial.request('GET /refresh')
      await trial.closed
    }
    await expectOldProgram()
  })
}

test('a program that has connected, but gets no request in time, is not taken', async () => {
  await startTrial(newerCode)
  const trial = await own.hello()
  is(trial.name, 'fleet-agent 99.0.0')
  await trial.connection.closed
  await expectOldProgram()
})

test('an agent that is killed during the trial leaves no process, and the old program is there', async () => {
  await startTrial(newerCode)
  const trial = await own.hello()
  agent.kill('SIGKILL')
  await agent.ended
  await trial.connection.closed
  is(own.installed(), agentCode)
  agent = own.start()
  match((await own.hello()).name, /^fleet-agent (?!99)\S+$/)
})

test.run()
