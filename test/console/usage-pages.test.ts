// What has been, in a real browser: free computers on a screen at a door, charts with gaps, the history of rooms and of
// a computer.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import type { ClientHistory, RoomsHistory } from '../../host/contract/services.ts'
import { chromiumProgram, startChromium } from '../harness/chromium.ts'
import { findViolations, openConsole } from '../harness/console-page.ts'
import { startViews, viewSource } from '../harness/site-views.ts'
import { skipFile } from '../harness/skip-file.ts'

if (chromiumProgram === undefined) skipFile('chromium')

const pages = suite('pages of usage')
const lab = await startViews({
  gaps: viewSource(
    'chart',
    `data({ until }) {
      const points = [9, 8, 3, 2, 1, 0].map(value => ({ time: new Date(until - value * 1000).toISOString(), value }))
      return { gap: 1500, series: [{ title: 'Room 1', points }] }
    }`,
  ),
})
const browser = await startChromium()
pages.after(async () => {
  await browser.close()
  await lab.stop()
})

const accepted = async (route: string, payload: object) => is((await lab.call(route, payload)).status, 200, route)

pages('the number follows the computers, in light and dark colours, and is unknown without the daemon', async () => {
  await lab.addComputer('127.0.6.1')
  await lab.addComputer('127.0.6.2')
  await accepted('POST /pack/enable', { pack: 'usage' })
  await accepted('POST /pack/settings', { pack: 'usage', settings: { free_seats: [1] } })
  const agent = await lab.agent('127.0.6.1')
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, colorScheme: 'dark' })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', error => problems.push(error.message))
  page.on('console', line => problems.push(line.text()))
  await page.clock.install()
  await page.goto(`http://127.0.0.1:${lab.host.ports.rest}/free-seats/1`)
  const number = page.locator('#free')
  await number.getByText('2', { exact: true }).waitFor()
  const login = lab.event('session-login')
  agent.event('start', 'anna')
  await login
  const one = number.getByText('1', { exact: true })
  // The daemon counts at most once in two seconds.
  while (!(await one.isVisible())) await page.clock.runFor(10_000)
  equal(problems, [])
  const colours = new Set<string>()
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    equal(await findViolations(page), [])
    colours.add(await page.evaluate('getComputedStyle(document.body).backgroundColor'))
  }
  is(colours.size, 2)
  await page.route('**/now', route => route.abort())
  await page.clock.runFor(10_000)
  await number.getByText('?', { exact: true }).waitFor()
  await page.unroute('**/now')
  while (!(await one.isVisible())) await page.clock.runFor(10_000)
  await context.close()
})

pages('the line of a chart is interrupted where points are farther apart than its gap', async () => {
  const { page, problems, context } = await openConsole(browser, lab, '/view/gaps')
  await page.getByRole('img', { name: 'The chart' }).waitFor()
  const lines = await page.locator('.chart polyline').all()
  const texts = await Promise.all(lines.map(line => line.getAttribute('points')))
  equal(
    texts.map(text => text?.split(' ').length),
    [2, 4],
  )
  equal([await findViolations(page), problems], [[], []])
  await context.close()
})

