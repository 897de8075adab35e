// Which modules may start jobs as their pack.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { createPackRuns } from '../../host/jobs/pack-runs.ts'
import { addNotifyPack, siteOptions } from '../harness/notify-pack.ts'
import { startTestHost } from '../harness/test-host.ts'

const test = suite('jobs of packs')

test('a built-in module starts no jobs as a pack, a module of a site does', async () => {
  const lab = await startTestHost({ options: siteOptions })
  await addNotifyPack(lab)
  const { packs, registry } = lab.host
  const rightsOf = (isBuiltIn: boolean) =>
    registry.modules
      .filter(({ origin }) => (origin === 'built-in') === isBuiltIn)
      .flatMap(({ pack }) => packs.rightsOf(pack)?.name ?? [])
  equal([rightsOf(true), [...new Set(rightsOf(false))]], [[], ['pack notify']])
  await lab.stop()
})

test('a module without rights is refused, and nothing is run', async () => {
  const unused = () => {
    throw new Error('expected no call')
  }
  const log = { info: unused, warn: unused, error: unused, debug: unused }
  const run = createPackRuns({
    run: unused,
    findCommand: unused,
    search: { targets: unused },
    log,
    audit: { add: unused },
  })
  const refusal = await run({ command: 'shell-run', clients: ['127.0.0.9'] }, undefined)
  is(Reflect.get(Object(refusal), 'status'), 403)
})

test.run()
