// Names in place of ids, options that a payload and the selection of computers share, and what completion offers.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { startTestHost } from '../harness/test-host.ts'

const testHost = await startTestHost({ options: { wol: { seconds: 1 } } })
const { fleet, bash, write, remove } = openShellOf(testHost)
for (const number of [1, 2]) await testHost.addComputer(`127.0.24.${number}`, { name: `lab-c0${number}` })
await testHost.call('POST /center/add', { name: 'Science faculty' })
for (const name of ['Room', 'Room 101'])
  await testHost.call('POST /room/add', { name, netmask: '255.255.255.0', center: 2 })

const test = suite('names')
test.after(async () => {
  remove()
  await testHost.stop()
})

test('where a payload has a key center, --center sets it and --on-center selects computers', async () => {
  const added = await fleet('send', 'task-add', '--center', '2', '--name', 'Evening', '--on-center', 'Center')
  equal([added.code, added.error], [0, ''])
  const [task] = (await testHost.call('GET /tasks')).json.tasks
  equal([task.center, task.name, task.where], [2, 'Evening', 'center_id:1'])
  const { out } = await fleet('send', 'task-add', '--help')
  match(out, /--on-center <name or id\.\.\.> [\s\S]*--center <name or id> /)
  is(
    (await fleet('send', 'wol', '--type', 'broadcast', '--on-room', 'Center/Room', '--wait')).out.match(/^127/gm)
      ?.length,
    2,
  )
})

test('a key of a payload with the id of a record takes its name', async () => {
  is((await fleet('send', 'procedure-add', '--center', 'Science faculty', '--name', 'Tidy up')).code, 0)
  is((await testHost.call('GET /procedures')).json.procedures[0].center, 2)
  is(
    (
      await fleet(
        'send',
        'client-add',
        '--room',
        'Room 101',
        '--name',
        'x',
        '--ip',
        '127.0.24.9',
        '--mac',
        '001b210a0b99',
      )
    ).code,
    0,
  )
  is((await testHost.call('GET /client/info', { client: ['127.0.24.9'] })).json.room, 3)
  const scheduled = ['--task', 'Tidy up', '--type', 'procedure', '--name', 'Nightly', '--suspended', '1']
  is((await fleet('send', 'schedule-create', ...scheduled)).code, 0)
})

test('an ambiguous name is an error with the candidates, an unknown one suggests a name', async () => {
  const errorOf = async (...args: string[]) => {
    const { code, error } = await fleet('send', ...args)
    is(code, 2)
    return error
  }
  const room = ['room-info', '--room']
  is(
    await errorOf(...room, 'Room'),
    'fleet: --room: expected one of Center/Room (id 1), Science faculty/Room (id 2), got Room\n',
  )
  is(await errorOf(...room, 'Room 102'), 'fleet: --room: expected Room 101, got Room 102\n')
  is((await fleet('send', ...room, 'Science faculty/Room')).code, 0)
  const mac = '001b210a0b0e'
  const added = await fleet('computer', 'add', 'lab-c01', '--ip', '127.0.24.3', '--mac', mac, '--room', 'Center/Room')
  const both = '127.0.24.1 (Room), 127.0.24.3 (Room)'
  const warning = `several computers have the name lab-c01, which means none of them now: ${both}`
  equal([added.code, added.error], [0, `fleet: warning: ${warning}\n`])
  match(
    (await fleet('doctor')).out,
    '! names: several computers have one name: lab-c01 (127.0.24.1, 127.0.24.3)\n  → give',
  )
  match((await fleet('doctor', '127.0.24.3')).out, '! names: several computers have one name: lab-c01 (127.0.24.1')
  is(
    await errorOf('poweroff', '--client', 'lab-c01'),
    'fleet: expected one of the addresses 127.0.24.1 (Room), 127.0.24.3 (Room), got lab-c01\n',
  )
})

test('digits are an id, so that a deletion never meets a record with that name', async () => {
  await testHost.call('POST /task/add', { center: '1', name: '99' })
  is((await fleet('send', 'task-delete', '--id', '99')).code, 1)
})

const words = async (...args: string[]) => (await fleet('completion-words', '--', ...args)).out.trimEnd().split('\n')

test('completion offers names, states, and the options of a command with their values', async () => {
  equal(await words('clients', '--room'), ['Center/Room', 'Science faculty/Room', 'Room 101'])
  equal(await words('--url', 'x', 'clients', '--center'), ['Center', 'Science faculty'])
  equal((await words('clients', '--state')).slice(0, 4), ['on', 'busy', 'waking', 'off'])
  equal(await words('send', 'schedule-create', '--type'), ['task', 'procedure', 'command'])
  equal(await words('send', 'schedule-create', '--type', 'procedure', '--task'), ['Tidy up'])
  equal(await words('schedule', 'delete', '--yes'), ['Nightly', '--yes'])
  const options = await words('send', 'task-add')
  for (const option of ['--center', '--on-center', '--name', '--wait']) is(options.includes(option), true, option)
  const selected = await words('send', 'poweroff', '--client', 'lab-c01')
  for (const word of ['lab-c02', '--queue', '--yes']) is(selected.includes(word), true, word)
})

