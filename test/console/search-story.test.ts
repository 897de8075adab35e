// The search in the console, in a real browser: completion by keyboard, what is found, errors with their place, saved searches.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { chromiumProgram } from '../harness/chromium.ts'
import { findViolations, startConsoleLab } from '../harness/console-page.ts'
import { skipFile } from '../harness/skip-file.ts'

export const runs = { seconds: 20 }

if (chromiumProgram === undefined) skipFile('chromium')

const own = await startConsoleLab()
const { lab } = own
const ips = [1, 2, 3].map(number => `127.0.83.${number}`)
for (const [at, ip] of ips.entries()) await lab.addComputer(ip, { name: `lab-${at + 1}`, tags: at < 2 ? ['cad'] : [] })
await lab.call('POST /room/update', { room: 1, tags: ['exam'] })

const test = suite('the search of the console')
test.after(() => own.stop())

const open = async (where: string) => {
  const opened = await own.open(`/search?${new URLSearchParams({ where })}`)
  await opened.page.locator('main h1').waitFor()
  return { ...opened, field: opened.page.locator('main').getByRole('combobox') }
}

test('a query is completed by keyboard, and Enter finds', async () => {
  const { page, problems, context } = await own.open('/overview')
  await page.locator('main h2').first().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('ta')
  await page.getByRole('option', { name: 'tag:' }).waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'cad' }).waitFor()
  await page.keyboard.press('Escape')
  is(await page.getByRole('option', { name: 'cad' }).count(), 0)
  await page.keyboard.type('c')
  await page.getByRole('option', { name: 'cad' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.getByText('2 computers').waitFor()
  equal(await page.locator('.rows-box td a').allInnerTexts(), ['lab-1', 'lab-2'])
  equal(problems, [])
  await context.close()
})

test('the list that is shown gets the command, and what matches meanwhile is counted and taken in', async () => {
  const { page, context } = await open('tag:cad')
  await page.getByLabel('Select all computers found').check()
  await lab.call('POST /client/update', { ip: ips[2], tags: ['cad'] })
  await page.getByText('1 more matches now.').waitFor()
  is(await page.locator('.rows-box tbody tr').count(), 2)
  await page.getByRole('button', { name: 'Wake', exact: true }).click()
  const form = page.getByRole('dialog')
  await form.getByText('1 more matches now.').waitFor()
  equal(await findViolations(page), [])
  const sent = page.waitForRequest(request => request.method() === 'POST' && request.url().includes('/wol'))
  await page.getByRole('dialog').locator('button[type="submit"]').click()
  equal((await sent).postDataJSON().clients, ips.slice(0, 2))
  await page.getByRole('button', { name: 'Update the list' }).click()
  await page.getByText('3 computers').first().waitFor()
  await lab.call('POST /client/update', { ip: ips[2], tags: [] })
  await context.close()
})

test('a wrong query shows its place, and what was meant is taken by a click', async () => {
  const { page, context } = await open('tog:cad lab-1')
  await page.getByRole('alert').getByText('there is no field tog').waitFor()
  is(await page.locator('mark').innerText(), 'tog')
  equal(await findViolations(page), [])
  await page.getByRole('button', { name: 'Search with tag' }).click()
  await page.getByText('1 computer', { exact: true }).waitFor()
  await context.close()
})

