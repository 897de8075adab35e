// What the console says after a change, in a real browser: what was saved, moved, undone and done again.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { chromiumProgram } from '../harness/chromium.ts'
import { startConsoleLab } from '../harness/console-page.ts'
import { skipFile } from '../harness/skip-file.ts'

if (chromiumProgram === undefined) skipFile('chromium')

const own = await startConsoleLab()
const { lab } = own
const ips = [1, 2].map(number => `127.0.84.${number}`)
for (const [at, ip] of ips.entries()) await lab.addComputer(ip, { name: `pc-${at + 1}` })
is((await lab.call('POST /room/add', { name: 'Studio', center: 1, netmask: '255.255.255.0' })).status, 200)

const test = suite('what the console says after a change')
test.after(() => own.stop())

test('a notice names the record that is saved, and what was undone can be done again', async () => {
  const { page, problems, context } = await own.open('/')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await button('Edit Studio').click()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Workshop')
  await button('Save').click()
  await page.getByText('Saved: Workshop.').waitFor()
  await button('Undo').click()
  await page.getByText('Undone: Change a room: Studio. Now: Name: Studio').waitFor()
  await page.getByRole('heading', { name: 'Studio' }).waitFor()
  await button('Redo').click()
  await page.getByText('Redone: Change a room: Workshop. Now: Name: Workshop').waitFor()
  await page.getByRole('heading', { name: 'Workshop' }).waitFor()
  await button('Undo').click()
  await page.getByRole('heading', { name: 'Studio' }).waitFor()
  equal(problems, [])
  await context.close()
})

test('computers that are moved are named with the room where they are', async () => {
  const { page, problems, context } = await own.open('/')
  await page.getByRole('option').nth(1).waitFor()
  await page.keyboard.press('Control+a')
  await page.getByRole('button', { name: 'Wake' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('move computers')
  await page.getByRole('dialog').getByRole('option', { name: 'Move computers to a room' }).click()
  await page.locator('dialog form select[name=room]').selectOption({ label: 'Studio' })
  await page.locator('dialog form [type=submit]').click()
  await page.getByText('2 computers are in Studio now.').waitFor()
  equal(problems, [])
  await context.close()
})

test('what can be undone is in the language of the page', async () => {
  is((await lab.call('POST /room/delete', { id: '2' })).status, 200)
  const { page, context } = await own.open('/undo', { language: 'es' })
  await page.getByRole('cell', { name: 'Eliminar un aula: Studio (Equipos: 2)', exact: true }).waitFor()
  match(await page.locator('main').innerText(), /Cambiar un equipo: pc-1 y 1 más/)
  await context.close()
})

test('a row shows all of its text', async () => {
  const name = 'a long name of a room that no column of a table has space for'
  is((await lab.call('POST /room/update', { room: 1, name })).status, 200)
  const { page, context } = await own.open('/undo', { width: 800 })
  const cell = page.getByRole('cell', { name: `→ ${name}` })
  is(await cell.evaluate(each => each.scrollWidth > each.clientWidth), false)
  await page.getByRole('button', { name: 'Undo Delete a room: Studio' }).click()
  await page.getByText('Undone: Delete a room: Studio (Computers: 2). What was deleted is there again.').waitFor()
  await context.close()
})

test.run()
