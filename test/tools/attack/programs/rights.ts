// Attacks of callers with few rights, of browsers with the rights of an administrator, and of who had rights once.

import { message } from '../../../../host/test-kit/agent-http.ts'
import { token } from '../../../harness/rest-call.ts'
import type { Attack, Target } from '../attack.ts'
import { connectClient, textUntil } from '../peers.ts'

/** Room 1 is empty; the computers are in room 2. */
const [emptyRoom, ownRoom] = [1, 2]

/** The headers of a new token for the room of the computers. */
async function addOperator({ call }: Target, name: string) {
  const { json } = await call('POST /token/add', { name, role: 'operate', rooms: [ownRoom] })
  return { id: String(json.id), headers: { Authorization: json.token } }
}

const refusalProblems = (statuses: number[]) =>
  statuses.map(status => status !== 403 && `expected status 403, got ${status}`)

const image = { disk: '1', partition: '1', code: '131', repository: '127.0.0.1' }

const basic = `Basic ${Buffer.from(`admin:${token}`).toString('base64')}`
const browser = { Accept: 'text/html,application/xhtml+xml', 'User-Agent': 'Mozilla/5.0' }
const form = { ...browser, Authorization: basic, 'Content-Type': 'text/plain' }
const example = { ...form, Origin: 'http://example.com' }

