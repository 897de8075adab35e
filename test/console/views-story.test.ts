// Modules in the console, in a real browser: views at their places, settings of a pack, and hooks.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { chromiumProgram, startChromium } from '../harness/chromium.ts'
import { findViolations, openConsole } from '../harness/console-page.ts'
import { startConsoleViews } from '../harness/console-views.ts'
import { viewSource } from '../harness/site-views.ts'
import { skipFile } from '../harness/skip-file.ts'

export const runs = { seconds: 20 }

if (chromiumProgram === undefined) skipFile('chromium')

const lab = await startConsoleViews()
await lab.addComputer('127.0.5.1', { name: 'pc-1' })
await lab.addComputer('127.0.5.2', { name: 'pc-2' })
const browser = await startChromium()
const open = (address: string) => openConsole(browser, lab, address)

const views = suite('views in the console')

views('a mark is on the tile of its computer, and at the head of its page beside the cards', async () => {
  const { page, problems, context } = await open('/')
  await page.locator('.tile .view-badge').waitFor()
  equal(await page.locator('.view-badge').allInnerTexts(), ['hot'])
  is(await page.locator('.tile', { hasText: 'hot' }).getAttribute('data-ip'), '127.0.5.1')
  await page.goto(`${new URL(page.url()).origin}/console#/computer/127.0.5.1`)
  const card = page.locator('.view-card')
  match(await card.innerText(), /The computer\s+sda\s+Bad:\s+worn/)
  is(await page.getByText('Never shown').count(), 0)
  is(await page.locator('.computer-facts .view-badge').innerText(), 'hot')
  equal([await findViolations(page), problems], [[], []])
  await context.close()
})

views('a mark is in the list of the clients of a job', async () => {
  const payload = { clients: ['127.0.5.1', '127.0.5.2'], run: 'true', echo: false }
  const { headers } = await lab.call('POST /shell/run?queue=1', payload)
  const { page, context } = await open(`/job/${headers['x-job-id']}`)
  await page.locator('.part-row .view-badge').waitFor()
  match(await page.locator('.part-client', { has: page.locator('.view-badge') }).innerText(), /^pc-1 ?hot/)
  equal(await findViolations(page), [])
  await context.close()
})

views('a view that comes into service is in the navigation of a limited caller, too', async () => {
  const { token } = await lab.addToken('Assistant', 'operate')
  const { page, context } = await openConsole(browser, lab, '/', { loginToken: token })
  await page.locator('.tile .view-badge').waitFor()
  is(await page.getByRole('link', { name: 'Views' }).count(), 0)
  const data = `data() { return { columns: [{ key: 'a', title: 'A' }], rows: [] } }`
  lab.save('later', viewSource('page', data, 'scoped: true,').replace('The page', 'Later'))
  await page.getByRole('link', { name: 'Views' }).waitFor()
  await context.close()
})

views('figures are on the overview, one that fails with its reason', async () => {
  const { page, context } = await open('/overview')
  await page.getByText('26.5').waitFor()
  await page.getByText('view broken: no sensor').waitFor()
  is(await page.locator('.sparkline title').textContent(), 'between 1 °C and 2 °C')
  equal(await findViolations(page), [])
  await context.close()
})

