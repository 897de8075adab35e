// Attacks by much work: deep and nested steps, parts that wait, outputs, reports, and imports of wide texts.
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { message } from '../../../../host/test-kit/agent-http.ts'
import { call as callRest } from '../../../harness/rest-call.ts'
import type { Attack, Target } from '../attack.ts'
import { addressesOf, type Call, importComputers, textUntil } from '../peers.ts'

const script = { command: 'shell-run', params: { run: 'true', echo: true } }
const small = { nodeArguments: ['--max-old-space-size=512'] }

/** Adds procedures that each run the one below ten times; returns the id of the highest. */
async function addLevels(call: Call, levels: number): Promise<string> {
  let step: object = script
  let id = ''
  for (let level = 1; level <= levels; level += 1) {
    const steps = Array<object>(10).fill(step)
    const { headers } = await call('POST /procedure/add', { center: '1', name: `${levels} levels: ${level}`, steps })
    id = String(headers['x-id'])
    step = { procedure: Number(id) }
  }
  return id
}

const outputLength = 4_000
const readTimeout = 5_000 // ms

const size = 2_000_000 // characters
const importRow = (index: number) =>
  `pc-${index},10.9.${(index >> 8) & 255}.${index & 255},02aa${index.toString(16).padStart(8, '0')}\n`
/** Texts on which a reader of CSV or of dhcpd.conf may spend seconds. */
const wideTexts: Record<string, () => string> = {
  'CSV with a wide head': () => `name,ip,mac${',a'.repeat(size / 2)}\n1,2,3`,
  'CSV with a wide row': () => `name,ip,mac\n${','.repeat(size)}`,
  'CSV with an unclosed quote': () =>
    `name,ip,mac\n"x,1,2\n${Array.from({ length: size / 40 }, (_, index) => importRow(index)).join('')}`,
  'CSV of quotes': () => `name,ip,mac\n${'"x,1,2\n'.repeat(size / 7)}`,
  'dhcpd of open braces': () => 'a {'.repeat(size / 3),
  'dhcpd of closing braces': () => '}'.repeat(size),
  'dhcpd with an unclosed quote': () => `host a { option x "${'y '.repeat(size / 2)}`,
}

