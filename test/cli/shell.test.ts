// `fleet` in a shell: finding the daemon, exit codes, completion, and the subcommands that need no daemon.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { openShell } from '../harness/cli-shell.ts'
import { startSite } from '../harness/site-folder.ts'
import { token } from '../harness/test-host.ts'

export const runs = { seconds: 9 }

const root = resolve(import.meta.dirname, '../..')
const site = await startSite()
const url = `http://127.0.0.1:${site.lab.host.ports.rest}`
const { fleet, fleetWith, program, programWith, bash, write, folder, remove } = openShell({
  FLEET_URL: url,
  FLEET_API_TOKEN: token,
})

const settings = suite('settings')

settings('options come before the environment, then the configuration file, then the working directory', async () => {
  const none = { FLEET_URL: undefined, FLEET_API_TOKEN: undefined }
  const nowhere = 'http://127.0.0.1:1'
  const other = { FLEET_URL: nowhere, FLEET_API_TOKEN: 'other' }
  write('config/fleet/config.json', JSON.stringify({ url, token }))
  const runs = [
    fleetWith(none, 'modes'),
    fleetWith({ ...none, FLEET_API_TOKEN: 'other' }, 'modes'),
    fleetWith(other, '--url', url, 'modes', '--token', token),
    fleetWith({ FLEET_URL: url, FLEET_API_TOKEN: token }, 'modes', '--token', 'other'),
  ]
  equal(
    (await Promise.all(runs)).map(({ code }) => code),
    [0, 1, 0, 1],
  )
  write('config/fleet/config.json', JSON.stringify({ url }))
  is((await programWith(none, 'modes')).code, 1)
  write('data/api_token', `${token}\n`)
  is((await programWith(none, 'modes')).code, 0)
  write('config/fleet/config.json', JSON.stringify({ url: nowhere }))
  match(
    (await fleetWith(none, 'modes')).error,
    /^fleet: http:\/\/127\.0\.0\.1:1: connection refused; is the daemon running\?\n$/,
  )
})

settings('an invalid configuration file or address is a usage error of one line', async () => {
  const usageErrorOf = async (name: string, content: string) => {
    write(`${name}/fleet/config.json`, content)
    const { code, error } = await fleetWith({ XDG_CONFIG_HOME: join(folder, name) }, 'modes')
    is(code, 2)
    return error
  }
  const errors = [usageErrorOf('one', '{'), usageErrorOf('two', '{"ulr": "x"}'), usageErrorOf('three', '{"url": 1}')]
  const [broken, unknown, typed] = await Promise.all(errors)
  match(broken ?? '', /^fleet: \/.*\/config\.json: .*JSON.*\n$/)
  match(unknown ?? '', /expected url, got unknown key "ulr"\n$/)
  match(typed ?? '', /url: expected a string, got 1\n$/)
  const { error } = await fleet('modes', '--url', 'ftp://x')
  match(error, /^fleet: --url: expected an address such as .*, got ftp:\/\/x\n$/)
})

settings('a refused request is an error of one line with a hint', async () => {
  const { code, out, error } = await fleet('modes', '--token', 'other')
  equal([code, out], [1, ''])
  match(error, /^fleet: http:\S+: wrong or missing token; .*\(401\)\n$/)
  match((await fleet('job', '4711')).error, /^fleet: there is no job 4711\n$/)
})

settings('a proxy whose daemon does not run is an error of one line with a hint', async () => {
  const proxy = createServer((_, response) => response.writeHead(502).end('<html></html>'))
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  const port = address instanceof Object ? address.port : 0
  const { code, error } = await fleet('modes', '--url', `http://127.0.0.1:${port}`)
  proxy.close()
  is(code, 1)
  is(error, 'fleet: GET /mode: the daemon is not ready, or its proxy gets no response from it (502)\n')
})

settings.run()

const test = suite('shell')
test.after(async () => {
  remove()
  await site.stop()
})

test('a missing or unknown subcommand, and a missing argument, exit with 2', async () => {
  const results = await Promise.all([
    fleet(),
    program('clinets'),
    fleet('job'),
    fleet('jobs', '--limt', '1'),
    program('--help'),
  ])
  equal(
    results.map(({ code }) => code),
    [2, 2, 2, 2, 0],
  )
  is(results[1]?.error, "fleet: unknown command 'clinets' (Did you mean clients?)\n")
})

test('the name of a command of the API is answered with fleet send', async () => {
  for (const name of ['image-create', 'shell-run']) {
    const { code, error } = await fleet(name, '--room', 'x')
    equal([code, error], [2, `fleet: unknown command '${name}'; it is one of the API: fleet send ${name}\n`])
  }
  is((await fleet('../commands/poweroff')).error, "fleet: unknown command '../commands/poweroff'\n")
})

