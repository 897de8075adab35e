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

/** Notices that cannot be taken back stay for ever: none is gone because its time is over. */
const keepNotices = `{
  const own = setTimeout
  globalThis.setTimeout = (work, time, ...more) => (time === 5_000 || time === 15_000 ? 0 : own(work, time, ...more))
}`

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

test('an import is taken back where it was made, after a question that says what is deleted and was changed since', async () => {
  const { page, problems, context } = await own.open('/import')
  const text = 'name,ip,mac,room\npc-71,10.7.7.1,020000000701,Studio\n'
  await page.getByRole('textbox', { name: 'Computers' }).fill(text)
  await page.getByRole('button', { name: 'Apply 1 change' }).click()
  await page.getByText('Stored: 1 new, 0 changed, 0 unchanged.').waitFor()
  await lab.call('POST /client/update', { ip: '10.7.7.1', serial_number: 'S7' })
  await page.getByRole('button', { name: 'Undo' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('heading', { name: 'Take the import back?' }).waitFor()
  await dialog.getByText(/^1 computer is deleted: pc-71\. .*these later values are lost:/).waitFor()
  await dialog.getByText(/^pc-71: Serial number: S7 \(admin, \S+\)$/).waitFor()
  await dialog.getByRole('button', { name: 'Delete the computer' }).click()
  await page.getByText('Undone: Import computers: 1 new').waitFor()
  is((await lab.call('GET /client/export')).text.includes('pc-71'), false)
  equal(problems, [])
  await context.close()
})

test('an offer to take back what was taken back elsewhere is gone', async () => {
  const { page, problems, context } = await own.open('/')
  await page.getByRole('button', { name: 'Edit Studio', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Location').fill('Roof')
  await page.getByRole('button', { name: 'Save' }).click()
  const offer = page.locator('.notice', { hasText: 'Saved: Studio' })
  await offer.getByRole('button', { name: 'Undo' }).waitFor()
  await lab.call('POST /undo', {})
  await offer.waitFor({ state: 'detached' })
  equal(problems, [])
  await context.close()
})

test('nothing is taken back while it cannot be read what that would delete', async () => {
  const { page, context } = await own.open('/undo')
  const row = page.locator('tbody tr', { hasText: 'Import computers' }).first()
  const text = 'name,ip,mac,room\npc-72,10.7.7.2,020000000702,Studio\n'
  await lab.call('POST /client/import', { format: 'csv', text, dry_run: false })
  await page.route(
    url => url.search.startsWith('?id='),
    route => route.fulfill({ status: 500, headers: { 'x-reason': 'a fault' } }),
  )
  await row.getByRole('button', { name: /^Undo/ }).click()
  await page.getByText('a fault').waitFor()
  is((await lab.call('GET /client/export')).text.includes('pc-72'), true)
  await lab.call('POST /undo', {})
  await context.close()
})

test('what was done on a page is not said on another one, unless it can be taken back there', async () => {
  const { page, problems, context } = await own.open('/settings/users')
  await page.addInitScript(keepNotices)
  await page.reload()
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'New user' }).click()
  await dialog.getByLabel('Name', { exact: true }).fill('berta')
  await dialog.getByLabel('Password', { exact: true }).fill('a password of hers')
  await dialog.getByRole('button', { name: 'Add' }).click()
  const added = page.locator('.notice', { hasText: 'Saved: berta' })
  await added.waitFor()
  await page.getByRole('link', { name: 'Studio' }).first().click()
  await page.getByRole('button', { name: 'Edit Studio', exact: true }).click()
  is(await added.count(), 0)
  await dialog.getByLabel('Location').fill('Attic')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Jobs' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor()
  equal(problems, [])
  await context.close()
})

test('that the daemon cannot be reached is not said any more as soon as it answers', async () => {
  const { page, context } = await own.open('/')
  await page.addInitScript(keepNotices)
  await page.reload()
  await page.getByRole('button', { name: 'Edit Studio', exact: true }).click()
  const deletion = page.getByRole('button', { name: 'Delete the room' })
  await deletion.waitFor()
  await context.setOffline(true)
  await deletion.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  const notice = page.locator('.notice', { hasText: 'The daemon cannot be reached' })
  await notice.waitFor()
  await context.setOffline(false)
  await notice.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Edit Studio', exact: true }).waitFor()
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
