// Queues of clients that several hosts of one fleet look after.
import { equal, is, match, ok } from 'uvu/assert'
import { everyone } from '../harness/lab-host.ts'
import { pollUntil } from '../harness/poll.ts'
import { eventsOf, type HostTests, one, two } from './several-hosts-context.ts'

export const sharedQueues: HostTests = {
  'the leader looks after absent clients, and the host that a client connects to sends': async ({ lab, a, b, c }) => {
    const job = await c.run('shell-run', [one, two], { queue: '1' })
    await pollUntil(() => a.jobs.queue.depth === 2)
    equal([b.jobs.queue.depth, c.jobs.queue.depth], [0, 0])
    b.connect(one)
    await b.works(one, 'run-schedule')
    await pollUntil(() => a.jobs.queue.depth === 1)
    b.reply(one)
    await b.works(one)
    b.reply(one)
    a.connect(two)
    await a.works(two, 'run-schedule')
    a.reply(two)
    await a.works(two)
    a.reply(two)
    equal(await lab.outcomes(job), ['success', 'success'])
  },

  'parts of a client that moves from host to host are each sent once': async ({ lab, a, b, c }) => {
    const hosts = [b, c, a]
    b.connect(one)
    const jobs: number[] = []
    for (let count = 0; count < 30; count += 1) {
      const job = (hosts[count % 3] ?? a).run('shell-run', [one], { queue: '1' })
      if (count % 4 === 0) (hosts[(count / 4) % 3] ?? a).connect(one)
      jobs.push(await job)
    }
    a.connect(one)
    const isUnfinished = async () =>
      (await Promise.all(jobs.map(job => lab.states(job)))).flat().some(state => /^(queued|sent)$/.test(state))
    while (await isUnfinished()) {
      if (a.isWorking(one)) a.reply(one)
      await new Promise(setImmediate)
    }
    const sent = hosts.flatMap(host => host.sent.filter(text => text.endsWith('shell-run'))).length
    const outcomes = (await Promise.all(jobs.map(job => lab.outcomes(job)))).flat()
    ok(outcomes.every(outcome => /^(success|failure disconnected|skipped (busy|not connected))$/.test(outcome)))
    is(sent, outcomes.filter(outcome => !outcome.startsWith('skipped')).length)
    for (const job of jobs) is((await eventsOf(lab, job)).filter(text => text.includes('job-part')).length, 1)
    await pollUntil(() => hosts.every(({ jobs }) => jobs.queue.depth === 0))
  },

  'queued parts of another host are cancelled, with one event each': async ({ lab, a, b }) => {
    b.connect(one)
    await b.run('shell-run', [one])
    const job = await a.run('shell-run', [one, two], { queue: '1' })
    await pollUntil(() => a.jobs.queue.depth === 1 && b.jobs.queue.depth === 1)
    is(await b.jobs.service.cancel(job, { caller: '', rights: everyone }), 2)
    const ends = ['b job-part cancelled', 'b job-part cancelled', 'b job-finished']
    equal(await eventsOf(lab, job), ['a job-created', ...ends, 'b job-cancel'])
    await pollUntil(() => a.jobs.queue.depth === 0 && b.jobs.queue.depth === 0)
    const other = await a.run('shell-run', [one, two], { queue: '1' })
    // Host b claims its part, as it is to be sent at once, and queues it because the client is busy.
    await pollUntil(() => a.jobs.queue.depth === 1 && b.jobs.queue.depth === 1)
    const limited = { ...everyone, isLimited: true, hasClient: (addr: string) => addr === one }
    is(await a.jobs.service.cancel(other, { caller: '', rights: limited }), 1)
    equal(await lab.states(other), ['cancelled', 'queued'])
    a.jobs.cancelFor([two], 'computer deleted')
    equal(await lab.outcomes(other), ['cancelled by request', 'cancelled computer deleted'])
  },

  'a queued part expires once, at the host that looks after it': async ({ lab, a, b, clock }) => {
    b.connect(one)
    await b.run('shell-run', [one])
    const job = await a.run('shell-run', [one], { queue: '1', expires: '60' })
    await pollUntil(() => b.jobs.queue.depth === 1)
    await clock.advance(61_000)
    equal(await eventsOf(lab, job), ['a job-created', 'b job-part expired', 'b job-finished'])
  },

  'a host that drains refuses what it should send at once, and keeps its queue': async ({ lab, a, b }) => {
    b.connect(one)
    b.jobs.drain.start()
    const [outcome] = await lab.outcomes(await a.run('shell-run', [one]))
    match(outcome ?? '', /^failure host b: the daemon drains/)
    const queued = await a.run('shell-run', [two], { queue: '1' })
    b.connect(two)
    await pollUntil(() => b.jobs.queue.depth === 1)
    equal(b.sent, [])
    b.jobs.drain.cancel()
    await b.works(two, 'run-schedule')
    b.reply(two)
    await b.works(two)
    b.reply(two)
    equal(await lab.outcomes(queued), ['success'])
  },
}
