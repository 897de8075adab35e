// `fleet job <id> --watch`: the progress of copies, on a terminal and in a pipe.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { runFleet } from '../../host/cli/program.ts'
import { formatBar, formatProgress } from '../../host/cli/terminal/progress-bar.ts'
import { startLab } from '../harness/lab.ts'
import { pollUntil } from '../harness/poll.ts'
import { token } from '../harness/test-host.ts'

const lab = await startLab({ subnet: '127.0.62', logs: { period_seconds: 1 } })
const environment = { FLEET_URL: `http://127.0.0.1:${lab.host.ports.rest}`, FLEET_API_TOKEN: token }
const terminal = { isTTY: true, columns: 80, rows: 24, hasColors: () => false }

/** Starts `fleet job <id> --watch`, on a terminal or in a pipe; what it has printed can be read while it runs. */
function watch(job: number, device: Partial<typeof terminal> = {}) {
  let text = ''
  const out = {
    ...device,
    write(more: string) {
      text += more
    },
  }
  const ended = runFleet(['job', String(job), '--watch'], { environment, out, error: { write: () => {} } })
  return { ended, text: () => text, printed: (part: string) => pollUntil(() => text.includes(part)) }
}

const line = (percent: number) => `Completed: ${percent.toFixed(2)}%, Rate: 6.00GB/min, Remaining: 00:01:30\n`
const complete = `${line(100)}Cloned successfully.\n`

const test = suite('fleet job --watch')
test.after(() => lab.stop())

test('a bar has as many filled characters as the percentage says', () => {
  is(formatBar(0, 10), '░░░░░░░░░░')
  is(formatBar(45.9, 10), '████░░░░░░')
  is(formatBar(99.9, 10), '█████████░')
  is(formatBar(100, 10), '██████████')
  is(formatBar(-5, 4) + formatBar(500, 4), '░░░░████')
})

test('progress is a bar, whole percent, the rate in MB/s and the remaining time; what is unknown is left out', () => {
  is(formatProgress({ percent: 45.9, rate: 85_400_000, remaining: 90 }), '█████████░░░░░░░░░░░  45 %  85 MB/s  1:30')
  is(formatProgress({ percent: 5, rate: 1_250_000, remaining: 7500 }), '█░░░░░░░░░░░░░░░░░░░   5 %  1.3 MB/s  2:05:00')
  is(formatProgress({ percent: 100 }), '████████████████████ 100 %')
})

test('in a pipe each part has a line for each tenth, and the results come at the end', async () => {
  const [first, second] = [await lab.imagingClient(), await lab.imagingClient()]
  const job = await lab.restore(first, second)
  const run = watch(job)
  first.log.text = line(12)
  await run.printed(' 12 %')
  for (const percent of [14, 51]) {
    const seen = lab.event('job-progress', { addr: first.addr, percent })
    first.log.text = line(percent)
    await seen
  }
  await run.printed(' 51 %')
  first.log.text = complete
  second.log.text = 'error: no such image\n'
  await lab.reply(job, first)
  await lab.reply(job, second)
  is(await run.ended, 1)
  const out = run.text()
  const lines = out.split('\n')
  const name = `pc-${first.addr}`
  is(lines.filter(each => each.includes(name) && each.includes(' 12 %')).length, 1, out)
  is(lines.filter(each => each.includes(' 14 %')).length, 0)
  ok(out.includes(`${first.addr}  ${name}  ██████████░░░░░░░░░░  51 %  100 MB/s  1:30`), out)
  match(out, /error: no such image\n/)
  match(out, new RegExp(`job ${job} image-restore: 1 success, 1 failure\n$`))
})

test('on a terminal the parts are drawn again and again, and the results stay', async () => {
  const client = await lab.imagingClient()
  const job = await lab.restore(client)
  const run = watch(job, terminal)
  client.log.text = line(40)
  await run.printed('████░░░░░░  40 %  100 MB/s  1:30')
  client.log.text = complete
  await lab.reply(job, client)
  is(await run.ended, 0)
  match(run.text(), /1 success/)
})

test('on a terminal what runs comes first, the slowest at the top, then what has failed', async () => {
  const [failed, slow, slowest] = [await lab.imagingClient(), await lab.imagingClient(), await lab.imagingClient()]
  const job = await lab.restore(failed, slow, slowest)
  failed.log.text = 'error: no such image\n'
  await lab.reply(job, failed)
  const seen = lab.event('job-progress', { addr: slow.addr, percent: 1 })
  slow.log.text = line(1)
  await seen
  const run = watch(job, terminal)
  await run.printed('  1 %')
  const places = [slowest, slow, failed].map(({ addr }) => run.text().indexOf(`${addr} `))
  equal(
    places,
    [...places].sort((a, b) => a - b),
  )
  for (const client of [slow, slowest]) {
    client.log.text = complete
    await lab.reply(job, client)
  }
  is(await run.ended, 1)
})

test('a job that has ended is shown at once', async () => {
  const client = await lab.imagingClient()
  const job = await lab.restore(client)
  await lab.reply(job, client)
  const run = watch(job)
  is(await run.ended, 0)
  match(run.text(), /not confirmed: the log says nothing about this command/)
})

test.run()
