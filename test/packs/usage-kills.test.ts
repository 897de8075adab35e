// A daemon that is killed counts nothing twice: agents connect again and say again who is logged in.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { type Agent, connectAgent } from '../../host/test-kit/simulated-agent.ts'
import { endPrograms, newFolder, type Program, removeFolder, startProgram } from '../harness/daemon-process.ts'
import { pollUntil } from '../harness/poll.ts'
import { roundsOf } from '../harness/rounds.ts'

const test = suite('usage of a daemon that is killed')
test.after(endPrograms)

const token = 'a token of a daemon that is killed'
const rounds = roundsOf(2)
const addresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4']

test('log-ins of before stay counted, and are not counted again; later ones are', async () => {
  const folder = newFolder()
  const start = () => startProgram(folder, { options: { store: { path: './data' } }, env: { FLEET_API_TOKEN: token } })
  let daemon = start()
  const post = async (path: string, payload: object) => {
    const { status, headers } = await daemon.call(token, `POST ${path}`, payload)
    is(status, 200, `${path}: ${headers['x-reason']}`)
  }
  await post('/pack/enable', { pack: 'usage' })
  await pollUntil(async () => JSON.stringify((await daemon.call(token, 'GET /hooks')).json).includes('count-events'))
  await post('/center/add', { name: 'Center' })
  await post('/room/add', { name: 'Room', netmask: '255.255.255.0', center: 1 })
  for (const [index, ip] of addresses.entries())
    await post('/client/add', { name: `pc-${index}`, ip, mac: `02000000000${index}`, room: 1 })
  const boot = async (running: Program): Promise<Agent[]> => {
    const port = await running.agentsPort()
    const agents = await Promise.all(addresses.map(addr => connectAgent({ port, addr })))
    for (const agent of agents) agent.event('start', `user-${agent.addr}`)
    return agents
  }
  const counts = async () => {
    const [row] = (await daemon.call(token, 'GET /usage?by=month')).json.usage
    return [row?.logins ?? 0, row?.boots ?? 0]
  }
  const loggedIn = async () => (await daemon.call(token, 'GET /sessions')).json.sessions.length
  let agents = await boot(daemon)
  await pollUntil(async () => (await loggedIn()) === addresses.length)
  // They have just connected: for a daemon that has just started that is no log-in.
  agents[0]?.event('stop', 'user-127.0.0.2')
  agents[0]?.event('start', 'berta')
  await pollUntil(async () => (await counts())[0] === 1)
  for (let round = 0; round < rounds; round += 1) {
    daemon.kill('SIGKILL')
    await daemon.ended
    daemon = start()
    agents = await boot(daemon)
    await pollUntil(async () => (await loggedIn()) === addresses.length)
  }
  agents[1]?.event('stop', 'user-127.0.0.3')
  agents[1]?.event('start', 'carla')
  await pollUntil(async () => (await counts())[0] === 2)
  equal(await counts(), [2, 0])
  daemon.kill('SIGTERM')
  await daemon.ended
  removeFolder(folder)
})

test.run()
