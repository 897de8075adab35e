// Who has had a token leaves scripts in the queue of a computer: they must not run when the token is gone.
import { message } from '../simulator/agent-http.ts'
import type { Attack, Target } from './attack.ts'
import { textUntil } from './peers.ts'

const replyTime = 5000 // ms
/** Scripts that each token leaves. */
const scripts = 5
/** Room 1 is empty; the computers are in room 2. */
const [emptyRoom, ownRoom] = [1, 2]

/** Ways in which the rights of a token for the room of the computers end. */
const endings = {
  deleted: (id: string) => ['POST /token/delete', { id }],
  disabled: (id: string) => ['POST /token/update', { id, disabled: true }],
  lowered: (id: string) => ['POST /token/update', { id, role: 'read' }],
  limited: (id: string) => ['POST /token/update', { id, rooms: [emptyRoom] }],
} as const satisfies Record<string, (id: string) => [string, object]>

export default {
  name: 'deleted-token',
  summary: 'tokens that are deleted or limited have left scripts in the queue of a computer that is off',
  seconds: 15,
  cheap: true,
  async run(target) {
    const [addr = ''] = target.absent
    for (const [name, end] of Object.entries(endings)) {
      const { json } = await target.call('POST /token/add', { name, role: 'operate', rooms: [ownRoom] })
      for (let index = 0; index < scripts; index += 1) await queue(target, addr, name, json.token)
      await target.call(...end(String(json.id)))
    }
    const moved = await target.call('POST /token/add', { name: 'moved', role: 'operate', rooms: [ownRoom] })
    await queue(target, addr, 'moved', moved.json.token)
    await target.call('POST /client/move', { clients: [addr], room: emptyRoom })
    await target.call('POST /shell/run?queue=1', { clients: [addr], run: 'allowed', echo: false })
    const received = await connect(target, addr)
    const ran = [...Object.keys(endings), 'moved'].filter(name => received.includes(`"run":"${name}"`))
    return {
      figures: `${scripts * Object.keys(endings).length + 1} scripts, ${ran.length} of 5 accounts had one sent`,
      problems: [
        ...ran.map(name => `a script of the token "${name}" reached the agent`),
        ...(received.includes('"run":"allowed"') ? [] : ['the script of the administrator did not reach the agent']),
      ],
    }
  },
} satisfies Attack

const queue = ({ call }: Target, addr: string, run: string, token: string) =>
  call('POST /shell/run?queue=1', { clients: [addr], run, echo: false }, { Authorization: token })

/** Replies to each request until that of the administrator has come; resolves to all that was received. */
async function connect(target: Target, addr: string): Promise<string> {
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
