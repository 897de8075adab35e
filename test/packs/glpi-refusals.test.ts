// What becomes of what GLPI refuses, and of GLPI being away.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { type Glpi, namesIn, pushAll, replyJson, rowsOf, withGlpi } from '../harness/assets-lab.ts'

const test = suite('GLPI that refuses')

test('a refused computer is shown with the reason and tried again later; the others are taken meanwhile', () =>
  withGlpi({ clients: 6 }, async (lab, glpi) => {
    await lab.change(0, { name: 'refused' })
    glpi.reply = (response, { content }) =>
      content.hardware.name === 'refused'
        ? replyJson(response, 400, { status: 'error', message: 'JSON does not validate: bios', expiration: 24 })
        : replyJson(response, 200, { status: 'ok', expiration: 24 })
    await pushAll(lab)
    const [first, ...others] = await rowsOf(lab)
    equal([first.name, first.state], ['refused', 'refused'])
    is(first.reason, 'GLPI replied 400: JSON does not validate: bios')
    ok(others.every(({ state }: { state: string }) => state === 'pushed'))
    glpi.reply = undefined
    glpi.inventories.length = 0
    await lab.advance('65 seconds')
    equal(namesIn(glpi), ['refused'])
    is((await rowsOf(lab))[0].state, 'pushed')
  }))

const isDown: Record<string, [Glpi['reply'], RegExp]> = {
  'answers 500': [response => void response.writeHead(500).end('<h1>Oops</h1>'), /^GLPI replied 500$/],
  'refuses the login': [
    response => replyJson(response, 401, { status: 'error', message: 'Access denied' }),
    /^GLPI replied 401: Access denied$/,
  ],
  hangs: [() => undefined, /^no complete reply within 1 s$/],
  'ends in the middle': [
    response => void response.writeHead(200).write('{', () => response.destroy()),
    /other side closed|terminated/,
  ],
  'talks without an end': [response => void response.writeHead(200).end('x'.repeat(100_000)), /too long/],
  'is another server': [response => void response.writeHead(200).end('<html></html>'), /is the address right\?$/],
  'leads elsewhere': [response => void response.writeHead(302, { Location: '/' }).end(), /^GLPI replied 302: /],
}

for (const [what, [reply, reason]] of Object.entries(isDown)) {
  test(`while GLPI ${what}, no more than the first computers are pushed, and the reason is shown`, () =>
    withGlpi({ clients: 6 }, async (lab, glpi) => {
      glpi.reply = reply
      await pushAll(lab)
      is(glpi.inventories.length, 4)
      match((await rowsOf(lab))[0].reason, reason)
      match(lab.log.join('\n'), /GLPI: .*; tried again at /)
    }))
}

test('when GLPI is there again, it gets all without being asked for it', () =>
  withGlpi({ clients: 6 }, async (lab, glpi) => {
    glpi.reply = response => void response.writeHead(503).end()
    await pushAll(lab)
    await lab.advance('50 seconds')
    is(glpi.inventories.length, 4)
    glpi.reply = undefined
    await lab.advance('20 seconds')
    is(new Set(namesIn(glpi)).size, 6)
    ok((await rowsOf(lab)).every(({ state }: { state: string }) => state === 'pushed'))
  }))

test.run()
