// The files of the cookbook run as printed.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import type { LabOptions } from '../../host/contract/test-lab.ts'
import { createLab } from '../../host/test-kit/lab.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/cookbook.md'), 'utf8')
const files = Array.from(
  page.matchAll(/^`([\w/-]+\.ts)`.*\n\n```ts\n([\s\S]*?)^```$/gm),
  ([, name = '', text = '']) => ({
    name,
    text,
  }),
)

const parent = mkdtempSync(join(tmpdir(), 'fleet-cookbook-'))

const test = suite('cookbook')
test.after(() => rmSync(parent, { recursive: true }))

/** Calls `use` with a lab whose folder has the files of a name, and with a server that keeps what it is sent. */
async function withLab(name: string, options: Partial<LabOptions>, use: (lab: Lab) => Promise<void>): Promise<void> {
  const folder = join(parent, name)
  for (const file of files.filter(each => each.name.startsWith(name))) {
    mkdirSync(dirname(join(folder, file.name)), { recursive: true })
    writeFileSync(join(folder, file.name), file.text)
  }
  const lab = await createLab<{ collections: Record<string, object> }>({ folder, pack: name, ...options })
  try {
    await use(lab)
  } finally {
    await lab.stop()
  }
}
type Lab = Awaited<ReturnType<typeof createLab<{ collections: Record<string, object> }>>>

/** Runs `use` with the address of a server that gives this reply and collects what it is sent. */
async function withServer(reply: () => string, use: (url: string, bodies: string[]) => Promise<void>): Promise<void> {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', text => {
      body += text
    })
    request.on('end', () => {
      bodies.push(`${request.headers.authorization ?? ''} ${body}`)
      response.end(reply())
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    const address = server.address()
    await use(`http://127.0.0.1:${address instanceof Object ? address.port : 0}`, bodies)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const runOf = (body: unknown) => (body instanceof Object && 'run' in body ? String(body.run) : '')
const runsOf = (lab: Lab) => lab.clients.map(({ requests }) => requests.map(({ body }) => runOf(body)))

test('it has ten recipes', () => {
  is(page.match(/^## /gm)?.length, 10)
  is(new Set(files.map(({ name }) => name.split('/')[0])).size, 10)
})

test('screens are locked until a time', () =>
  withLab('lock-screens', { clients: 1 }, async lab => {
    const { status } = await lab.post('/lock-screens', { clients: lab.addresses, until: '10:30' })
    is(status, 200)
    match(runsOf(lab)[0]?.[0] ?? '', /lock-sessions; systemd-run --on-calendar='10:30:00'/)
    match((await lab.post('/lock-screens', { clients: lab.addresses, until: '25:30' })).reason, /expected a time/)
  }))

test('free disk space is kept, and shown for each room', () =>
  withLab('disk-space', { clients: 2 }, async lab => {
    lab.clients[0]?.replyTo('POST /shell/run', { out: '20000000000\n' })
    lab.clients[1]?.replyTo('POST /shell/run', { out: '7300000000\n' })
    await lab.post('/disk-space/ask', { clients: lab.addresses })
    const { json } = await lab.get('/view/disk-space/page')
    equal(json.rows, [{ room: 'Room', computers: 2, free: 7.3 }])
  }))

test('an exam room is left as it is', () =>
  withLab('exam-rooms', { clients: 1, settings: { rooms: [1] } }, async lab => {
    await lab.post('/poweroff', { clients: lab.addresses })
    const { json } = await lab.get('/jobs')
    is(json.jobs[0].counts.skipped, 1)
    equal(lab.clients[0]?.requests, [])
  }))

test('a hot room is a warning', () =>
  withServer(
    () => JSON.stringify({ celsius: 31.5 }),
    sensor =>
      withLab('hot-room', { settings: { sensor } }, async lab => {
        await lab.advance('5 minutes')
        ok(lab.log.some(line => line.includes('the room has 31.5 °C')))
        equal((await lab.collections.readings?.get('last'))?.value, { celsius: 31.5 })
      }),
  ))

test('programs start at 9:45 on working days', () =>
  withLab('lesson-start', { clients: 1, start: '2026-03-06T09:30:00' }, async lab => {
    await lab.post('/pack/settings', { pack: 'lesson-start', settings: { clients: lab.addresses, run: 'xdg-open x' } })
    await lab.advance('15 minutes')
    await lab.advance('1 day')
    equal(runsOf(lab), [['xdg-open x']])
  }))

test('a room is woken before its first lesson, once', () =>
  withServer(
    () => 'BEGIN:VEVENT\r\nDTSTART:20260302T084500Z\r\nEND:VEVENT\r\n',
    calendar =>
      withLab('first-lesson', { clients: 1, start: '2026-03-02T08:00:00Z' }, async lab => {
        await lab.post('/pack/settings', { pack: 'first-lesson', settings: { calendar, room: 1 } })
        await lab.advance('29 minutes')
        equal((await lab.get('/jobs')).json.jobs.length, 0)
        await lab.advance('5 minutes')
        equal(
          (await lab.get('/jobs')).json.jobs.map(({ name }: { name: string }) => name),
          ['wol'],
        )
      }),
  ))

test('temporary folders are tidied up on Sundays', () =>
  withLab('tidy-up', { clients: 1, start: '2026-03-01T02:00:00' }, async lab => {
    await lab.advance('2 hours')
    match(runsOf(lab)[0]?.[0] ?? '', /^find \/tmp/)
  }))

test('three failures in a row open a ticket', () =>
  withServer(
    () => '{}',
    (url, bodies) =>
      withLab('open-tickets', { clients: 1, settings: { url, token: 'secret' } }, async lab => {
        lab.clients[0]?.replyTo('POST /shell/run', {}, 500)
        for (let run = 0; run < 4; run += 1)
          await lab.post('/shell/run', { clients: lab.addresses, run: 'true', echo: false })
        is(bodies.length, 1)
        match(bodies[0] ?? '', /^Bearer secret \{"title":"127\.[\d.]+: shell-run failed"/)
      }),
  ))

test('log-ins are counted by hour', () =>
  withLab('login-count', { clients: 2, start: '2026-03-02T08:00:00Z' }, async lab => {
    for (const client of lab.clients) await client.login('anna')
    await lab.settle()
    const [hour] = (await lab.collections.hours?.list()) ?? []
    equal(hour?.value, { logins: 2 })
  }))

test('Ansible gets an inventory', () =>
  withLab('ansible-inventory', { clients: 1 }, async lab => {
    const { json } = await lab.get('/ansible/inventory')
    const [addr = ''] = lab.addresses
    equal(json, { room: { hosts: [`pc-${addr}`] }, _meta: { hostvars: { [`pc-${addr}`]: { ansible_host: addr } } } })
  }))

test.run()
