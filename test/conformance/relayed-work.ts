// What hosts of one fleet send for each other.
import { equal, is, ok } from 'uvu/assert'
import { taken } from '../../host/jobs/record/job-store.ts'
import { everyone, type LabHost } from '../harness/lab-host.ts'
import { pollUntil } from '../harness/poll.ts'
import { eventsOf, type HostTests, one, parts, three, two } from './several-hosts-context.ts'

/** On a busy machine the answer does not wait that long. */
const wasSentBy = (host: LabHost) => () => host.sent.length > 0

export const relayedWork: HostTests = {
  'a command for a client of another host is sent by that one before the caller has the answer': async ({
    lab,
    a,
    b,
  }) => {
    b.connect(one)
    const job = await a.run('shell-run', [one])
    await pollUntil(wasSentBy(b))
    equal(b.sent, [`${one} shell-run`])
    equal(a.sent, [])
    equal(await lab.states(job), ['sent'])
    equal(b.jobs.drain.state().running, 1)
    b.reply(one, { output: 'text' })
    equal(await eventsOf(lab, job), ['a job-created', 'b job-part success', 'b job-finished'])
    is((await parts(lab, job))[0]?.output, 'text')
    is(b.jobs.drain.state().running, 0)
    ok(b.log.some(line => line.includes(`job ${job} shell-run, by admin from 127.0.0.1: 1 success; 1 client`)))
  },

  'a job for clients of three hosts has one end, after all its parts': async ({ lab, a, b, c }) => {
    a.connect(one)
    b.connect(two)
    c.connect(three)
    const job = await a.run('shell-run', [one, two, three])
    await pollUntil(wasSentBy(b))
    await pollUntil(wasSentBy(c))
    equal([a.sent, b.sent, c.sent], [[`${one} shell-run`], [`${two} shell-run`], [`${three} shell-run`]])
    c.reply(three)
    a.reply(one, { result: 'failure', reason: 'exit code 1' })
    await pollUntil(async () => (await lab.states(job)).filter(state => state === 'sent').length === 1)
    b.reply(two)
    const events = await eventsOf(lab, job)
    equal([events[0], events.at(-1)], ['a job-created', 'b job-finished'])
    equal(events.slice(1, -1).sort(), ['a job-part failure', 'b job-part success', 'c job-part success'])
    const end = lab.feed.find(({ event }) => event.type === 'job-finished')
    equal(end?.event, {
      type: 'job-finished',
      job,
      name: 'shell-run',
      by: 'admin',
      counts: { success: 2, failure: 1 },
      addrs: [one, two, three],
    })
  },

  'the owner decides who is busy, not connected or unknown; a host that nobody has is skipped at once': async ({
    lab,
    a,
    b,
  }) => {
    b.connect(one)
    await a.run('shell-run', [one])
    const job = await a.run('shell-run', [one, two, '10.9.9.9'])
    equal(await lab.outcomes(job), ['skipped busy', 'skipped not connected', 'skipped unknown'])
    equal(b.sent, [`${one} shell-run`])
    const interrupt = await a.run('reboot', [one])
    await pollUntil(() => b.sent.length === 2)
    equal(await lab.states(interrupt), ['sent'])
  },

  'a client that leaves before its part was taken: it was not connected': async ({ lab, a, b }) => {
    b.connect(one)
    b.connect('10.9.9.9')
    b.isMember = false
    const running = a.run('shell-run', [one, '10.9.9.9'])
    await pollUntil(async () => (await lab.store.jobs.list({ limit: 1 })).length === 1)
    b.disconnect(one)
    b.disconnect('10.9.9.9')
    b.isMember = true
    b.tick()
    equal(await lab.outcomes(await running), ['skipped not connected', 'skipped unknown'])
  },

  'with ?queue=1 a busy client of another host gets the command when it is free': async ({ lab, a, b }) => {
    b.connect(one)
    const first = await a.run('shell-run', [one])
    const job = await a.run('shell-run', [one], { queue: '1' })
    await pollUntil(() => b.jobs.queue.depth === 1)
    is(a.jobs.queue.depth, 0)
    b.reply(one)
    await b.works(one, 'run-schedule')
    b.reply(one)
    await b.works(one)
    b.reply(one)
    equal(await lab.outcomes(job), ['success'])
    equal(await lab.outcomes(first), ['success'])
    equal(b.sent, [`${one} shell-run`, `${one} run-schedule`, `${one} shell-run`])
  },

  'a retry sends at once what was sent at once, also with ?queue=1': async ({ lab, a, b }) => {
    b.connect(one)
    const job = await a.run('shell-run', [one], { queue: '1' })
    await b.works(one)
    b.reply(one, { result: 'failure', reason: 'no disk' })
    equal(await lab.outcomes(job), ['failure no disk'])
    const retried = await a.jobs.service.retry(job, 'failed', { caller: '', rights: everyone })
    await b.works(one)
    equal(b.sent, [`${one} shell-run`, `${one} shell-run`])
    b.reply(one)
    equal(await lab.outcomes(Number(retried)), ['success'])
  },

  'what a host lacks a command for fails with its name': async ({ lab, a, b }) => {
    b.connect(one)
    b.commands.delete('shell-run')
    const job = await a.run('shell-run', [one])
    equal(await lab.outcomes(job), ['failure host b: no command shell-run is loaded that can be sent'])
    const queued = await a.run('shell-run', [one, two], { queue: '1' })
    b.connect(two)
    await b.works(two, 'run-schedule')
    b.reply(two)
    const outcome = 'failure host b: no command shell-run is loaded that can be sent'
    equal(await lab.outcomes(queued), [outcome, outcome])
  },

  'one host runs a firing, and for the others nothing happens': async ({ lab, a, b, c }) => {
    const scheduled = { clients: [one], command: 'shell-run', params: {} }
    const masks = { years: 0, months: 0, weeks: 0, week_days: 0, days: 0, hours: 0, am_pm: 0, minutes: 0 }
    const row = { ...masks, type: 'command', name: 'nightly', suspended: 0, since: 0, by: 'admin' } as const
    const id = await lab.store.schedules.addScheduledCommand(scheduled, row)
    const task = (await lab.store.schedules.list())[0]?.task ?? 0
    const firing = { schedule: id, time: 60_000, created: 60_000 }
    const run = ({ jobs }: LabHost) =>
      jobs.service.runSchedule({ id, type: 'command', task, name: 'nightly' }, everyone, firing)
    const ids = await Promise.all([run(a), run(b), run(c)])
    is(ids.filter(each => typeof each === 'number' && each > 0).length, 1)
    is(ids.filter(each => each === taken).length, 2)
    is(await run(b), taken)
    equal(
      (await lab.store.jobs.list({ limit: 10 })).map(({ schedule }) => schedule),
      [id],
    )
    await new Promise(setImmediate)
    is(lab.feed.filter(({ event }) => event.type === 'job-created').length, 1)
  },
}
