// Repeats what a browser sends when a page of another origin posts a form to the daemon, with the headers of browsers.
import { setTimeout as wait } from 'node:timers/promises'
import { token } from '../../harness/rest-call.ts'
import type { Attack, Target } from './attack.ts'
import { textUntil } from './peers.ts'

const basic = `Basic ${Buffer.from(`admin:${token}`).toString('base64')}`
const browser = { Accept: 'text/html,application/xhtml+xml', 'User-Agent': 'Mozilla/5.0' }
const form = { ...browser, Authorization: basic, 'Content-Type': 'text/plain' }

/** Each must not run a command. */
const foreign: Record<string, Record<string, string>> = {
  'a form of another site': {
    ...form,
    Origin: 'http://example.com',
    'Sec-Fetch-Site': 'cross-site',
    'Sec-Fetch-Mode': 'navigate',
  },
  'a form of another port': { ...form, Origin: 'http://127.0.0.1:1', 'Sec-Fetch-Site': 'same-site' },
  'a form of a sandboxed frame': { ...form, Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
  'a form in an old browser': { ...form, Origin: 'http://example.com' },
  'a script with the raw token': {
    ...form,
    Authorization: token,
    Origin: 'http://example.com',
    'Sec-Fetch-Site': 'cross-site',
  },
  'a form without an origin': form,
}

export default {
  name: 'foreign-origin',
  summary: 'posts to shell/run as browsers send them for pages of other origins',
  seconds: 3,
  cheap: true,
  async run(target) {
    const problems: string[] = []
    const addr = target.absent[0] ?? ''
    const agent = await target.agent(addr)
    await textUntil(agent, '/refresh', 2000)
    agent.write('HTTP/1.0 200 OK\r\n\r\n')
    await wait(100)
    for (const [name, headers] of Object.entries(foreign)) {
      const { status, ran } = await post(target, addr, headers)
      if (ran) problems.push(`${name} ran a script (${status})`)
      if (ran) agent.write('HTTP/1.0 200 OK\r\n\r\n')
    }
    const { status } = await target.call('GET /docs', undefined, {
      ...browser,
      Authorization: basic,
      'Sec-Fetch-Site': 'none',
    })
    if (status !== 200) problems.push(`GET /docs with the browser's credentials: ${status}`)
    const own = await post(target, addr, { Authorization: token })
    if (!own.ran) problems.push(`a caller with the right token: ${own.status}`)
    return { figures: `${Object.keys(foreign).length} kinds of requests`, problems }
  },
} satisfies Attack

/** `ran`: the command was accepted; a refusal of the browser's request has no effect. */
async function post({ call }: Target, addr: string, headers: Record<string, string>) {
  const body = JSON.stringify({ clients: [addr], run: 'id', echo: true, padding: '=' })
  const { status } = await call('POST /shell/run', body, headers)
  return { status, ran: status === 200 }
}
