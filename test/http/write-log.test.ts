// The log lines of accepted requests and of the ends of jobs.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { createLog } from '../../host/log/log.ts'
import { readEvents } from '../harness/event-reader.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
const test = suite('log of writes')
test.after(() => lab.stop())

/** The lines that `work` causes, without their times. */
async function linesOf(work: () => Promise<unknown>): Promise<string[]> {
  const before = lab.log.length
  await work()
  return lab.log.slice(before).map(line => line.slice(line.indexOf(' ') + 1).trimEnd())
}

test('an accepted write is one line with route, caller, clients and job; the end of its job is another', async () => {
  const clients = ['127.3.0.5', '127.3.0.6', '127.3.0.7', '127.3.0.8']
  equal(await linesOf(() => lab.call('POST /poweroff?queue=1', { clients })), [
    'info  jobs: job 1 poweroff, by admin from 127.0.0.1: 4 skipped; 4 clients: 127.3.0.5, 127.3.0.6, 127.3.0.7, …',
    'info  rest: POST /poweroff by admin from 127.0.0.1: 200; 4 clients: 127.3.0.5, 127.3.0.6, 127.3.0.7, …; job 1',
  ])
  equal(await linesOf(() => lab.call('POST /center/add', { name: 'A' })), [
    'info  rest: POST /center/add by admin from 127.0.0.1: 200; id 1',
  ])
})

test('only addresses of computers are clients of a line: those of a repository are not', async () => {
  await lab.addComputer('127.3.0.5')
  equal(await linesOf(() => lab.call('POST /client/update', { ip: '127.3.0.5', maintenance: true })), [
    'info  rest: POST /client/update by admin from 127.0.0.1: 200; 1 client: 127.3.0.5',
  ])
  equal(await linesOf(() => lab.call('POST /repository/add', { name: 'second', ip: '127.3.0.9', clients: ['x'] })), [
    'info  rest: POST /repository/add by admin from 127.0.0.1: 200; id 2',
  ])
})

test('a read is no line, also one by POST; a refused write is one line', async () => {
  equal(await linesOf(() => lab.call('GET /clients')), [])
  equal(await linesOf(() => lab.call('POST /schedule/get')), [])
  equal(await linesOf(() => lab.call('POST /shell/output', { clients: ['127.3.0.5'] })), [])
  const [line, ...more] = await linesOf(() => lab.call('POST /center/add', { name: 'A' }))
  equal([line, more], ['warn  rest: POST /center/add from 127.0.0.1: 400, name: center A exists', []])
})

test('a reader that leaves /events is no line', async () => {
  const reader = await readEvents(lab.host.ports.rest)
  const lines = await linesOf(async () => {
    reader.close()
    // The daemon has noticed it when it has answered a later request.
    await lab.call('GET /clients')
    await new Promise(resolve => setImmediate(resolve))
  })
  equal(lines, [])
})

test('the JSON form has fields besides the text', () => {
  const lines: string[] = []
  const log = createLog(text => lines.push(text), { format: 'json' })
  log.warn('agent 10.1.1.20', 'poweroff failed: no answer', { event: 'command-failed', command: 'poweroff' })
  log.info('rest', 'text')
  const [failed, plain] = lines.map(line => JSON.parse(line))
  match(failed.time, /^\d{4}-/)
  equal(failed, {
    time: failed.time,
    level: 'warn',
    where: 'agent 10.1.1.20',
    what: 'poweroff failed: no answer',
    component: 'agent',
    client: '10.1.1.20',
    event: 'command-failed',
    command: 'poweroff',
  })
  is(plain.component, 'rest')
})

test.run()