/** Each must not run a command. */
const foreignForms: Record<string, Record<string, string>> = {
  'a form of another site': { ...example, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' },
  'a form of another port': { ...form, Origin: 'http://127.0.0.1:1', 'Sec-Fetch-Site': 'same-site' },
  'a form of a sandboxed frame': { ...form, Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
  'a form in an old browser': example,
  'a script with the raw token': { ...example, Authorization: token, 'Sec-Fetch-Site': 'cross-site' },
  'a form without an origin': form,
}

/** Ways in which the rights of a token end. */
const endings = {
  deleted: (id: string) => ['POST /token/delete', { id }],
  disabled: (id: string) => ['POST /token/update', { id, disabled: true }],
  lowered: (id: string) => ['POST /token/update', { id, role: 'read' }],
  limited: (id: string) => ['POST /token/update', { id, rooms: [emptyRoom] }],
} as const satisfies Record<string, (id: string) => [string, object]>

/** Scripts that each token leaves. */
const scripts = 5
const replyTime = 5000 // ms

export const rightsAttacks: Attack[] = [
  {
    name: 'foreign-image',
    summary: 'image/create by an operator of one room for an image of the administrator, by name and by id',
    seconds: 3,
    cheap: true,
    async run(target) {
      const { call } = target
      const clients = target.absent.slice(0, 1)
      const { headers } = await addOperator(target, 'maker')
      await call('POST /image/create', {
        ...image,
        clients,
        name: 'gold',
        id: '0',
        description: 'Of the administrator',
      })
      const stored = async () => JSON.stringify((await call('GET /images?without_file=1')).json.images)
      const before = await stored()
      const statuses: number[] = []
      for (const payload of [
        { ...image, clients, name: 'gold', id: '1' },
        { ...image, clients, name: 'evil', id: '1' },
        { ...image, clients, name: 'gold.v1', id: '0', description: 'x' },
      ]) {
        statuses.push((await call('POST /image/create', payload, headers)).status)
        statuses.push((await call('POST /image/create?queue=1', payload, headers)).status)
      }
      const { json } = await call('GET /jobs', undefined, headers)
      const sent = json.jobs.filter(({ by }: { by: string }) => by === 'token maker').length
      return {
        figures: `statuses ${statuses.join(', ')}`,
        problems: [
          ...refusalProblems(statuses),
          sent > 0 && `${sent} creations of the operator were accepted`,
          (await stored()) !== before && 'the images have changed',
        ],
      }
    },
  },
  {
    name: 'foreign-origin',
    summary: 'posts to shell/run as browsers send them for pages of other origins',
    seconds: 3,
    cheap: true,
    async run(target) {
      const [addr = ''] = target.absent
      const agent = await connectClient(target, addr)
      const body = JSON.stringify({ clients: [addr], run: 'id', echo: true, padding: '=' })
      const post = async (headers: Record<string, string>) =>
        (await target.call('POST /shell/run', body, headers)).status
      const problems: (string | false)[] = []
      for (const [name, headers] of Object.entries(foreignForms)) {
        const ran = (await post(headers)) === 200
        problems.push(ran && `${name} ran a script`)
        if (ran) agent.write(message(200))
      }
      const own = { ...browser, Authorization: basic, 'Sec-Fetch-Site': 'none' }
      const { status } = await target.call('GET /docs', undefined, own)
      const right = await post({ Authorization: token })
      problems.push(status !== 200 && `GET /docs with the browser's credentials: ${status}`)
      problems.push(right !== 200 && `a caller with the right token: ${right}`)
      return { figures: `${Object.keys(foreignForms).length} kinds of requests`, problems }
    },
  },
  {
    name: 'foreign-plan',
    summary: "image/unplan for schedules that have the names of an administrator's task and procedure",
    seconds: 3,
    cheap: true,
    async run(target) {
      const { call } = target
      const { headers } = await addOperator(target, 'operator')
      const steps = [{ command: 'poweroff', params: {} }]
      const task = { center: '2', name: 'Nightly', steps: [{ procedure: 1 }], clients: target.absent.slice(0, 1) }
      await call('POST /procedure/add', { center: '2', name: 'Nightly', steps })
      await call('POST /task/add', task)
      const schedule = { task: '1', name: 'Nightly', type: 'task', suspended: 1, plan: { task: 1, procedure: 1 } }
      await call('POST /schedule/create', schedule, headers)
      const statuses: number[] = []
      for (const route of ['POST /image/unplan', 'POST /task/delete', 'POST /procedure/delete']) {
        statuses.push((await call(route, { id: '1' }, headers)).status)
      }
      const countOf = async (route: string, key: string) => (await call(route)).json[key].length
      return {
        figures: `statuses ${statuses.join(', ')}`,
        problems: [
          (await countOf('GET /tasks', 'tasks')) !== 1 && "the administrator's task is gone",
          (await countOf('GET /procedures', 'procedures')) !== 1 && "the administrator's procedure is gone",
          (await countOf('GET /image/plans', 'plans')) > 0 && 'a schedule that no plan has made is listed as one',
          ...refusalProblems(statuses),
        ],
      }
    },
  },
  {
    name: 'deleted-token',
    summary: 'tokens that are deleted or limited have left scripts in the queue of a computer that is off',
    seconds: 15,
    cheap: true,
    async run(target) {
      const { call, absent } = target
      const clients = absent.slice(0, 1)
      const queue = (run: string, headers?: Record<string, string>) =>
        call('POST /shell/run?queue=1', { clients, run, echo: false }, headers)
      for (const [name, end] of Object.entries(endings)) {
        const { id, headers } = await addOperator(target, name)
        for (let index = 0; index < scripts; index += 1) await queue(name, headers)
        await call(...end(id))
      }
      await queue('moved', (await addOperator(target, 'moved')).headers)
      await call('POST /client/move', { clients, room: emptyRoom })
      await queue('allowed')
      const received = await runQueue(target, clients[0] ?? '')
      const names = [...Object.keys(endings), 'moved']
      const ran = names.filter(name => received.includes(`"run":"${name}"`))
      return {
        figures: `${scripts * (names.length - 1) + 1} scripts, ${ran.length} of ${names.length} accounts had one sent`,
        problems: [
          ...ran.map(name => `a script of the token "${name}" reached the agent`),
          !received.includes('"run":"allowed"') && 'the script of the administrator did not reach the agent',
        ],
      }
    },
  },
]

/** Replies to each request until that of the administrator has come; resolves to all that was received. */
async function runQueue(target: Target, addr: string): Promise<string> {
  const socket = await target.agent(addr)
  let all = ''
  for (let count = 0; count < 50 && !all.includes('"run":"allowed"') && !socket.destroyed; count += 1) {
    const text = await textUntil(socket, 'HTTP/1.1', replyTime)
    if (text === '') break
    all += text
    socket.write(message(200, text.includes('/shell/run') ? { out: '' } : undefined))
  }
  return all
}
