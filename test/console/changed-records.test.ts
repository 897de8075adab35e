// Records that come after a page has been opened, in a real browser: late, or changed by somebody else.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { chromiumProgram } from '../harness/chromium.ts'
import { findViolations, startConsoleLab } from '../harness/console-page.ts'
import { skipFile } from '../harness/skip-file.ts'

if (chromiumProgram === undefined) skipFile('chromium')

const pages = await startConsoleLab()
await pages.lab.addComputer('127.0.67.1')

const test = suite('changed records')
test.after(() => pages.stop())

/** A page that has not yet read the centers and rooms; `answer` lets it. */
async function openEarly(address: string) {
  const { page, problems } = await pages.open(address)
  let answer = () => {}
  const isOpen = new Promise<void>(resolve => {
    answer = resolve
  })
  await page.route('**/scopes', route => isOpen.then(() => route.continue()))
  await page.reload()
  return { page, problems, answer }
}

test('the first center is chosen also when centers arrive after the form, and what was typed stays', async () => {
  const { page, problems, answer } = await openEarly('/procedures')
  await page.getByRole('button', { name: 'New procedure' }).click()
  const dialog = page.getByRole('dialog')
  const center = dialog.getByRole('combobox').first()
  is(await center.inputValue(), '')
  answer()
  await dialog.getByText('There is no center yet.').waitFor({ state: 'detached' })
  is(await center.inputValue(), '1')
  await dialog.getByLabel('Name', { exact: true }).fill('Early')
  // What was typed is there again, until it is saved.
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'New procedure' }).click()
  is(await dialog.getByLabel('Name', { exact: true }).inputValue(), 'Early')
  await dialog.getByLabel('Choose a step').selectOption('command:poweroff')
  await dialog.getByRole('button', { name: 'Add step' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { procedures } = (await pages.lab.call('GET /procedures')).json
  equal(
    procedures.map(({ name, center }: { name: string; center: number }) => [name, center]),
    [['Early', 1]],
  )
  equal(problems, [])
})

