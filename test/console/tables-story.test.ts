// Tables of records in a real browser: search, filters and order, the address that keeps them, keys, and long lists.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { chromiumProgram } from '../harness/chromium.ts'
import { findViolations, startConsoleLab } from '../harness/console-page.ts'
import { skipFile } from '../harness/skip-file.ts'

if (chromiumProgram === undefined) skipFile('chromium')

const own = await startConsoleLab()
const { lab } = own
for (const [name, role] of [
  ['anna', 'admin'],
  ['lab-10', 'operate'],
  ['lab-9', 'operate'],
  ['lab-8', 'read'],
])
  is((await lab.call('POST /user/add', { name, role, password: 'a password of theirs' })).status, 200)

const firstCells = '.rows-box tbody tr:not(.space) td:first-child'

const test = suite('tables of records')
test.after(() => own.stop())

test('a list is searched, filtered and sorted, and a reload keeps that', async () => {
  const { page, problems, context } = await own.open('/settings/users?q=lab')
  const names = () => page.locator(firstCells).allInnerTexts()
  const button = (name: string) => page.getByRole('button', { name })
  await page.getByText('3 of 4 rows').waitFor()
  await page.getByLabel('Any role').selectOption('operator')
  await page.getByText('2 of 4 rows').waitFor()
  await button('Name').click()
  equal(await names(), ['lab-9', 'lab-10'])
  await button('Name').click()
  equal(await names(), ['lab-10', 'lab-9'])
  is(await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort'), 'descending')
  equal(await findViolations(page), [])
  await page.reload()
  await page.getByText('2 of 4 rows').waitFor()
  equal(await names(), ['lab-10', 'lab-9'])
  await page.getByLabel('Search', { exact: true }).fill('nobody')
  await button('Show all').click()
  await page.getByText('4 rows', { exact: true }).waitFor()
  equal(new URL(page.url()).hash, '#/settings/users?sort=-name')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  match(await page.locator('tr:focus').innerText(), /^lab-9/)
  equal(problems, [])
  await context.close()
})

for (const width of [1440, 390]) {
  test(`of 10,000 rows a page of ${width} pixels draws those on the screen, with all of their text`, async () => {
    const { page, problems, context } = await own.open('/settings', { width })
    const user = { role: 'read', centers: [], rooms: [], created: 1, by: 'admin', disabled: false, used: 0 }
    const nameAt = (at: number) => `user ${at + 1}${at % 7 === 0 ? ' of the faculty of mathematics'.repeat(4) : ''}`
    const users = Array.from({ length: 10_000 }, (_, at) => ({ ...user, id: at + 1, name: nameAt(at) }))
    await page.route('**/users', route => route.fulfill({ json: { users } }))
    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByText('10,000 rows').waitFor()
    const elements = () => page.evaluate<number>("document.querySelectorAll('*').length")
    const counts = [await elements()]
    const last = page.getByRole('cell', { name: 'user 10000', exact: true })
    is(await last.count(), 0)
    await page.evaluate(`for (const each of [document.querySelector('.rows-box'), document.scrollingElement])
      each.scrollTo(0, each.scrollHeight)`)
    await last.waitFor()
    counts.push(await elements())
    const cut = '[...document.querySelectorAll(".rows-box td")].filter(cell => cell.scrollWidth > cell.clientWidth)'
    is(await page.evaluate(`${cut}.length`), 0)
    ok(Math.max(...counts) <= 2500, `${counts} elements`)
    equal(await findViolations(page), [])
    equal(problems, [])
    await context.close()
  })
}

test('images are rows; one has a page with its files, which are checked one by one', async () => {
  const { page, problems, context } = await own.open('/jobs')
  const file = { size: 4e9, modified: 'Mon Sep 14 10:30:00 2026', permissions: '644', check: { state: 'ok' } }
  const versions = [{ name: 'win11.v1', version: 1, ...file, check: { state: 'damaged' } }]
  const made = { description: 'For exams', disk: 1, partition: 2, system: 'Windows 11', computers: 3, version: 2 }
  const image = { id: 4, name: 'win11', ...made, ...file, datasize: 9e9, repo_id: 1, center_id: 1, versions }
  const images = [image, { ...image, id: 5, name: 'ubuntu', system: 'Ubuntu', size: 3e9, versions: [] }]
  await page.route('**/images?descriptions=1', route =>
    route.fulfill({ json: { images, disk: { total: 9e12, free: 5e12 } } }),
  )
  await page.getByRole('link', { name: 'Images' }).click()
  await page.getByText('2 rows').waitFor()
  await page.getByRole('button', { name: 'Size' }).click()
  equal(await page.locator(firstCells).allInnerTexts(), ['ubuntu', 'win11'])
  equal(await findViolations(page), [])
  await page.getByLabel('Any system').selectOption('Windows 11')
  await page.getByText('1 of 2 rows').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'win11', exact: true }).first().waitFor()
  match(await page.locator('.facts').innerText(), /For exams[\s\S]*disk 1, partition 2[\s\S]*3 computers/)
  match(await page.locator('.record').last().innerText(), /win11\.v1 Older file Damaged/)
  equal(await findViolations(page), [])
  const request = page.waitForRequest('**/image/check')
  await page.route('**/image/check', route => route.fulfill({ status: 200 }))
  await page.getByRole('button', { name: 'Check win11.v1' }).click()
  equal((await request).postDataJSON(), { image: '4', version: '1' })
  await page.getByRole('button', { name: 'Restore in rooms' }).click()
  await page.getByRole('heading', { name: 'Planned restores' }).first().waitFor()
  equal(problems, [])
  await context.close()
})

