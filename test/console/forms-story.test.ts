// Forms and questions of the console in a real browser: what was typed stays, others' changes are chosen from, and what is missing is marked.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { chromiumProgram } from '../harness/chromium.ts'
import { button, dialog, field, startFormsLab } from '../harness/console-forms.ts'
import { findViolations } from '../harness/console-page.ts'
import { skipFile } from '../harness/skip-file.ts'

if (chromiumProgram === undefined) skipFile('chromium')

const { lab, open, openSelected, addresses, stop } = await startFormsLab('127.0.88')

const test = suite('forms of the console')
test.after(stop)

test('Ctrl+Enter answers a question with yes, but not by the press that has opened it', async () => {
  const { page, context } = await openSelected()
  await button(page, 'Power off').click()
  await dialog(page)
    .getByText(/^Power off 2 computers/)
    .waitFor()
  const sent = page.waitForRequest(/\/poweroff$/)
  await page.keyboard.press('Control+Enter')
  equal((await sent).postDataJSON().clients, addresses)
  await dialog(page).waitFor({ state: 'detached' })
  await page.goto(page.url().replace(/#.*/, '#/'))
  await button(page, /^Edit/).first().click()
  await button(page, 'Delete the room').focus()
  await page.keyboard.down('Enter')
  await dialog(page)
    .getByText(/are deleted/)
    .waitFor()
  await page.keyboard.down('Control')
  for (let times = 0; times < 2; times += 1) await page.keyboard.down('Enter')
  is(
    await dialog(page)
      .getByText(/are deleted/)
      .count(),
    1,
  )
  await context.close()
})

test('of a room that somebody else has changed, each field is kept or taken, and no other one is touched', async () => {
  const { page, context } = await open('/')
  await button(page, /^Edit/).first().click()
  await field(page, 'Location').fill('Mine')
  await field(page, 'Gateway').fill('10.0.0.1')
  const read = page.waitForResponse(/\/room\/info/)
  await lab.call('POST /room/update', { room: 1, location: 'Theirs', ntp: '10.0.0.9', tags: ['exam'] })
  await (await read).finished()
  await button(page, 'Save').click()
  await dialog(page)
    .getByText(/^Changed meanwhile by admin, .*: .*→ Theirs\. Save again to replace it with yours\.$/)
    .waitFor()
  equal(await findViolations(page), [])
  await button(page, 'Take “Location: Theirs”').click()
  equal([await field(page, 'Location').inputValue(), await field(page, 'Gateway').inputValue()], ['Theirs', '10.0.0.1'])
  await button(page, 'Save').click()
  await dialog(page).waitFor({ state: 'detached' })
  const { location, gateway, ntp, tags } = (await lab.call('GET /room/info?room=1')).json
  equal([location, gateway, ntp, tags], ['Theirs', '10.0.0.1', '10.0.0.9', ['exam']])
  await context.close()
})

const steps = [{ command: 'refresh', params: {} }]
const when = { years: 4294967295, months: 4095, days: 2147483647, hours: 1024, am_pm: 1, minutes: 30 }
const nightly = { ...when, week_days: 0, weeks: 0 }
const ofSchedule = { task: '0', type: 'command' }
const edited = [
  {
    page: '/settings/users',
    add: '/user/add',
    first: { role: 'read', password: 'a password of hers' },
    idKey: 'id',
    theirs: { role: 'operate' },
  },
  { page: '/groups', add: '/group/add', first: { where: 'room:1' }, idKey: 'group', theirs: { where: 'room:2' } },
  {
    page: '/procedures',
    add: '/procedure/add',
    first: { center: '1', steps },
    idKey: 'procedure',
    always: { center: '1' },
    theirs: { steps: [...steps, ...steps] },
  },
  {
    page: '/schedules',
    add: '/schedule/command',
    first: { clients: addresses, command: 'refresh', params: {}, when: nightly },
    idKey: 'id',
    always: ofSchedule,
    theirs: { when: { ...nightly, minutes: 31 } },
  },
]

test('of a record only what was typed is saved, and not over what others have saved without saying who', async () => {
  for (const { page: address, add, first, idKey, always, theirs } of edited) {
    const [, kind = ''] = add.split('/')
    const { headers } = await lab.call(`POST ${add}`, { name: 'gina', ...first })
    const { page, context } = await open(address)
    await button(page, 'Edit gina').click()
    await field(page, 'Name').fill('gina mine')
    const change = { [idKey]: String(headers['x-id']), name: 'gina theirs', ...always, ...theirs }
    await lab.call(`POST /${kind}/update`, change)
    await button(page, 'Edit gina theirs').waitFor({ state: 'attached' })
    await button(page, 'Save').click()
    await button(page, 'Take “Name: gina theirs”').waitFor()
    const [who] = (await dialog(page).getByRole('alert').innerText()).split(/, |: /)
    equal([kind, who], [kind, 'Changed meanwhile by admin'])
    await button(page, 'Save').click()
    await dialog(page).waitFor({ state: 'detached' })
    const rows: Record<string, unknown>[] = (await lab.call(`GET /${kind}s`)).json[`${kind}s`]
    const row = rows.find(({ name }) => name === 'gina mine')
    equal({ ...row, ...theirs }, row)
    await context.close()
  }
})

test('without a chosen room the rooms are marked, and a password is shown on demand', async () => {
  const { page, problems, context } = await open('/settings/users')
  await button(page, 'New user').click()
  await field(page, 'Name').fill('berta')
  const password = field(page, 'Password')
  await password.fill('a password of hers')
  is(await password.getAttribute('type'), 'password')
  await button(page, 'Show Password').click()
  is(await password.getAttribute('type'), 'text')
  await dialog(page).getByLabel('Only some centers, rooms or groups').check()
  await dialog(page).getByRole('button', { name: 'Add' }).click()
  await dialog(page).getByText('Choose at least one center, room or group').waitFor()
  const marked = dialog(page).locator('.check-list [aria-invalid="true"]')
  is(await marked.count(), await dialog(page).locator('.check-list input').count())
  is(await page.evaluate('document.activeElement.name'), 'scope')
  equal(await findViolations(page), [])
  await marked.last().check()
  is(await marked.count(), 0)
  await dialog(page).getByRole('button', { name: 'Add' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  is((await lab.call('POST /login', { name: 'berta', password: 'a password of hers' })).status, 200)
  equal(problems, [])
  await context.close()
})

test('a room that an import misses is added where the conflict is said', async () => {
  const { page, problems, context } = await open('/import')
  const text = 'name,ip,mac,room\npc-1,10.7.8.1,020000000801,Aula\n'
  await page.getByRole('textbox', { name: 'Computers' }).fill(text)
  await button(page, 'Add the room “Aula”').click()
  is(await field(page, 'Name').inputValue(), 'Aula')
  await button(page, 'Add').last().click()
  await page.getByText('1 new').waitFor()
  equal(problems, [])
  await context.close()
})

test('who may not give tags is told why a room has none', async () => {
  await lab.call('POST /room/update', { room: 1, tags: [] })
  const { json } = await lab.call('POST /token/add', { name: 'limited', role: 'admin', rooms: [1] })
  const { page, context } = await open('/', { loginToken: json.token })
  await button(page, /^Tags /).click()
  await dialog(page).getByText('This room has no tags. Only administrators of all rooms add tags.').waitFor()
  await context.close()
})

test('buttons of a card do not touch, and tags have the space for their list from when they are typed', async () => {
  const { page, context } = await open(`/computer/${addresses[0]}`)
  await button(page, 'Make an image').waitFor()
  const edges = await page
    .locator('section', { hasText: 'Disks' })
    .locator('.actions button')
    .evaluateAll(buttons =>
      buttons.map(each => [each.getBoundingClientRect().left, each.getBoundingClientRect().right]),
    )
  const [image, refresh] = edges
  ok((refresh?.[0] ?? 0) - (image?.[1] ?? 0) >= 4, JSON.stringify(edges))
  await button(page, 'Edit').first().click()
  const tags = dialog(page).getByRole('group', { name: 'Tags' })
  const height = async () => (await tags.boundingBox())?.height ?? 0
  const before = await height()
  ok(before < 130, String(before))
  await field(page, 'Add a tag').focus()
  const used = await height()
  ok(used > before + 50, `${before}, ${used}`)
  await field(page, 'Name').focus()
  is(await height(), used)
  await context.close()
})

test('a wall display fills its screen, however few computers it has', async () => {
  const { page, context } = await open('/wall/1')
  const tile = await page.getByRole('option').first().boundingBox()
  ok((tile?.height ?? 0) > 700, JSON.stringify(tile))
  await page.setViewportSize({ width: 1280, height: 900 })
  is(await page.evaluate('document.documentElement.scrollHeight <= innerHeight'), true)
  await context.close()
})

test('on a narrow page the week shows three whole days, and the hours stay', async () => {
  const timed = { command: 'refresh', params: {}, when: nightly, name: 'Nightly' }
  await lab.call('POST /schedule/command', { clients: addresses, ...timed })
  const { page, context } = await open('/schedules', { width: 390 })
  await page.locator('.week').waitFor()
  const edges = () => page.locator('.week thead th').evaluateAll(all => all.map(each => each.getBoundingClientRect().x))
  const box = await page.locator('.week-box').boundingBox()
  const end = Math.round((box?.x ?? 0) + (box?.width ?? 0))
  is(Math.round((await edges())[4] ?? 0), end)
  const [hours] = await edges()
  await page.locator('.week-box').evaluate(element => element.scrollTo(200, 0))
  is((await edges())[0], hours)
  await context.close()
})

test.run()
