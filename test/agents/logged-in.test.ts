// GET /sessions: the computers with somebody logged in.
import { suite } from 'uvu'
import { equal, is, not } from 'uvu/assert'
import { inside, outside, startLab } from '../harness/lab.ts'

const lab = await startLab({ scope: true })
const { addToken } = lab
const [here = ''] = inside
const [there = ''] = outside
const reader = await addToken('reader', 'read')
const sessions = async () => (await lab.call('GET /sessions')).json.sessions

const test = suite('GET /sessions')
test.after(() => lab.stop())

test('a login is listed with its user until the logout, and the newest one of a client only', async () => {
  equal(await sessions(), [])
  const agent = await lab.agent(here)
  const after = async (action: 'start' | 'stop', user: string) => {
    const event = lab.event(action === 'start' ? 'session-login' : 'session-logout', { addr: here })
    agent.event(action, user)
    await event
    return sessions()
  }
  equal(await after('start', 'ana'), [{ client: here, user: 'ana' }])
  equal(await after('start', 'ben'), [{ client: here, user: 'ben' }])
  equal(await after('stop', 'ben'), [])
})

test('a session is listed as locked until it is not, or somebody else logs in', async () => {
  const agent = await lab.agent(here)
  const after = async (user: string, locked: boolean, type: 'session-login' | 'session-lock' = 'session-lock') => {
    const event = lab.event(type, { addr: here })
    agent.event('start', user, locked)
    await event
    return sessions()
  }
  equal(await after('ana', true), [{ client: here, user: 'ana', locked: true }])
  equal(await after('ana', false), [{ client: here, user: 'ana' }])
  equal(await after('ana', true), [{ client: here, user: 'ana', locked: true }])
  equal(await after('ben', false, 'session-login'), [{ client: here, user: 'ben' }])
})

test('a login is forgotten when the connection ends, and when a new one replaces it', async () => {
  const agent = await lab.agent(here)
  const login = lab.event('session-login', { addr: here })
  agent.event('start', 'ana')
  await login
  is((await sessions()).length, 1)
  const next = await lab.agent(here)
  equal(await sessions(), [])
  const again = lab.event('session-login', { addr: here })
  next.event('start', 'ana')
  await again
  is((await sessions()).length, 1)
  const gone = lab.event('client-gone', { addr: here })
  next.destroy()
  await gone
  equal(await sessions(), [])
})

test('a limited caller gets only the logins of its rooms', async () => {
  for (const addr of [here, there]) {
    const agent = await lab.agent(addr)
    const login = lab.event('session-login', { addr })
    agent.event('start', `user of ${addr}`)
    await login
  }
  is((await sessions()).length, 2)
  const { text, json } = await reader.call('GET /sessions')
  equal(json.sessions, [{ client: here, user: `user of ${here}` }])
  not.match(text, there)
})

test('GET /session stays the list of operating systems, and POST /sessions is 405', async () => {
  is((await lab.call('GET /session', { client: [here] })).status, 200)
  is((await lab.call('POST /sessions', {})).status, 405)
})

test.run()
