// `npm run demo` as a newcomer runs it: what it prints, what the link opens, and what is left of it after Ctrl-C.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { nodeArguments, root } from '../tools/runner/bundled-file.ts'

const hadData = existsSync(join(root, 'data'))
const folder = mkdtempSync(join(tmpdir(), 'demo-test-'))
const program = startDemo()
let output = ''
program.stdout.setEncoding('utf8').on('data', (text: string) => {
  output += text
})
const exited = once(program, 'exit')

function startDemo(...args: string[]) {
  return spawn(process.execPath, [...nodeArguments('test/tools/simulator/demo.ts'), ...args], {
    cwd: root,
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function waitFor(pattern: RegExp): Promise<string> {
  for (;;) {
    const match = pattern.exec(output)
    if (match) return match[1] ?? ''
    if (program.exitCode !== null) throw new Error(`ended without ${pattern}: ${output}`)
    await Promise.race([once(program.stdout, 'data'), exited])
  }
}

const test = suite('the demo')
test.after(() => {
  program.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

test('it runs a script on a room of the simulated lab, and prints a link that logs in', async () => {
  const [origin, link] = (await waitFor(/^ {2}(http:\S+\/console#login=\S+)\n/m)).split('/console#login=')
  match(output, /24 of 24 connected\n/)
  match(output, /── lab-r01-c\[01-12\]: 12 clients\nLinux\njob 1 shell-run: 12 success\n/)
  const { status } = await fetch(`${origin}/login`, { method: 'POST', body: JSON.stringify({ link }) })
  is(status, 200)
})

test('a shell that reads its file has `fleet`, `api` and a folder for commands of its own', async () => {
  const file = await waitFor(/^ {2}\. (\/\S+)\n/m)
  const check = `printf 'echo begins\\napt-get update\\nexit 3\\n' > "$SITE/check"; fleet run lab-r01-c01 --run "$SITE/check"`
  const script = `. ${file}; fleet clients | tail -n 1; api readyz | head -c 13; ls -d "$SITE"; ${check}`
  const shell = spawn('bash', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const chunks = await shell.stdout.setEncoding('utf8').toArray()
  match(chunks.join(''), /^\d+ on\b.*\n\{"ready":true\n?.*\/site\n/)
  match(chunks.join(''), /\nbegins\nnot run, as .*: apt-get update\nCLIENT.*\n.* exit code 3\n/)
})

test('with a chosen port that is in use it ends, and says why', async () => {
  const { port } = new URL(/http:\S+(?=\/console)/.exec(output)?.[0] ?? '')
  const other = startDemo('--port', port)
  const chunks = await other.stdout.setEncoding('utf8').toArray()
  match(chunks.join(''), new RegExp(`^\nThe demo has ended: port ${port} is in use: choose others with --port\n`))
})

test('after Ctrl-C the daemon has ended and its folder is gone', async () => {
  const [origin = ''] = /http:\S+(?=\/console)/.exec(output) ?? []
  ok(readdirSync(folder).some(name => name.startsWith('fleet-demo-')))
  program.kill('SIGINT')
  equal(await exited, [0, null])
  match(output, /\nThe demo has ended: Ctrl-C \(SIGINT\)\nEverything is removed\.\n$/)
  equal(
    readdirSync(folder).filter(name => name.startsWith('fleet-demo-')),
    [],
  )
  is(await fetch(`${origin}/readyz`).catch(() => 'refused'), 'refused')
  is(existsSync(join(root, 'data')), hadData)
})

test.run()
