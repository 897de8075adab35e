// The console in a real browser: what was typed and not sent, and what a deletion says and its undo brings back.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { chromiumProgram } from '../harness/chromium.ts'
import { startConsoleLab } from '../harness/console-page.ts'
import { skipFile } from '../harness/skip-file.ts'

if (chromiumProgram === undefined) skipFile('chromium')

const pages = await startConsoleLab()
await pages.lab.addComputer('127.0.67.1', { name: 'pc-67' })

const test = suite('what is typed and deleted')
test.after(() => pages.stop())

test('Enter opens the computer of a user, the only one that the field has listed', async () => {
  const { lab } = pages
  const agent = await lab.agent('127.0.67.1')
  const login = lab.event('session-login')
  agent.event('start', 'student20')
  await login
  const { page, context } = await pages.open('/overview')
  await page.locator('main h2').first().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('student20')
  await page.getByRole('option', { name: 'pc-67' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'pc-67' }).waitFor()
  const gone = lab.event('client-gone')
  agent.destroy()
  await gone
  await context.close()
})

test('what was typed comes back after a reload of Import, and after leaving a changed schedule', async () => {
  const { page } = await pages.open('/import')
  const source = page.getByRole('textbox', { name: 'Computers' })
  await source.fill('name,ip\npc-72,10.7.7.2\n')
  await page.reload()
  await source.waitFor()
  match(await source.inputValue(), /pc-72/)
  await source.fill('')
  const when = { years: 4294967295, months: 4095, days: 2147483647, hours: 1024, am_pm: 1, minutes: 30 }
  const timed = { command: 'poweroff', params: {}, when: { ...when, week_days: 0, weeks: 0 }, name: 'Nightly' }
  await pages.lab.call('POST /schedule/command', { clients: ['127.0.67.1'], ...timed })
  await page.goto(page.url().replace(/#.*/, '#/schedules'))
  const name = page.getByRole('dialog').getByLabel('Name', { exact: true })
  const edit = page.getByRole('button', { name: 'Edit Nightly' })
  await edit.click()
  await name.fill('Weekly')
  await page.goBack()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.goForward()
  await edit.click()
  is(await name.inputValue(), 'Weekly')
  // What is cancelled is given up.
  await page.getByRole('button', { name: 'Cancel' }).click()
  await edit.click()
  is(await name.inputValue(), 'Nightly')
})

test('Escape keeps what was typed of a new schedule, Cancel gives it up', async () => {
  const { page, context } = await pages.open('/schedules')
  const name = page.getByRole('dialog').getByLabel('Name', { exact: true })
  const begin = page.getByRole('button', { name: 'New schedule' })
  await begin.click()
  await name.fill('Half')
  await page.keyboard.press('Escape')
  await begin.click()
  is(await name.inputValue(), 'Half')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await begin.click()
  is(await name.inputValue(), '')
  await context.close()
})

test('before a room is deleted, the schedules that lose their computers are named', async () => {
  for (const [language, edit, words] of [
    ['en', 'Edit', 'Run on no computer then: schedule “Nightly”'],
    ['es', 'Editar', 'Ya no se ejecutarán en ningún equipo: programación «Nightly»'],
  ] as const) {
    const { page, context } = await pages.open('/', { language })
    await page
      .getByRole('button', { name: new RegExp(`^${edit}`) })
      .first()
      .click()
    await page.locator('dialog .destructive').click()
    const question = page.getByRole('dialog').filter({ hasText: 'Nightly' })
    await question.getByText(words).waitFor()
    await question.locator('[data-first]').click()
    await context.close()
  }
})

test('the deletion of an empty room speaks of no computers, and says how long it can be undone', async () => {
  await pages.lab.call('POST /room/add', { name: 'Empty', netmask: '255.255.255.0', center: 1 })
  const { page, problems, context } = await pages.open('/')
  await page.getByRole('button', { name: 'Edit Empty' }).click()
  await page.locator('dialog .destructive').click()
  const question = page.getByRole('dialog').locator('p')
  await question.getByText('Can be undone for 30 days.').waitFor()
  is(await question.innerText(), '“Empty” will be deleted.\nCan be undone for 30 days.')
  await page.locator('[data-first]').click()
  equal(problems, [])
  await context.close()
})

test('a deletion says which computers and what was deleted, and its undo brings the failures back', async () => {
  const { page, problems } = await pages.open('/')
  for (const number of [2, 3]) await pages.lab.addComputer(`127.0.67.${number}`)
  const agent = await pages.lab.agent('127.0.67.2')
  await page.getByRole('option').nth(2).waitFor()
  await pages.lab.call('POST /shell/run', { clients: ['127.0.67.2'], run: 'false', echo: true })
  await agent.next('/shell/run')
  agent.answer(500)
  const mark = page.getByRole('button', { name: 'failed 1' })
  await mark.waitFor()
  await page.keyboard.press('Control+a')
  const choose = async (command: string) => {
    await page.getByRole('button', { name: 'All commands' }).click()
    await page.locator('#command-menu').getByText(command).click()
  }
  const dialog = page.getByRole('dialog')
  await choose('Move computers to a room')
  const [{ scope }] = (await pages.lab.call('GET /scopes')).json.scope
  await dialog.getByLabel('Room').selectOption(scope[0].name)
  await page.keyboard.press('Escape')
  await choose('Delete the records')
  await dialog.getByText(/^Delete the records of 3 computers in /).waitFor()
  await dialog.getByRole('button', { name: 'Delete the records' }).click()
  await page.getByText(/^Deleted: 3 computers in /).waitFor()
  await mark.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await mark.waitFor()
  equal(problems, [])
})

test('a computer is deleted where its record is changed, and its undo brings it back', async () => {
  const { page, problems, context } = await pages.open('/computer/127.0.67.1')
  const dialog = page.getByRole('dialog')
  await page.getByRole('region', { name: 'Record' }).getByRole('button', { name: 'Edit' }).click()
  await dialog.getByRole('button', { name: 'Delete the computer' }).click()
  await dialog.getByText('Delete the records of pc-67').waitFor()
  await dialog.getByText('Can be undone for 30 days.').waitFor()
  await dialog.getByRole('button', { name: 'Delete the records' }).click()
  await page.getByText('Deleted: pc-67').waitFor()
  await page.getByRole('heading', { name: 'pc-67' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('heading', { name: 'pc-67' }).waitFor()
  equal(problems, [])
  await context.close()
})

test('who saves what somebody else has changed meanwhile is told once, and replaces it then', async () => {
  const { lab } = pages
  const { page, context } = await pages.open('/computer/127.0.67.1')
  await page.locator('section', { hasText: 'Record' }).getByRole('button', { name: 'Edit', exact: true }).last().click()
  const dialog = page.getByRole('dialog')
  const changed = lab.event('computer-changed')
  await lab.call('POST /client/update', { ip: '127.0.67.1', serial_number: 'OTHER', netmask: '255.0.0.0' })
  await changed
  await dialog.getByLabel('Serial number').fill('MINE')
  // The page has read the other change when it is in the card behind the dialog.
  await page.locator('.facts dd', { hasText: 'OTHER' }).waitFor({ state: 'attached' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/Changed meanwhile by .*: Serial number: .* → OTHER/).waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { json } = await lab.call('GET /client/info?client=127.0.67.1')
  equal([json.serial_number, json.netmask], ['MINE', '255.0.0.0'])
  await context.close()
})

test.run()
