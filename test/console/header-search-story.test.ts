// The search in the header of the console, in a real browser: what it offers, where Enter leads, and where a narrow page has it.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { chromiumProgram } from '../harness/chromium.ts'
import { findViolations, startConsoleLab } from '../harness/console-page.ts'
import { skipFile } from '../harness/skip-file.ts'

if (chromiumProgram === undefined) skipFile('chromium')

const own = await startConsoleLab()
const { lab } = own
for (const number of [1, 2]) await lab.addComputer(`127.0.85.${number}`, { name: `lab-${number}` })
await lab.call('POST /room/update', { room: 1, name: 'Room 1' })
is((await lab.call('POST /room/add', { name: 'Room 10', center: 1, netmask: '255.255.255.0' })).status, 200)

const test = suite('the search in the header of the console')
test.after(() => own.stop())

test('the key / leads to the search of any page: a computer is found by its name, and opened by keyboard', async () => {
  const { page, problems, context } = await own.open('/overview')
  await page.locator('main h2').first().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('lab-2')
  const option = page.getByRole('option', { name: 'lab-2' })
  await option.waitFor()
  match(await option.innerText(), /lab-2.*off\s+127\.0\.85\.2/s)
  equal(await findViolations(page), [])
  await page.keyboard.press('ArrowDown')
  is(await option.getAttribute('aria-selected'), 'true')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'lab-2' }).waitFor()
  equal(problems, [])
  await context.close()
})

test('the name of a room leads to the room, and one that several rooms have in theirs to what is in them', async () => {
  const { page, problems, context } = await own.open('/overview')
  const field = page.getByRole('banner').getByRole('combobox')
  await page.getByRole('link', { name: 'Room 10' }).first().waitFor()
  await field.fill('room 1')
  const names = await page.locator('.search-box .palette-name').allInnerTexts()
  equal(
    names.map(name => name.replace(/\W*off\s*$/, '')),
    ['Room 1', 'Room 10', 'lab-1', 'lab-2'],
  )
  await field.press('Enter')
  await page.waitForURL(/#\/\?room=1$/)
  await field.fill('room')
  await field.press('Enter')
  await page.getByText('2 computers').first().waitFor()
  equal(problems, [])
  await context.close()
})

test('a part of a hardware address finds its computer, with separators and without, as the search page does', async () => {
  const { page, problems, context } = await own.open('/overview')
  await page.locator('main h2').first().waitFor()
  const { json } = await lab.call('GET /client/info?client=127.0.85.2')
  for (const part of [json.mac.slice(-4), json.mac.slice(-4).replace(/^../, '$&:')]) {
    const field = page.getByRole('banner').getByRole('combobox')
    await field.fill(part)
    await page.locator('.search-box .palette-result', { hasText: 'lab-2' }).waitFor()
    await field.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'lab-2' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor()
  }
  equal(problems, [])
  await context.close()
})

test('on a narrow page the search is a page whose field is ready for typing', async () => {
  const { page, problems, context } = await own.open('/overview', { width: 390 })
  await page.getByRole('banner').getByRole('link', { name: 'Search' }).click()
  await page.getByRole('main').getByRole('combobox').waitFor()
  await page.keyboard.type('lab-2')
  await page.keyboard.press('Enter')
  await page.getByText('1 computer', { exact: true }).waitFor()
  equal(problems, [])
  await context.close()
})

test.run()
