// The console in a real browser: a command file of the site is usable as soon as it is saved, and a broken save is shown.
import { suite } from 'uvu'
import { equal, match } from 'uvu/assert'
import { chromiumProgram, startChromium } from '../harness/chromium.ts'
import { openConsole } from '../harness/console-page.ts'
import { startSite } from '../harness/site-folder.ts'
import { skipFile } from '../harness/skip-file.ts'

if (chromiumProgram === undefined) skipFile('chromium')

const site = await startSite()
const browser = await startChromium()
const addr = '127.0.68.1'
await site.lab.addComputer(addr)
await site.lab.agent(addr, {
  auto: { '/refresh': { status: 200 }, '/shell/run': { status: 200, body: { out: 'up 3 days\n' } } },
})

const source = (summary: string) => `
export default {
  summary: '${summary}',
  route: 'POST /uptime',
  payload: {
    type: 'object',
    required: ['clients'],
    properties: { clients: { $ref: 'clients' }, unit: { enum: ['hours', 'days'], description: 'how it is shown' } },
  },
  forward: { to: 'POST /shell/run', body: () => ({ run: 'uptime', echo: true }) },
}
`

const test = suite('command of a site')
test.after(async () => {
  await browser.close()
  await site.stop()
})

test('it is in the menu without a reload when its file is saved, and runs from there', async () => {
  const { page, problems } = await openConsole(browser, site.lab, '/')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Control+a')
  await site.save('uptime.ts', source('Show how long it runs'))
  await page.getByRole('button', { name: 'All commands' }).click()
  await page.getByRole('searchbox').last().fill('how long')
  await page.getByText('Show how long it runs').first().click()
  const dialog = page.getByRole('dialog').last()
  match(await dialog.innerText(), /how it is shown/)
  await dialog.getByLabel('unit').selectOption('days')
  await dialog.locator('button[type=submit]').click()
  await page.getByRole('complementary').getByText('Finished · 1 succeeded').waitFor()
  equal(problems, [])
})

test('a save with an error is shown with its line, live, and the last good version stays in service', async () => {
  const { page, problems } = await openConsole(browser, site.lab, '/modules')
  await page.getByText('uptime.ts').first().waitFor()
  await site.save('uptime.ts', `${source('Show how long it runs')}\nexport const broken = = 1\n`)
  await page
    .getByText(/uptime\.ts:13/)
    .first()
    .waitFor()
  await page.getByText('the last one without an error, stays in service').first().waitFor()
  await site.save('uptime.ts', source('Show how long it runs now'))
  await page
    .getByText(/uptime\.ts:13/)
    .first()
    .waitFor({ state: 'detached' })
  equal(problems, [])
})

test.run()