pages('Now has the use of all computers, of a center or a room, as areas and as a table', async () => {
  const { page, problems, context } = await openConsole(browser, lab, '/overview')
  const main = page.getByRole('main')
  await main.getByText('No figures yet: they are kept every five minutes.').waitFor()
  const values = { free: [8, 4, null, 2], in_use: [0, 4, null, 6], busy: [0, 0, null, 0], waking: [0, 0, null, 0] }
  const answer: RoomsHistory = {
    step: 'hour',
    times: ['05', '06', '07', '08'].map(hour => `2026-09-14T${hour}:00:00.000Z`),
    samples: [12, 12, 0, 12],
    series: [{ name: '', ...values, off: [2, 2, null, 2], failed: [0, 1, null, 1] }],
  }
  const asked: string[] = []
  await page.route('**/history/rooms?*', route => {
    asked.push(new URL(route.request().url()).searchParams.get('room') ?? '')
    return route.fulfill({ json: answer })
  })
  await main.getByLabel('Which computers').selectOption('room=1')
  await main.getByRole('img', { name: 'Use of the computers' }).waitFor()
  equal([...new Set(asked)], ['1'])
  match(page.url(), /#\/overview\?history=room%3D1$/)
  // The hours before the gap, and the one after it.
  is(await main.locator('polygon[data-style="in_use"]').count(), 2)
  const legend = main.getByRole('list', { name: 'Legend' })
  match(await legend.innerText(), /in use 6\s+free 2\s+busy 0\s+waking 0\s+off 2\s+with failures 1/)
  await main.getByText('As a table').click()
  await main.getByText('3 rows').waitFor()
  equal([await findViolations(page), problems], [[], []])
  await context.close()
})

pages('Now says what schedules run next, with the way to each, and nothing while nothing is planned', async () => {
  const { page, problems, context } = await openConsole(browser, lab, '/overview')
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'Next firings' }) })
  await page.getByText('Nothing is running.').waitFor()
  is(await card.count(), 0)
  const when = { years: 4294967295, months: 4095, days: 2147483647, hours: 1024, am_pm: 1, minutes: 30 }
  await accepted('POST /schedule/command', {
    clients: ['127.0.6.1'],
    command: 'poweroff',
    params: {},
    when: { ...when, week_days: 0, weeks: 0 },
  })
  await card.getByRole('listitem').first().waitFor()
  match(await card.innerText(), /poweroff\s+.*22:30.* · 1 computer$/)
  is(await card.getByRole('listitem').count(), 1)
  equal([await findViolations(page), problems], [[], []])
  await card.getByRole('link').first().click()
  await page.waitForURL(/#\/schedules\?schedule=1$/)
  await page.locator('#schedule-1').waitFor()
  await context.close()
})

pages('a computer has a strip for each day, and its changes as a table', async () => {
  await lab.addComputer('127.0.6.3')
  const { page, problems, context } = await openConsole(browser, lab, '/overview')
  const at = (hour: number) => new Date(2026, 8, 14, hour).toISOString()
  const answer: ClientHistory = {
    client: '127.0.6.3',
    from: at(-6),
    to: at(20),
    changes: [
      { time: at(-6), state: 'linux', in_use: true, user: 'anna' },
      { time: at(2), state: 'off', in_use: false },
      { time: at(15), state: 'busy', in_use: false },
    ],
    gaps: [{ from: at(10), to: at(15) }],
  }
  await page.route('**/history/client?*', route => route.fulfill({ json: answer }))
  await page.goto(`http://127.0.0.1:${lab.host.ports.rest}/console#/computer/127.0.6.3`)
  const card = page.getByRole('region', { name: 'On and in use' })
  await card.getByText('On for 13 h, in use for 8 h of it, in 1.1 days.').waitFor()
  const strips = await card.locator('.day-strip').all()
  const styles = strips.map(strip =>
    strip.locator('rect').evaluateAll(parts => parts.map(part => part.getAttribute('data-style'))),
  )
  equal(await Promise.all(styles), [['in_use', 'off', 'busy'], ['in_use']])
  const shares = await strips[0]?.evaluate(strip => {
    const whole = strip.getBoundingClientRect()
    return [...strip.children].map(part => Math.round(((part.getBoundingClientRect().x - whole.x) / whole.width) * 24))
  })
  equal(shares, [0, 2, 15])
  await card.getByText('As a table').click()
  await card.getByText('3 rows').waitFor()
  equal(await card.locator('tbody td:nth-child(3)').allInnerTexts(), ['busy', 'off', 'Linux, anna is logged in'])
  equal([await findViolations(page), problems], [[], []])
  await context.close()
})

pages.run()
