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
  await page.locator('.search-box .palette-result', { hasText: 'Workshop' }).waitFor()
  await field.press('Enter')
  await page.getByText('3 computers').first().waitFor()
  is(await page.getByRole('main').getByRole('combobox').inputValue(), 'center:"*cente*"')
  equal(problems, [])
  await context.close()
})

test('words that are in no name find rooms and users on the search page, which says with which query', async () => {
  const { page, problems, context } = await own.open('/search', { width: 390 })
  const field = page.getByRole('main').getByRole('combobox')
  for (const [words, query] of [
    ['Student', 'user:"*Student*"'],
    ['Workshop', 'room:"*Workshop*"'],
  ] as const) {
    await field.fill(words)
    await field.press('Enter')
    await page.getByText(`No name, address or serial number of a computer has “${words}”`).waitFor()
    await page.getByRole('link', { name: 'pc-3' }).waitFor()
    is(await field.inputValue(), query)
    equal(await findViolations(page), [])
  }
  await field.fill('nobody')
  await field.press('Enter')
  await page.getByText('No computer matches').waitFor()
  await page.goto(`${page.url().split('#')[0]}#/search?where=student14`)
  await page.reload()
  await page.getByRole('link', { name: 'pc-3' }).waitFor()
  equal(problems, [])
  await context.close()
})

test('the filter of the map finds computers by the name of their room', async () => {
  const { page, context } = await own.open('/?text=room 1')
  await page.getByText('2 of 3 computers').waitFor()
  equal(await page.locator('.tile:not([hidden]) .tile-name').allInnerTexts(), ['lab-1', 'lab-2'])
  await context.close()
})

test('what was selected is selected again when the search page is left, unless it was changed there', async () => {
  const { page, problems, context } = await own.open('/')
  const selected = (n: number) => page.getByText(new RegExp(`^${n} computers? selected$`)).waitFor()
  const find = async () => {
    await page.getByRole('banner').getByRole('combobox').fill('name:lab-1')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'lab-1' }).waitFor()
  }
  await page.locator('.tile').first().click()
  await page.keyboard.press('Control+a')
  await selected(3)
  await find()
  await selected(1)
  await page.getByRole('link', { name: 'lab-1' }).click()
  await page.getByRole('heading', { level: 1, name: 'lab-1' }).waitFor()
  await page.goto(`${page.url().split('#')[0]}#/`)
  await selected(3)
  await find()
  await page.getByLabel('Select lab-1').uncheck()
  await page.goto(`${page.url().split('#')[0]}#/`)
  await page.locator('.tile').first().waitFor()
  is(await page.locator('.tile[aria-selected="true"]').count(), 0)
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
