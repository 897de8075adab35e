// The table of the agent protocol for two programs: the simulated agent, which stands for those of the family, and the agent for Linux.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { protocol, sleepers, startProtocolHost } from '../harness/agent-protocol.ts'
import { endPrograms } from '../harness/daemon-process.ts'
import { realComputer, simulatedComputer } from '../harness/linux-computer.ts'
import { createLinuxFixture } from '../harness/linux-fixture.ts'
import { isRunning } from '../harness/running-process.ts'

export const runs = { seconds: 11 }

const fixture = createLinuxFixture()
const lab = await startProtocolHost(fixture.record('commands'))

const programs = {
  'simulated agent': simulatedComputer(lab, '127.0.40.1'),
  'agent for Linux': realComputer(lab, '127.0.40.2', fixture),
}

for (const [name, computer] of Object.entries(programs)) {
  const test = suite(name)
  test.before(async () => {
    await lab.addComputer(computer.addr)
    await computer.start()
  })
  for (const [sentence, check] of Object.entries(protocol)) test(`${name}: ${sentence}`, () => check(computer))
  test.run()
}

const end = suite('end')
end('stop, reboot and poweroff have killed what the scripts of the agent for Linux had started', () => {
  const [stopped = 0, stoppedNext = 0, left = 0, ...others] = sleepers
  const ended = [stopped, stoppedNext, ...others]
  equal(
    ended.map(isRunning),
    ended.map(() => false),
  )
  // The second agent was killed itself: only the service manager can end what it has left.
  if (isRunning(left)) process.kill(left)
})
end.after(async () => {
  await endPrograms()
  await lab.stop()
  fixture.remove()
})
end.run()
