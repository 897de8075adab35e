// The console's pages of records in a real browser: import, procedures, schedules and settings.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { type Browser, chromiumProgram, type Page, startChromium } from '../harness/chromium.ts'
import { pollUntil } from '../harness/poll.ts'
import { skipFile } from '../harness/skip-file.ts'
import { startTestHost } from '../harness/test-host.ts'

export const runs = { seconds: 28 }

if (chromiumProgram === undefined) skipFile('chromium')

const lab = await startTestHost()
const browser: Browser = await startChromium()
const password = 'a password of the tests'
for (const [name, role] of [
  ['anna', 'admin'],
  ['rita', 'read'],
]) {
  is((await lab.call('POST /user/add', { name, role, password })).status, 200)
}

/** The page of somebody who is logged in. */
async function open(name: string, path: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  const login = await context.request.post(`http://127.0.0.1:${lab.host.ports.rest}/login`, {
    data: { name, password },
  })
  is(login.status(), 200)
  await page.goto(`http://127.0.0.1:${lab.host.ports.rest}/console#${path}`)
  await page.locator('main h1').waitFor()
  // What is read moves what is below it: a button that moves between press and release is not clicked.
  await pollUntil(async () => (await page.getByText('Loading …').count()) === 0)
  return page
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const dialog = (page: Page) => page.getByRole('dialog')
const json = async (route: string) => (await lab.call(route)).json

const test = suite('pages of records')
test.after(async () => {
  await browser.close()
  await lab.stop()
})

test('a center, a room and computers are added from the browser, after a preview', async () => {
  const page = await open('anna', '/import')
  await button(page, 'Add a center').click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('Faculty')
  await button(page, 'Add').last().click()
  await dialog(page).waitFor({ state: 'detached' })
  await button(page, 'Add a room').click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('Room 7')
  await dialog(page).getByLabel('Center').selectOption('Faculty')
  await button(page, 'Add').last().click()
  await dialog(page).waitFor({ state: 'detached' })
  const text = 'name,ip,mac,room\npc-71,10.7.7.1,020000000701,Room 7\npc-72,10.7.7.2,020000000702,Room 7\n'
  await page.getByRole('textbox', { name: 'Computers' }).fill(text)
  await page.getByText('2 new').waitFor()
  is((await lab.call('GET /client/export')).text.includes('pc-71'), false)
  await button(page, 'Apply 2 changes').click()
  await page.getByText('Stored: 2 new, 0 changed, 0 unchanged.').waitFor()
  match((await lab.call('GET /client/export')).text, 'pc-72,10.7.7.2')
})

test('conflicts are listed by line, and nothing can be applied', async () => {
  const page = await open('anna', '/import')
  const field = page.getByRole('textbox', { name: 'Computers' })
  await field.fill('name,ip,mac,room\nother,10.7.7.1,020000000709,Room 7\n')
  await page.getByText('1 conflict').waitFor()
  await page.getByText('Line 2').waitFor()
  is(await button(page, 'Apply').isDisabled(), true)
  await field.fill('name,ip,mac\nrenamed,10.7.7.1,020000000701\n')
  await page.getByLabel('Also change computers that exist').check()
  await page.getByText('1 changed').waitFor()
  equal(await page.locator('.changes li').allInnerTexts(), ['name: pc-71 → renamed'])
})

test('the steps of a procedure are moved with the keyboard and stored in that order', async () => {
  const page = await open('anna', '/procedures')
  await button(page, 'New procedure').click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('Evening')
  await dialog(page).getByLabel('Center').selectOption('Faculty')
  const choice = dialog(page).getByLabel('Choose a step')
  for (const command of ['poweroff', 'shell-run']) {
    await choice.selectOption(`command:${command}`)
    await button(page, 'Add step').click()
  }
  await dialog(page)
    .getByLabel(/^Script/)
    .fill('sync')
  await dialog(page)
    .getByLabel(/^Script/)
    .press('Alt+ArrowUp')
  await dialog(page).getByText('Now step 1 of 2.').waitFor({ state: 'attached' })
  await button(page, 'Save').click()
  await dialog(page).waitFor({ state: 'detached' })
  const [{ steps }] = (await json('GET /procedures')).procedures
  equal(
    steps.map(({ command }: { command: string }) => command),
    ['shell-run', 'poweroff'],
  )
  is(steps[0].params.run, 'sync')
})

test('a procedure runs when it was confirmed, on the computers that are shown, and opens its job', async () => {
  const page = await open('anna', '/procedures')
  await button(page, 'Run now Evening').click()
  await dialog(page).getByText('runs on 2 computers').waitFor()
  equal((await json('GET /jobs')).jobs, [])
  await dialog(page).getByRole('button', { name: 'Run now' }).click()
  await page.getByRole('complementary').getByRole('link', { name: 'Evening' }).waitFor()
  const { parts } = await json('GET /jobs/1')
  equal([...new Set(parts.map(({ client }: { client: string }) => client))], ['10.7.7.1', '10.7.7.2'])
})

test('how a task runs is chosen with it, shown with its computers, and changed', async () => {
  const page = await open('anna', '/procedures')
  await button(page, 'New task').click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('Night')
  const choice = dialog(page).getByLabel('Choose a step')
  await choice.selectOption({ label: 'Evening' })
  await button(page, 'Add step').click()
  await dialog(page).getByLabel('Until').fill('06:30')
  await dialog(page).getByLabel('At once').fill('20')
  await dialog(page).getByLabel('Wake computers that are off').check()
  await dialog(page).getByLabel('Afterwards').selectOption('power off')
  await button(page, 'Save').click()
  await dialog(page).waitFor({ state: 'detached' })
  await page.getByText('until 06:30 · 20 at once · wakes computers · then power off').waitFor()
  await button(page, 'Edit Night').click()
  await dialog(page).getByLabel('Wake computers that are off').uncheck()
  await dialog(page).getByLabel('At once').fill('')
  await button(page, 'Save').click()
  await dialog(page).waitFor({ state: 'detached' })
  await page.getByText('until 06:30 · then power off').waitFor()
  const [{ options }] = (await json('GET /tasks')).tasks
  const then = 'poweroff'
  equal(options, { wake: false, when_idle: false, until: '06:30', then, then_after: 'any' })
  await lab.call('POST /task/delete', { id: '1' })
})

test('a schedule is made in words, suspended, and keeps what it runs', async () => {
  const page = await open('anna', '/schedules')
  await button(page, 'New schedule').click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('Fridays')
  await dialog(page).locator('.tab', { hasText: 'Procedure' }).click()
  await dialog(page).getByLabel('Repeat').selectOption('weekly')
  for (const day of await dialog(page).locator('.week_days input:checked').all()) await day.uncheck({ force: true })
  await dialog(page).getByLabel('Friday').check({ force: true })
  await dialog(page).getByLabel('Time', { exact: true }).fill('22:30')
  await dialog(page).getByText('every Friday at 22:30').waitFor()
  await button(page, 'Save').click()
  await dialog(page).waitFor({ state: 'detached' })
  const [{ type, when }] = (await json('GET /schedules')).schedules
  equal([type, when.week_days, when.days, when.hours, when.am_pm, when.minutes], ['procedure', 16, 0, 1024, 1, 30])
  await button(page, 'Seven days later').click() // this week's Friday may be over
  await page.locator('.firing', { hasText: 'Fridays' }).waitFor()
  await button(page, 'Suspend').click()
  await page.getByText('suspended', { exact: true }).waitFor()
  const [last] = (await json('GET /schedules')).schedules
  equal([last.type, last.suspended, last.when], ['procedure', 1, when])
})

test('masks of other programs are shown as they are, and kept by a change of the name', async () => {
  const when = { years: 65536, months: 6, weeks: 32, week_days: 1, days: 4, hours: 769, am_pm: 1, minutes: 5 }
  await lab.call('POST /schedule/create', { task: '1', name: 'Odd', type: 'procedure', when, suspended: 1 })
  const page = await open('anna', '/schedules')
  await button(page, 'Edit Odd').click()
  await dialog(page).getByText('at 12:05, 20:05 and 21:05, in February and March, in 2026').waitFor()
  await dialog(page).getByLabel('Name', { exact: true }).fill('Old')
  await button(page, 'Save').click()
  await dialog(page).waitFor({ state: 'detached' })
  const old = (await json('GET /schedules')).schedules.find(({ name }: { name: string }) => name === 'Old')
  equal([old.when, old.suspended, old.type], [when, 1, 'procedure'])
})

test('a new token is shown once; one without a chosen room is not made', async () => {
  const page = await open('anna', '/settings/tokens')
  await button(page, 'New token').click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('lab')
  await dialog(page).getByLabel('Only some centers, rooms or groups').check()
  await button(page, 'Add').click()
  await dialog(page).getByText('Choose at least one center, room or group').waitFor()
  equal((await json('GET /tokens')).tokens, [])
  await dialog(page).getByLabel('Room 7').check()
  await button(page, 'Add').click()
  const token = await dialog(page).getByLabel('Token').inputValue()
  is((await lab.call('GET /me', undefined, { Authorization: token })).json.name, 'token lab')
  await page.keyboard.press('Escape')
  await button(page, 'Disable lab').click()
  await page.getByText('disabled', { exact: true }).waitFor()
  is((await lab.call('GET /me', undefined, { Authorization: token })).status, 401)
})

test('a reader sees who it is, and is offered nothing that it may not do', async () => {
  const page = await open('rita', '/settings')
  await page.getByText('user rita').last().waitFor()
  for (const name of ['Tokens', 'Import', 'Modules', /^API/]) is(await page.getByRole('link', { name }).count(), 0)
  await page.goto(`http://127.0.0.1:${lab.host.ports.rest}/console#/schedules`)
  await page.getByText('Fridays').first().waitFor()
  is(await button(page, /Suspend|Edit|Delete|New/).count(), 0)
  await page.goto(`http://127.0.0.1:${lab.host.ports.rest}/console#/import`)
  await page.getByText('Only administrators import computers.').waitFor()
})

test.run()
