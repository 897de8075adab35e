// Commands that would end the daemon or damage what all its code uses: it goes on.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { endPrograms, newFolder, removeFolder, startProgram } from '../harness/daemon-process.ts'

const test = suite('damage by commands')
test.after(endPrograms)

test('a command can neither end the daemon nor change what all its code uses', async () => {
  const home = newFolder()
  const site = join(home, 'site')
  mkdirSync(site)
  const attempts = [
    'process.exit(0)',
    'process.reallyExit(0)',
    'process.abort()',
    "process.kill(process.pid, 'SIGKILL')",
    "process.kill(0, 'SIGTERM')",
    'Object.prototype.polluted = 1',
  ]
  const answer = (attempt: string, path: string) => `'use strict'
export default { summary: 'x', route: 'GET /${path}', answer() { ${attempt}; return {} } }\n`
  for (const [index, attempt] of attempts.entries()) {
    writeFileSync(join(site, `attempt-${index}.ts`), answer(attempt, `attempt-${index}`))
  }
  writeFileSync(join(site, 'damage.ts'), `Array.prototype.map = () => []\n${answer('', 'damage')}`)
  writeFileSync(join(site, 'zeal.ts'), answer('', 'zeal'))
  const program = startProgram(home, { options: { commands: [site] }, env: { FLEET_API_TOKEN: 'secret' } })
  for (const index of attempts.keys()) is((await program.call('secret', `GET /attempt-${index}`)).status, 500)
  equal(
    [(await program.call('secret', 'GET /damage')).status, (await program.call('secret', 'GET /zeal')).status],
    [404, 200],
  )
  match(program.output(), /damage\.ts: .*Array\.prototype\.map: expected no change of what all code uses/)
  program.kill('SIGTERM')
  equal(await program.ended, { code: 0, signal: null })
  removeFolder(home)
})

test('an error in a timer of a command, or that a hook leaks, is logged, whatever listeners of a package do', async () => {
  const home = newFolder()
  const site = join(home, 'site')
  mkdirSync(site)
  const text = `process.removeAllListeners('unhandledRejection')
process.on('uncaughtException', error => { throw error })
export default { summary: 'x', route: 'GET /late', answer() {
  setTimeout(() => { throw new Error('late') })
  Promise.reject(new Error('rejected'))
  return {}
} }\n`
  writeFileSync(join(site, 'late.ts'), text)
  const leak = "setInterval(() => { throw new Error('leaked') }, 100)"
  writeFileSync(join(site, 'leak.ts'), `export default { summary: 'x', every: '1 second', run() { ${leak} } }\n`)
  const program = startProgram(home, { options: { commands: [site] }, env: { FLEET_API_TOKEN: 'secret' } })
  is((await program.call('secret', 'GET /late')).status, 200)
  const errors = [/(exception: late)/, /(exception: rejected)/, /(exception: leaked)/]
  await Promise.all(errors.map(error => program.waitFor(error)))
  is((await program.call('secret', 'GET /clients')).status, 200)
  program.kill('SIGTERM')
  equal(await program.ended, { code: 0, signal: null })
  removeFolder(home)
})

test.run()