export const jobAttacks: Attack[] = [
  {
    name: 'deep-steps',
    summary: 'procedures whose parameters are nested up to 30,000 deep',
    seconds: 2,
    cheap: true,
    async run({ call }) {
      const statuses: number[] = []
      for (const depth of [101, 1_000, 4_106, 30_000]) {
        const nested = '['.repeat(depth) + ']'.repeat(depth)
        const step = `{"command":"shell-run","params":{"run":"true","echo":true,"nested":${nested}}}`
        const { status } = await call('POST /procedure/add', `{"center":"1","name":"deep ${depth}","steps":[${step}]}`)
        statuses.push(status)
      }
      const { status, text } = await call('GET /procedures')
      return {
        figures: `statuses ${statuses.join(', ')}`,
        problems: [
          ...statuses.map(each => each !== 400 && `expected status 400, got ${each}`),
          (status !== 200 || text.includes('deep')) && `a refused procedure is kept (GET /procedures: ${status})`,
        ],
      }
    },
  },
  {
    name: 'nested-procedures',
    summary: 'a procedure of 5 levels of 10 steps is run for 3,000 clients, then for one',
    seconds: 10,
    async run({ call }) {
      const clients = addressesOf(62, 3_000)
      await importComputers(call, clients, 1)
      const procedure = await addLevels(call, 5)
      const statuses: number[] = []
      for (const addrs of [clients, clients.slice(0, 1)]) {
        statuses.push((await call('POST /procedure/run', { clients: addrs, procedure })).status)
      }
      const { status } = await call('GET /jobs')
      const figures = `for 3,000 clients: ${statuses[0]}, for one: ${statuses[1]}, GET /jobs: ${status}`
      return { figures, problems: [status !== 200 && `GET /jobs: ${status}`] }
    },
  },
  {
    name: 'waiting-parts',
    summary:
      'a token of the role operate runs 100 steps for 1,000 computers that are off, 66 times, with a heap of 512 MB',
    seconds: 60,
    daemon: small,
    async run({ call, ports, isOver }) {
      const clients = addressesOf(68, 1_000)
      await importComputers(call, clients, 1)
      const { json } = await call('POST /token/add', { name: 'operator', role: 'operate' })
      await call('POST /procedure/add', { center: '1', name: 'steps', steps: Array<object>(100).fill(script) })
      const run = { clients, procedure: '1' }
      const counts = new Map<number, number>()
      for (let count = 0; count < 66 && !isOver(); count += 1) {
        // Without a time limit: the daemon may need some for a run.
        const { status } = await callRest(ports.rest, 'POST /procedure/run', run, { Authorization: json.token })
        counts.set(status, (counts.get(status) ?? 0) + 1)
      }
      const figures = [...counts].map(([status, count]) => `${count} times ${status}`).join(', ')
      return { figures, problems: [!counts.has(429) && 'all runs were accepted'] }
    },
  },
  {
    name: 'wide-import',
    summary: 'imports of 2 MB with a million columns, braces or quotes, limits raised',
    seconds: 10,
    daemon: { options: { limits: { request: 4_000_000 } } },
    async run({ call, isOver }) {
      const times: string[] = []
      for (const [name, text] of Object.entries(wideTexts)) {
        if (isOver()) break
        const began = performance.now()
        const format = name.startsWith('CSV') ? 'csv' : 'dhcpd'
        const { status } = await call('POST /client/import', { format, text: text(), room: 1, dry_run: true })
        times.push(`${name} ${status} in ${Math.round(performance.now() - began)} ms`)
      }
      return { figures: times.join(', ') }
    },
  },
  {
    name: 'job-outputs',
    summary: '30,000 parts of jobs with outputs of 4 kB, with a heap of 128 MB',
    seconds: 20,
    daemon: { nodeArguments: ['--max-old-space-size=128'] },
    bounds: { memory: 400_000_000, data: 300_000_000 },
    async run(target) {
      const { absent, call, isOver } = target
      const replies = await connectScripted(target)
      let [parts, job] = [0, '']
      for (let run = 0; run < 200 && !isOver(); run += 1) {
        const { status, headers } = await call('POST /shell/run', { clients: absent, run: 'cat', echo: true })
        if (status !== 200) return { figures: `${parts} parts`, problems: [`shell/run: ${status}`] }
        job = String(headers['x-job-id'])
        parts += absent.length
        for (const until = performance.now() + readTimeout; replies() < parts && performance.now() < until; ) {
          await wait(1)
        }
      }
      const output = await outputOf(target, job)
      const problems = [output !== outputLength && `output of the last job: ${output} characters`]
      return { figures: `${parts} parts`, problems }
    },
  },
  {
    name: 'many-reports',
    summary: 'a token that may read one room asks 300 times at once for the report of a job of 100,000 parts',
    seconds: 20,
    bounds: { data: 64_000_000 },
    async run({ call, caller, isOver }) {
      const clients = addressesOf(68, 1_000)
      await importComputers(call, clients, 2)
      // As many parts as `limits.run_parts` admits.
      const { headers } = await call('POST /procedure/run', { clients, procedure: await addLevels(call, 2) })
      const id = String(headers['x-job-id'])
      const { json } = await call('POST /token/add', { name: `room ${id}`, role: 'read', rooms: [2] })
      const request = `GET /job/report?id=${id} HTTP/1.1\r\nHost: x\r\nAuthorization: ${json?.token}\r\n\r\n`
      const statuses = new Map<string, number>()
      const ask = async () => {
        const socket = await caller('127.0.0.1')
        const response = textUntil(socket, '\r\n\r\n', 30_000)
        socket.write(request)
        const [, status = ''] = (await response).split(' ')
        socket.destroy()
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
      while (!isOver()) await Promise.all(Array.from({ length: 300 }, ask))
      const others = [...statuses.keys()].filter(status => status !== '200' && status !== '429')
      const figures = [...statuses].map(([status, count]) => `${count} ${status || 'without a response'}`).join(', ')
      return { figures, problems: others.map(status => `a response ${status || 'is missing'}`) }
    },
  },
]

/** Connects the agents of all computers; returns the function that tells how many scripts they have got. */
async function connectScripted({ absent, agent }: Target): Promise<() => number> {
  let scripts = 0
  await Promise.all(
    absent.map(async addr => {
      const socket = await agent(addr)
      const greeted = textUntil(socket, '/refresh', readTimeout)
      socket.on('data', chunk => {
        const isScript = chunk.includes('/shell/run')
        if (isScript) scripts += 1
        // Each output is another one, as equal ones might be stored once.
        const out = randomBytes(outputLength / 2).toString('hex')
        socket.write(isScript ? message(200, { out }) : message(200))
      })
      await greeted
    }),
  )
  return () => scripts
}

/** The number of characters of the first client's output; its part may just be ending. */
async function outputOf({ call, absent }: Target, job: string): Promise<number> {
  for (const until = performance.now() + readTimeout; performance.now() < until; ) {
    const { json } = await call(`GET /jobs/${job}?client=${absent[0]}`)
    const { state, output = '' } = json?.parts?.[0] ?? {}
    if (state === 'success') return output.length
  }
  return 0
}
