// A console with two connected computers in one room, whose forms a test opens and fills in.
import type { Page } from './chromium.ts'
import { startConsoleLab } from './console-page.ts'

/** `subnet`: the first three numbers of the computers' addresses. */
export async function startFormsLab(subnet: string) {
  const own = await startConsoleLab()
  const addresses = [1, 2].map(number => `${subnet}.${number}`)
  for (const addr of addresses) {
    await own.lab.addComputer(addr)
    await own.lab.agent(addr)
  }
  return {
    ...own,
    addresses,
    /** The map, with both computers selected. */
    async openSelected() {
      const opened = await own.open('/')
      const { page } = opened
      await page.getByRole('option').nth(1).waitFor()
      await page.keyboard.press('Control+a')
      return opened
    },
  }
}

export const dialog = (page: Page) => page.getByRole('dialog')
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
export const field = (page: Page, name: string) => dialog(page).getByLabel(name, { exact: true })
