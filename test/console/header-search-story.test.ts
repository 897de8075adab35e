// Words in the searches of the console, in a real browser: what the header offers, where Enter leads, and what the pages find.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { chromiumProgram, type Page } from '../harness/chromium.ts'
import { findViolations, startConsoleLab } from '../harness/console-page.ts'
import { skipFile } from '../harness/skip-file.ts'

if (chromiumProgram === undefined) skipFile('chromium')

const own = await startConsoleLab()
const { lab } = own
for (const number of [1, 2]) await lab.addComputer(`127.0.85.${number}`, { name: `lab-${number}` })
await lab.call('POST /room/update', { room: 1, name: 'Room 1' })
for (const name of ['Room 10', 'Workshop']) {
  is((await lab.call('POST /room/add', { name, center: 1, netmask: '255.255.255.0' })).status, 200)
}
await lab.addComputer('127.0.85.3', { name: 'pc-3', room: 3, serial_number: 'SN-0303' })
const login = lab.event('session-login')
const agent = await lab.agent('127.0.85.3')
agent.event('start', 'student14')
await login

const test = suite('words in the searches of the console')
test.after(() => own.stop())

test('the key / leads to the search of any page: a computer is found by its name, and opened by keyboard', async () => {
  const { page, problems, context } = await own.open('/overview')
  await page.locator('main h2').first().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('lab-2')
  const option = page.getByRole('option', { name: 'lab-2 off' })
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
    ['Room 1', 'Room 10', 'lab-1', 'lab-2', 'Search everywhere for “room 1”'],
  )
  await field.press('Enter')
  await page.waitForURL(/#\/\?room=1$/)
  await field.fill('room')
  await field.press('Enter')
  await page.getByText('2 computers').first().waitFor()
  equal(problems, [])
  await context.close()
})

/** Types each into the header's field of a page; what `wait` waits for has come before Enter opens the computer. */
async function opens(name: string, words: string[], wait = async (_: Page) => {}): Promise<void> {
  const { page, problems, context } = await own.open('/overview')
  await page.locator('main h2').first().waitFor()
  for (const typed of words) {
    const field = page.getByRole('banner').getByRole('combobox')
    await field.fill(typed)
    await wait(page)
    await field.press('Enter')
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor()
  }
  equal(problems, [])
  await context.close()
}

test('a part of a hardware address finds its computer, with separators and without, as the search page does', async () => {
  const digits = (await lab.call('GET /client/info?client=127.0.85.2')).json.mac.slice(-4)
  await opens('lab-2', [digits, digits.replace(/^../, '$&:')], page =>
    page.locator('.search-box .palette-result', { hasText: 'lab-2' }).waitFor(),
  )
})

test('Enter at once opens the only computer of a hardware address or a serial number, too', async () => {
  const { json } = await lab.call('GET /client/info?client=127.0.85.3')
  await opens('pc-3', [json.mac, 'sn-0303'])
})

test('the name of a center leads to the computers of its rooms', async () => {
  const { page, problems, context } = await own.open('/overview')
  const field = page.getByRole('banner').getByRole('combobox')
  await field.fill('cente')
  await page.getByRole('option', { name: 'Workshop Center room' }).waitFor()
  await field.press('Enter')
  await page.getByText('3 computers').first().waitFor()
  is(await page.getByRole('main').getByRole('combobox').inputValue(), 'cente')
  equal(problems, [])
  await context.close()
})

test('words find rooms, users and serial numbers on the search page, which shows the column that has them', async () => {
  const { page, problems, context } = await own.open('/search', { width: 390 })
  const field = page.getByRole('main').getByRole('combobox')
  for (const [words, cell] of [
    ['Student', 'student14'],
    ['Workshop', 'Workshop'],
    ['0303', 'SN-0303'],
  ] as const) {
    await field.fill(words)
    await field.press('Enter')
    await page.getByRole('link', { name: 'pc-3' }).waitFor()
    await page.getByRole('cell', { name: cell, exact: true }).waitFor()
    equal(await page.locator('.rows-box tbody tr').count(), 1)
    is(await field.inputValue(), words)
    equal(await findViolations(page), [])
  }
  await field.fill('nobody')
  await field.press('Enter')
  await page.getByText('No computer matches').waitFor()
  equal(problems, [])
  await context.close()
})

test('a query shows the columns of its fields beside those that were chosen', async () => {
  const { page, context } = await own.open('/search?where=user:student* or tag:cad')
  await page.getByRole('cell', { name: 'student14' }).waitFor()
  const heads = await page.locator('.rows-box thead th').allInnerTexts()
  equal(heads, ['Computer', 'Room', 'Center', 'State', 'User', 'Tags'])
  await context.close()
})

test('the filter of the map finds what the searches find, and counts what it shows', async () => {
  const { page, context } = await own.open('/?text=room 1')
  const filter = page.getByPlaceholder('Name, room, center')
  const shown = async (names: string[]) => {
    await page.getByText(`${names.length} of 3 computers`).first().waitFor()
    equal(await page.locator('.tile:not([hidden]) .tile-name').allInnerTexts(), names)
  }
  await shown(['lab-1', 'lab-2'])
  is(await page.locator('.chip', { hasText: 'off' }).locator('span').last().innerText(), '2')
  for (const typed of ['sn-0303', 'student', 'user:student*', 'workshop']) {
    await filter.fill(typed)
    await shown(['pc-3'])
  }
  await page.locator('.room').getByText('1 of 1 computers').waitFor()
  await filter.fill('center')
  await shown(['lab-1', 'lab-2', 'pc-3'])
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
