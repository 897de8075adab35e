// Every command in service, tried by what its file declares.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { exercise, refusedPayloads } from '../harness/exercise.ts'
import { startLab } from '../harness/test-host.ts'

const lab = await startLab()
const bystander = await lab.agent('127.0.0.2')
const forwarding = lab.host.commands().filter(({ command }) => command.forward)
const others = lab.host.commands().filter(({ command }) => !command.forward)

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

const forwarded = suite('forwarded commands')

forwarded('each goes by the method and the path that the specification names', () => {
  const wanted = {
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
  }
  equal(Object.fromEntries(forwarding.map(({ command }) => [command.route, command.forward?.to])), wanted)
})

forwarded('probe, power off, reboot and stop carry no body', () => {
  const bare = forwarding.filter(({ command }) => command.forward?.body === 'none')
  equal(bare.map(({ name }) => name).sort(), ['poweroff', 'probe', 'reboot', 'stop'])
})

forwarded('reboot, power off and stop go to a client with a last command too', () => {
  const urgent = forwarding.filter(({ command }) => command.forward?.whileBusy)
  equal(urgent.map(({ name }) => name).sort(), ['poweroff', 'reboot', 'stop'])
})

forwarded.run()

const commands = suite('commands')
commands.after(() => lab.stop())

// Those that forward come first: some examples of the others delete what they need.
for (const [index, loaded] of [...forwarding, ...others].entries()) {
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
