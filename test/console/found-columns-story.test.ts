// The columns of what a search finds, and what the pages of searches, groups and tags offer to callers with fewer rights.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { chromiumProgram } from '../harness/chromium.ts'
import { findViolations, startConsoleLab } from '../harness/console-page.ts'
import { reported } from '../harness/inventory-lab.ts'
import { skipFile } from '../harness/skip-file.ts'

if (chromiumProgram === undefined) skipFile('chromium')

const own = await startConsoleLab()
const { lab } = own
for (const number of [1, 2]) await lab.addComputer(`127.0.84.${number}`, { name: `lab-${number}`, tags: ['cad'] })
await lab.call('POST /room/update', { room: 1, tags: ['exam'] })

const test = suite('what searches show')
test.after(() => own.stop())

test('a hardware address, which the page does not know, is found from the palette and in the map', async () => {
  const { json } = await lab.call(`GET /client/info?client=127.0.84.2`)
  const [mac, points] = [json.mac.match(/../g).join(':'), json.mac.match(/..../g).join('.')]
  const { page, problems, context } = await own.open('/')
  await page.getByRole('option', { name: 'lab-2' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type(mac)
  const option = page.getByRole('listbox', { name: 'Results' }).getByRole('option')
  await option.getByText('lab-2').waitFor()
  equal(await option.count(), 2)
  await page.getByRole('option', { name: `Search everywhere for “${mac}”` }).click()
  await page.getByText('1 computer').waitFor()
  await page.getByRole('link', { name: 'lab-2' }).waitFor()
  await page.goBack()
  for (const each of [mac, points]) {
    await page.getByPlaceholder('Name, room, center').fill(each)
    await page.getByText('1 of 2 computers').first().waitFor()
    await page.getByPlaceholder('Name, room, center').fill('')
    await page.getByText('2 computers').first().waitFor()
  }
  await page.keyboard.press('Control+k')
  await page.keyboard.type(points)
  await option.getByText('lab-2').waitFor()
  await page.keyboard.press('Escape')
  await page.getByPlaceholder('Name, room, center').fill('unknown')
  await page.getByText('No computer matches the filter.').waitFor()
  equal(problems, [])
  await context.close()
})

test('the columns of the list are chosen, also of programs, and are there again', async () => {
  const { page, problems, context } = await own.open('/search?where=tag:exam')
  const headings = () => page.locator('.rows-box th').allInnerTexts()
  await page.locator('.rows-box tbody tr').first().waitFor()
  equal(await headings(), ['Computer', 'Room', 'Center', 'State', 'Tags'])
  await page.getByText('Columns', { exact: true }).click()
  for (const name of ['Center', 'Tags', 'Memory', 'Last connected'])
    await page.getByLabel(name, { exact: true }).click()
  await page.getByLabel('Programs whose name has').fill('blender')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByLabel('blender', { exact: true }).waitFor()
  await page.getByRole('cell', { name: 'cad' }).first().waitFor()
  equal(await findViolations(page), [])
  const chosen = ['Computer', 'Room', 'State', 'Last connected', 'Tags', 'Memory', 'blender']
  equal(await headings(), chosen)
  await page.reload()
  await page.locator('.rows-box tbody tr').first().waitFor()
  equal(await headings(), chosen)
  match(
    String(await page.getByRole('link', { name: 'Download CSV' }).getAttribute('href')),
    /columns=client%2Cname%2Croom%2Cstate%2Cseen/,
  )
  await page.getByText('Columns', { exact: true }).click()
  await page.getByLabel('blender', { exact: true }).click()
  await page.getByLabel('blender', { exact: true }).waitFor({ state: 'detached' })
  equal(problems, [])
  await context.close()
})

test('the page of a computer shows what has come and gone in its inventories', async () => {
  const addr = '127.0.84.1'
  const report = async (hardware: string, programs: string[]) => {
    const software = ['Debian 13', ...programs, ''].join('\n')
    const bodies = {
      '/refresh': reported(465, 'Debian 13', '20'),
      '/hardware': { hardware },
      '/software': { partition: '1', software },
    }
    const auto = Object.fromEntries(Object.entries(bodies).map(([path, body]) => [path, { status: 200, body }]))
    const agent = await lab.agent(addr, { auto })
    for (const [route, more] of [
      ['POST /hardware', {}],
      ['POST /software', { disk: '1', partition: '1' }],
    ] as const) {
      const ended = lab.event('job-finished')
      await lab.call(route, { clients: [addr], ...more })
      await ended
    }
    const gone = lab.event('client-gone', { addr })
    agent.destroy()
    await gone
  }
  await report('mem=8 GiB\nmem=8.0 GiB\n', ['GIMP 2.10', ...Array.from({ length: 55 }, (_, at) => `Font ${at}`)])
  const { page, problems, context } = await own.open(`/computer/${addr}`)
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'Changes' }) })
  await card.getByText('No changes since').waitFor()
  await report('mem=8 GiB\n', ['GIMP 2.10', 'Blender 3.6.2'])
  await card.getByText('Blender 3.6.2').waitFor()
  const texts = await card.locator('.inventory-changes > li').allInnerTexts()
  match(texts[0] ?? '', /\+ Blender 3\.6\.2\n− Font 0\n(− Font \d\n){4}50 more$/)
  match(texts[1] ?? '', /− memory: 8\.0 GiB$/)
  await card.getByRole('button', { name: 'Show more' }).click()
  await card.getByText('Font 49').waitFor()
  match(await card.innerText(), /Font 49\n5 more\n/)
  equal(await findViolations(page), [])
  equal(problems, [])
  await context.close()
})

