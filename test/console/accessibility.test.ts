// Every page of the console in a real browser, light and dark, wide and narrow: axe-core finds no violation.
import { suite } from 'uvu'
import { equal, ok } from 'uvu/assert'
import { chromiumProgram } from '../harness/chromium.ts'
import { findViolations, startConsoleLab } from '../harness/console-page.ts'
import { skipFile } from '../harness/skip-file.ts'

export const runs = { seconds: 23 }

if (chromiumProgram === undefined) skipFile('chromium')

const own = await startConsoleLab()
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
test.after(() => own.stop())

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
  ],
  ...['/import', '/modules', '/settings'],
]
const forms = [
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 360, colorScheme: 'light' },
] as const

for (const form of forms) {
  test(`no page has a violation in ${form.colorScheme} colours at ${form.width} pixels, or is wider than that`, async () => {
    const { page, problems, context } = await own.open('/', form)
    for (const address of pages) {
      await page.goto(`${new URL(page.url()).origin}/console#${address}`)
      await page.locator('main h1').waitFor()
      await page.waitForLoadState('networkidle')
      equal([address, ...(await findViolations(page))], [address])
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      ok(width <= form.width, `${address}: ${width} pixels`)
    }
    equal(problems, [])
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
  await page.getByRole('dialog').getByLabel('run').waitFor()
  equal(await findViolations(page), [])
})

test('the page is Spanish for a browser that asks for it', async () => {
  const { page, problems } = await own.open('/', { language: 'es-ES' })
  await page.getByRole('link', { name: 'Trabajos' }).waitFor()
  equal(await page.evaluate('document.documentElement.lang'), 'es')
  equal(problems, [])
})

test.run()
