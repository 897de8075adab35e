// The console in a real browser: logging in and out, and a restart of the daemon under an open page.
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
  await lab.stop('keep')
  await page.getByText('No connection since').waitFor()
  const rest = { port: ports.rest }
  const agents = { ip: '0.0.0.0', port: ports.agents }
  lab = await startTestHost({ options: { ...options, rest, agents }, folder: lab.folder })
  const began = Date.now()
  await lab.agent(second)
  await tile(second).and(page.locator('[data-condition=ready]')).waitFor()
  await tile(first).and(page.locator('[data-condition=off]')).waitFor()
  await page.getByText('No connection since').waitFor({ state: 'detached' })
  const milliseconds = Date.now() - began
  ok(milliseconds < 3000 * slowness, `${milliseconds} ms`)
  equal(await page.evaluate('window.isSamePage'), true)
})

/** The machine may be busy with other tests; alone it takes less than a second. */
const slowness = 4

test.run()
