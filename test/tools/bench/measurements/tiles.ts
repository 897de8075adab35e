// Measures the room map of the console in a real browser: a quiet one, and one with 10,000 state changes a second.
import { setTimeout as wait } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'
import { type ConsoleLab, startConsoleLab } from '../../../harness/console-page.ts'
import { atMost, count, type Measurement, median } from '../measurement.ts'
import { addComputers, addressOf } from './console-computers.ts'

const rate = 10_000 // state changes a second
const tick = 10 // ms between two bursts of changes
const aloneChanges = 12
/** Longer than a change may take until it is shown, so that the shown state tells which change it was. */
const probeInterval = 600 // ms
const states = ['linux', 'windows', 'virtual', 'oglive'] as const
/** Its delay is measured; it gets no other changes. */
const probe = addressOf(0)

/** Notes when the probe's tile changes, and how often a tile's state was written in one frame. */
const observer = `
  window.shown = []
  window.writes = { all: 0, repeated: 0 }
  let frame = new Set()
  const nextFrame = () => { frame = new Set(); requestAnimationFrame(nextFrame) }
  requestAnimationFrame(nextFrame)
  new MutationObserver(records => {
    for (const { target } of records) {
      window.writes.all += 1
      if (frame.has(target)) window.writes.repeated += 1
      frame.add(target)
      if (target.dataset.ip === '${probe}') window.shown.push([Date.now(), target.dataset.condition])
    }
  }).observe(document.querySelector('main'), { subtree: true, attributes: true, attributeFilter: ['data-condition'] })
`

const emit = ({ lab }: ConsoleLab, addr: string, status: string) =>
  lab.host.events.emit({ type: 'client-state', addr, state: status === 'oglive' ? 'OPG' : 'OFF', status })

interface Change {
  time: number
  condition: string
}

/** Returns the changes of the probe. */
async function changeStates(lab: ConsoleLab, computers: number, seconds: number): Promise<Change[]> {
  const changes: Change[] = []
  const end = Date.now() + seconds * 1000
  let due = 0
  let nextProbe = Date.now()
  while (Date.now() < end) {
    due += (rate * tick) / 1000
    for (; due >= 1; due -= 1) {
      const index = 1 + Math.floor(Math.random() * (computers - 1))
      emit(lab, addressOf(index), states[Math.floor(Math.random() * states.length)] ?? 'oglive')
    }
    if (Date.now() >= nextProbe) {
      nextProbe += probeInterval
      const status = states[changes.length % states.length] ?? 'oglive'
      changes.push({ time: Date.now(), condition: status === 'oglive' ? 'ready' : status })
      emit(lab, probe, status)
    }
    await wait(tick)
  }
  await wait(probeInterval)
  return changes
}

/** As `changeStates`, of the probe alone. */
async function changeAlone(lab: ConsoleLab): Promise<Change[]> {
  const changes: Change[] = []
  for (let change = 0; change < aloneChanges; change += 1) {
    const status = states[change % 2] ?? 'linux'
    changes.push({ time: Date.now(), condition: status })
    emit(lab, probe, status)
    await wait(probeInterval)
  }
  return changes
}

/** Milliseconds until each change was shown that was. */
async function delaysOf(page: Page, changes: Change[]): Promise<number[]> {
  const shown = await page.evaluate<[number, string][]>('window.shown')
  return changes.flatMap(({ time, condition }) => {
    const found = shown.find(([at, word]) => at >= time && word === condition)
    return found ? [found[0] - time] : []
  })
}

/** The page when nothing happens in the lab: seconds of scripts in a second, and MB of its heap after a collection. */
async function rest(session: CDPSession, seconds: number): Promise<{ idle: number; heap: number }> {
  const before = await metricsOf(session)
  await wait(seconds * 1000)
  const after = await metricsOf(session)
  await session.send('HeapProfiler.collectGarbage')
  const { JSHeapUsedSize = 0 } = await metricsOf(session)
  const idle = ((after.ScriptDuration ?? 0) - (before.ScriptDuration ?? 0)) / seconds
  return { idle, heap: JSHeapUsedSize / 1e6 }
}

async function metricsOf(session: CDPSession): Promise<Record<string, number>> {
  const { metrics } = await session.send('Performance.getMetrics')
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]))
}

export const tiles: Measurement = {
  name: 'tiles',
  sizes: [2_200],
  async run(bench, computers, { seconds = 10 }) {
    const lab = await startConsoleLab()
    bench.atEnd(() => lab.stop())
    await addComputers(lab, computers)
    const { page, problems } = await lab.open('/')
    await page.locator(`[data-ip="${addressOf(computers - 1)}"]`).waitFor({ state: 'attached' })
    await page.evaluate(observer)
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable')
    const alone = await delaysOf(page, await changeAlone(lab))
    const { idle, heap } = await rest(session, seconds)
    const elements = () => page.evaluate<number>("document.querySelectorAll('main *').length")
    const [before, elementsBefore, began] = [await metricsOf(session), await elements(), performance.now()]
    const changes = await changeStates(lab, computers, seconds)
    const wall = (performance.now() - began) / 1000
    const [after, elementsAfter] = [await metricsOf(session), await elements()]
    const writes = await page.evaluate<{ all: number; repeated: number }>('window.writes')
    const delays = await delaysOf(page, changes)
    if (problems.length > 0) throw new Error(problems.join('\n'))
    const busy = (100 * ((after.TaskDuration ?? 0) - (before.TaskDuration ?? 0))) / wall
    const name = `${count(computers)} tiles, ${count(rate)} changes a second`
    const twice = `${name}: of ${count(writes.all)} states, written twice in one frame`
    const quiet = `${count(computers)} tiles`
    return [
      {
        figure: `${quiet}: median until a single change is shown`,
        measured: median(alone),
        unit: 'ms',
        targets: atMost(80),
      },
      { figure: `${quiet}: scripts while nothing changes`, measured: idle, unit: 's/s', targets: atMost(0.015) },
      { figure: `${quiet}: heap after a collection`, measured: heap, unit: 'MB', targets: atMost(10) },
      { figure: `${name}: main thread busy`, measured: busy, unit: '%', targets: atMost(60) },
      { figure: `${name}: median until shown`, measured: median(delays), unit: 'ms' },
      { figure: `${name}: longest until shown`, measured: Math.max(...delays), unit: 'ms', targets: atMost(500) },
      { figure: `${name}: changes not shown`, measured: changes.length - delays.length, unit: '' },
      { figure: `${name}: new elements of the page`, measured: elementsAfter - elementsBefore, unit: '' },
      { figure: twice, measured: writes.repeated, unit: '', targets: atMost(0) },
    ]
  },
}
