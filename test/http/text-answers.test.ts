// Answers of commands that are not JSON, and JSON that looks like them.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { startSite } from '../harness/site-folder.ts'

const site = await startSite()
const test = suite('text answers')
test.after(() => site.stop())

const answering = (route: string, answer: string) =>
  `export default { summary: 'x', route: '${route}', answer: ({ services }) => (${answer}) }\n`

test('a command may answer JSON with the keys of a text', async () => {
  const value = { type: 'text/html', body: '<p>', status: 204, headers: { 'X-Own': 'yes' } }
  await site.save('like-text.ts', answering('GET /like-text', JSON.stringify(value)))
  const { status, headers, json } = await site.lab.call('GET /like-text')
  equal([status, headers['content-type'], headers['x-own']], [200, 'application/json', undefined])
  equal(json, value)
})

test('a text has the type, status and headers that it was made with; 200 and none by default', async () => {
  await site.save(
    'own-text.ts',
    answering('GET /own-text', "services.text('text/x-own', 'ñ', 202, { 'X-Own': 'yes' })"),
  )
  const own = await site.lab.call('GET /own-text')
  equal([own.status, own.text, own.headers['content-type'], own.headers['x-own']], [202, 'ñ', 'text/x-own', 'yes'])
  await site.save('plain-text.ts', answering('GET /plain-text', "services.text('text/plain', 'x')"))
  const plain = await site.lab.call('GET /plain-text')
  equal([plain.status, plain.text, plain.headers['x-own']], [200, 'x', undefined])
})

test.run()
