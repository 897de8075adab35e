// `fleet night`, of jobs that were retried.
import { suite } from 'uvu'
import { equal, match } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { jobIdOf } from '../harness/job-results.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
const shell = openShellOf(lab)
const two = '127.0.134.72'
await lab.addComputer(two)

const test = suite('fleet night of retries')
test.after(async () => {
  shell.remove()
  await lab.stop()
})

test('fleet night lists what a retry has not done either once, with the retry', async () => {
  let replyToScript = (): { status: number; body: object } | undefined => ({
    status: 200,
    body: { out: '', status: 7 },
  })
  const agent = await lab.agent(two, { auto: { '/shell/run': () => replyToScript(), '*': { status: 200 } } })
  const ended = async (route: string, payload: object): Promise<number> => {
    const finished = lab.event('job-finished')
    await lab.call(route, payload)
    return (await finished).job
  }
  const failed = await ended('POST /shell/run', { clients: [two], run: 'false', echo: true })
  const again = await ended('POST /job/retry', { id: String(failed) })
  const { out } = await shell.fleet('night', '--since', '9999d')
  equal([out.includes(`job ${failed} `), out.includes(`job ${again} `)], [false, true])
  // Of a retry that somebody has stopped, what it was for is said.
  const sent = new Promise<void>(resolve => {
    replyToScript = () => {
      resolve()
      return undefined
    }
  })
  const stopped = jobIdOf(await lab.call('POST /job/retry', { id: String(again) }))
  await sent
  await ended('POST /job/stop', { id: String(stopped) })
  const after = (await shell.fleet('night', '--since', '9999d')).out
  equal([after.includes(`job ${again} `), after.includes(`job ${stopped} `)], [true, false])
  const gone = lab.event('client-gone', { addr: two })
  agent.close()
  await gone
  // The same of several jobs is one line.
  const one = '127.0.134.73'
  await lab.addComputer(one)
  const other = await lab.agent(one, {
    auto: { '/shell/run': { status: 200, body: { out: '' } }, '*': { status: 200 } },
  })
  const ids = [
    await ended('POST /shell/run', { clients: [one, two], run: 'true', echo: true }),
    await ended('POST /shell/run', { clients: [one, two], run: 'true', echo: true }),
  ]
  match(
    (await shell.fleet('night', '--since', '2001-01-31')).out,
    `jobs ${ids[0]}-${ids[1]}: pc-${two} shell-run: skipped, not connected\n`,
  )
  const left = lab.event('client-gone', { addr: one })
  other.close()
  await left
})

test.run()
