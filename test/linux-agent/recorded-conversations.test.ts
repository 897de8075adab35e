// Conversations of the agent for Linux, byte for byte: what a daemon of the family sends, and exactly what the agent replies.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { startAgentsPort } from '../harness/agents-port.ts'
import { endPrograms } from '../harness/daemon-process.ts'
import { startLinuxAgent } from '../harness/linux-agent.ts'
import { createLinuxFixture } from '../harness/linux-fixture.ts'
import { pollUntil } from '../harness/poll.ts'
import { root } from '../harness/source-files.ts'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const server = await startAgentsPort()
const fixture = createLinuxFixture()
fixture.program('lsblk', '{"blockdevices": []}')
fixture.login('1', 'ana')
const off = fixture.record('off')
const more = { 'poweroff-command': `touch ${off}`, 'reboot-command': 'exit 1' }
startLinuxAgent({ port: server.port, addr: '127.0.48.1', fixture, more })
const daemon = await server.connection()

/** What an agent of the family sends with a body: HTTP/1.0, these two headers in this order, compact JSON in UTF-8. */
const message = (status: string, body: string) =>
  `HTTP/1.0 ${status}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nContent-Type: application/json\r\n\r\n${body}`

const loggedIn = (user: string) => message('103 Early Hints', `{"event":"session","action":"start","user":"${user}"}`)
const hello = message(
  '103 Early Hints',
  `{"event":"hello","name":"lab-r01-c07","mac":"00:1b:21:0a:0b:0c","serial":"SN0042","os":"Debian GNU/Linux 12 (bookworm)","agent":"fleet-agent ${version}","keys":["pieces","timeout"]}`,
)
const refreshed = message(
  '200 OK',
  '{"disk_setup":[],"partition_setup":[],"serial_number":"SN0042","link":2500,"status":"LINUX"}',
)
const idle = message('200 OK', '{"status":"LINUX","speed":2500}')
const busy = message('202 Accepted', '{"status":"BSY","speed":2500}')
const accepted = 'HTTP/1.0 202 Accepted\r\n\r\n'
const failed = 'HTTP/1.0 500 Internal Server Error\r\n\r\n'
const refused = 'HTTP/1.0 400 Bad Request\r\n\r\n'
const unavailable = 'HTTP/1.0 503 Service Unavailable\r\n\r\n'

const probe = 'POST /probe HTTP/1.1\r\nContent-Length: 0\r\nContent-Type: application/json\r\n\r\n'
const stop = 'POST /stop HTTP/1.1\r\nContent-Length: 0\r\nContent-Type: application/json\r\n\r\n'
const sleep =
  'POST /shell/run HTTP/1.1\r\nContent-Length: 31\r\nContent-Type: application/json\r\n\r\n{"run":"sleep 600","echo":true}'

/** What is sent in packets of its own, and all that comes back, which is awaited before the next step. */
type Step = [packets: string[], replies: string]

