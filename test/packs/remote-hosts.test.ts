// Reservations with several hosts: one store decides who gets a computer.
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { inFleet } from '../harness/fleet-processes.ts'
import { pollUntil } from '../harness/poll.ts'
import { postgresPrograms } from '../harness/postgres.ts'
import { prepareRemoteLab, startComputer } from '../harness/remote-computers.ts'
import { pathOf } from '../harness/remote-labs.ts'
import { skipFile } from '../harness/skip-file.ts'

export const runs = { seconds: 25 }

if (postgresPrograms === undefined) skipFile('postgresql')

const test = suite('remote labs of several hosts')

test('requests on two hosts at once never get one computer, and what one host has promised another one keeps', () =>
  inFleet({ count: 2, options: { boot: { server: '10.9.9.9' } } }, async ({ hosts }) => {
    const [a, b] = hosts
    if (!a || !b) throw new Error('expected two hosts')
    const images = join(dirname(a.folder), 'images')
    let isBAlive = true
    const homes = [a, b, b]
    const portOf = (index: number) => (isBAlive ? homes[index] : a)?.agents
    const computers = homes.map((_, index) => startComputer(`127.88.2.${index + 1}`, images, () => portOf(index)))
    try {
      const lab = await prepareRemoteLab(async () => a.rest, computers)
      const brokers = [await lab.broker('uds'), await lab.broker('openrlabs')]
      await pollUntil(async () => (await b.call('GET /tokens')).json.tokens.length === 2)
      await pollUntil(async () => (await b.call('GET /clients')).json.clients.length === computers.length)
      const at = [a, b]
      const reserve = (index: number) =>
        brokers[index % 2]?.('POST ous/1/images/1/reserve', {}, async () => at[index < 5 ? 0 : 1]?.rest ?? 0)
      const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => reserve(index)))
      const got = answers.flatMap((answer, index) => (answer?.status === 200 ? [{ ...answer.json, index }] : []))
      equal(
        got.map(({ ip }) => ip).sort(),
        computers.map(({ addr }) => addr),
      )
      await pollUntil(() => computers.every(({ received }) => received.includes('/session')))
      for (const { received } of computers) is(received.filter(path => path === '/session').length, 1)
      b.program.kill('SIGKILL')
      await b.program.ended
      isBAlive = false
      const last = got.find(({ ip }) => ip === computers[2]?.addr)
      const clients = async () => (await a.call('GET /clients')).json.clients
      // Until then host a may send what is for its computers to it.
      await pollUntil(async () => (await a.call('GET /hosts')).json.hosts.length === 1)
      await pollUntil(async () => (await clients()).length === computers.length)
      is((await reserve(0))?.status, 401)
      is((await brokers[last.index % 2]?.(`DELETE ${pathOf(last)}/unreserve`))?.status, 200)
      await pollUntil(() => computers[2]?.received.includes('/poweroff') === true)
    } finally {
      for (const computer of computers) await computer.end()
    }
  }))

test.run()