test('a saved search is there again for its user, until it is deleted', async () => {
  const { page, context } = await open('tag:exam')
  await page.getByText('3 computers').first().waitFor()
  await page.getByRole('button', { name: 'Save search' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Exam')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.goto(`${new URL(page.url()).origin}/console#/search`)
  await page.getByRole('link', { name: 'Exam' }).click()
  await page.getByText('3 computers').first().waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Delete the saved search Exam' }).click()
  is(await page.getByRole('link', { name: 'Exam' }).count(), 0)
  await context.close()
})

test('what the map is filtered by is saved, chosen from the menu of views with groups, and is in the address', async () => {
  await lab.call('POST /group/add', { name: 'Pair', clients: ips.slice(1) })
  const { page, problems, context } = await own.open('/?text=lab-1')
  const main = page.getByRole('main')
  await main.getByText('1 of 3 computers').first().waitFor()
  await main.getByRole('button', { name: 'Save search' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('First')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  const choose = async (name: string | RegExp) => {
    await main.getByRole('button', { name: 'Views' }).click()
    await main.getByRole('dialog').getByRole('link', { name }).click()
    await main.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  await choose(/^Pair/)
  await main.getByText('2 of 3 computers').first().waitFor()
  equal(await main.locator('.tile:not([hidden]) .tile-name').allInnerTexts(), ['lab-2', 'lab-3'])
  await choose('First')
  await main.getByText('1 of 3 computers').first().waitFor()
  equal(
    new URLSearchParams(page.url().split('?')[1]).get('where'),
    '("lab-1" or room:"*lab-1*" or center:"*lab-1*" or user:"*lab-1*")',
  )
  await page.reload()
  await main.getByText('1 of 3 computers').first().waitFor()
  equal(await findViolations(page), [])
  await main.getByRole('button', { name: 'Views' }).click()
  await main.getByRole('button', { name: 'Delete the saved search First' }).click()
  await main.getByRole('link', { name: 'First' }).waitFor({ state: 'detached' })
  await lab.call('POST /group/delete', { group: (await lab.call('GET /groups')).json.groups[0].id })
  equal(problems, [])
  await context.close()
})

test('tags of a computer and of a room are edited with completion from those that there are', async () => {
  const { page, problems, context } = await own.open(`/computer/${ips[2]}`)
  const dialog = page.getByRole('dialog')
  await page.getByRole('region', { name: 'Record' }).getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabel('Add a tag').fill('ca')
  await page.getByRole('option', { name: 'cad' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Seat:Left')
  equal(await findViolations(page), [])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'seat:left' }).waitFor()
  equal(await page.locator('.chip').allInnerTexts(), ['cad', 'seat:left'])
  await page.goto(`${new URL(page.url()).origin}/console#/`)
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Edit / })
    .click()
  await dialog.getByRole('button', { name: 'Remove the tag exam' }).click()
  equal(await findViolations(page), [])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  equal([(await lab.call('GET /search?where=tag:exam')).json.total, problems], [0, []])
  await context.close()
})

test('a tag is added to the selected computers, and removed from them', async () => {
  const { page, context } = await open('name:lab-*')
  const dialog = page.getByRole('dialog')
  await page.getByLabel('Select all computers found').check()
  for (const change of ['Add a tag', 'Remove a tag']) {
    await page.getByRole('button', { name: 'Change tags' }).click()
    await dialog.getByText(change, { exact: true }).click()
    await dialog.getByLabel('Tag', { exact: true }).fill('loan')
    equal(await findViolations(page), [])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    is((await lab.call('GET /search?where=tag:loan')).json.total, change === 'Add a tag' ? 3 : 0)
  }
  is((await lab.call('GET /search?where=tag:cad')).json.total, 3)
  await context.close()
})

test('a group is made of a search and of a selection, changed and deleted', async () => {
  const { page, context } = await open('tag:cad')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Save search' }).click()
  await dialog.getByLabel('Name').fill('Drawing')
  await dialog.getByLabel('As a group, for everybody').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByLabel('Select lab-1').check()
  await page.getByRole('link', { name: 'Groups' }).click()
  await page.getByText('tag:cad').waitFor()
  await page.getByRole('button', { name: 'New group' }).click()
  await dialog.getByLabel('Name', { exact: true }).fill('One')
  equal(await findViolations(page), [])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('List of 1 computer').waitFor()
  await page.getByRole('button', { name: 'Edit One' }).click()
  await dialog.getByText('A query').click()
  await dialog.getByLabel('A query').last().fill('group:Drawing name:lab-2')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('group:Drawing name:lab-2').waitFor()
  equal(await findViolations(page), [])
  await page.getByRole('link', { name: 'One' }).click()
  await page.getByRole('link', { name: 'lab-2' }).waitFor()
  is(await page.locator('.rows-box tbody tr').count(), 1)
  await page.goBack()
  await page.getByRole('button', { name: 'Delete One' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('group:Drawing name:lab-2').waitFor({ state: 'detached' })
  equal(
    (await lab.call('GET /groups')).json.groups.map(({ name }: { name: string }) => name),
    ['Drawing'],
  )
  await context.close()
})

test.run()