views('a table is sorted, searched, and its rows have actions that ask first', async () => {
  const { page, problems, context } = await open('/')
  await page.getByRole('link', { name: 'Views' }).click()
  await page.getByRole('link', { name: 'The page' }).click()
  const names = () => page.locator('.rows-box tbody td:first-child').allInnerTexts()
  await page.getByText('3 rows').waitFor()
  await page.getByRole('button', { name: 'Number' }).click()
  equal(await names(), ['three', 'two', 'one'])
  await page.getByLabel('Search', { exact: true }).fill('tw')
  await page.getByText('1 of 3 rows').waitFor()
  equal(await names(), ['two'])
  equal(await findViolations(page), [])
  await page.getByRole('button', { name: 'Delete two' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Nothing matches.').waitFor()
  equal([(await lab.view('rules')).json.rows.length, problems], [2, []])
  await context.close()
})

views('an action with a form asks for the keys of its command, and shows what it answers', async () => {
  const { page, problems, context } = await open('/view/rules')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.locator('dialog [name="name"]').fill('zero')
  await page.locator('dialog button[type=submit]').click()
  await page.locator('dialog').getByText('whsec_1').waitFor()
  equal([await findViolations(page), problems], [[], []])
  await page.keyboard.press('Escape')
  await page.getByRole('cell', { name: 'zero', exact: true }).waitFor()
  await context.close()
})

views('the form of a row begins with its values, and a list may be left empty', async () => {
  const { page, context } = await open('/view/rules')
  await page.getByRole('button', { name: 'Change one' }).click()
  const boxes = page.locator('dialog [name="marks"]')
  await boxes.first().waitFor()
  equal(await Promise.all([0, 1, 2].map(at => boxes.nth(at).isChecked())), [true, true, false])
  for (const mark of ['new', 'old']) await page.getByLabel(mark, { exact: true }).uncheck()
  equal(await findViolations(page), [])
  await page.locator('dialog button[type=submit]').click()
  match(await page.locator('dialog pre').innerText(), /"marks": \[\],\s+"name": "one"/)
  await context.close()
})

views('a chart has a legend and the same as a table', async () => {
  const { page, problems, context } = await open('/view/load')
  await page.getByRole('img', { name: 'The chart' }).waitFor()
  equal(await page.locator('.legend li').allInnerTexts(), ['Room 1 1 %', 'Room 2 1 %'])
  await page.getByText('As a table').click()
  await page.locator('.rows-box').waitFor()
  equal(await page.locator('.rows-box th').allInnerTexts(), ['Time', 'Room 1 (%)', 'Room 2 (%)'])
  is(await page.locator('.rows-box tbody tr').count(), 2)
  equal([await findViolations(page), problems], [[], []])
  await context.close()
})

views.run()

const modules = suite('packs and hooks in the console')

modules('settings are checked before they are stored, and a secret that is set stays', async () => {
  const { page, context } = await open('/modules/packs')
  await page.getByRole('button', { name: 'Settings tidy' }).click()
  const dialog = page.getByRole('dialog')
  equal(await findViolations(page), [])
  is(await dialog.getByLabel('level').inputValue(), 'all')
  await dialog.locator('[name="server.host"]').fill('mail')
  await dialog.locator('[name="server.password"]').fill('geheim-17')
  is(await dialog.locator('[name="server.password"]').getAttribute('type'), 'password')
  await dialog.getByRole('button', { name: 'Check and save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const stored = async () => {
    const { json } = await lab.call('GET /packs')
    return json.packs.find(({ name }: { name: string }) => name === 'tidy')
  }
  equal((await stored()).settings, { level: 'all', rooms: [], server: { host: 'mail' } })
  await page.getByRole('button', { name: 'Settings tidy' }).click()
  is(await dialog.locator('[name="server.password"]').getAttribute('placeholder'), 'set – leave empty to keep it')
  await dialog.getByLabel('level').selectOption('none')
  await dialog.getByRole('button', { name: 'Check and save' }).click()
  await dialog.waitFor({ state: 'detached' })
  equal([(await stored()).settings.level, (await stored()).secrets], ['none', { 'server.password': true }])
  for (const isOn of [true, false]) {
    await page.getByRole('button', { name: 'Settings tidy' }).click()
    await dialog.locator('[name="rooms"]').first().setChecked(isOn)
    await dialog.getByRole('button', { name: 'Check and save' }).click()
    await dialog.waitFor({ state: 'detached' })
    equal((await stored()).settings.rooms, isOn ? [1] : [])
  }
  await context.close()
})

modules('a pack is disabled after a question, and its data can be deleted then', async () => {
  const { page, context } = await open('/modules/packs')
  await page.getByRole('button', { name: 'Disable tidy' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('button', { name: 'Enable tidy' }).click()
  await page.getByRole('button', { name: 'Disable tidy' }).waitFor()
  await page.getByLabel('Role tidy').selectOption('administrator')
  await page.getByText('tidy has another role.').waitFor()
  equal(await findViolations(page), [])
  await context.close()
})

modules('a hook is run now, paused and resumed', async () => {
  const { page, problems, context } = await open('/modules/hooks')
  await page.getByRole('button', { name: 'Run now tidy' }).click()
  await page.getByText('1 run').waitFor()
  await page.getByRole('button', { name: 'Pause tidy' }).click()
  await page.getByText('Paused by admin').waitFor()
  await page.getByRole('button', { name: 'Resume tidy' }).click()
  await page.getByRole('button', { name: 'Pause tidy' }).waitFor()
  equal([await findViolations(page), problems], [[], []])
  await context.close()
})

modules('the list of views says which one fails', async () => {
  const { page, context } = await open('/modules/views')
  await page.locator('.record', { hasText: 'no sensor' }).getByText('failing').waitFor()
  equal(await findViolations(page), [])
  await context.close()
})

modules.after(async () => {
  await browser.close()
  await lab.stop()
})
modules.run()
