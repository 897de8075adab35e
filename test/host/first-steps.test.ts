// What a daemon without rooms proposes to do next, and its link that logs in.
import { suite } from 'uvu'
import { equal, is, match, not } from 'uvu/assert'
import { firstSteps } from '../../host/config/first-steps.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
const test = suite('first steps')
test.after(() => lab.stop())

test('who sees the terminal gets a link that logs in, once', async () => {
  const [, line = ''] = await lab.host.firstSteps(true)
  const [, origin = '', link] =
    /1\. log in: (http:\S+)\/console#login=([\w-]{43}) \(once, within 60 s; /.exec(line) ?? []
  is(origin, `http://127.0.0.1:${lab.host.ports.rest}`)
  const login = () => lab.call('POST /login', { link }, { Authorization: '' })
  equal([(await login()).json?.name, (await login()).status], ['admin', 401])
})

test('a file gets no link, and neither does who cannot reach the daemon by a loopback address', async () => {
  not.match((await lab.host.firstSteps(false)).join('\n'), /#login=/)
  const deps = {
    store: { rooms: { list: async () => [] } },
    loginLink: () => ({ path: '/x#', seconds: 1 }),
  }
  const stepsAt = async (ip: string) => (await firstSteps({ ...deps, rest: { ip }, port: 1 }, true)).join('\n')
  match(await stepsAt('0.0.0.0'), /log in: http:\/\/127\.0\.0\.1:1\/x#/)
  not.match(await stepsAt('10.1.1.1'), /\/x#/)
})

test('with the first room there is nothing to propose', async () => {
  await lab.addComputer('127.0.0.2')
  equal(await lab.host.firstSteps(true), [])
})

test.run()
