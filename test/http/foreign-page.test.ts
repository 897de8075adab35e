// A page of another origin in a real browser that knows the token: nothing that it sends is executed.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { chromiumProgram, startChromium } from '../harness/chromium.ts'
import { attackFromForeignPage, pageOrigins } from '../harness/foreign-page.ts'
import { skipFile } from '../harness/skip-file.ts'
import { startTestHost, token } from '../harness/test-host.ts'

export const runs = { seconds: 14 }

if (chromiumProgram === undefined) skipFile('chromium')

const addr = '127.0.66.1'
const lab = await startTestHost()
const browser = await startChromium()
await lab.addComputer(addr)
const agent = await lab.agent(addr)

const test = suite('page of another origin')
test.after(async () => {
  await browser.close()
  await lab.stop()
})

const commands = {
  'POST /shell/run': { clients: [addr], run: 'id', echo: true },
  'POST /center/add': { name: 'forged' },
  'POST /client/delete': { clients: [addr] },
}
const paths = ['/clients', '/events']
const lists = ['/clients', '/scopes', '/jobs', '/procedures', '/tasks']

async function state(): Promise<unknown[]> {
  const answers = await Promise.all(lists.map(path => lab.call(`GET ${path}`)))
  return answers.map(({ json }) => json)
}

for (const [place, origins] of Object.entries(pageOrigins)) {
  test(`all that a page ${place} sends is refused and logged, and changes nothing`, async () => {
    const [before, messages] = [await state(), agent.requests.length]
    const { requests, problems } = await attackFromForeignPage({
      browser,
      origins,
      port: lab.host.ports.rest,
      token,
      commands,
      paths,
      metrics: async () => (await lab.call('GET /metrics')).text,
      log: () => lab.log.join(''),
    })
    equal(problems, [])
    ok(requests > 30)
    equal(await state(), before)
    is(agent.requests.length, messages)
  })
}

test.run()