test('-V prints the version, and --version remains a key of payloads', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  equal(await fleet('-V'), { code: 0, out: `${version}\n`, error: '' })
  const payload = "payload: { type: 'object', properties: { version: { type: 'string' } } }"
  const answer = 'answer: ({ payload }) => payload'
  await site.save('versioned.ts', `export default { summary: 'x', route: 'POST /versioned', ${payload}, ${answer} }\n`)
  const { out } = await fleet('send', 'versioned', '--version', '7')
  equal(JSON.parse(out), { version: '7' })
})

test('send refuses a stream of events with a hint', async () => {
  const { code, out, error } = await fleet('send', 'events')
  equal([code, out], [2, ''])
  is(error, 'fleet: send: events responds with a stream of events; fleet events shows them\n')
})

test('--help of the daemon prints its usage', () => {
  const { status, stdout } = spawnSync(process.execPath, ['--import', 'tsx', 'host/main.ts', '--help'], {
    cwd: root,
    encoding: 'utf8',
  })
  is(status, 0)
  match(stdout, /^npm start -- \[--config FILE\][\s\S]*--log-level LEVEL +info, warn, error/)
})

test('bash completes subcommands, options and the names of commands', async () => {
  const complete = (line: string, count: number) =>
    `COMP_WORDS=(${line}); COMP_CWORD=${count}; _fleet; echo "\${COMPREPLY[@]}"`
  const { out, error } = await bash(
    `eval "$(fleet completion bash)"
${complete('fleet sche', 1)}
${complete('fleet job re', 2)}
${complete('fleet clients --w', 2)}
${complete('fleet store re', 2)}
${complete('fleet send shell-', 2)}
complete -p fleet`,
  )
  is(error, '')
  equal(out.split('\n').slice(0, 6), [
    'schedule',
    'retry',
    '--where --watch',
    'restore repair',
    'shell-output shell-run',
    'complete -o default -F _fleet fleet',
  ])
})

test('zsh completes the same words', async () => {
  const { code, out } = await fleet('completion', 'zsh')
  is(code, 0)
  match(out, /^#compdef fleet\n[\s\S]*' job'\) candidates=\$'cancel\\nstop\\nretry\\n[\s\S]*compdef _fleet fleet\n$/)
  is((await fleet('completion', 'fish')).code, 2)
})

test('the subcommand that completion calls is not listed', async () => {
  const { out } = await fleet('--help')
  match(out, /\n {2}completion .*\n/)
  is(out.includes('completion-words'), false)
})

test('token prints the token of a data folder, and never creates one', async () => {
  const options = write('fleet-host.json', JSON.stringify({ store: { path: './kept' } }))
  match(
    (await fleet('token', '--config', options)).error,
    /^fleet: token: there is none in \S+; the daemon creates the file at its first start\n$/,
  )
  write('kept/api_token', 'kept-here\n')
  is((await fleet('token', '--config', options)).out, 'kept-here\n')
})

test('new-command, check-commands and store need no daemon', async () => {
  match(
    (await fleet('new-command', 'up-time', '--folder', join(folder, 'site'))).out,
    /up-time\.ts: serves POST \/up\/time/,
  )
  const checked = await program('check-commands', 'site')
  equal([checked.code, checked.error], [0, ''])
  match(checked.out, /: up-time serves POST \/up\/time\n$/)
  match((await fleet('store', '--help')).out, /^Usage: fleet store /)
  is((await fleet('store', 'chekc', '--config', write('fleet-host.json', '{}'))).code, 2)
})

test('a reader may close the pipe early', async () => {
  const { out, error } = await bash('fleet modules --json | head -n 1')
  equal([out, error], ['{\n', ''])
})

test('serve starts the daemon, which stops on a signal', async () => {
  const options = { rest: { port: 0 }, agents: { ip: '127.0.0.1', port: 0 }, store: { path: './served' } }
  write('serve.json', JSON.stringify(options))
  const { code, out, error } = await bash(
    `mkfifo log; fleet serve --config serve.json > log & daemon=$!
while read -r line; do
  echo "$line"
  case "$line" in *'REST API on '*) fleet --url "\${line##* }" modes 2>&1; kill $daemon ;; esac
done < log
wait $daemon`,
  )
  equal([code, error], [0, ''])
  ok(/REST API on[\s\S]*\npxe\n[\s\S]* on SIGTERM/.test(out), out)
})

test.run()
