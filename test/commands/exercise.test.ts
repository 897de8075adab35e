// Tests of every built-in command that are derived from its declaration.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { payloadExample } from '../../host/api-docs/answer-example.ts'
import { exercise, refusedPayloads } from '../harness/exercise.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
const bystander = await lab.agent('127.0.0.2')
const forwarding = lab.host.registry.commands.filter(({ command }) => command.forward)
const others = lab.host.registry.commands.filter(({ command }) => !command.forward)

const derivation = suite('derived payloads')

derivation('each required key is left out, and each key gets invalid values', () => {
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
  const [notAnObject, ...invalidPayloads] = refusedPayloads(schema, { clients, two })
  equal(notAnObject, {
    description: 'that is not an object',
    payloads: ['text', 7, true, null, [], [{ clients, two }]],
  })
  const types = { text: 'text', integer: 7, number: 1.5, flag: true, none: null, list: [], object: {} }
  const { text, list, object, ...noText } = types
  const nonTexts = Object.values(noText)
  equal(invalidPayloads, [
    { description: 'without clients', payloads: [{ two }] },
    { description: 'without one and two', payloads: [{ clients }] },
    {
      description: 'with an invalid clients',
      payloads: [
        ...[text, ...nonTexts, object],
        ...[...nonTexts, list, object, '', 'pc', '10.1.1', '10.1.1.256', '::1'].map(address => [address]),
        [],
      ].map(invalid => ({ clients: invalid, two })),
    },
    { description: 'with an invalid one', payloads: [1.5, true, null, [], {}].map(one => ({ clients, two, one })) },
    {
      description: 'with an invalid two',
      payloads: [
        text,
        ...nonTexts,
        object,
        ...[text, ...nonTexts, list, object].map(one => [one]),
        [...two, ...two],
      ].map(invalid => ({ clients, two: invalid })),
    },
    { description: 'with an unknown key', payloads: [{ clients, two, unknown: 1 }] },
  ])
})

derivation('every command with a payload has an example', () => {
  const withoutExample = lab.host.registry.commands.filter(({ command }) => command.payload && !payloadExample(command))
  equal(
    withoutExample.map(({ name }) => name),
    [],
  )
})

derivation.run()

const forwarded = suite('forwarded commands')

forwarded('each command is sent with the method and path of the specification', () => {
  const expected = {
    'POST /clients': 'POST /probe',
    'POST /shell/run': 'POST /shell/run',
    'POST /session': 'POST /session',
    'POST /poweroff': 'POST /poweroff',
    'POST /refresh': 'GET /refresh',
    'POST /reboot': 'POST /reboot',
    'POST /stop': 'POST /stop',
    'POST /hardware': 'GET /hardware',
    'POST /software': 'GET /software',
    'POST /image/create': 'POST /image/create',
    'POST /image/restore': 'POST /image/restore',
    'POST /setup': 'POST /setup',
    'POST /run/schedule': 'GET /run/schedule',
    // For the agent for Linux.
    'POST /agent/update': 'POST /agent/update',
    'POST /cache/delete': 'POST /shell/run',
    'POST /cache/fetch': 'POST /shell/run',
    'POST /cache/list': 'POST /shell/run',
  }
  equal(Object.fromEntries(forwarding.map(({ command }) => [command.route, command.forward?.to])), expected)
})

forwarded('probe, poweroff, reboot and stop are sent without a body', () => {
  const withoutBody = forwarding.filter(({ command }) => command.forward?.body === 'none')
  equal(withoutBody.map(({ name }) => name).sort(), ['poweroff', 'probe', 'reboot', 'stop'])
})

forwarded('reboot, poweroff and stop are also sent to a client with a last command', () => {
  const interrupting = forwarding.filter(({ command }) => command.forward?.whileBusy)
  equal(interrupting.map(({ name }) => name).sort(), ['poweroff', 'reboot', 'stop'])
})

forwarded.run()

const commands = suite('commands')
commands.after(() => lab.stop())

// Forwarded commands first: the examples of some others delete records that they need.
for (const [index, loaded] of [...forwarding, ...others].entries()) {
  exercise(commands, loaded, { lab, bystander: bystander.addr, network: `127.1.${index}.` })
}

commands('no refused request was sent to the agent that it listed', async () => {
  await bystander.close()
  equal(
    bystander.requests.map(({ path }) => path),
    ['/refresh'],
  )
})

commands.run()
