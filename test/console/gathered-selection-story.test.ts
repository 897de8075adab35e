// One selection for all pages of the console, in a real browser: gathered in the map and by searches, counted, and sent once.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { chromiumProgram, type Page } from '../harness/chromium.ts'
import { findViolations, startConsoleLab } from '../harness/console-page.ts'
import { skipFile } from '../harness/skip-file.ts'

export const runs = { seconds: 8 }

if (chromiumProgram === undefined) skipFile('chromium')

const own = await startConsoleLab()
const { lab } = own
const ips = [1, 2, 3, 4].map(number => `127.0.86.${number}`)
for (const [at, ip] of ips.entries())
  await lab.addComputer(ip, { name: `lab-${at + 1}`, serial_number: `SN-${at + 1}` })

const test = suite('the selection of the console')
test.after(() => own.stop())

const tile = (page: Page, number: number) => page.locator(`.tile[data-ip="${ips[number - 1]}"]`)

const isSaid = (page: Page, words: string) => page.locator('.action-bar').getByText(words, { exact: true }).waitFor()

async function find(page: Page, typed: string): Promise<void> {
  await page.getByRole('banner').getByRole('combobox').fill(typed)
  await page.keyboard.press('Enter')
  await page.locator('.rows-box tbody tr').first().waitFor()
}

const toMap = (page: Page) => page.getByRole('link', { name: 'Rooms', exact: true }).click()

test('what is selected in the map and in a search gets one command, whose form names all of it, and outlives a reload', async () => {
  const { page, problems, context } = await own.open('/')
  await tile(page, 1).click()
  await tile(page, 2).click({ modifiers: ['Control'] })
  await isSaid(page, '2 computers selected')
  await find(page, 'serial:SN-4')
  await isSaid(page, '2 computers selected, 2 not shown here')
  await page.getByLabel('Select lab-4').check()
  await isSaid(page, '3 computers selected, 2 not shown here')
  equal(await findViolations(page), [])
  await page.getByRole('button', { name: 'Wake', exact: true }).click()
  const form = page.getByRole('dialog')
  is(await form.locator('.target-list div').innerText(), 'Room lab-1, lab-2, and lab-4')
  const sent = page.waitForRequest(request => request.method() === 'POST' && request.url().includes('/wol'))
  await form.locator('button[type="submit"]').click()
  equal((await sent).postDataJSON().clients, [ips[0], ips[1], ips[3]])
  await toMap(page)
  await isSaid(page, '3 computers selected')
  await page.reload()
  await isSaid(page, '3 computers selected')
  equal(problems, [])
  await context.close()
})

test('clicks and keys change what the page shows; the rest is listed, and deselected there or with all', async () => {
  const { page, problems, context } = await own.open('/')
  await tile(page, 1).click()
  await tile(page, 2).click({ modifiers: ['Control'] })
  const filter = page.getByRole('main').getByRole('searchbox')
  await filter.fill('lab-3')
  await isSaid(page, '2 computers selected, 2 not shown here')
  await tile(page, 3).click()
  await isSaid(page, '3 computers selected, 2 not shown here')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Escape')
  await isSaid(page, '2 computers selected, 2 not shown here')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByRole('dialog').getByLabel('lab-2').uncheck()
  equal(await findViolations(page), [])
  await page.keyboard.press('Escape')
  await isSaid(page, '1 computer selected, 1 not shown here')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Deselect hidden' }).click()
  await page.keyboard.press('Escape')
  await page.getByText('No computer selected').waitFor({ state: 'attached' })
  equal(problems, [])
  await context.close()
})

test('the menu of a tile that is not selected is for its computer alone, whatever is selected elsewhere', async () => {
  const { page, context } = await own.open('/')
  await tile(page, 1).click()
  await page.getByRole('main').getByRole('searchbox').fill('lab-3')
  await isSaid(page, '1 computer selected, 1 not shown here')
  await tile(page, 3).click({ button: 'right' })
  const menu = page.getByRole('menu', { name: 'lab-3' })
  await menu.getByText('Wake').click()
  await page.getByRole('dialog').getByText('lab-3 in Room').waitFor()
  await page.keyboard.press('Escape')
  await isSaid(page, '2 computers selected, 1 not shown here')
  await tile(page, 3).click({ button: 'right' })
  await page.getByRole('menu', { name: '2 computers selected, 1 not shown here' }).waitFor()
  await context.close()
})

test('a selected computer whose record is deleted elsewhere leaves the selection, and that is said', async () => {
  await lab.addComputer('127.0.86.9', { name: 'lab-9' })
  const { page, context } = await own.open('/')
  await tile(page, 1).click()
  await page.locator('.tile[data-ip="127.0.86.9"]').click({ modifiers: ['Control'] })
  await isSaid(page, '2 computers selected')
  await lab.call('POST /client/delete', { clients: ['127.0.86.9'] })
  await page.getByText('Deleted, and no longer selected: lab-9').waitFor()
  await isSaid(page, '1 computer selected')
  await context.close()
})

test.run()
