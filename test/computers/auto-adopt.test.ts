// The option agents.adopt: every client that introduces itself becomes a computer of a room.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, throws } from 'uvu/assert'
import { loadOptions } from '../../host/config/options.ts'
import { applyOptions } from '../../host/config/reload.ts'
import { sayHello } from '../harness/hello.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost({ options: { agents: { ip: '0.0.0.0', port: 0, adopt: { room: 1 } } } })
const known = '127.0.36.250'
const list = async (): Promise<{ ip: string; name: string }[]> =>
  (await lab.call('GET /scopes')).json.scope[0].scope[0].scope

async function introduce(addr: string, hello: object) {
  const agent = await lab.agent(addr)
  sayHello(agent, hello)
  return agent
}

const test = suite('agents.adopt')
test.after(() => lab.stop())

test('while the room does not exist, a client stays pending, with one line in the log and an event', async () => {
  const addr = '127.0.36.1'
  const refused = lab.event('adoption-refused', { addr })
  const agent = await introduce(addr, { name: 'pc-1', mac: '001b210a0c01' })
  is((await refused).reason, 'there is no room 1')
  match(
    await lab.logged(/not adopted/),
    /warn {2}agent 127\.0\.36\.1: not adopted \(agents\.adopt\): there is no room 1/,
  )
  is((await lab.call('GET /pending')).json.pending.length, 1)
  await agent.close()
})

test('a client that introduces itself is adopted and refreshed', async () => {
  await lab.addComputer(known)
  const addr = '127.0.36.2'
  const adopted = lab.event('computer-added')
  const agent = await introduce(addr, { name: 'pc-2', mac: '001b210a0c02' })
  equal((await adopted).computers, [{ ip: addr, room: 1 }])
  await agent.next('/refresh')
  agent.answer(200)
  await lab.logged(/info {2}agent 127\.0\.36\.2: adopted in room 1/)
  equal((await lab.call('GET /pending')).json.pending, [])
})

test('an agent that says nothing is not adopted', async () => {
  await lab.agent('127.0.36.3')
  const adopted = lab.event('computer-added')
  await introduce('127.0.36.4', { name: 'pc-4', mac: '001b210a0c04' })
  equal((await adopted).computers, [{ ip: '127.0.36.4', room: 1 }])
  is(
    (await list()).some(({ ip }) => ip === '127.0.36.3'),
    false,
  )
})

test('a record is never overwritten', async () => {
  await introduce(known, { name: 'other', mac: '001b210a0c99' })
  const adopted = lab.event('computer-added')
  await introduce('127.0.36.5', { name: 'pc-5', mac: '001b210a0c05' })
  await adopted
  is((await list()).find(({ ip }) => ip === known)?.name, `pc-${known}`)
})

test('one with a known name or hardware address is refused and reported, and the others are adopted', async () => {
  const [sameMac, sameName, nameless] = ['127.0.36.6', '127.0.36.7', '127.0.36.8']
  const reasons = [sameMac, sameName, nameless].map(addr => lab.event('adoption-refused', { addr }))
  const adopted = lab.event('computer-added')
  await Promise.all([
    introduce(sameMac, { name: 'pc-6', mac: '001b210a0c05' }),
    introduce(sameName, { name: 'pc-5', mac: '001b210a0c07' }),
    introduce(nameless, { mac: '001b210a0c08' }),
    introduce('127.0.36.9', { name: 'pc-9', mac: '001b210a0c09' }),
  ])
  equal((await adopted).computers, [{ ip: '127.0.36.9', room: 1 }])
  equal(
    (await Promise.all(reasons)).map(({ reason }) => reason),
    [
      'its hardware address 001b210a0c05 is that of pc-5 (127.0.36.5), which is connected, too; two agents or network cards of one computer? Else fleet adopt 127.0.36.6 --room <room> --mac with its own',
      'the name pc-5 is that of 127.0.36.5',
      'expected a name, of which its agent says none (fleet adopt --name)',
    ],
  )
})

test('the reason is reported once a minute however often the agent says it', async () => {
  const addr = '127.0.36.6'
  const adopted = lab.event('computer-added')
  await introduce(addr, { name: 'pc-66', mac: '001b210a0c05' })
  await introduce('127.0.36.10', { name: 'pc-10', mac: '001b210a0c10' })
  await adopted
  is(lab.log.filter(text => text.includes(`agent ${addr}: not adopted`)).length, 1)
})

test('the option holds for introductions after a reload, and without it nobody is adopted', () => {
  const { options } = loadOptions()
  const changes = applyOptions(options, { ...options, agents: { ...options.agents, adopt: { room: 2 } } })
  equal(changes, { applied: ['agents.adopt'], restartRequired: [] })
  equal(options.agents.adopt, { room: 2 })
  equal(applyOptions(options, loadOptions().options).applied, ['agents.adopt'])
  is(options.agents.adopt, null)
})

test('a room that is no id is an error of the options', () => {
  for (const adopt of [{ room: '1' }, { room: 0 }, {}, { room: 1, name: 'x' }, true]) {
    const file = join(lab.folder, 'wrong.json')
    writeFileSync(file, JSON.stringify({ agents: { adopt } }))
    throws(() => loadOptions(file), /agents\/adopt|agents\.adopt/)
  }
})

test.run()
