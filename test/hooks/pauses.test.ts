// Hooks that are paused after ten failures, also where the store fails and where the daemon is started again.
import { suite } from 'uvu'
import { equal, match } from 'uvu/assert'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { diskFull, failingMethods, failingStoreFile } from '../harness/failing-store.ts'
import { emit, hook, opened, restart, type Site, statesOf } from '../harness/hook-site.ts'
import { pollUntil } from '../harness/poll.ts'
import { startSite } from '../harness/site-folder.ts'

const test = suite('pauses of hooks')

type ManualClock = ReturnType<typeof createManualClock>

const failing = (on: string) => hook(on, `throw new Error('never')`)

const lines = ({ lab }: Site, text: string) => lab.log.filter(line => line.includes(text))

async function failTen({ lab }: Site, clock: ManualClock): Promise<void> {
  for (let failures = 1; failures < 10; failures += 1) {
    await lab.logged(new RegExp(`run failed, ${failures} of 10, again`))
    await clock.advance(300_000)
  }
  await lab.logged(/run failed, 10 of 10: paused/)
}

/** Until the store has been asked again with success. */
const untilMended = (site: Site, clock: ManualClock) =>
  pollUntil(async () => {
    await clock.advance(5000)
    return lines(site, 'hooks: it does again').length > 0
  })

test('a hook that has failed ten times on a full disk is paused, and the store has it later', async () => {
  const clock = createManualClock()
  const site = await startSite({ store: { adapter: failingStoreFile } }, { clock })
  await site.save('ready.ts', failing('client-ready'))
  await opened(site)
  failingMethods.add('documents.put')
  emit(site, '127.0.0.2')
  await failTen(site, clock)
  match(await site.lab.logged(/the store does not keep which hooks are paused/), diskFull)
  emit(site, '127.0.0.3')
  equal(await statesOf(site), ['paused'])
  await clock.advance(5000)
  const known = site.lab.event('hook-changed')
  failingMethods.clear()
  await untilMended(site, clock)
  await known
  equal(await statesOf(site), ['paused'])
  equal(lines(site, 'run failed').length, 10)
  equal(lines(site, 'does not keep which hooks').length, 1)
  await site.stop()
})

test('a host that cannot read which hooks are paused reads it later', async () => {
  const clock = createManualClock()
  const site = await startSite({ store: { adapter: failingStoreFile } }, { clock })
  await site.save('ready.ts', hook('client-ready'))
  await opened(site)
  failingMethods.add('documents.list')
  // As after a message of another host.
  site.lab.host.events.emit({ type: 'hook-changed', hook: 'ready', change: 'paused' })
  match(await site.lab.logged(/the store does not say which hooks are paused/), diskFull)
  failingMethods.clear()
  await untilMended(site, clock)
  await site.stop()
})

test('a hook that is paused after failures resumes when its file was saved while the daemon was down', async () => {
  const clock = createManualClock()
  const site = await startSite({ store: { path: './data' } }, { clock })
  await site.save('added.ts', failing('computer-added'))
  await opened(site)
  await site.lab.addComputer('127.0.0.2')
  await failTen(site, clock)
  const next = await restart(site)
  equal(await statesOf(next), ['paused'])
  const mended = () => site.write('added.ts', hook('computer-added'))
  const last = await restart({ lab: next.lab, folder: site.folder }, mended)
  await last.lab.logged(/got computer-added 127.0.0.2/)
  await opened(last)
  await last.stop()
})

test.run()
