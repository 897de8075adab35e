// The memory of parts that wait for computers that are off, and of the start with them.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { connectAgent } from '../../host/test-kit/simulated-agent.ts'
import { endPrograms, newFolder, type Program, removeFolder, startProgram } from '../harness/daemon-process.ts'
import { replyToNext } from '../harness/lab.ts'
import { token } from '../harness/rest-call.ts'

const [runs, clientCount, stepCount] = [15, 200, 100]
const clients = Array.from({ length: clientCount }, (_, index) => `127.0.88.${index + 1}`)
const steps = Array.from({ length: stepCount }, (_, index) => ({
  command: 'shell-run',
  params: { run: `${index}`, echo: true },
}))
/** Megabytes; the daemon without parts needs most of it. */
const heap = 100
const env = { FLEET_API_TOKEN: token, NODE_OPTIONS: `--max-old-space-size=${heap}` }

const test = suite('memory of waiting parts')

test('300,000 parts wait in a heap of 100 MB; a start in the same heap has them all, in order', async () => {
  const folder = newFolder()
  try {
    const before = startProgram(folder, { env })
    await addComputers(before)
    await before.call(token, 'POST /procedure/add', { center: '1', name: 'Steps', steps })
    for (let run = 0; run < runs; run += 1) {
      is((await before.call(token, 'POST /procedure/run', { clients, procedure: '1' })).status, 200)
    }
    before.kill('SIGKILL')
    await before.ended

    const after = startProgram(folder, { env })
    const { jobs } = (await after.call(token, 'GET /jobs')).json
    equal(
      jobs.map(({ counts }: { counts: { queued: number } }) => counts.queued),
      Array(runs).fill(clientCount * stepCount),
    )
    const agent = await connectAgent({ port: await after.agentsPort(), addr: clients[7] ?? '' })
    await replyToNext(agent, '/run/schedule')
    for (let step = 0; step < stepCount + 2; step += 1) {
      equal((await replyToNext(agent, '/shell/run')).body, { run: `${step % stepCount}`, echo: true })
    }
    agent.destroy()
  } finally {
    await endPrograms()
    removeFolder(folder)
  }
})

async function addComputers(program: Program): Promise<void> {
  await program.call(token, 'POST /center/add', { name: 'Center' })
  await program.call(token, 'POST /room/add', { name: 'Room', netmask: '255.255.255.0', center: 1 })
  const rows = clients.map(
    (ip, index) => `pc-${index},${ip},${(0x02_88_00_00_00_00 + index).toString(16).padStart(12, '0')},none\n`,
  )
  const text = `name,ip,mac,boot\n${rows.join('')}`
  await program.call(token, 'POST /client/import', { format: 'csv', room: 1, text })
}

test.run()
