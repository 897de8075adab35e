// What bash completes in queries, groups and tags, and that it waits for no daemon.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
const { bash, fleetWith, fleet, remove } = openShellOf(lab)
await lab.addComputer('127.0.39.1', { name: 'lab-c01', tags: ['cad', 'seat:left'] })
await lab.addComputer('127.0.39.2', { name: 'Lab-C02' })
await lab.call('POST /room/update', { room: 1, name: 'Lab 1' })
await lab.call('POST /group/add', { name: 'Exam seats', where: 'tag:exam' })

const test = suite('completion of queries')
test.after(async () => {
  remove()
  await lab.stop()
})

/** The words as bash splits them, at `|`. */
const completeLine = (line: string) => {
  const words = line.split('|').map(word => `'${word.trim().replaceAll("'", "'\\''")}'`)
  const whole = line.replaceAll('|', '').replaceAll("'", "'\\''")
  return `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; COMP_LINE='${whole}'
_fleet; printf '%s\\n' "\${COMPREPLY[@]}" --`
}

const cases: [line: string, completed: string[]][] = [
  [`fleet| search| 'ro`, ['room:', 'room_id:']],
  [`fleet| search| 'ta`, ['tag:cad', 'tag:seat:left']],
  [`fleet| search| 'state:off room:lab`, ['state:off room:"Lab 1"']],
  [`fleet| search| --columns| name| 'tag:c`, ['tag:cad']],
  [`fleet| search| room|:|la`, ['\\"Lab\\ 1\\"']],
  [`fleet| search| room|:`, ['\\"Lab\\ 1\\"']],
  [`fleet| run| --where| "room:`, ['room:\\"Lab 1\\"']],
  [`fleet| run| --where| 'ra`, ['ram<', 'ram<8GB']],
  [`fleet| send| poweroff| --where| 'tag:seat`, ['tag:seat:left']],
  [`fleet| send| task-add| --where| 'tag:seat`, ['tag:seat:left']],
  [`fleet| group| show| E`, ['Exam\\ seats']],
  [`fleet| token| add| lab| --group| `, ['Exam\\ seats']],
  [`fleet| tag| lab-c01| +c`, ['+cad']],
  [`fleet| tag| lab-c01| +seat|:|l`, ['left']],
  [`fleet| tag| l`, ['lab-c01']],
  [`fleet| history| l`, ['lab-c01']],
  [`fleet| search| 'name:l`, ['name:lab-c01']],
  [`fleet| inventory| 'no such field:x`, ['']],
]

test('bash completes fields, values, groups and tags, quoted and unquoted', async () => {
  const script = ['eval "$(fleet completion bash)"', ...cases.map(([line]) => completeLine(line))].join('\n')
  const { out, error } = await bash(script)
  const completed = out.split('--\n').map(text => text.trimEnd().split('\n'))
  equal([completed.slice(0, -1), error], [cases.map(([, words]) => words), ''])
})

test('without a daemon that responds nothing is offered, said or waited for', async () => {
  const sockets: Socket[] = []
  const silent = createServer(socket => void sockets.push(socket)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo // It listens on a port.
  const FLEET_URL = `http://127.0.0.1:${port}`
  equal(await fleetWith({ FLEET_URL }, 'completion-words', '--', 'run', '--where'), { code: 0, out: '', error: '' })
  is(sockets.length, 1)
  for (const socket of sockets) socket.destroy()
  silent.close()
  const refused = await fleetWith({ FLEET_URL: 'http://127.0.0.1:1' }, 'completion-words', '--', 'send')
  equal(refused, { code: 0, out: '', error: '' })
  equal(await fleet('--url', '::', 'completion-words', '--', 'send'), { code: 0, out: '', error: '' })
})

test.run()
