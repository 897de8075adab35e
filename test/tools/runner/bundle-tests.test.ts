// The bundles in which `npm test` runs the test files: they do what the source files do.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import { equal, is, match, ok, throws } from 'uvu/assert'
import { evaluate as evaluateNow } from '../../../host/modules/evaluate.ts'
import { loadCommand } from '../../../host/modules/load-file.ts'
import { createSchemas } from '../../../host/modules/schemas.ts'
import { failingMethods, failingStoreFile } from '../../harness/failing-store.ts'
import { bundlesVariable, nodeArguments, root } from './bundled-file.ts'
import { compileContract } from './cached-contract.ts'
import { createSchemas as createKept } from './cached-schemas.ts'
import { bundle, evaluate } from './command-bundles.ts'

const folder = mkdtempSync(join(tmpdir(), 'fleet-runner-'))

const test = suite('bundled test files')
test.after(() => rmSync(folder, { recursive: true, force: true }))

test('import.meta names the source file, and so does the stack of an error', () => {
  const file = join(root, 'test/tools/runner/bundle-tests.test.ts')
  equal([import.meta.filename, import.meta.dirname], [file, join(root, 'test/tools/runner')])
  is(fileURLToPath(import.meta.url), file)
  match(new Error('x').stack ?? '', /test\/tools\/runner\/bundle-tests\.test\.ts:\d+/)
})

test('a module that is imported by its path is the one that the file imports', async () => {
  const module: typeof import('../../harness/failing-store.ts') = await import(failingStoreFile)
  is(module.failingMethods, failingMethods)
})

test('programs of the repository are started from their bundle, other files with the loader for TypeScript', () => {
  equal(nodeArguments('/nowhere/host/main.ts'), ['--import', 'tsx', '/nowhere/host/main.ts'])
  const program = nodeArguments('host/main.ts').at(-1) ?? ''
  is(basename(program), process.env[bundlesVariable] ? 'main.mjs' : 'main.ts')
})

test('built-in commands are bundled once, with the same result', async () => {
  const file = join(root, 'commands/healthz.ts')
  const [once, now] = [await bundle(file), await (await import('../../../host/modules/bundle.ts')).bundle(file)]
  equal(once.inputs, now.inputs)
  ok('code' in once && 'code' in now)
  const [exported, exportedNow] = [evaluate(once.code, file), evaluateNow(now.code, file)]
  equal(JSON.stringify(exported), JSON.stringify(exportedNow))
  is((await loadCommand(file)).command.route, 'GET /healthz')
})

test('a built-in module that has changed is checked again', () => {
  const exported = evaluateNow('exports.default = {}', join(root, 'commands/healthz.ts'))
  throws(() => compileContract({ required: ['route'] }, 'command')(exported), 'command: route is missing')
})

test('a command that is not built in, or that has changed, is bundled when it is loaded', async () => {
  const file = join(folder, 'own.ts')
  for (const text of ['one', 'two']) {
    writeFileSync(file, `export default { summary: '${text}', route: 'GET /own', answer() {} }\n`)
    is((await loadCommand(file)).command.summary, text)
  }
})

test('a schema is compiled when it is first used, with the same messages', async () => {
  const { command } = await loadCommand(join(root, 'commands/client-add.ts'))
  const payload = command.payload ?? {}
  const [kept, now] = [createKept().compile(payload, 'payload'), createSchemas().compile(payload, 'payload')]
  ok(now({ name: 7 }))
  equal([kept(command.example), kept({ name: 7 })], [undefined, now({ name: 7 })])
})

test('a schema that is invalid, or is no JSON, gets no other answer than in a daemon', () => {
  const [kept, now] = [createKept(), createSchemas()]
  const answer = (run: () => unknown) => {
    try {
      return run()
    } catch (error) {
      return `${error}`
    }
  }
  for (const schema of [{ type: 'text' }, { $ref: 'nothing' }, { type: 'object', default: () => 1 }]) {
    for (const _ of ['first', 'second']) {
      const [answerKept, answerNow] = [kept, now].map(({ compile }) => answer(() => compile(schema, 'query')(1)))
      equal(answerKept, answerNow)
    }
  }
})

test.run()
