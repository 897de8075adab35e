// `fleet image create`, `fleet restore` and `fleet report`.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { followJobs } from '../harness/job-results.ts'
import { replyToNext, startLab } from '../harness/lab.ts'
import { serverAddress } from '../harness/lab-images.ts'
import { pollUntil } from '../harness/poll.ts'

const lab = await startLab({ repository: true })
const jobs = followJobs(lab)
const [good, bad] = [await lab.computer(), await lab.computer()]
await lab.create(good, { description: 'A system' }, { content: 'one' })
await lab.call('POST /room/add', { name: 'Second, upper', netmask: '255.255.255.0', center: 1 })
await lab.addComputer('127.0.5.91', { room: 2, maintenance: true, name: 'upper-1' })
const { fleet, fleetOnTerminal, remove } = openShellOf(lab)
const place = ['--disk', '1', '--partition', '1']
const restore = (...args: string[]) => fleet('restore', 'linux', ...place, ...args)
const editName = async (id: number, ...args: string[]) => (await fleet('schedule', 'edit', `${id}`, ...args)).out
const restoreParams = { disk: '1', partition: '1', repository: serverAddress, type: 'UNICAST', profile: '1', id: '1' }
const plans = async () => (await lab.call('GET /image/plans')).json.plans

const test = suite('fleet image, fleet restore and fleet report')
test.after(async () => {
  remove()
  await lab.stop()
})

test('it shows what it will do, and asks', async () => {
  const args = ['restore', 'linux', ...place, '--room', '1,Second, upper', '--at', '22:00', '--batch', '20']
  const rooms = ['restore', 'linux', ...place, '--room', 'Room', 'Second, upper', '--at', '22:00', '--batch', '20']
  is((await fleet(...args)).code, 2)
  const { code, out, error } = await fleetOnTerminal('n', ...rooms, '--until', '6:30')
  equal([code, await plans()], [1, []])
  match(out, /^restore linux \(Debian 12\) from 10\.9\.9\.9 to disk 1, partition 1 of 3 computers\n/)
  match(out, /22:00:00; what has not begun by .* 06:30:00 expires; at most 20 at\s/)
  match(out, /\nCenter +Second, upper +1 +1 +1\n/)
  match(out, /\nSecond, upper +upper-1 +127\.0\.5\.91 +maintenance\n/)
  match(error, /^Overwrite disk 1, partition 1 of 3 computers\nContinue\? \[y\/N\] fleet: restore: not sent\n$/)
})

test('a script needs --yes; the plan has the options', async () => {
  const options = ['--room', '1', '--at', '22:00', '--until', '06:30', '--batch', '20', '--then', 'poweroff']
  const { code, error } = await restore(...options)
  is(code, 2)
  match(error, /restore: expected --yes/)
  const { out } = await restore(...options, '--yes')
  match(
    out,
    /planned as schedule 1; fleet schedule list shows it, fleet schedule delete 1 cancels it; afterwards fleet/,
  )
  const [plan] = await plans()
  match(
    (await fleet('schedule', 'show', '1')).out,
    /\nhow .*, until 06:30, batch 20, then poweroff where it succeeded\n/,
  )
  const then = 'poweroff'
  equal(plan.options, { wake: true, when_idle: true, until: '06:30', batch: 20, then, then_after: 'success' })
  await restore('--room', '1', '--at', '23:00', '--no-wake', '--no-when-idle', '--yes')
  equal((await plans())[1].options, { wake: false, when_idle: false })
  const [{ name }] = await plans()
  for (const kind of ['task', 'procedure']) {
    is((await fleet(kind, 'list')).out, `no ${kind}s\n2 of planned restores: fleet ${kind} list --all\n`)
    match((await fleet(kind, 'list', '--all')).out, new RegExp(`^ID .*\n[^]*${name}[^]*\n$`))
    is(JSON.parse((await fleet(kind, 'list', '--json')).out)[`${kind}s`].length, 2)
  }
  for (const kind of ['task', 'procedure']) {
    await lab.call(`POST /${kind}/update`, { [kind]: '1', center: '1', name: 'Mine' })
    is((await fleet(kind, 'list')).out, `no ${kind}s\n2 of planned restores: fleet ${kind} list --all\n`)
  }
  is((await fleet('completion-words', '--', 'send', 'image-unplan', '--id')).out.split('\n')[0], name)
  const question = (await fleetOnTerminal('n', 'send', 'image-unplan', '--id', name)).error
  is(question.split('\n')[0], `Delete a planned restore: ${name} (planned restore ${plan.schedule})`)
})

