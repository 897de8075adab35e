// Schedules when the clock is set forward, or when the machine was suspended.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { startTestHost } from '../harness/test-host.ts'

const minute = 60_000
const day = 86_400_000
const daily = { years: 0xffff_ffff, months: 0xfff, weeks: 0, week_days: 0, days: 0x7fff_ffff }
/** Every day at nine. */
const when = { ...daily, hours: 1 << 9, am_pm: 0, minutes: 0 }

/** A host whose clock shows eight, with a daily schedule at nine. */
async function startScheduleHost() {
  const clock = createManualClock('2026-03-02T08:00:30')
  const lab = await startTestHost({ clock })
  await lab.addComputer('127.0.33.1')
  await lab.call('POST /task/add', { center: '1', name: 'Task', steps: [] })
  await lab.call('POST /schedule/create', { task: '1', name: 'daily', type: 'task', when })
  const countRuns = () => lab.log.filter(line => line.includes('daily: run started')).length
  return { lab, clock, countRuns }
}

const test = suite('clock changes')

test('a schedule fires within a minute after the clock is set forward over its time, and once', async () => {
  const { lab, clock, countRuns } = await startScheduleHost()
  await clock.advance(10 * minute)
  clock.setForward(55 * minute)
  is(countRuns(), 0)
  await clock.advance(minute)
  await lab.logged(/daily: run started/)
  await clock.advance(600 * minute)
  is(countRuns(), 1)
  await lab.stop()
})

test('a clock set forward by a month runs a daily schedule once, and logs the missed runs', async () => {
  const { lab, clock, countRuns } = await startScheduleHost()
  clock.setForward(30 * day)
  await clock.advance(minute)
  await lab.logged(/daily: missed 2026-03-03T\d\d:00:00\.000Z and later, the clock was set forward/)
  await lab.logged(/daily: run started/)
  await clock.advance(day)
  while (countRuns() < 2) await lab.event('job-created', { name: 'daily' })
  equal([countRuns(), lab.log.filter(line => line.includes('daily: missed')).length], [2, 1])
  await lab.stop()
})

test.run()
