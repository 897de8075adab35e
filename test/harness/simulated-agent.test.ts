// The violations of the protocol that the simulated agent reports.
import { setImmediate as nextTick } from 'node:timers/promises'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { failureOf, refreshText, requestText, scriptText, startPair, stopText } from './agent-pair.ts'

const test = suite('violations reported by the simulated agent')

interface Violation {
  name: string
  /** What the daemon writes, in one segment or several. */
  segments: string[]
  violation: RegExp
}

const violations: Violation[] = [
  {
    name: 'bytes that are not ASCII',
    segments: [requestText('POST /x', '{"a":"\u00e9"}').replace(': 10', ': 9')],
    violation: /not ASCII/,
  },
  {
    name: 'Transfer-Encoding',
    segments: [requestText('POST /x', '', 'Content-Type: application/json\r\ntransfer-encoding: chunked')],
    violation: /cannot read/,
  },
  {
    name: 'no Content-Length',
    segments: ['POST /stop HTTP/1.1\r\nContent-Type: application/json\r\n\r\n'],
    violation: /Content-Length: expected digits/,
  },
  {
    name: 'Content-Length in another spelling',
    segments: [refreshText.replace('Content-L', 'content-l')],
    violation: /Content-Length: expected digits/,
  },
  {
    name: 'a Content-Length that is not a number',
    segments: [refreshText.replace('h: 0', 'h: ten')],
    violation: /Content-Length: expected digits/,
  },
  {
    name: 'no Content-Type',
    segments: [requestText('GET /refresh', '', 'X-Other: 1')],
    violation: /Content-Type: .*got nothing/,
  },
  {
    name: 'another Content-Type',
    segments: [requestText('GET /refresh', '', 'Content-Type: text/plain')],
    violation: /Content-Type: .*text\/plain/,
  },
  {
    name: 'a repeated header',
    segments: [requestText('GET /refresh', '', 'X-A: 1\r\nX-A: 1')],
    violation: /X-A is repeated/,
  },
  {
    name: 'a header without a colon',
    segments: [requestText('GET /refresh', '', 'X-A')],
    violation: /expected "Name: value", got "X-A"/,
  },
  { name: 'line ends without CR', segments: [refreshText.replaceAll('\r', '')], violation: /CRLF/ },
  {
    name: 'an endless header',
    segments: [`GET /refresh HTTP/1.1\r\nX-A: ${'a'.repeat(9_000)}`],
    violation: /a header over 8192 bytes/,
  },
  { name: 'another method', segments: [requestText('PUT /refresh')], violation: /request line/ },
  {
    name: 'another protocol version',
    segments: [refreshText.replace('HTTP/1.1', 'HTTP/1.0')],
    violation: /request line/,
  },
  { name: 'several lines in the body', segments: [requestText('POST /x', '{\n"a":1}')], violation: /several lines/ },
  { name: 'a body that is not JSON', segments: [requestText('POST /x', '{"a":')], violation: /not JSON/ },
  { name: 'a body that is not compact', segments: [requestText('POST /x', '{"a": 1}')], violation: /not compact/ },
  { name: 'an empty object as body', segments: [requestText('POST /x', '{}')], violation: /no body/ },
  {
    name: 'a second request before the reply',
    segments: [scriptText, refreshText],
    violation: /\/refresh before the reply/,
  },
  {
    name: 'another request after stop while a reply is missing',
    segments: [scriptText, stopText, refreshText],
    violation: /\/refresh before the reply/,
  },
  {
    name: 'two requests in one segment',
    segments: [scriptText + refreshText],
    violation: /\/refresh before the reply/,
  },
  {
    name: 'a request in one segment with stop',
    segments: [stopText + refreshText],
    violation: /\/refresh in one segment/,
  },
  {
    name: 'half a request in one segment with stop',
    segments: [stopText + refreshText.slice(0, 9), refreshText.slice(9)],
    violation: /\/refresh in one seg/,
  },
]

for (const { name, segments, violation } of violations) {
  test(`${name} is a violation`, async () => {
    const reported: string[] = []
    const { daemon, agent } = await startPair({ auto: false, onViolation: text => reported.push(text) })
    for (const segment of segments) {
      daemon.write(segment, 'latin1')
      await nextTick()
    }
    let failure = 'no failure'
    while (failure === 'no failure') failure = await failureOf(agent.next())
    match(failure, violation)
    match(agent.violations[0] ?? '', violation)
    equal(reported, agent.violations)
    match(await failureOf(agent.close()), violation)
  })
}

test('stop, reboot and poweroff before the reply are no violation, also in one segment', async () => {
  const { daemon, agent } = await startPair()
  daemon.write(scriptText + stopText + requestText('POST /reboot') + requestText('POST /poweroff'))
  for (const path of ['/shell/run', '/stop', '/reboot', '/poweroff']) await agent.next(path)
  is(agent.missingReplies, 3)
  await agent.close()
})

test('a request after the reply, or after clearMissingReplies, is no violation', async () => {
  const { daemon, waitForText, agent } = await startPair()
  daemon.write(scriptText)
  await agent.next()
  agent.answer(200)
  await waitForText('200 OK')
  daemon.write(refreshText)
  await agent.next('/refresh')
  agent.clearMissingReplies()
  daemon.write(scriptText)
  await agent.next('/shell/run')
  equal(
    agent.requests.map(({ path }) => path),
    ['/shell/run', '/refresh', '/shell/run'],
  )
  await agent.close()
})

test.run()
