// Every page of the console in a real browser, light and dark, wide and narrow: axe-core finds no violation.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, ok } from 'uvu/assert'
import { chromiumProgram } from '../harness/chromium.ts'
import { findViolations, startConsoleLab } from '../harness/console-page.ts'
import { viewOfEachKind } from '../harness/site-views.ts'
import { skipFile } from '../harness/skip-file.ts'

export const runs = { seconds: 40 }

if (chromiumProgram === undefined) skipFile('chromium')

const hook = `export default { summary: 'Tidy up', every: '1 day', settings: { type: 'object', properties: {
  level: { enum: ['all', 'none'], default: 'all' }, password: { type: 'string', writeOnly: true } } }, run() {} }\n`
const folder = mkdtempSync(join(tmpdir(), 'fleet-modules-'))
for (const [name, source] of Object.entries({ ...viewOfEachKind, tidy: hook, broken: 'export default {,' }))
  writeFileSync(join(folder, `${name}.js`), source)

const own = await startConsoleLab({ options: { commands: [folder] } })
const { lab } = own
const [first = '', second = ''] = ['127.0.70.1', '127.0.70.2']
await lab.addComputer(first)
await lab.addComputer(second)
await lab.call('POST /places', { places: [{ client: first, row: 1, column: 2 }] })
await lab.call('POST /user/add', { name: 'anna', password: 'a password of hers', role: 'operate' })
await lab.call('POST /token/add', { name: 'monitoring', role: 'read' })
await lab.call('POST /procedure/add', {
  center: '1',
  name: 'Tidy up',
  steps: [{ command: 'shell/run', params: { run: 'sync', echo: false } }],
})
const task = { center: '1', name: 'Evening', steps: [{ procedure: 1 }], scope: { type: 'room', id: 1 } }
await lab.call('POST /task/add', task)
const masks = { years: 4294967295, months: 4095, weeks: 0, week_days: 31, days: 0, hours: 1024, am_pm: 1, minutes: 30 }
await lab.call('POST /schedule/create', { task: '1', name: 'Every evening', type: 'task', when: masks })
const rows = [
  { disk: '1', partition: '0', code: '2', filesystem: '', os: '', size: '1000', used_size: '0' },
  { disk: '1', partition: '1', code: '83', filesystem: 'EXT4', os: 'Linux', size: '900', used_size: '40' },
]
const shell = { status: 200, body: { out: 'done\n' } }
await lab.agent(first, {
  auto: {
    '/refresh': { status: 200, body: { disk_setup: [rows[0]], partition_setup: [rows[1]], serial_number: 'S1' } },
    '/shell/run': shell,
  },
})
const ended = lab.event('job-finished')
await lab.call('POST /shell/run', { clients: [first, second], run: 'true', echo: true })
await ended

const test = suite('accessibility of the console')
test.after(async () => {
  await own.stop()
  rmSync(folder, { recursive: true })
})

const pages = [
  ...[
    '/',
    '/overview',
    '/jobs',
    '/job/1',
    `/computer/${first}`,
    '/images',
    '/planned-restores',
    '/procedures',
    '/schedules',
    '/search',
    '/search?where=name:*',
    '/groups',
  ],
  ...[
    '/import',
    '/modules',
    '/modules/packs',
    '/modules/hooks',
    '/modules/views',
    '/view',
    '/view/rules',
    '/view/load',
  ],
  '/settings',
]
/** What a page shows last, where that is not its heading. */
const lastOf: Record<string, string> = {
  '/modules/packs': 'role=button[name="Settings tidy"]',
  '/modules/hooks': 'role=button[name="Pause tidy"]',
  '/modules/views': '.record',
  '/view/rules': '.rows-box tbody td',
  '/view/load': '.legend li',
}
const forms = [
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 360, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
] as const

for (const form of forms) {
  test(`no page has a violation in ${form.colorScheme} colours at ${form.width} pixels, or is wider than that`, async () => {
    const { page, problems, context } = await own.open('/', form)
    for (const address of pages) {
      await page.goto(`${new URL(page.url()).origin}/console#${address}`)
      await page
        .locator(lastOf[address] ?? 'main h1')
        .first()
        .waitFor()
      await page.waitForLoadState('networkidle')
      equal([address, ...(await findViolations(page))], [address])
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      ok(width <= form.width, `${address}: ${width} pixels`)
    }
    equal(problems, [])
    await context.close()
  })
}

for (const form of forms) {
  test(`offered words have no violation in ${form.colorScheme} colours at ${form.width} pixels`, async () => {
    const { page, context } = await own.open('/search', form)
    await page.locator('main').getByRole('combobox').fill('room:')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('ArrowDown')
    equal(await findViolations(page), [])
    await context.close()
  })
}

for (const form of [...forms, { width: 1000, colorScheme: 'light' }, { width: 1000, colorScheme: 'dark' }] as const) {
  test(`the drawer of a job has no violation in ${form.colorScheme} colours at ${form.width} pixels`, async () => {
    const { page, context } = await own.open('/?job=1', form)
    await page.getByRole('option').first().waitFor()
    await page.getByRole('complementary').getByRole('list').waitFor()
    equal(await findViolations(page), [])
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    ok(width <= form.width, `${width} pixels`)
    await context.close()
  })
}

test('neither the login nor an open form has a violation', async () => {
  const login = await own.open('/', { isLoggedIn: false })
  await login.page.getByRole('button', { name: 'Log in' }).waitFor()
  equal(await findViolations(login.page), [])
  const { page } = await own.open('/', { colorScheme: 'dark' })
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Control+a')
  await page.getByRole('button', { name: 'Run a script' }).click()
  await page
    .getByRole('dialog')
    .getByLabel(/^Script/)
    .waitFor()
  equal(await findViolations(page), [])
})

for (const form of forms) {
  test(`the settings of a pack have no violation in ${form.colorScheme} colours at ${form.width} pixels`, async () => {
    const { page, context } = await own.open('/modules/packs', form)
    await page.getByRole('button', { name: 'Settings tidy' }).click()
    await page.getByRole('dialog').getByLabel('level').waitFor()
    equal(await findViolations(page), [])
    await context.close()
  })
}

for (const form of [forms[1], forms[2]]) {
  test(`a computer in the drawer has no violation in ${form.colorScheme} colours at ${form.width} pixels; Escape goes back to its tile`, async () => {
    const { page, context, problems } = await own.open('/', form)
    const tile = page.getByRole('option').nth(1)
    await tile.focus()
    await page.keyboard.press('x')
    await page.keyboard.press(' ')
    const drawer = page.getByRole('complementary', { name: await tile.locator('.tile-name').innerText() })
    await drawer.getByRole('heading', { name: 'Last jobs' }).waitFor()
    await drawer.getByRole('button', { name: 'Run a script' }).waitFor()
    equal(await findViolations(page), [])
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await page.locator('.tile.visited[aria-selected=true]:focus').waitFor()
    equal(problems, [])
    await context.close()
  })
}

for (const [language, jobs] of [
  ['es-ES', 'Trabajos'],
  ['eu-ES', 'Lanak'],
] as const) {
  test(`the page is in the language of a browser that asks for ${language}`, async () => {
    const { page, problems, context } = await own.open('/', { language })
    await page.getByRole('link', { name: jobs }).waitFor()
    equal(await page.evaluate('document.documentElement.lang'), language.slice(0, 2))
    equal(problems, [])
    await context.close()
  })
}

test.run()
