// The console in a real browser when a session ends under it, when the daemon does not answer, and at a wrong address.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { chromiumProgram } from '../harness/chromium.ts'
import { openShellOf } from '../harness/cli-shell.ts'
import { findViolations, startConsoleLab } from '../harness/console-page.ts'
import { skipFile } from '../harness/skip-file.ts'

export const runs = { seconds: 8 }

if (chromiumProgram === undefined) skipFile('chromium')

const { lab, open, stop } = await startConsoleLab()
await lab.agent('127.0.71.1')
await lab.addComputer('127.0.71.1')
await lab.call('POST /user/add', { name: 'carla', password: 'a password of hers', role: 'operate' })

const shell = openShellOf(lab)

const test = suite('ends of sessions in the console')
test.after(async () => {
  shell.remove()
  await stop()
})

type Page = Awaited<ReturnType<typeof open>>['page']

async function logIn(page: Page, name: string, password: string): Promise<void> {
  // The page that is being left has a field for names, too.
  const form = page.locator('.login')
  await form.getByLabel('Name').fill(name)
  await form.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
}

test('a form that is open when the session ends is still open after the login, and nothing was sent', async () => {
  const { page, context } = await open('/', { isLoggedIn: false })
  await logIn(page, 'carla', 'a wrong one')
  await page.getByText('The name or the password is wrong.').waitFor()
  await page.keyboard.type('a password of hers')
  await page.keyboard.press('Enter')
  await page.getByRole('option').first().click()
  await page.getByRole('button', { name: 'Run a script' }).click()
  await page.locator('dialog textarea').fill('echo kept')
  await context.clearCookies()
  await page.locator('dialog [type=submit]').click()
  await page.locator('.login').getByText('The session has ended. Please log in again.').waitFor()
  equal(await page.locator('.frame:visible, dialog textarea:visible, .notice').count(), 0)
  equal(await findViolations(page), [])
  await page.keyboard.press('Escape')
  await logIn(page, 'carla', 'a password of hers')
  await page.locator('.login').waitFor({ state: 'detached' })
  equal(await page.locator('dialog textarea').inputValue(), 'echo kept')
  await page.getByRole('dialog').getByText('Not done: the session had ended.').waitFor()
  equal((await lab.call('GET /jobs')).json.jobs, [])
})

test('what was typed in pages and editors is there after the login, and the way back closes a form', async () => {
  const loginToken = (await lab.call('POST /token/add', { name: 'chief', role: 'admin' })).json.token
  const { page, context } = await open('/import', { loginToken })
  const text = page.getByRole('region', { name: 'Computers' }).locator('textarea')
  await text.fill('name,ip')
  await page.getByRole('link', { name: 'Automation' }).click()
  await page.getByRole('link', { name: 'Procedures' }).click()
  await page.getByRole('button', { name: 'New procedure' }).click()
  const name = page.getByRole('dialog').getByLabel('Name')
  await name.fill('Evening')
  await context.clearCookies()
  await page.getByRole('button', { name: 'Save' }).click()
  const form = page.locator('.login')
  await form.getByText('Token', { exact: true }).click()
  await form.locator('[name=token]').fill(loginToken)
  await page.keyboard.press('Enter')
  await form.waitFor({ state: 'detached' })
  equal(await name.inputValue(), 'Evening')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Setup' }).click()
  equal(await text.inputValue(), 'name,ip')
  await page.getByRole('link', { name: 'Computers' }).click()
  await page.getByRole('option').first().click()
  await page.getByRole('button', { name: 'Run a script' }).click()
  await page.locator('dialog textarea').fill('echo kept')
  await page.goBack()
  await page.locator('dialog').waitFor({ state: 'detached' })
  await text.waitFor()
  await page.goForward()
  await page.getByRole('button', { name: 'Run a script' }).click()
  equal(await page.locator('dialog textarea').inputValue(), 'echo kept')
})

