// Hosts of a fleet that lose the database or their membership.
import { equal, is, match } from 'uvu/assert'
import { pollUntil } from '../harness/poll.ts'
import { failure } from '../harness/store-folders.ts'
import { eventsOf, type HostTests, one, two } from './several-hosts-context.ts'

export const lostHosts: HostTests = {
  'a host that has lost the database accepts and sends nothing': async ({ lab, a, b, clock }) => {
    b.connect(one)
    const job = await a.run('shell-run', [one, two], { queue: '1' })
    await b.works(one)
    b.isMember = false
    match(await failure(b.run('shell-run', [one])), /lost the fleet's database/)
    b.connect(two)
    await b.works(two, 'run-schedule')
    b.reply(two)
    await pollUntil(() => b.log.some(line => line.includes("lost the fleet's database")))
    equal(b.sent, [`${one} shell-run`, `${two} run-schedule`])
    b.isMember = true
    await clock.advance(5000)
    await b.works(two)
    b.reply(one)
    b.reply(two)
    equal(await lab.outcomes(job), ['success', 'success'])
  },

  'when a host is lost, what it was sent fails, and its queue waits for the return of the clients': async ({
    lab,
    a,
    b,
    c,
  }) => {
    b.connect(one)
    const sent = await a.run('shell-run', [one])
    const queued = await a.run('shell-run', [one], { queue: '1' })
    await pollUntil(() => b.jobs.queue.depth === 1)
    await lab.lose(b)
    equal(await lab.outcomes(sent), ['failure host gone'])
    equal(await eventsOf(lab, sent), ['a job-created', 'a job-part failure', 'a job-finished'])
    await pollUntil(() => a.jobs.queue.depth === 1)
    c.connect(one)
    await c.works(one, 'run-schedule')
    c.reply(one)
    await c.works(one)
    c.reply(one)
    equal(await lab.outcomes(queued), ['success'])
    equal(await lab.outcomes(sent), ['failure host gone'])
  },

  'a host that returns sends nothing twice, and has the queues of its clients again': async ({ lab, a, b }) => {
    b.connect(one)
    const sent = await a.run('shell-run', [one])
    const queued = await a.run('shell-run', [one], { queue: '1' })
    await pollUntil(() => b.jobs.queue.depth === 1)
    b.isMember = false
    await lab.lose(b)
    await b.rejoin()
    b.reply(one)
    await b.works(one, 'run-schedule')
    b.reply(one)
    await b.works(one)
    b.reply(one)
    equal(await lab.outcomes(queued), ['success'])
    equal(await lab.outcomes(sent), ['failure host gone'])
    equal(b.sent, [`${one} shell-run`, `${one} run-schedule`, `${one} shell-run`])
    is(a.jobs.queue.depth + b.jobs.queue.depth, 0)
  },

  'the next leader looks after absent clients': async ({ lab, a, b }) => {
    const job = await b.run('shell-run', [one], { queue: '1' })
    await pollUntil(() => a.jobs.queue.depth === 1)
    await lab.lose(a)
    await pollUntil(() => b.jobs.queue.depth === 1)
    b.connect(one)
    await b.works(one, 'run-schedule')
    b.reply(one)
    await b.works(one)
    b.reply(one)
    equal(await lab.outcomes(job), ['success'])
  },
}
