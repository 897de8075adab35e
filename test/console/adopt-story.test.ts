// Clients without a record get one from the room map, in a real browser.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { chromiumProgram } from '../harness/chromium.ts'
import { findViolations, openConsole, startConsoleLab } from '../harness/console-page.ts'
import { sayHello } from '../harness/hello.ts'
import { pollUntil } from '../harness/poll.ts'
import { skipFile } from '../harness/skip-file.ts'

if (chromiumProgram === undefined) skipFile('chromium')

const own = await startConsoleLab()
const { lab, browser } = own
await lab.addComputer('127.0.72.9')
const [first, second, third] = ['127.0.71.1', '127.0.71.2', '127.0.71.3']

async function introduce(addr: string, hello: object): Promise<void> {
  const agent = await lab.agent(addr, { auto: { '*': { status: 200 } } })
  const read = lab.event('client-hello', { addr })
  sayHello(agent, hello)
  await read
}

const test = suite('adoption in the console')
test.after(() => own.stop())

test('the selected clients are checked, others that connect later are listed, and what is missing is the refusal', async () => {
  await introduce(first, { name: 'pc-1', mac: '001b210a0e01', os: 'Debian 13' })
  await lab.agent(second, { auto: { '*': { status: 200 } } })
  const { page, problems } = await own.open('/')
  await page.getByRole('option', { name: second }).click()
  await page.getByRole('option', { name: first }).click({ modifiers: ['Control'] })
  await introduce(third, { name: 'pc-3', mac: '001b210a0e03' })
  await page.getByRole('option', { name: third }).waitFor()
  await page.getByRole('button', { name: 'Add to a room' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Debian 13').waitFor()
  const isChecked = (ip: string) => dialog.getByRole('checkbox', { name: `Add ${ip}` }).isChecked()
  equal(await Promise.all([first, second, third].map(isChecked)), [true, true, false])
  equal(await findViolations(page), [])
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.getByText(`${second}: a name is missing, as its agent says none`).waitFor()
  const [nameField, macField] = ['Name', 'MAC'].map(word => dialog.getByLabel(`${word} of ${second}`))
  const isMarked = (field: typeof nameField) =>
    field?.evaluate(element => [element.ariaInvalid, element.matches(':focus')])
  equal(await isMarked(nameField), ['true', true])
  is((await lab.call('GET /pending')).json.pending.length, 3)
  await nameField?.fill('pc-2')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.getByText(`${second}: a hardware address is missing`).waitFor()
  equal(await Promise.all([isMarked(nameField), isMarked(macField)]), [
    [null, false],
    ['true', true],
  ])
  await macField?.fill('00:1b:21:0a:0e:02')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('option', { name: 'pc-2' }).waitFor()
  equal(
    (await lab.call('GET /pending')).json.pending.map(({ client }: { client: string }) => client),
    [third],
  )
  // The refusal above is a response with an error status, which the browser logs.
  equal(
    problems.filter(text => !text.includes('400')),
    [],
  )
})

test('a name that the agent says later is in the open form, and what was typed stays', async () => {
  const fourth = '127.0.71.4'
  const agent = await lab.agent(fourth, { auto: { '*': { status: 200 } } })
  const { page } = await own.open('/')
  await page.getByRole('button', { name: 'Add to a room' }).click()
  const name = (ip: string) => page.getByRole('dialog').getByLabel(`Name of ${ip}`)
  await name(third).fill('typed')
  sayHello(agent, { name: 'pc-4', mac: '001b210a0e04' })
  await pollUntil(async () => (await name(fourth).inputValue()) === 'pc-4')
  is(await name(third).inputValue(), 'typed')
})

test('who is no admin is not offered it', async () => {
  await lab.call('POST /user/add', { name: 'otto', password: 'a password of his', role: 'operate' })
  const { page, context } = await openConsole(browser, lab, '/', { isLoggedIn: false })
  await context.request.post(`${new URL(page.url()).origin}/login`, {
    data: { name: 'otto', password: 'a password of his' },
  })
  await page.reload()
  await page.getByRole('option', { name: third }).waitFor()
  ok((await page.getByRole('button', { name: 'Add to a room' }).count()) === 0)
})

test.run()
