// What forms and pages of the console show of records, in a real browser: limits, changes, rooms by name, and the connection.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { chromiumProgram } from '../harness/chromium.ts'
import { findViolations, startConsoleLab } from '../harness/console-page.ts'
import { skipFile } from '../harness/skip-file.ts'

if (chromiumProgram === undefined) skipFile('chromium')

const { lab, open, stop } = await startConsoleLab()
const address = '127.0.90.1'
await lab.addComputer(address)
await lab.agent(address)

const test = suite('what the console shows of records')
test.after(stop)

test('a user who is limited to a group is shown with it, and saving something else keeps the limit', async () => {
  const group = Number((await lab.call('POST /group/add', { name: 'Exams', where: 'room:1' })).headers['x-id'])
  const user = { name: 'gerda', role: 'operate', password: 'a password of hers', groups: [group] }
  await lab.call('POST /user/add', user)
  const limitsOf = async () => {
    const { users } = (await lab.call('GET /users')).json
    return users.map(({ role, rooms, groups }: Record<string, unknown>) => [role, rooms, groups])
  }
  const { page, problems, context } = await open('/settings/users')
  const dialog = page.getByRole('dialog')
  const edit = () => page.getByRole('button', { name: 'Edit gerda' }).click()
  await edit()
  is(await dialog.getByLabel('Only some centers, rooms or groups').isChecked(), true)
  is(await dialog.getByLabel('Exams').isChecked(), true)
  equal(await findViolations(page), [])
  await dialog.getByLabel('reader').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  equal(await limitsOf(), [['read', [], [group]]])
  await edit()
  await dialog.getByLabel('Exams').uncheck()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Choose at least one center, room or group').waitFor()
  await dialog.locator('.check-list input').nth(1).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  equal(await limitsOf(), [['read', [1], []]])
  equal(problems, [])
  await context.close()
})

test('the changes of a computer have those of its record, also after it was renamed', async () => {
  await lab.call('POST /client/update', { ip: address, name: 'renamed' })
  const { page, context } = await open(`/computer/${address}`)
  const card = page.getByRole('region', { name: 'Changes' })
  await card.getByText(/^Name: .* → renamed$/).waitFor()
  await lab.call('POST /client/update', { ip: address, name: 'again' })
  await card.getByText('Name: renamed → again').waitFor()
  await context.close()
})

test('a computer is moved to a room by its name, and a wall display shows nothing as selected', async () => {
  const { page, context } = await open('/')
  await page.getByRole('option').first().click()
  await page.getByRole('button', { name: 'All commands' }).click()
  await page.keyboard.type('move')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByLabel('Room').waitFor()
  is(await page.getByText('id of the room').count(), 0)
  await page.keyboard.press('Escape')
  await page.goto(page.url().replace(/#.*/, '#/wall/1'))
  await page.locator('.wall .tile').waitFor()
  is(await page.locator('.tile[aria-selected=true]').count(), 0)
  await context.close()
})

test('a dialog says that there is no connection, until there is one', async () => {
  const { page, context } = await open('/settings/users')
  await page.getByRole('button', { name: 'New user' }).click()
  const banner = page.getByRole('dialog').getByText(/^No connection since/)
  await context.setOffline(true)
  await banner.waitFor()
  await page.getByLabel('Name', { exact: true }).fill('otto')
  await page.getByLabel('Password', { exact: true }).fill('a password of his')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const problem = page.getByRole('dialog').getByRole('alert')
  await problem.getByText('cannot be reached').waitFor()
  await context.setOffline(false)
  await banner.waitFor({ state: 'detached' })
  await problem.getByText('cannot be reached').waitFor({ state: 'detached' })
  await context.close()
})

test.run()
