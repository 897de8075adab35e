// The console in a real browser: the menu of a tile, and where the map is when its page is shown again.
import { suite } from 'uvu'
import { equal, is, not } from 'uvu/assert'
import { chromiumProgram, type Page } from '../harness/chromium.ts'
import { findViolations, startConsoleLab } from '../harness/console-page.ts'
import { skipFile } from '../harness/skip-file.ts'

export const runs = { seconds: 12 }

if (chromiumProgram === undefined) skipFile('chromium')

const pages = await startConsoleLab()
const addresses = [1, 2, 3].map(number => `127.0.78.${number}`)
for (const addr of addresses) {
  await pages.lab.addComputer(addr)
  await pages.lab.agent(addr)
}

const test = suite('the menu of a tile')
test.after(() => pages.stop())

/** Presses the key, which repeats while it is held, as a keyboard does. */
async function hold(page: Page, key: string): Promise<void> {
  for (let times = 0; times < 3; times += 1) await page.keyboard.down(key)
  await page.keyboard.up(key)
}

test('the menu of a tile is for it or the selection, and no key in it sends anything', async () => {
  const { page } = await pages.open('/')
  const posted: string[] = []
  page.on('request', request => {
    if (request.method() === 'POST') posted.push(new URL(request.url()).pathname)
  })
  await page.getByRole('option').nth(2).waitFor()
  await page.keyboard.press('Control+a')
  // The commands have been read.
  await page.locator('.command-buttons').getByText('Power off').first().waitFor({ state: 'attached' })
  const [first, second] = [page.locator('.tile').first(), page.locator('.tile').nth(1)]
  const menu = page.getByRole('menu')
  await first.click({ button: 'right' })
  await menu.getByText('3 computers selected').waitFor()
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  is(await page.evaluate('document.activeElement.dataset.ip'), addresses[0])
  await page.keyboard.press('Escape')
  await second.click({ button: 'right' })
  is(await second.getAttribute('aria-selected'), 'true')
  equal((await menu.getByRole('menuitem').allInnerTexts()).slice(0, 3), ['Open the computer', 'Wake', 'Run a script'])
  equal(await findViolations(page), [])
  const count = await menu.getByRole('menuitem').count()
  await page.keyboard.press('Escape')
  for (let number = 1; number < count - 1; number += 1) {
    await second.focus()
    await page.keyboard.press('Shift+F10')
    for (let times = 0; times < number; times += 1) await page.keyboard.press('ArrowDown')
    await hold(page, 'Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('dialog').first().waitFor({ state: 'detached' })
  }
  await second.click({ button: 'right' })
  await page.keyboard.press('End')
  await hold(page, 'Enter')
  await page.locator('#command-menu:popover-open').waitFor()
  await menu.waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await second.click({ button: 'right' })
  await page.mouse.click(5, 700)
  await menu.waitFor({ state: 'detached' })
  equal(posted, [])
})

test('the way back leads to where the map was, and the menu to the room again', async () => {
  const { page } = await pages.open('/')
  await page.setViewportSize({ width: 1280, height: 200 })
  const room = page.getByRole('navigation').getByRole('link', { name: /Room/ }).first()
  await room.click()
  await page.waitForURL(/room=/)
  await page.evaluate('scrollTo(0, 40)')
  await page.getByRole('link', { name: 'Jobs' }).click()
  await page.getByRole('heading', { name: 'Jobs' }).waitFor()
  await page.goBack()
  await page.locator('.room').first().waitFor()
  equal(await page.evaluate('scrollY'), 40)
  await room.click()
  not.equal(await page.evaluate('scrollY'), 40)
})

test.run()
