// What is typed in forms of the console is kept at Escape and given up with Cancel, in a real browser.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { chromiumProgram } from '../harness/chromium.ts'
import { button, dialog, field, startFormsLab } from '../harness/console-forms.ts'
import { skipFile } from '../harness/skip-file.ts'

if (chromiumProgram === undefined) skipFile('chromium')

const { lab, open, openSelected, stop } = await startFormsLab('127.0.89')

const test = suite('what is kept of forms of the console')
test.after(stop)

test('a script and its waiting are in the form again after Escape, which says so, and not after Cancel', async () => {
  const { page, problems, context } = await openSelected()
  await button(page, 'Run a script').click()
  await page.keyboard.insertText('echo long')
  await dialog(page).getByLabel('Computers that are off or busy get it later').check()
  await page.keyboard.press('Escape')
  await page.getByText('What you typed is kept').waitFor()
  await button(page, 'Run a script').click()
  is(await dialog(page).locator('textarea').inputValue(), 'echo long')
  is(await dialog(page).getByLabel('Computers that are off or busy get it later').isChecked(), true)
  // It has been seen now.
  await page.getByText('What you typed is kept').waitFor({ state: 'detached' })
  await button(page, 'Cancel').click()
  await button(page, 'Run a script').click()
  is(await dialog(page).locator('textarea').inputValue(), '')
  equal(problems, [])
  await context.close()
})

test('what is typed in any form is there again after Escape, without passwords, until Cancel or Discard', async () => {
  const forms = [
    ['/', /^Edit/, 'Location'],
    ['/overview', /^Edit/, 'Name'],
    ['/computer/127.0.89.1', 'Edit', 'Serial number'],
    ['/settings/users', 'New user', 'Name'],
    ['/groups', 'New group', 'Name'],
    ['/schedules', 'New schedule', 'Name'],
    ['/procedures', 'New task', 'Description'],
    ['/import', 'Add a center', 'Comment'],
    ['/search?where=room:1', 'Save search', 'Name'],
  ] as const
  const { page, problems, context } = await open('/')
  for (const [address, opener, label] of forms) {
    await page.goto(page.url().replace(/#.*/, `#${address}`))
    const reopened = async () => {
      await button(page, opener).first().click()
      return field(page, label).inputValue()
    }
    const first = await reopened()
    await field(page, label).fill('Typed by me')
    if (opener === 'New user') await field(page, 'Password').fill('a password of hers')
    await page.keyboard.press('Escape')
    const notice = page.locator('.notice', { hasText: 'What you typed is kept' })
    await notice.waitFor()
    is(await notice.getByText('Passwords are not kept').count(), opener === 'New user' ? 1 : 0)
    equal([address, await reopened()], [address, 'Typed by me'])
    await notice.waitFor({ state: 'detached' })
    if (opener === 'New user') is(await field(page, 'Password').inputValue(), '')
    const unsaved = dialog(page).getByText('Not saved yet: this is what you typed the last time.')
    await unsaved.getByRole('button', { name: 'Discard' }).click()
    await unsaved.waitFor({ state: 'detached' })
    equal([address, await field(page, label).inputValue()], [address, first])
    await field(page, label).fill('Typed by me')
    await page.keyboard.press('Escape')
    await notice.getByRole('button', { name: 'Discard' }).click()
    equal([address, await reopened()], [address, first])
    await field(page, label).fill('Typed by me')
    await button(page, 'Cancel').click()
    equal([address, await reopened()], [address, first])
    await button(page, 'Cancel').click()
    is(await notice.count(), 0)
  }
  equal(problems, [])
  await context.close()
})

test('what was kept of a room does not replace what others have saved since it was typed', async () => {
  const { page, context } = await open('/')
  await button(page, /^Edit/).first().click()
  await field(page, 'Location').fill('Mine')
  await page.keyboard.type(' and ours')
  await field(page, 'Add a tag').fill('kept')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await lab.call('POST /room/update', { room: 1, location: 'Saved since' })
  await button(page, /^Edit/).first().click()
  await dialog(page).getByRole('button', { name: 'Remove the tag kept' }).waitFor()
  is(await field(page, 'Location').inputValue(), 'Mine and ours')
  await button(page, 'Save').click()
  await button(page, 'Take “Location: Saved since”').click()
  await button(page, 'Save').click()
  await dialog(page).waitFor({ state: 'detached' })
  const { location, tags } = (await lab.call('GET /room/info?room=1')).json
  equal([location, tags], ['Saved since', ['kept']])
  await context.close()
})

test.run()
