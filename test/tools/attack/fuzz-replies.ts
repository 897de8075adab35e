// Agents send mutated replies to commands and mutated session events, on many connections.
import { setTimeout as wait } from 'node:timers/promises'
import { message } from '../simulator/agent-http.ts'
import { disk, hardware, linux, partitions, software } from '../simulator/computer-data.ts'
import { type Attack, strangerAt, type Target } from './attack.ts'
import { fuzz } from './fuzz.ts'
import { below } from './mutate.ts'

const computer = { name: 'pc', ip: '127.0.0.1', mac: '020000000001', number: 1 }
const image = { disk: '1', partition: '2', code: '131', id: '1', name: 'image', repository: '127.0.0.1' }
const tools = { clonator: 'PARTCLONE', compressor: 'LZOP', filesystem: 'EXT4', datasize: 1_000 }
const corpus = [
  message(200),
  message(202),
  message(400),
  message(500),
  message(503),
  message(200, { status: 'OPG', speed: 1000 }),
  message(200, { out: 'Linux pc 6.8.0\n' }),
  message(200, { disk_setup: [disk()], partition_setup: partitions(computer), serial_number: 'LAB1', link: 1000 }),
  message(200, { status: 'LINUX', link: 100 }),
  message(200, { hardware: hardware(computer) }),
  message(200, { software: software(linux), partition: '2' }),
  message(200, { ...image, ...tools, software: software(linux) }),
  message(200, { disk: '1', partition: '2', image_id: '1' }),
  message(103, { event: 'session', action: 'start', user: 'maria' }),
  message(103, { event: 'session', action: 'stop', user: 'maria' }),
].map(text => Buffer.from(text))

const strangers = 5_000
const commandInterval = 50 // ms
/** Commands are sent to these computers with a record, so that replies of all kinds are expected. */
const recorded = 100

export default {
  name: 'fuzz-replies',
  summary: 'mutated replies of agents with and without a record',
  seconds: 15,
  cheap: true,
  // Each connection has two ordinary lines.
  bounds: { log: 128_000_000, data: 64_000_000 },
  async run(target) {
    const ended = { yet: false }
    const commands = sendCommands(target, ended)
    const findings = await fuzz(target, {
      corpus,
      perConnection: 6,
      lingerTime: 20,
      connect(random) {
        const index = below(random, recorded + strangers)
        const addr = random() < 0.3 ? target.absent[index % recorded] : strangerAt(index)
        return target.agent(addr ?? '')
      },
    })
    ended.yet = true
    await commands
    return findings
  },
} satisfies Attack

async function sendCommands({ call, absent }: Target, ended: { yet: boolean }): Promise<void> {
  const clients = absent.slice(0, recorded)
  const restore = {
    disk: '1',
    partition: '2',
    name: 'image',
    repository: '127.0.0.1',
    type: 'UNICAST',
    profile: '1',
    id: '1',
  }
  const commands: [string, object][] = [
    ['POST /clients', {}],
    ['POST /shell/run', { run: 'true', echo: true }],
    ['POST /hardware', {}],
    ['POST /software', { disk: '1', partition: '2' }],
    ['POST /refresh', {}],
    ['POST /image/restore', restore],
  ]
  for (let index = 0; !ended.yet; index += 1) {
    const [route, payload] = commands[index % commands.length] ?? ['', {}]
    // A call that fails is counted by the observer.
    await call(route, { clients, ...payload }).catch(() => {})
    await wait(commandInterval)
  }
}
