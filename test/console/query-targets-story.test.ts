// Tasks and scheduled commands in the console that find their computers each time: by a query, or by a group.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { chromiumProgram } from '../harness/chromium.ts'
import { findViolations, startConsoleLab } from '../harness/console-page.ts'
import { skipFile } from '../harness/skip-file.ts'

if (chromiumProgram === undefined) skipFile('chromium')

const own = await startConsoleLab()
const { lab } = own
for (const number of [1, 2, 3]) await lab.addComputer(`127.0.85.${number}`, { tags: number < 3 ? ['exam'] : [] })
const steps = [{ command: 'poweroff', params: {} }]
await lab.call('POST /procedure/add', { center: '1', name: 'Evening', steps })
await lab.call('POST /group/add', { name: 'Third', where: 'not tag:exam' })
await lab.call('POST /task/add', { center: '1', name: 'Of a group', steps: [{ procedure: 1 }], group: 1 })

const test = suite('targets that are found')
test.after(() => own.stop())

test('a task is made for a query, shows it, keeps it when its name changes, and says how many it finds', async () => {
  const { page, problems, context } = await own.open('/procedures')
  const dialog = page.getByRole('dialog')
  const save = async () => {
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await page.getByText('group:1').waitFor()
  await page.getByRole('button', { name: 'New task' }).click()
  await dialog.getByLabel('Name', { exact: true }).fill('Night')
  await dialog.getByLabel('Choose a step').selectOption({ label: 'Evening' })
  await dialog.getByRole('button', { name: 'Add step' }).click()
  await dialog.locator('.tab', { hasText: 'A query' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Choose at least one computer.').waitFor()
  await dialog.getByRole('combobox', { name: 'A query' }).fill('tag:exam')
  equal(await findViolations(page), [])
  await save()
  await page.getByText('tag:exam').waitFor()
  await page.getByRole('button', { name: 'Edit Night' }).click()
  await dialog.getByLabel('Name', { exact: true }).fill('Late')
  await save()
  await page.getByRole('button', { name: 'Run now Late' }).click()
  await dialog.getByText('runs on 2 computers').waitFor()
  const { tasks } = (await lab.call('GET /tasks')).json
  equal(
    tasks.map(({ name, where, group, scope }: Record<string, unknown>) => [name, where, group, scope]),
    [
      ['Of a group', undefined, 1, undefined],
      ['Late', 'tag:exam', undefined, undefined],
    ],
  )
  equal(problems, [])
  await context.close()
})

test('a command is scheduled for a query', async () => {
  const { page, problems, context } = await own.open('/schedules')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'New schedule' }).click()
  await dialog.locator('.tab', { hasText: 'Command' }).click()
  await dialog.getByLabel('Command', { exact: true }).last().selectOption('command:poweroff')
  await dialog.locator('.tab', { hasText: 'A query' }).click()
  await dialog.getByRole('combobox', { name: 'A query' }).fill('tag:exam')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('what tag:exam finds').first().waitFor()
  const [{ scheduled }] = (await lab.call('GET /schedules')).json.schedules
  equal([scheduled.command, scheduled.where], ['poweroff', 'tag:exam'])
  equal(problems, [])
  await context.close()
})

test.run()
