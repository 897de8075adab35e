// Runs of hooks on events of the bus: batches, one at a time, repeats after failures, pauses.
import { suite } from 'uvu'
import { equal, match } from 'uvu/assert'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { pollUntil } from '../harness/poll.ts'
import { startSite } from '../harness/site-folder.ts'

const test = suite('runs of hooks')

type Site = Awaited<ReturnType<typeof startSite>>

/** A hook that logs the events that it gets; `body` comes first. */
const hook = (on: string, body = '') => `
export default {
  summary: 'Log events',
  on: ['${on}'],
  async run({ events, services }) {
    ${body}
    services.log.info('got ' + events.map(({ type, clients }) => type + ' ' + clients).join(', '))
  },
}
`

const emit = ({ lab }: Site, addr: string) => lab.host.events.emit({ type: 'client-ready', addr })

const lines = ({ lab }: Site, pattern: RegExp) => lab.log.filter(line => pattern.test(line))

test('a hook gets the events that it names, of one tick in one run', async () => {
  const site = await startSite()
  await site.save('ready.ts', hook('client-ready'))
  emit(site, '127.0.0.2')
  emit(site, '127.0.0.3')
  match(await site.lab.logged(/got/), 'ready.ts: got client-ready 127.0.0.2, client-ready 127.0.0.3')
  await site.stop()
})

test('a run gets at most 500 events, and one runs at a time', async () => {
  const site = await startSite()
  await site.save(
    'ready.ts',
    `let running = 0
export default {
  summary: 'Count events',
  on: ['client-ready'],
  async run({ events, services }) {
    running += 1
    await new Promise(resolve => setTimeout(resolve, 5))
    services.log.info('got ' + events.length + ', running ' + running)
    running -= 1
  },
}
`,
  )
  for (let index = 0; index < 1200; index += 1) emit(site, '127.0.0.2')
  await site.lab.logged(/got 200/)
  equal(
    lines(site, /got/).map(line => line.replace(/.*got/s, 'got').trim()),
    ['got 500, running 1', 'got 500, running 1', 'got 200, running 1'],
  )
  await site.stop()
})

test('a run that throws is repeated with the same events until it succeeds', async () => {
  const clock = createManualClock()
  const site = await startSite({}, { clock })
  await site.save(
    'ready.ts',
    `let runs = 0\n${hook('client-ready', `runs += 1; if (runs < 3) throw new Error('no ' + runs)`)}`,
  )
  emit(site, '127.0.0.2')
  await site.lab.logged(/run failed, 1 of 10, again in 1 s: no 1/)
  emit(site, '127.0.0.3')
  await clock.advance(1000)
  await site.lab.logged(/run failed, 2 of 10, again in 5 s: no 2/)
  await clock.advance(5000)
  match(await site.lab.logged(/got/), 'got client-ready 127.0.0.2\n')
  match(await site.lab.logged(/got client-ready 127.0.0.3/), 'ready.ts')
  await site.stop()
})

test('a run that does not end is repeated after 30 s', async () => {
  const clock = createManualClock()
  const site = await startSite({}, { clock })
  const hang = `runs += 1; if (runs === 1) { services.log.info('hangs'); await new Promise(() => {}) }`
  await site.save('ready.ts', `let runs = 0\n${hook('client-ready', hang)}`)
  emit(site, '127.0.0.2')
  await site.lab.logged(/hangs/)
  await clock.advance(30_000)
  await site.lab.logged(/again in 1 s: run: expected an end within 30 s/)
  await clock.advance(1000)
  await site.lab.logged(/got client-ready/)
  await site.stop()
})

test('after ten failures in a row a hook is paused until its file is saved', async () => {
  const clock = createManualClock()
  const site = await startSite({}, { clock })
  await site.save('ready.ts', hook('client-ready', `throw new Error('never')`))
  emit(site, '127.0.0.2')
  for (let failures = 1; failures < 10; failures += 1) {
    await site.lab.logged(new RegExp(`run failed, ${failures} of 10, again`))
    await clock.advance(300_000)
  }
  await site.lab.logged(/run failed, 10 of 10: paused until it is resumed or saved: never/)
  await site.save('ready.ts', hook('client-ready'))
  await site.lab.logged(/got client-ready 127.0.0.2/)
  await site.stop()
})

test('no event is lost while the file of a hook changes', async () => {
  const site = await startSite()
  await site.save('ready.ts', hook('client-ready', '// 0'))
  const addrs = Array.from({ length: 200 }, (_, index) => `127.0.1.${index}`)
  for (const [index, addr] of addrs.entries()) {
    if (index % 40 === 0) await site.save('ready.ts', hook('client-ready', `// ${index + 1}`))
    emit(site, addr)
  }
  const all = () => lines(site, /got/).flatMap(line => line.match(/127\.0\.1\.\d+/g) ?? [])
  await pollUntil(() => all().length >= addrs.length)
  equal(all(), addrs)
  await site.stop()
})

test('the signal of a version is aborted when its file is saved', async () => {
  const site = await startSite()
  const body = `services.signal.addEventListener('abort', () => services.log.info('aborted'))`
  await site.save('ready.ts', hook('client-ready', body))
  emit(site, '127.0.0.2')
  await site.lab.logged(/got/)
  await site.save('ready.ts', hook('client-ready'))
  await site.lab.logged(/aborted/)
  await site.stop()
})

test.run()