test('the audit log has who made what, or what was refused, the newest first, and finds it by route', async () => {
  await lab.call('POST /center/add', { name: 'Center' })
  const { headers } = await lab.call('POST /room/add', { name: 'Studio', netmask: '255.255.255.0', center: 1 })
  await lab.call('POST /room/update', { room: headers['x-id'], gateway: 'none' })
  for (const name of ['anna', 'a password'])
    await lab.call('POST /login', { name, password: 'wrong' }, { Authorization: '' })
  const { page, problems, context } = await own.open('/settings/audit')
  for (const name of ['Change a room: Room: Studio; Gateway: none', 'Log in: anna', 'Log in: an unknown name'])
    await page.getByRole('cell', { name, exact: true }).waitFor()
  const rows = page.locator('.rows-box tbody tr')
  match(await rows.last().innerText(), /Add a \S+: \S+\s+done/)
  await page.getByLabel('Search', { exact: true }).fill('/user')
  await page
    .getByRole('cell', { name: /^Add a user: / })
    .first()
    .waitFor()
  await page.getByRole('cell', { name: /^Change a room: / }).waitFor({ state: 'detached' })
  equal(await rows.locator('td:nth-child(2)').allInnerTexts(), ['admin', 'admin', 'admin', 'admin'])
  equal(problems, [])
  await context.close()
})

test('the audit log leads to the change that can be taken back, and to no other one of the same record', async () => {
  for (const gateway of ['10.0.0.1', '10.0.0.2']) await lab.call('POST /room/update', { room: 1, gateway })
  const { page, context } = await own.open('/settings/audit')
  const row = page.locator('.rows-box tbody tr', { hasText: '→ 10.0.0.1' })
  await row.getByRole('link', { name: 'Undo' }).click()
  await page.getByRole('heading', { name: 'Undo', level: 1 }).waitFor()
  await page.locator('.rows-box tbody tr:only-child', { hasText: '→ 10.0.0.1' }).waitFor()
  const gateway = async () => (await lab.call('GET /room/info?room=1')).json.gateway
  const dialog = page.getByRole('dialog')
  const takeBack = page.locator('.rows-box tbody tr').getByRole('button', { name: /^Undo/ })
  await takeBack.click()
  await dialog.getByText(/^Change a room: Studio\. If you take it back, these later values are lost:/).waitFor()
  await dialog.getByText(/^Gateway: 10\.0\.0\.2 \(admin, \S+\) → –$/).waitFor()
  equal(await findViolations(page), [])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  is(await gateway(), '10.0.0.2')
  is((await lab.call('GET /audit?route=/undo')).json.audit.length, 0)
  await takeBack.click()
  await dialog.getByRole('button', { name: 'Overwrite' }).click()
  await page.getByText('Undone: Change a room: Studio. Now: Gateway: –', { exact: true }).waitFor()
  is(await gateway(), '')
  await page.locator('.rows-box tbody tr', { hasText: 'Undo: Change a room: Studio' }).waitFor()
  await context.close()
})