/** By their sentences, on one connection in this order. */
const conversations: Record<string, Step[]> = {
  'it introduces itself before the first request, and who is logged in follows the first refresh': [
    [[], hello],
    [
      ['GET /refresh HTTP/1.1\r\nContent-Length: 0\r\nContent-Type: application/json\r\n\r\n'],
      refreshed + loggedIn('ana'),
    ],
    [['GET /refresh HTTP/1.1\r\nContent-Length: 0\r\nContent-Type: application/json\r\n\r\n'], refreshed],
  ],
  'the names of headers may be in any case, in any order, and among others': [
    [['POST /probe HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 0\r\n\r\n'], idle],
    [['POST /probe HTTP/1.0\r\nCONTENT-LENGTH:0\r\n\r\n'], idle],
    [['POST /probe HTTP/1.1\r\nHost: 10.1.1.20\r\nContent-Length:\t 2 \r\n\r\n{}'], idle],
    [['POST /probe HTTP/1.1\r\n\r\n'], idle],
  ],
  'JSON may be compact, have blanks, and be escaped or in UTF-8: the length is in bytes': [
    [
      [
        'POST /shell/run HTTP/1.1\r\nContent-Length: 37\r\nContent-Type: application/json\r\n\r\n{"run":"printf \\u00f1","echo":true}  ',
      ],
      message('200 OK', '{"out":"ñ","status":0}'),
    ],
    [
      [
        'POST /shell/run HTTP/1.1\r\nContent-Length: 34\r\nContent-Type: application/json\r\n\r\n{"run": "printf ñ", "echo": true}',
      ],
      message('200 OK', '{"out":"ñ","status":0}'),
    ],
    [
      ['POST /shell/run HTTP/1.1\r\nContent-Length: 36\r\n\r\n{\n  "echo": false,\n  "run": "exit"\n}'],
      message('200 OK', '{"status":0}'),
    ],
  ],
  'a request may come in packets that end anywhere': [
    [['P', 'OST /pro', 'be HTTP/1.1\r', '\nContent-Length: 0\r\n\r', '\n'], idle],
    [
      ['POST /shell/run HTTP/1.1\r\nContent-Length: 35\r\n\r\n', '{"run": "printf a;exit 3"', ',"echo":1', '}'],
      message('200 OK', '{"status":3}'),
    ],
  ],
  'two requests may come in one packet, the second one in part': [
    [[probe + probe], idle + idle],
    [[probe + probe.slice(0, 9), probe.slice(9)], idle + idle],
    [[`${stop}GET /run/schedule HTTP/1.1\r\nContent-Length: 0\r\n\r\n`], 'HTTP/1.0 200 OK\r\n\r\n'],
  ],
  'inventories have their lists as one text': [
    [
      [
        'GET /software HTTP/1.1\r\nContent-Length: 31\r\nContent-Type: application/json\r\n\r\n{"disk": "1", "partition": "1"}',
      ],
      message('200 OK', '{"software":"Debian GNU/Linux 12 (bookworm)\\napt 2.6.1\\nbash 5.2.15","partition":"1"}'),
    ],
    [
      ['GET /hardware HTTP/1.1\r\nContent-Length: 0\r\nContent-Type: application/json\r\n\r\n'],
      message('200 OK', '{"hardware":"boo=BIOS"}'),
    ],
  ],
  'what only a live system can do is 400 without a body': [
    [
      [
        'POST /session HTTP/1.1\r\nContent-Length: 31\r\nContent-Type: application/json\r\n\r\n{"disk": "1", "partition": "1"}',
      ],
      refused,
    ],
    [['POST /image/create HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}'], refused],
  ],
  'a script and a probe in one packet: the probe is replied to first, with 202': [[[sleep + probe], busy]],
  'any other request is 503 meanwhile': [
    [['GET /hardware HTTP/1.1\r\nContent-Length: 0\r\n\r\n'], unavailable],
    [[sleep], unavailable],
  ],
  'stop has no reply, and the script that it has ended is 500': [
    [[stop], failed],
    [[stop, probe], idle],
  ],
  'poweroff is 202 at once, and the script that it has ended has no reply': [
    [[sleep, probe], busy],
    [['POST /poweroff HTTP/1.1\r\nContent-Length: 0\r\nContent-Type: application/json\r\n\r\n'], accepted],
  ],
}

let read = 0

async function play([packets, replies]: Step): Promise<void> {
  for (const packet of packets) {
    daemon.send(packet)
    await new Promise(setImmediate)
  }
  await expectBytes(replies)
}

/** Also fails at the first byte that differs, and not only when too few have come. */
async function expectBytes(replies: string): Promise<void> {
  const received = () => daemon.received().slice(read)
  await pollUntil(() => received().length >= replies.length || !replies.startsWith(received()))
  equal(received(), replies)
  read += replies.length
}

const test = suite('recorded conversations')
test.after(async () => {
  await endPrograms()
  await server.stop()
  fixture.remove()
})

for (const [sentence, steps] of Object.entries(conversations)) {
  test(sentence, async () => {
    for (const step of steps) await play(step)
  })
}

test('a login comes in the middle of a command, before its reply', async () => {
  await pollUntil(() => existsSync(off))
  await play([[sleep, probe], busy])
  fixture.login('2', 'eva')
  await expectBytes(loggedIn('eva'))
  await play([[stop], failed])
})

test('a reboot that fails is 202, then 500', async () => {
  await play([['POST /reboot HTTP/1.1\r\nContent-Length: 0\r\n\r\n'], accepted + failed])
  await play([[probe], idle])
})

test.run()