test('Escape keeps what was typed of a record, also while the page is loaded again, which asks before', async () => {
  const { page } = await open('/')
  const dialog = page.getByRole('dialog')
  const name = dialog.getByLabel('Name', { exact: true })
  const openForm = () =>
    page
      .getByRole('button', { name: /^Edit / })
      .first()
      .click()
  await openForm()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  is(await page.locator('.notice').count(), 0)
  await openForm()
  await name.fill('Changed')
  const asked = page.waitForEvent('dialog')
  const reload = page.evaluate('location.reload()').catch(() => undefined)
  const question = await asked
  equal(question.type(), 'beforeunload')
  await question.dismiss()
  await reload
  await page.keyboard.press('Escape')
  await page.getByText('What you typed is kept').waitFor()
  await page.reload()
  await openForm()
  equal(await name.inputValue(), 'Changed')
  await page.getByRole('button', { name: 'Cancel' }).click()
})

test('a wall display logs in with the token in its address, again when its session has ended', async () => {
  const { token } = (await lab.call('POST /token/add', { name: 'wall', role: 'read' })).json
  const { page, context } = await open(`/wall/1?token=${token}`, { isLoggedIn: false })
  const tile = page.getByRole('option', { name: 'ready' })
  await tile.waitFor()
  equal([await page.getByRole('navigation').count(), await page.getByRole('button').count()], [0, 0])
  equal(await findViolations(page), [])
  await context.clearCookies()
  await page.reload()
  await tile.waitFor()
})

test('another user finds nothing of it', async () => {
  await lab.call('POST /user/add', { name: 'diego', password: 'a password of his', role: 'operate' })
  const { page } = await open('/', { isLoggedIn: false })
  await logIn(page, 'carla', 'a password of hers')
  await page.getByRole('option').first().click()
  await page.getByText('1 computer selected').waitFor()
  const map = page.url()
  const openForm = async () => {
    await page.goto(map.replace(/#.*/, '#/schedules'))
    await page.getByRole('button', { name: 'New schedule' }).click()
    return page.getByRole('dialog').getByLabel('Name', { exact: true })
  }
  await (await openForm()).fill('Hers')
  await page.goto(map)
  await page.getByRole('button', { name: 'user carla' }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await logIn(page, 'diego', 'a password of his')
  await page.getByRole('button', { name: 'user diego' }).waitFor()
  await page.getByText('No computer selected').waitFor()
  equal(await (await openForm()).inputValue(), '')
})

test('users change their own passwords in their menu, and stay logged in', async () => {
  const { page } = await open('/', { isLoggedIn: false })
  await logIn(page, 'diego', 'a password of his')
  await page.getByRole('button', { name: 'user diego' }).click()
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByLabel('Present password').fill('a wrong one')
  await page.getByLabel('New password').fill('another one of his')
  await page.keyboard.press('Enter')
  await page.getByText('old: expected the present password').waitFor()
  await page.getByLabel('Present password').fill('a password of his')
  await page.keyboard.press('Enter')
  await page.locator('dialog').waitFor({ state: 'detached' })
  await lab.addComputer('127.0.71.2', { name: 'afterwards' })
  await page.getByText('afterwards').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'user diego' }).waitFor()
})

test('a user whom somebody else adds is in a list that is open', async () => {
  const { page } = await open('/users')
  await page.getByRole('cell', { name: 'carla', exact: true }).waitFor()
  await lab.call('POST /user/add', { name: 'zoe', password: 'a password of hers', role: 'read' })
  await page.getByRole('cell', { name: 'zoe', exact: true }).waitFor()
})

test('a session that the daemon could not end goes on, with the reason', async () => {
  const { page } = await open('/')
  await page.route('**/logout', route => route.abort())
  await page.locator('.user').click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.locator('.notice').getByText('The daemon does not answer.').waitFor()
  equal(await page.getByLabel('Password').count(), 0)
})

test('a link of the command line logs in once, and leaves nothing in the address', async () => {
  const { out } = await shell.fleet('console')
  const [, link = ''] = out.trim().split('#')
  const { page } = await open(link, { isLoggedIn: false })
  await page.getByRole('button', { name: 'admin' }).waitFor()
  equal(new URL(page.url()).hash, '')
  const second = await open(link, { isLoggedIn: false })
  await second.page.getByText('The link was used before, or is too old.').waitFor()
})

test('an address that is none of the pages is named', async () => {
  const { page } = await open('/nowhere')
  await page.getByText('There is no page “nowhere”.').waitFor()
})

test.run()