test('an operator and a limited administrator are offered no change of groups and tags', async () => {
  await lab.call('POST /group/add', { name: 'Seen', where: 'tag:exam' })
  for (const account of [{ role: 'operate' }, { role: 'admin', rooms: [1] }]) {
    const { json } = await lab.call('POST /token/add', { name: `without ${account.role}`, ...account })
    const { page, problems, context } = await own.open('/search?where=name:lab-*', { loginToken: json.token })
    await page.getByLabel('Select all computers found').check()
    await page.getByRole('button', { name: 'Wake', exact: true }).waitFor()
    is(await page.getByRole('button', { name: 'Change tags' }).count(), 0)
    await page.getByRole('button', { name: 'Save search' }).click()
    is(await page.getByLabel('As a group, for everybody').count(), 0)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Groups' }).click()
    await page.getByRole('link', { name: 'Seen' }).waitFor()
    for (const name of ['New group', /^Edit/, /^Delete/]) is(await page.getByRole('button', { name }).count(), 0)
    is(await page.getByText('tag:exam').count(), account.role === 'operate' ? 1 : 0)
    await page.goto(`${new URL(page.url()).origin}/console#/`)
    await page.getByRole('button', { name: /^Tags / }).click()
    is(await page.getByRole('dialog').getByLabel('Add a tag').count(), 0)
    equal(problems, [])
    await context.close()
  }
})

test('the palette has the commands as soon as they are read, and of an exact name no weaker matches', async () => {
  for (const name of ['Hall 10', 'Hall 2', 'Hall 1'])
    await lab.call('POST /room/add', { name, netmask: '255.255.255.0', center: 1 })
  await lab.call('POST /client/add', { name: 'h', ip: '127.0.84.100', mac: '020000000001', room: 3 })
  const { page, problems, context } = await own.open('/none')
  let arrive = () => {}
  const arrival = new Promise<void>(resolve => {
    arrive = resolve
  })
  await page.route('**/openapi.json', async route => {
    await arrival
    await route.continue()
  })
  await page.goto(page.url().replace('none', ''))
  await page.reload()
  await page.getByRole('heading', { name: 'Hall 10' }).waitFor()
  await page.keyboard.press('Control+k')
  const options = page.getByRole('listbox', { name: 'Results' }).getByRole('option')
  await page.keyboard.type('wake')
  await options.getByText('Search everywhere').waitFor()
  equal(await options.count(), 1)
  arrive()
  await options.getByText('Wake', { exact: true }).first().waitFor()
  await page.getByRole('combobox', { name: 'Room, computer, address or page' }).fill('hall 1')
  await options.getByText('Hall 10', { exact: true }).first().waitFor()
  const names = await options.locator('.palette-name').allInnerTexts()
  equal(names.slice(0, 3), ['Hall 1', 'Select all of Hall 1', 'Hall 10'])
  is(names.includes('Hall 2') || names.includes('h'), false)
  equal(problems, [])
  await context.close()
})

test.run()