test('the first room is chosen for the command of a schedule also when rooms arrive after the form', async () => {
  const { page, problems, answer } = await openEarly('/schedules')
  await page.getByRole('button', { name: 'New schedule' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('.tab', { hasText: 'Command' }).click()
  await dialog.getByText('0 computers').waitFor()
  answer()
  await dialog.getByText(/^1 computer /).waitFor()
  equal(problems, [])
})

test('what another administrator adds, renames and deletes is on a page that is open', async () => {
  const { page, problems } = await pages.open('/')
  await pages.lab.call('POST /room/add', { name: 'New room', netmask: '255.255.255.0', center: 1 })

  await page.getByRole('heading', { name: 'New room' }).waitFor()
  await pages.lab.call('POST /room/update', { room: 2, name: 'Renamed' })
  await page.getByRole('heading', { name: 'Renamed' }).waitFor()
  const { headers } = await pages.lab.call('POST /room/delete', { id: '2' })
  await page.getByRole('heading', { name: 'Renamed' }).waitFor({ state: 'detached' })
  await pages.lab.call('POST /undo', { id: headers['x-undo-id'] })
  await page.getByRole('heading', { name: 'Renamed' }).waitFor()
  await page.goto(page.url().replace(/#.*/, '#/procedures'))
  await page.getByText('Early').first().waitFor()
  const steps = [{ command: 'poweroff', params: {} }]
  await pages.lab.call('POST /procedure/add', { center: '1', name: 'Somebody else’s', steps })
  await page.getByText('Somebody else’s').first().waitFor()
  equal(problems, [])
})

test('the preview of an import follows a room that is added, and says once that it is missing', async () => {
  const { page, problems } = await pages.open('/import')
  const text = 'name,ip,mac,room\npc-1,10.7.7.1,020000000701,Aula\npc-2,10.7.7.2,020000000702,Aula\n'
  await page.getByRole('textbox', { name: 'Computers' }).fill(text)
  await page.getByText('2 conflicts').waitFor()
  equal(await page.locator('.line-list b').allInnerTexts(), ['Line 2–3'])
  await pages.lab.call('POST /room/add', { name: 'Aula', netmask: '255.255.255.0', center: 1 })
  await page.getByText('2 new').waitFor()
  equal(problems, [])
})

test('a command is scheduled with a name, from Monday to Friday', async () => {
  const { page, problems } = await pages.open('/schedules')
  await page.getByRole('button', { name: 'New schedule' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('.tab', { hasText: 'Command' }).click()
  await dialog.getByLabel('Name', { exact: true }).fill('Evenings')
  await dialog.getByLabel('Command', { exact: true }).last().selectOption('command:poweroff')
  await dialog.getByLabel('Repeat').selectOption('weekly')
  await dialog.getByRole('button', { name: 'Monday–Friday' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const [{ name, when, scheduled }] = (await pages.lab.call('GET /schedules')).json.schedules
  equal([name, when.week_days, scheduled.command], ['Evenings', 31, 'poweroff'])
  equal(problems, [])
})

test('the computer of who is logged in is found by the user', async () => {
  const { page, problems } = await pages.open('/')
  await page.locator('.tile').first().waitFor()
  pages.lab.host.events.emit({ type: 'session-login', addr: '127.0.67.1', user: 'student14' })
  await page.locator('.tile-user', { hasText: 'student14' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('student1')
  await page.locator('.palette-result', { hasText: 'student14' }).waitFor()
  equal(problems, [])
})

test('the page of a computer says while the screen of who is logged in is locked', async () => {
  const agent = await pages.lab.agent('127.0.67.1', { refresh: { status: 200, body: { status: 'LINUX' } } })
  const locked = pages.lab.event('session-lock')
  agent.event('start', 'anna', true)
  await locked
  const { page, problems } = await pages.open('/computer/127.0.67.1')
  const fact = page.locator('.computer-facts li', { hasText: 'anna is logged in' })
  await fact.getByText('screen locked').waitFor()
  agent.event('start', 'anna')
  await fact.getByText('screen locked').waitFor({ state: 'detached' })
  equal(problems, [])
})

test('a room and a center are changed and deleted where they are seen, and brought back', async () => {
  const { page, problems } = await pages.open('/')
  const button = (name: string) => page.getByRole('button', { name })
  const dialog = page.getByRole('dialog')
  const room = async () => (await pages.lab.call('GET /room/info?room=1')).json
  const { name: first } = await room()
  await button(`Edit ${first}`).click()
  await dialog.getByLabel('Name', { exact: true }).fill('Room 8')
  await dialog.getByLabel('Location').fill('Building 3')
  await button('Save').click()
  await page.getByRole('heading', { name: 'Room 8' }).waitFor()
  const { name, location, netmask } = await room()
  equal([name, location, netmask], ['Room 8', 'Building 3', '255.255.255.0'])
  await button('Edit Room 8').click()
  await dialog.getByLabel('Netmask').fill('no mask')
  await button('Save').click()
  await dialog.getByRole('alert').getByText('netmask').waitFor()
  equal(await findViolations(page), [])
  await button('Delete the room').click()
  await dialog.getByText('Room 8 and its 1 computer are deleted.').waitFor()
  await button('Delete').last().click()
  await page.getByRole('heading', { name: 'Room 8' }).waitFor({ state: 'detached' })
  // The first one goes there, Enter takes it back.
  await page.keyboard.press('u')
  is(await page.evaluate('document.activeElement.textContent'), 'Undo')
  await page.keyboard.press('Enter')
  await page.getByText('Undone: Delete a room: Room 8 (Computers: 1)').waitFor()
  await page.getByRole('heading', { name: 'Room 8' }).waitFor()
  await page.goto(page.url().replace(/#.*/, '#/overview'))
  const [{ name: center }] = (await pages.lab.call('GET /scopes')).json.scope
  await button(`Edit ${center}`).click()
  await dialog.getByLabel('Name', { exact: true }).fill('Science')
  await button('Save').click()
  await page.goto(page.url().replace(/#.*/, '#/audit'))
  await page.getByRole('row', { name: '→ Science' }).getByRole('link').click()
  await page.getByRole('cell', { name: 'Change a center: Science', exact: true }).waitFor()
  await page.goto(page.url().replace(/#.*/, '#/overview'))
  await button('Edit Science').click()
  await button('Delete the center').click()
  await dialog.getByText(/^Science is deleted with its rooms/).waitFor()
  await button('Delete').last().click()
  await page.getByText('There are no rooms yet.').waitFor()
  await page.goto(page.url().replace(/#.*/, '#/undo'))
  await page.getByRole('button', { name: /^Undo Delete a center: Science \(/ }).click()
  await page.getByText(/^Undone: Delete a center: Science \(Rooms: 3, /).waitFor()
  is((await room()).name, 'Room 8')
  equal(await findViolations(page), [])
  // The browser says that the refused one was 400.
  is(problems.length, 1)
})

test('the key [ hides the menu until pressed again, and u without an offer goes to what can be undone', async () => {
  const { page, problems } = await pages.open('/')
  const menu = page.getByRole('navigation', { name: 'Pages' })
  await menu.waitFor()
  await page.keyboard.press('[')
  await menu.waitFor({ state: 'hidden' })
  await page.reload()
  await page.getByRole('button', { name: 'Menu' }).click()
  await menu.getByRole('link', { name: 'Jobs' }).waitFor()
  equal(await findViolations(page), [])
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'hidden' })
  await page.keyboard.press('[')
  await menu.waitFor()
  // Nothing is selected.
  for (const key of ['w', 's', 'r', 'p']) await page.keyboard.press(key)
  is(await page.locator('dialog').count(), 0)
  await page.keyboard.press('u')
  await page.waitForURL(/#\/undo$/)
  equal(problems, [])
})

test.run()
