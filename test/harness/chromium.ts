// Starts a real Chromium without a window, for tests of what browsers send and show.
//
// The program of Debian's package chromium-headless-shell takes two thirds of the processor time of the one with windows.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

export type { Browser, Page } from 'playwright-core'

const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
const programs = names.map(name => join('/usr/bin', name))

/** The browser of this machine, or the one that the environment variable `CHROMIUM` names; undefined without one. */
export const chromiumProgram: string | undefined = [process.env.CHROMIUM ?? programs].flat().find(existsSync)

/** The address of the browser that all files of a test run share: each start of one takes two seconds of processor time. */
const sharedVariable = 'FLEET_TEST_BROWSER'

/** Playwright switches these off too: of two lists of features, Chromium takes the last. */
const disabledByPlaywright = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]
/** Half of the processor time of a window: pages for the field of the address, which no test uses. */
const addressPages = ['WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'WebUIOmniboxPopup']

const flags = [
  // Every name leads to this machine: pages can have any origin, and nothing leaves it.
  '--host-resolver-rules=MAP * 127.0.0.1',
  `--disable-features=${[...disabledByPlaywright, ...addressPages].join(',')}`,
]

const launchOptions = () => {
  if (chromiumProgram === undefined) throw new Error('browser: expected chromium, got none')
  return { executablePath: chromiumProgram, args: flags }
}

/**
 * To be closed, which closes its contexts. Each of them has cookies and passwords of its own. Give `page.evaluate` a text:
 * a function that was compiled with the names of its functions calls a helper that pages do not know.
 */
export function startChromium(): Promise<Browser> {
  const shared = process.env[sharedVariable]
  return shared === undefined ? chromium.launch(launchOptions()) : chromium.connect(shared)
}

/** Starts a browser for this process and its child processes. Resolves to the function that ends it. */
export async function shareChromium(): Promise<() => Promise<void>> {
  const server = await chromium.launchServer(launchOptions())
  process.env[sharedVariable] = server.wsEndpoint()
  return async () => {
    delete process.env[sharedVariable]
    await server.close()
  }
}
