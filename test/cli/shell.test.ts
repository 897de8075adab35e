// `fleet` in a shell: where it finds the daemon, what a shell completes, and what it does without a daemon.
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { openShell } from '../harness/cli-shell.ts'
import { startLab, token } from '../harness/test-host.ts'

const lab = await startLab()
const url = `http://127.0.0.1:${lab.host.ports.rest}`
const { fleet, fleetWith, program, programWith, bash, write, folder, remove } = openShell({
  FLEET_URL: url,
  FLEET_API_TOKEN: token,
})

const daemon = suite('fleet finds the daemon')

daemon('flags before the environment, this before the file, this before what is here', async () => {
  const none = { FLEET_URL: undefined, FLEET_API_TOKEN: undefined }
  const nowhere = 'http://127.0.0.1:1'
  const other = { FLEET_URL: nowhere, FLEET_API_TOKEN: 'other' }
  write('config/fleet/config.json', JSON.stringify({ url, token }))
  const first = [
    fleetWith(none, 'modes'),
    fleetWith({ ...none, FLEET_API_TOKEN: 'other' }, 'modes'),
    fleetWith(other, '--url', url, 'modes', '--token', token),
    fleetWith({ FLEET_URL: url, FLEET_API_TOKEN: token }, 'modes', '--token', 'other'),
  ]
  equal(
    (await Promise.all(first)).map(({ code }) => code),
    [0, 1, 0, 1],
  )
  write('config/fleet/config.json', JSON.stringify({ url }))
  is((await programWith(none, 'modes')).code, 1)
  write('data/api_token', `${token}\n`)
  is((await programWith(none, 'modes')).code, 0)
  write('config/fleet/config.json', JSON.stringify({ url: nowhere }))
  match(
    (await fleetWith(none, 'modes')).error,
    /^fleet: http:\/\/127\.0\.0\.1:1: nobody listens there; is the daemon running\?\n$/,
  )
})

daemon('a file or address that cannot be used is a usage error of one line', async () => {
  const complaint = async (name: string, content: string) => {
    write(`${name}/fleet/config.json`, content)
    const { code, error } = await fleetWith({ XDG_CONFIG_HOME: join(folder, name) }, 'modes')
    is(code, 2)
    return error
  }
  const told = [complaint('one', '{'), complaint('two', '{"ulr": "x"}'), complaint('three', '{"url": 1}')]
  const [broken, unknown, typed] = await Promise.all(told)
  match(broken ?? '', /^fleet: \/.*\/config\.json: .*JSON.*\n$/)
  match(unknown ?? '', /expected url, got unknown key "ulr"\n$/)
  match(typed ?? '', /url: expected a string, got 1\n$/)
  match((await fleet('modes', '--url', 'ftp://x')).error, /^fleet: --url: is no address, got ftp:\/\/x; .*\n$/)
})

daemon('a refusal is one line that says what can be done', async () => {
  const { code, out, error } = await fleet('modes', '--token', 'other')
  equal([code, out], [1, ''])
  match(error, /^fleet: http:\S+: wrong or no token; .*\(401\)\n$/)
  match((await fleet('job', '4711')).error, /^fleet: GET \/jobs\/4711: refused; the daemon's log says why \(400\)\n$/)
})

daemon.run()

const shell = suite('fleet in a shell')
shell.after(async () => {
  remove()
  await lab.stop()
})

shell('no subcommand, an unknown one or a missing argument exits with 2', async () => {
  const codes = await Promise.all([
    fleet(),
    program('clinets'),
    fleet('job'),
    fleet('jobs', '--limt', '1'),
    program('--help'),
  ])
  equal(
    codes.map(({ code }) => code),
    [2, 2, 2, 2, 0],
  )
  is(codes[1]?.error, "fleet: unknown command 'clinets' (Did you mean clients?)\n")
})

shell('bash completes subcommands, options and the names of commands', async () => {
  const words = (line: string, count: number) =>
    `COMP_WORDS=(${line}); COMP_CWORD=${count}; _fleet; echo "\${COMPREPLY[@]}"`
  const { out, error } = await bash(
    `eval "$(fleet completion bash)"
${[words('fleet sche', 1), words('fleet job re', 2), words('fleet clients --w', 2), words('fleet send shell-', 2)].join('\n')}
complete -p fleet`,
  )
  is(error, '')
  equal(out.split('\n').slice(0, 5), [
    'schedule',
    'retry',
    '--watch',
    'shell-output shell-run',
    'complete -o default -F _fleet fleet',
  ])
})

shell('zsh has the same words', async () => {
  const { code, out } = await fleet('completion', 'zsh')
  is(code, 0)
  match(out, /^#compdef fleet\n[\s\S]*' job'\) found="cancel retry [\s\S]*compdef _fleet fleet\n$/)
  is((await fleet('completion', 'fish')).code, 2)
})

shell('what it does without a daemon: token, command files, the store', async () => {
  const options = write('fleet-host.json', JSON.stringify({ store: { path: './kept' } }))
  match((await fleet('token', '--config', options)).error, /^fleet: token: cannot be read: .*; the daemon makes it at/)
  write('kept/api_token', 'kept-here\n')
  is((await fleet('token', '--config', options)).out, 'kept-here\n')
  match(
    (await fleet('new-command', 'up-time', '--folder', join(folder, 'site'))).out,
    /up-time\.ts: serves POST \/up\/time/,
  )
  const checked = await program('check-commands', 'site')
  equal([checked.code, checked.error], [0, ''])
  match(checked.out, /: up-time serves POST \/up\/time\n$/)
  match((await fleet('store', '--help')).out, /^fleet store <what>/)
  is((await fleet('store', 'chekc', '--config', options)).code, 1)
})

shell('whoever has read enough may leave', async () => {
  const { out, error } = await bash('fleet modules --json | head -n 1')
  equal([out, error], ['{\n', ''])
})

shell('starts the daemon, which ends on a signal', async () => {
  const options = { rest: { port: 0 }, agents: { ip: '127.0.0.1', port: 0 }, store: { path: './served' } }
  write('serve.json', JSON.stringify(options))
  const { code, out, error } = await bash(
    `mkfifo log; fleet serve --config serve.json > log & daemon=$!
while read -r line; do
  echo "$line"
  case "$line" in *'callers are served on '*) fleet --url "\${line##* }" modes 2>&1; kill $daemon ;; esac
done < log
wait $daemon`,
  )
  equal([code, error], [0, ''])
  ok(/callers are served[\s\S]*\npxe\n[\s\S]*ending on SIGTERM/.test(out), out)
})

shell.run()