test('a day and single computers may be chosen, the same is refused, and what is planned is cancelled', async () => {
  const args = ['--client', 'upper-1', '--at', '2038-11-28 6:15', '--yes']
  match(
    (await restore(...args)).out,
    /2038-11-28 06:15:00;[\s\S]*\nCenter +Second, upper +1 [\s\S]*\nas things are now, none of/,
  )
  const { schedule } = (await plans()).at(-1)
  const already = `at: it is planned already: schedule ${schedule}, for 1 of these computers`
  const again = await restore(...args)
  equal([again.code, again.error], [1, `fleet: ${already}\n`])
  const same = { image: 'linux', clients: ['127.0.5.91'], disk: '1', partition: '1', at: '06:20', on: '2038-11-28' }
  const { schedule: second } = (await lab.call('POST /image/plan', same)).json
  const sameNight = (client: string) => restore('--client', client, '--at', '2038-11-28 4:15')
  const night = `planned already for that night: linux, 2038-11-28 06:15:00: schedule ${schedule}, for 1 computer of`
  const dry = await restore('--client', 'upper-1', '--at', '2038-11-28 4:15', '--dry-run')
  equal([dry.code, (await plans()).length], [0, (await plans()).length])
  ok(dry.out.includes('planned already for that night'))
  ok((await sameNight('upper-1')).out.includes(`\nwarning: ${night} these; what is restored last stays (fleet `))
  ok(!(await sameNight(good.addr)).out.includes('planned already'))
  const { error } = await fleet('schedule', 'edit', `${schedule}`, '--room', 'Room')
  ok(error.includes(`a planned restore stays with its computers: fleet schedule delete ${schedule} and fleet restore`))
  match(await editName(schedule, '--at', '23:30'), /^linux 2038-11-28 23:30 \(schedule \d+\) fires once, /)
  const shown = (await fleet('schedule', 'show', `${schedule}`)).out
  match(shown, /\nfor +Second, upper \(this 1 computer\)\nleft out +upper-1 \(in maintenance\)\ntask +task \d+/)
  match(shown, /\nstep 1 +image-restore: linux, disk 1, partition 1\n/)
  match(await editName(schedule, '--at', '23:30', '--name', 'Mine'), /^Mine \(/)
  match(await editName(schedule, '--on', 'Sunday'), /^Mine \(/)
  const before = await plans()
  match(await editName(second, '--on', 'sun', '--repeat'), /^linux \(schedule \d+\) fires every Sunday at 06:20\n/)
  for (const id of [schedule, second])
    match(
      (await fleet('schedule', 'delete', String(id))).out,
      /^schedule \d+ is deleted; take it back with: .*\nwith it: task .*, procedure .*\n$/,
    )
  is((await plans()).length, before.length - 2)
})

test('nothing is started where no computer would get the image', async () => {
  const { code, out, error } = await restore('--client', 'upper-1', '--now', '--yes')
  match(out, /\nSecond, upper +upper-1 +127\.0\.5\.91 +maintenance\n/)
  const none = 'as things are now, none of the computers would get the image: nothing is started'
  equal([code, error], [1, `fleet: restore: ${none}\n`])
  is((await fleet('report')).code, 1)
})

test('usage errors name what was expected', async () => {
  const errorOf = async (...args: string[]) => {
    const { code, error } = await restore(...args, '--yes')
    return `${code} ${error}`
  }
  const either = 'restore: expected either --at or --now, got both or none of them'
  is(await errorOf('--room', '1'), `2 fleet: ${either}\n`)
  is(await errorOf('--room', '1', '--now', '--at', '22:00'), `2 fleet: ${either}\n`)
  is(await errorOf('--room', '1', '--at', '25:00'), '2 fleet: --at: expected a time such as 22:30, got 25:00\n')
  is(await errorOf('--room', '1', '--now', '--batch', '0'), '2 fleet: --batch: expected a number from 1, got 0\n')
  match(await errorOf('--room', 'Roon', '--now'), /--room: expected Room, got Roon/)
})

test('image create needs a name and a computer; of a failure it says why', async () => {
  const from = ['--from', `pc-${good.addr}`]
  const creation = fleet('image', 'create', 'debian', ...from)
  const body = await lab.endCreation(good.agent, { content: 'two' })
  const image = { disk: '1', partition: '1', code: '131', name: 'debian', id: '2' }
  equal(body, { ...image, repository: serverAddress, description: 'Debian 12' })
  const { code, out } = await creation
  is(code, 0)
  match(out, /^Debian 12 on disk 1, partition 1 of pc-\S+ becomes the new image debian in repository \S+\n/)
  match(out, new RegExp(`\nimage debian is made of pc-${good.addr}\n$`))

  const again = fleet('image', 'create', 'debian', ...from, '--partition', 'deb', '--json')
  equal(await lab.endCreation(good.agent, { status: 500 }), { ...image, repository: serverAddress })
  const failed = await again
  const { id } = JSON.parse(failed.out)
  equal([failed.code, failed.error], [1, `fleet: image create: pc-${good.addr}: agent replied 500 (job ${id})\n`])
})

test('image create refuses what is not known, and what cannot succeed, and asks', async () => {
  const errorOf = async (...args: string[]) => {
    const { code, error } = await fleet('image', 'create', 'other', ...args)
    return `${code} ${error}`
  }
  const from = ['--from', good.addr]
  is(await errorOf(), '2 fleet: image create: expected --from, as there are 3 computers\n')
  const known = 'Debian 12 on --disk 1 --partition 1, no system on --disk 1 --partition 2'
  is(await errorOf(...from, '--partition', 'BeOS'), `2 fleet: --partition: expected one of ${known}, got BeOS\n`)
  const unknown = 'upper-1 has not reported its disks, as computers do in the live system'
  is(await errorOf('--from', 'upper-1'), `2 fleet: ${unknown}\n`)
  const swap = `1 fleet: image create: pc-${good.addr}: disk 1 partition 2 is swap space\n`
  is(await errorOf(...from, '--partition', '2'), swap)
  const { error } = await fleetOnTerminal('n', 'image', 'create', 'other', ...from)
  is(error, 'Make image other\nContinue? [y/N] fleet: image create: not sent\n')
  is((await fleet('completion-words', '--', 'image', 'create', 'x', '--partition')).out, 'Debian 12\n')
})

test('without a job there is no report; --now starts one, and the report sums it up', async () => {
  const none = await fleet('report')
  equal([none.code, none.error], [1, 'fleet: report: expected a job that restores an image, got none\n'])
  const { out } = await restore('--room', 'Room', 'Second, upper', '--now', '--no-wake', '--yes')
  const job = Number(/job (\d+) started/.exec(out)?.[1])
  for (const { agent } of [good, bad]) {
    await replyToNext(agent, '/run/schedule')
    await agent.next('/image/restore')
  }
  good.agent.reply({ status: 200, body: { disk: '1', partition: '1', image_id: '1' } })
  bad.agent.answer(500)
  await jobs.finished(job)
  const report = (await fleet('report')).out
  match(report, new RegExp(`^job ${job} linux .*: 1 of 3 computers have it, 2 missing\n`))
  match(report, /\nCenter +Room +2 +1 +1\n/)
  match(report, /\nRoom +pc-\S+ +failure +\S+ +\S+ +agent replied 500\n/)
  ok(!report.includes(`pc-${good.addr} `), report)
  match(report, new RegExp(`fleet job retry ${job} tries all of them again, with --failed the 1 that failed$`, 'm'))
  match((await fleet('report', String(job), '--all')).out, new RegExp(`pc-${good.addr} +success`))
  const csv = (await fleet('report', String(job), '--csv')).out.split('\r\n')
  is(csv[0], 'center,room,name,client,state,has image,confirmed,reason,started,ended')
  match(csv[1] ?? '', new RegExp(`^Center,Room,pc-${good.addr},${good.addr},success,yes,yes,,`))
  match(csv[3] ?? '', /^Center,"Second, upper",upper-1,127\.0\.5\.91,skipped,no,,maintenance,,/)
  is(JSON.parse((await fleet('report', '--json')).out).total, 3)
  is((await fleet('report', 'x')).code, 2)
  const failures = (await fleet('failures', '--seen')).out
  match(failures, new RegExp(`^COMPUTERS [^]*\npc-${bad.addr} +image-restore +${job} +\\S+ \\S+ +agent replied 500\n`))
  match(failures, /\n[1-9] failures? on [1-9] computers? marked as seen\n$/)
  await pollUntil(async () => (await fleet('failures')).out === 'nothing has failed that nobody has seen\n')
})

test('of a deleted image it is said what is to restore it', async () => {
  await lab.call('POST /procedure/add', {
    center: '1',
    name: 'Rollout',
    steps: [{ command: 'image-restore', params: { ...restoreParams, name: 'linux' } }],
  })
  const [plan] = await plans()
  const use = `Delete an image: linux; to be restored by schedule ${plan.name} (schedule ${plan.schedule})`
  const asked = await fleet('image', 'delete', 'linux')
  equal([asked.code, asked.out], [2, ''])
  ok(asked.error.startsWith(`fleet: image delete: expected --yes, as there is no terminal to ask on: ${use}`))
  ok((await fleetOnTerminal('n', 'image', 'delete', 'linux')).error.startsWith(use))
  const { error } = await fleet('image', 'delete', 'linux', '--yes')
  ok(error.startsWith('fleet: warning: linux is deleted, but to be restored by '), error)
  for (const words of [`schedule ${plan.name} (schedule ${plan.schedule})`, 'procedure Rollout (procedure '])
    ok(error.includes(words), error)
  is((await fleet('image', 'delete', 'debian')).error, '')
})

test.run()
