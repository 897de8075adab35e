// A daemon that is killed keeps its reservations, and does what it has left undone.
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { endPrograms, newFolder, removeFolder, startProgram } from '../harness/daemon-process.ts'
import { pollUntil } from '../harness/poll.ts'
import { prepareRemoteLab, startComputer } from '../harness/remote-computers.ts'
import { pathOf } from '../harness/remote-labs.ts'
import { token } from '../harness/rest-call.ts'
import { roundsOf } from '../harness/rounds.ts'

export const runs = { seconds: 60 }

const test = suite('remote labs of a daemon that is killed')

const rounds = roundsOf(2)
/** Milliseconds before a kill: a request takes some. */
const moments = [0, 8, 16]
const urls = { urlLogin: 'http://127.0.0.1:1/in', urlLogout: 'http://127.0.0.1:1/out' }

async function startLab() {
  const folder = newFolder()
  const images = join(folder, 'images')
  let agentsPort: number | undefined
  const start = () => {
    const options = { repository: { directory: images }, store: { path: './data' }, boot: { server: '10.9.9.9' } }
    const program = startProgram(folder, { options, env: { FLEET_API_TOKEN: token } })
    void program.agentsPort().then(port => {
      agentsPort = port
    })
    return program
  }
  let daemon = start()
  const computer = startComputer('127.88.1.1', images, () => agentsPort)
  const lab = await prepareRemoteLab(() => daemon.port(), [computer])
  return {
    ...lab,
    computer,
    isConnected: async () => (await lab.send('GET /clients')).json.clients[0]?.state === 'OPG',
    async kill() {
      agentsPort = undefined
      daemon.kill('SIGKILL')
      await daemon.ended
    },
    async start() {
      daemon = start()
      await daemon.port()
    },
    async stop() {
      await computer.end()
      await endPrograms()
      removeFolder(folder)
    },
  }
}

test('in each state', async () => {
  const lab = await startLab()
  const { computer } = lab
  try {
    const uds = await lab.broker('uds')
    const other = await lab.broker('openrlabs')
    const reserve = (broker: typeof uds) => broker('POST ous/1/images/1/reserve', {})

    // While it wakes: it is kept for its broker.
    computer.isOn = false
    await lab.send('POST /poweroff', { clients: [computer.addr] })
    await pollUntil(async () => (await lab.send('GET /clients')).json.clients.length === 0)
    match((await reserve(uds)).json.message, 'being woken')
    await lab.kill()
    await lab.start()
    computer.isOn = true
    await pollUntil(lab.isConnected)
    is((await reserve(other)).status, 401)
    const { json } = await reserve(uds)
    is(json.ip, computer.addr)

    // While it is reserved: nobody else gets it.
    await lab.kill()
    await lab.start()
    await pollUntil(lab.isConnected)
    is((await reserve(other)).status, 401)
    is((await uds(`POST ${pathOf(json)}/events`, urls)).status, 200)
    is((await uds(`POST ${pathOf(json)}/session`, { deadLine: 1 })).status, 200)

    // The deadline passes while the daemon is down.
    computer.received.length = 0
    await lab.kill()
    await wait(1100)
    await lab.start()
    await pollUntil(() => computer.received.includes('/poweroff'))
    equal((await lab.send('GET /view/remote-sessions')).json.rows, [])
  } finally {
    await lab.stop()
  }
})

test('while it reserves and while it releases', async () => {
  const lab = await startLab()
  const { computer } = lab
  try {
    const uds = await lab.broker('uds')
    const isReserved = async () => (await lab.send('GET /view/remote-sessions')).json.rows.length > 0
    for (let round = 0; round < rounds; round += 1) {
      computer.received.length = 0
      const reserving = uds('POST ous/1/images/1/reserve', {}).catch(() => undefined)
      await wait(moments[round % moments.length])
      await lab.kill()
      const answer = await reserving
      await lab.start()
      await pollUntil(lab.isConnected)
      // What was promised is kept, and its system is started.
      if (answer?.status === 200) is(await isReserved(), true, `round ${round}`)
      if (await isReserved()) await pollUntil(() => computer.received.includes('/session'))
      const { json } = answer?.status === 200 ? answer : await uds('POST ous/1/images/1/reserve', {})
      const path = pathOf(json?.id ? json : { id: 1, lab: { id: 1 } })
      computer.received.length = 0
      const releasing = uds(`DELETE ${path}/unreserve`).catch(() => undefined)
      await wait(moments[round % moments.length])
      await lab.kill()
      const released = await releasing
      await lab.start()
      if (released?.status === 200) is(await isReserved(), false, `round ${round}`)
      if (await isReserved()) is((await uds(`DELETE ${path}/unreserve`)).status, 200)
      await pollUntil(() => computer.received.includes('/poweroff'))
      computer.isOn = true
      await pollUntil(lab.isConnected)
    }
  } finally {
    await lab.stop()
  }
})

test.run()