test('the audit log shows what others change while it is open, also what cannot be taken back', async () => {
  const { page, problems, context } = await own.open('/settings/audit?q=anna')
  const row = (text: string) => page.getByRole('cell', { name: text, exact: true })
  const never = ' Cannot be undone: change it back in its form.'
  await row('Add a user: anna').waitFor()
  const { users } = (await lab.call('GET /users')).json
  const id = String(users.find(({ name }: { name: string }) => name === 'anna').id)
  await lab.call('POST /user/update', { id, role: 'operate', rooms: [1], disabled: true })
  const edit = 'Change a user: anna · Role: administrator → operator; Rooms: – → Studio; disabled: no → yes'
  await row(edit + never).waitFor()
  await lab.call('POST /user/update', { id, disabled: false, password: 'another one of hers' })
  await row(`Change a user: anna · Password: … → …; disabled: yes → no${never}`).waitFor()
  await lab.call('POST /room/update', { room: 77, name: 'anna' })
  await row('refused room: there is no room 77').waitFor()
  is(await row('Add a user: anna').count(), 1)
  equal(problems, [])
  await context.close()
})

test('the audit log has all values of an edit with the names of that time, and by whom it was taken back', async () => {
  await lab.addComputer('127.9.0.1', { name: 'pc-1', room: 1 })
  const { headers } = await lab.call('POST /room/add', { name: 'Old', netmask: '255.255.255.0', center: 1 })
  const room = Number(headers['x-id'])
  await lab.call('POST /client/update', { ip: '127.9.0.1', name: 'pc-2', room })
  await lab.call('POST /undo', {})
  await lab.call('POST /room/update', { room, name: 'New' })
  const { page, problems, context } = await own.open('/settings/audit')
  const row = page.locator('.rows-box tbody tr', { hasText: 'Change a computer' }).last()
  await row.getByText(/: pc-2 · Name: pc-1 → pc-2; Room: \S+ → Old taken back by admin, \S+/).waitFor()
  is(await row.getByRole('link', { name: 'Undo' }).count(), 0)
  await page.locator('.rows-box tbody tr', { hasText: 'Name: Old → New' }).getByRole('link', { name: 'Undo' }).waitFor()

  equal(await findViolations(page), [])
  equal(problems, [])
  await context.close()
})

test('an import is found by the name of each computer, and a refused undo says what it was about, in any language', async () => {
  const lines = [1, 2, 3, 4, 5, 6, 7, 8].map(at => `pc-8${at},127.9.8.${at},0200000098${at}0,Studio`)
  const text = `name,ip,mac,room\n${lines.join('\n')}\n`
  const { headers } = await lab.call('POST /client/import', { format: 'csv', text, dry_run: false })
  await lab.call('POST /client/update', { ip: '127.9.8.2', serial_number: 'S8' })
  const id = headers['x-undo-id']
  for (const overwrite of [false, true, true]) await lab.call('POST /undo', { id, overwrite })
  const { page, problems, context } = await own.open('/audit?q=pc-88', { language: 'es' })
  const names = 'Importar equipos: 8 nuevos: pc-81, pc-82, pc-83, pc-84, pc-85 y 3 más'
  const rows = page.locator('.rows-box tbody tr')
  await rows.first().getByText(`Deshacer un cambio: ${names}`).waitFor()
  await rows.last().getByText(`${names} deshecho por admin`).waitFor()
  equal(await rows.locator('td:nth-child(4)').allInnerTexts(), [
    `rechazado el cambio ${id} ya no existe: quizá ya se haya deshecho`,
    'hecho',
    'rechazado admin lo ha cambiado después: Número de serie',
    'hecho',
  ])
  equal(problems, [])
  await context.close()
})

test.run()
