// Modules that serve DELETE, open paths below their route, and bodies of any kind.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { createLab } from '../../host/test-kit/lab.ts'

const test = suite('open paths of modules')

const module = (method: string) => `// Answers anybody.
export default {
  summary: 'Answer anybody',
  route: '${method} /anybody',
  access: 'none',
  http: { rest: true, anyBody: true },
  payload: { type: 'object' },
  body: 'optional',
  answer: ({ payload, request }) => ({ rest: request.rest, who: request.rights.name, keys: Object.keys(payload) }),
}
`

test('DELETE and POST reach paths below an open route without a token, and a body that is no object counts as none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-open-'))
  for (const method of ['DELETE', 'POST']) writeFileSync(join(folder, `${method.toLowerCase()}.ts`), module(method))
  const lab = await createLab({ folder })
  const noToken = { Authorization: '' }
  for (const method of ['DELETE', 'POST']) {
    const send = async (path: string, body?: string | object, headers: Record<string, string> = noToken) =>
      (await lab.call(`${method} /anybody${path}`, body, headers)).json
    equal(await send('//a/b', { one: 1 }), { rest: ['a', 'b'], who: 'nobody', keys: ['one'] })
    for (const body of ['{', '[1]', '7', 'null']) equal((await send('', body)).keys, [], body)
    is((await send('', {}, {})).who, 'admin')
  }
  is((await lab.call('POST /clients', '{')).status, 404)
  is((await lab.call('DELETE /clients')).status, 405)
  is((await lab.call('GET /anybody/a', undefined, noToken)).status, 401)
  await lab.stop()
  rmSync(folder, { recursive: true, force: true })
})

test.run()