test('bash completes the names of tokens and users, and the ids of jobs, behind every subcommand that takes one', async () => {
  await testHost.call('POST /token/add', { name: 'inventory', role: 'read' })
  await testHost.call('POST /user/add', { name: 'anna', role: 'read', password: 'a password of hers' })
  await testHost.call('POST /wol', { clients: ['127.0.24.1'], type: 'unicast' })
  const { out } = await fleet('jobs', '--json')
  const job = String(JSON.parse(out).jobs[0].id)
  const first: Record<string, string> = {
    ...{ 'token edit': 'inventory', 'token disable': 'inventory', 'token delete': 'inventory' },
    ...{ 'user edit': 'anna', 'user delete': 'anna', report: job },
    ...{ job, 'job cancel': job, 'job stop': job, 'job retry': job },
  }
  const complete = (path: string) =>
    `COMP_WORDS=(fleet ${path} ''); COMP_CWORD=${path.split(' ').length + 1}; _fleet; echo "${path}: $COMPREPLY"`
  const script = ['eval "$(fleet completion bash)"', ...Object.keys(first).map(complete)].join('\n')
  const lines = Object.entries(first).map(([path, word]) => `${path}: ${word}\n`)
  equal(await bash(script), { code: 0, out: lines.join(''), error: '' })
})

test('completion offers the values that a command suggests, boot modes and live systems', async () => {
  equal(await words('send', 'wol', '--type'), ['broadcast', 'unicast'])
  equal(await words('send', 'setup', '--type'), ['MSDOS', 'GPT'])
  equal((await words('send', 'mode', '--mode')).at(-1), 'pxe')
  equal((await words('send', 'client-add', '--boot')).at(-1), 'pxe')
  equal(await words('send', 'oglive-set', '--name'), ['ogLive'])
  equal(await words('send', 'client-update', '--livedir'), ['ogLive'])
})

test('bash completes a name with spaces, unquoted and in quotes', async () => {
  const complete = (line: string, count: number) =>
    `COMP_WORDS=(${line}); COMP_CWORD=${count}; _fleet; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { out, error } = await bash(
    `eval "$(fleet completion bash)"
${complete("fleet clients --room 'Room\\ '", 3)}
${complete(`fleet clients --room '"Room '`, 3)}
${complete('fleet send wol --typ', 3)}`,
  )
  equal([out, error], ['Room\\ 101\nRoom 101\n--type\n', ''])
})

test('script adds, shows, changes and deletes scripts of the library, which run and nightly take by name', async () => {
  const outOf = async (...args: string[]) => {
    const { code, out, error } = await fleet(...args)
    equal([code, error], [0, ''], args.join(' '))
    return out
  }
  const errorOf = async (...args: string[]) => (await fleet(...args)).error
  is(await errorOf('script', 'list'), 'fleet: the pack scripts is not enabled: fleet pack enable scripts\n')
  await outOf('pack', 'enable', 'scripts')
  const definitions = ['edition:small|full=small', 'note', 'force:boolean=false']
  const file = write('install.sh', 'echo "$edition"\n')
  is(
    await outOf('script', 'add', 'Install it', '--run', file, '--parameter', ...definitions),
    'script Install it is added (version 1)\n',
  )
  match(await errorOf('script', 'add', 'x', '--run', 'true', '--parameter', 'n:number'), /expected name:type=default/)
  is(
    await outOf('script', 'edit', 'Install it', '--runner', 'token inventory', '--description', 'Editor'),
    'script Install it is changed (version 2)\n',
  )
  match(
    await outOf('script', 'list'),
    /Install it +2 +edition:small\|full=small note:text force:boolean=false +token inv/,
  )
  match(
    await outOf('script', 'show', 'Install it'),
    /version 2 \(sh\): Editor\n(.*\n){4}versions: 2 of .*; 1 of .*\necho/,
  )
  is(await outOf('script', 'show', 'Install it', '--version', '1', '--text'), 'echo "$edition"\n')
  const run = ['run', '--client', 'lab-c02', '--script', 'Install it', '--set', 'note=a b', 'edition=full']
  match((await fleet(...run)).out, /script-run: 1 skipped/)
  const { jobs } = JSON.parse(await outOf('jobs', '--json'))
  match(
    await outOf('job', String(jobs[0].id)),
    /version: 2\n +run:\n +export edition='full' note='a b' force='false'\n +echo "\$edition"/,
  )
  match(await errorOf(...run, '--', 'true'), /expected one of a script after --, --run and --script, got several/)
  const nightly = ['nightly', '--room', 'Center/Room', '--at', '22:30', '--script', 'Install it']
  match(await errorOf(...nightly), /--set: Install it needs note:text/)
  match(await errorOf(...nightly, '--set', 'node=x'), /--set: Install it has no parameter node/)
  match(await outOf(...nightly, '--set', 'note=x'), /^Install it: Center\/Room\nis scheduled every day/)
  await outOf('schedule', 'delete', 'Install it: Center/Room')
  match(await outOf(...nightly, '--set', 'note=x'), /is scheduled every day/)
  equal((await testHost.call('GET /procedures')).json.procedures.at(-1).steps, [
    { command: 'script-run', params: { script: 'Install it', values: { note: 'x' }, timeout: 28_800 } },
  ])
  equal(await words('script', 'show'), ['Install it', '--version', '--text', '--json'])
  equal(await words('run', '--script'), ['Install it'])
  equal(await words('run', '--script', 'Install it', '--set'), [
    ...['edition=small', 'edition=full', 'note=', 'force=true', 'force=false'],
  ])
  is((await fleet('send', 'script-run', '--help')).out.includes('--run'), false)
  match(await errorOf('script', 'delete', 'Install it'), /but Install it: Center\/Room does/)
})

test('an unknown command is an error with what is near, also with --help', async () => {
  for (const words of [
    ['client', '--help'],
    ['help', 'client'],
    ['client', 'list'],
  ]) {
    const { code, out, error } = await fleet(...words)
    equal([code, out], [2, ''])
    match(error, /^fleet: unknown command 'client'; near it: fleet clients, .*fleet send client-add\|.*\n$/)
  }
  is((await fleet('clinets', '--help')).error, "fleet: unknown command 'clinets' (Did you mean clients?)\n")
  is((await fleet('nowhere', '--help')).error, "fleet: unknown command 'nowhere'\n")
})

test.run()
