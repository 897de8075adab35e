// The page Import shows the lines that install the agent on a computer, in a real browser.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { chromiumProgram } from '../harness/chromium.ts'
import { findViolations, startConsoleLab } from '../harness/console-page.ts'
import { skipFile } from '../harness/skip-file.ts'

if (chromiumProgram === undefined) skipFile('chromium')

const options = { rest: { ip: '0.0.0.0', port: 0 }, boot: { server: '10.1.1.1' } }
const own = await startConsoleLab({ options })
const closed = await startConsoleLab()

const test = suite('install line in the console')
test.after(async () => {
  await own.stop()
  await closed.stop()
})

test('it has the address of the server that other computers can reach, to be copied', async () => {
  const { page, context, problems } = await own.open('/import')
  await context.grantPermissions(['clipboard-write'])
  await page.getByText('Install the agent on a computer').click()
  const field = page.getByRole('textbox', { name: 'Install line: Linux' })
  is(await field.inputValue(), `curl -fsS http://10.1.1.1:${own.lab.host.ports.rest}/agent/install.sh | sudo sh`)
  const windows = await page.getByRole('textbox', { name: 'Install line: Windows' }).inputValue()
  is(windows, `irm http://10.1.1.1:${own.lab.host.ports.rest}/agent/install.ps1 | iex`)
  await page.getByRole('button', { name: 'Copy' }).first().click()
  await page.getByText('Copied.').waitFor()
  equal(await findViolations(page), [])
  await page.setViewportSize({ width: 360, height: 800 })
  is(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
  equal(problems, [])
})

test('when only the server itself can use the API it says so', async () => {
  const { page } = await closed.open('/import')
  await page.getByText('Install the agent on a computer').click()
  await page.getByText('Other computers cannot download the agent').waitFor()
})

test.run()
