// What the usage of rooms shows in a real browser: free computers on a screen at a door, and charts with gaps.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
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

pages.run()
