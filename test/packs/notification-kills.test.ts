// A daemon that is killed loses no message, and sends none again that was confirmed.
import { setTimeout as wait } from 'node:timers/promises'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { endPrograms, newFolder, type Program, removeFolder, startProgram } from '../harness/daemon-process.ts'
import { bodiesOf, idsOf, loopback, startReceiver } from '../harness/notifications.ts'
import { pollUntil } from '../harness/poll.ts'
import { roundsOf } from '../harness/rounds.ts'

const test = suite('notifications of a daemon that is killed')
test.after(endPrograms)

const token = 'a token of a daemon that is killed'
const rounds = roundsOf(2)
/** Milliseconds before a kill, while messages are queued and sent. */
const moments = [15, 45, 30, 60]
const jobs = 5

test('nothing is lost, and what was confirmed before is not sent again', async () => {
  const folder = newFolder()
  const receiver = await startReceiver()
  const start = () => startProgram(folder, { options: { store: { path: './data' } }, env: { FLEET_API_TOKEN: token } })
  const post = async (daemon: Program, path: string, payload: object) => {
    const { status, headers } = await daemon.call(token, `POST ${path}`, payload)
    is(status, 200, `${path}: ${headers['x-reason']}`)
  }
  let daemon = start()
  await post(daemon, '/pack/settings', { pack: 'notifications', settings: loopback })
  await post(daemon, '/pack/enable', { pack: 'notifications' })
  await post(daemon, '/notifications/target/add', { target: 'tickets', kind: 'webhook', address: receiver.url })
  const rule = { rule: 'jobs', events: ['job-finished'], outcome: 'any', targets: ['tickets'] }
  await post(daemon, '/notifications/rule/add', rule)
  // No computer has this address: a job for it is finished at once.
  const job = { clients: ['127.9.9.9'], run: 'true', echo: false }
  for (let round = 1; round <= rounds; round += 1) {
    for (let count = 0; count < jobs; count += 1) await post(daemon, '/shell/run', job)
    await wait(moments[round % moments.length])
    daemon.kill('SIGKILL')
    await daemon.ended
    daemon = start()
    await daemon.port()
  }
  await pollUntil(() => new Set(idsOf(receiver)).size === rounds * jobs)
  const found = new Set(bodiesOf(receiver).map(({ data }) => data.job))
  is(found.size, rounds * jobs)
  // Only the one that was being sent when the daemon was killed may have come twice.
  const again = idsOf(receiver).length - rounds * jobs
  equal(again <= rounds, true, `${again} came again`)
  daemon.kill('SIGTERM')
  await daemon.ended
  removeFolder(folder)
  await receiver.close()
})

test.run()
