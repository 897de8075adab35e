// Every command in service, tried by what its file declares.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import type { Loaded } from '../host/modules/registry.ts'
import { exercise, refusedPayloads } from './exercise.ts'
import { startLab } from './harness.ts'

const lab = await startLab()
const bystander = await lab.agent('127.0.0.2')

const instrument = suite('derived payloads')

instrument('each required key is left out, and each key gets what its schema refuses', () => {
  const schema = {
    required: ['clients'],
    anyOf: [{ required: ['one'] }, { required: ['two'] }],
    additionalProperties: false,
    properties: {
      clients: { $ref: 'clients' },
      one: { type: ['string', 'integer'] },
      two: { type: 'array', maxItems: 1, items: [{ type: 'object', required: ['a'], properties: { a: {} } }] },
    },
  }
  const clients = ['10.0.0.1']
  const two = [{ a: 1 }]
  const [whole, ...breaks] = refusedPayloads(schema, { clients, two })
  equal(whole, { what: 'that is no object', payloads: ['text', 7, true, null, [], [{ clients, two }]] })
  const types = { text: 'text', integer: 7, number: 1.5, flag: true, none: null, list: [], object: {} }
  const { text, list, object, ...noText } = types
  const others = Object.values(noText)
  equal(breaks, [
    { what: 'without clients', payloads: [{ two }] },
    { what: 'without one and two', payloads: [{ clients }] },
    {
      what: 'with a wrong clients',
      payloads: [
        ...[text, ...others, object],
        ...[...others, list, object, '', 'pc', '10.1.1', '10.1.1.256', '::1'].map(address => [address]),
        [],
      ].map(wrong => ({ clients: wrong, two })),
    },
    { what: 'with a wrong one', payloads: [1.5, true, null, [], {}].map(one => ({ clients, two, one })) },
    {
      what: 'with a wrong two',
      payloads: [text, ...others, object, ...[text, ...others, list, object].map(one => [one]), [...two, ...two]].map(
        wrong => ({ clients, two: wrong }),
      ),
    },
    { what: 'with an unknown key', payloads: [{ clients, two, unknown: 1 }] },
  ])
})

instrument('every command with a payload has an example', () => {
  const lacking = lab.host.commands().filter(({ command }) => command.payload && !command.example)
  equal(
    lacking.map(({ name }) => name),
    [],
  )
})

instrument.run()

const commands = suite('commands')
commands.after(() => lab.stop())

// Those that forward first: some examples delete what others need.
const forwarding = ({ command }: Loaded) => (command.forward ? 0 : 1)
const all = lab.host.commands().toSorted((a, b) => forwarding(a) - forwarding(b))
for (const [index, loaded] of all.entries()) {
  exercise(commands, loaded, { lab, bystander: bystander.addr, network: `127.1.${index}.` })
}

commands('nothing of what was refused has reached the agent that it named', async () => {
  await bystander.close()
  equal(
    bystander.requests.map(({ path }) => path),
    ['/refresh'],
  )
})

commands.run()
