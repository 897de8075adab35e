// The console in a real browser: logging in and out, and a restart of the daemon under an open page.
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import { equal, ok } from 'uvu/assert'
import { chromiumProgram, startChromium } from '../harness/chromium.ts'
import { openConsole } from '../harness/console-page.ts'
import { skipFile } from '../harness/skip-file.ts'
import { startTestHost } from '../harness/test-host.ts'

if (chromiumProgram === undefined) skipFile('chromium')

const browser = await startChromium()
const addresses = ['127.0.69.1', '127.0.69.2']
const options = { store: { adapter: 'lowdb', path: './data' } }
let lab = await startTestHost({ options })
const ports = lab.host.ports
for (const ip of addresses) await lab.addComputer(ip)

const test = suite('sessions of the console')
test.after(async () => {
  await browser.close()
  await lab.stop()
})

test('a wrong token is refused in words, and the right one opens the page', async () => {
  const { page } = await openConsole(browser, lab, '/', { isLoggedIn: false })
  await page.getByText('Token', { exact: true }).click()
  const field = page.getByLabel('Token').last()
  await field.fill('another-token')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('The token is wrong, expired or disabled.').waitFor()
  await field.fill('the-token')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('option').nth(1).waitFor()
})

test('a user logs in with a password and out again', async () => {
  await lab.call('POST /user/add', { name: 'anna', password: 'a password of hers', role: 'read' })
  const { page } = await openConsole(browser, lab, '/', { isLoggedIn: false })
  await page.getByLabel('Name').fill('anna')
  await page.getByLabel('Password').fill('a password of hers')
  await page.keyboard.press('Enter')
  await page.getByRole('option').first().waitFor()
  await page.getByRole('button', { name: 'user anna' }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByLabel('Password').waitFor()
  // What is left says only that somebody has logged in here before.
  const cookies = await page.context().cookies()
  equal(
    cookies.map(({ name }) => name),
    ['fleet_device'],
  )
})

test('a page that is open while the daemon restarts is right again within 3 seconds, without a reload', async () => {
  const { page } = await openConsole(browser, lab, '/')
  const tile = (addr: string) => page.locator(`.tile[data-ip="${addr}"]`)
  const [first = '', second = ''] = addresses
  await lab.agent(first)
  await tile(first).and(page.locator('[data-condition=ready]')).waitFor()
  await page.evaluate('window.isSamePage = true')
  await tile(first).click()
  // Its form is part of a script that is read later than the tiles.
  await page.getByRole('button', { name: 'Run a script' }).click()
  await page.locator('dialog textarea').fill('echo kept')
  await lab.stop('keep')
  await page.getByText('No connection since').first().waitFor()
  await page.locator('dialog [type=submit]').click()
  await page.locator('dialog').getByText('The daemon cannot be reached: probably nothing was done.').waitFor()
  await page.keyboard.press('Escape')
  const rest = { port: ports.rest }
  const agents = { ip: '0.0.0.0', port: ports.agents }
  lab = await startTestHost({ options: { ...options, rest, agents }, folder: lab.folder })
  const began = Date.now()
  await lab.agent(second)
  await tile(second).and(page.locator('[data-condition=ready]')).waitFor()
  await tile(first).and(page.locator('[data-condition=off]')).waitFor()
  await page.getByText('No connection since').first().waitFor({ state: 'detached' })
  const milliseconds = Date.now() - began
  ok(milliseconds < 3000 * slowness, `${milliseconds} ms`)
  equal(await page.evaluate('window.isSamePage'), true)
})

/** Opens the console where scripts of this name are not found until the page has been loaded so often. */
async function openWithout(name: string, loads: number, address: string) {
  const { page, context } = await openConsole(browser, lab, '/none')
  let count = 0
  page.on('request', request => {
    if (request.isNavigationRequest() && request.url().startsWith('http')) count += 1
  })
  await context.route(`**/console/${name}-*.js`, route =>
    count < loads ? route.fulfill({ status: 404, body: '' }) : route.continue(),
  )
  // Otherwise only what follows `#` would change, and the page that is there would load itself again.
  await page.goto('about:blank')
  await page.goto(`http://127.0.0.1:${ports.rest}/console#${address}`)
  return { page, countLoads: () => count }
}

const menuLink = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('main').getByRole('heading', { name, exact: true })

test('a page whose scripts are gone is loaded again once, with what was selected, and shows the next page', async () => {
  const { page, countLoads } = await openWithout('later', 2, '/')
  await page.getByRole('option').first().click()
  await page.getByText('1 computer selected').waitFor()
  await menuLink(page, 'Jobs').click()
  await page.getByText('The console was loaded again').waitFor()
  await heading(page, 'Jobs').waitFor()
  equal(countLoads(), 2)
  await menuLink(page, 'Computers').click()
  await page.getByText('1 computer selected').waitFor()
})

test('a script that stays away is named, and the page is not loaded again and again', async () => {
  const { page, countLoads } = await openWithout('later', 99, '/users')
  await page.getByText('A part of the console could not be loaded. Load the page again.').waitFor()
  await menuLink(page, 'Computers').click()
  await page.getByRole('option').first().waitFor()
  equal(countLoads(), 2)
})

test('a page that was not opened before is shown without a connection, as its script was read beforehand', async () => {
  const { page, context } = await openConsole(browser, lab, '/')
  const script = page.waitForResponse('**/console/later-*.js')
  await page.reload()
  await script
  await context.setOffline(true)
  await page.getByText('No connection since').first().waitFor()
  await menuLink(page, 'Setup').click()
  await heading(page, 'Import').waitFor()
})

/** The machine may be busy with other tests; alone it takes less than a second. */
const slowness = 4

test.run()
