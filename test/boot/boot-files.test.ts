// Writing and removing boot files: all files change, or none.
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, ok, unreachable } from 'uvu/assert'
import { replaceFiles } from '../../host/boot/replace-files.ts'
import type { BootSubject } from '../../host/boot/template.ts'
import { type BootFolder, numberedSubject, openBootFolder, shippedTemplates } from '../harness/boot-folder.ts'

const writing = suite('writing boot files')

/** A folder with the boot files of five computers in mode `a`; `b` has no twin. */
async function withFive(): Promise<BootFolder & { five(boot: string): BootSubject[]; before: Record<string, string> }> {
  const folder = openBootFolder()
  for (const name of ['a', 'uefi/a', 'b', 'c', 'uefi/c']) folder.template(name, `##BOOT-TEMPLATE ${name}\nINFOHOST\n`)
  const five = (boot: string) => [1, 2, 3, 4, 5].map(index => numberedSubject(boot, index))
  is(await folder.render(five('a')), undefined)
  return { ...folder, five, before: folder.files() }
}

async function fails(work: Promise<unknown>, reason: RegExp): Promise<void> {
  await work.then(
    () => unreachable(),
    error => match(String(error), reason),
  )
}

for (const [kind, path] of [
  ['menu', 'menu.lst/01-00-00-00-00-00-03'],
  ['grub', 'grub/01-00:00:00:00:00:03'],
] as const) {
  writing(`no file changes when the third computer's ${kind} file cannot be written`, async () => {
    const { output, five, before, render, files } = await withFive()
    rmSync(join(output, path))
    mkdirSync(join(output, path))
    const { [path]: _, ...others } = before
    for (const mode of ['b', 'c']) await fails(render(five(mode)), /EISDIR|ENOTSUP|EPERM|EINVAL/)
    equal(files(), others)
  })
}

writing('files that were replaced before a failure are restored', async () => {
  const folder = openBootFolder().templates
  const path = (name: string) => join(folder, name)
  const blockRename = () => {
    rmSync(path('c'))
    mkdirSync(path('c'))
    return 'new'
  }
  for (const name of ['a', 'b', 'c', 'e']) writeFileSync(path(name), 'old')
  const changes = [
    { path: path('a'), content: () => 'new' },
    { path: path('b') },
    { path: path('n'), content: () => 'new' },
    { path: path('c'), content: () => 'new' },
    { path: path('d'), content: blockRename },
    { path: path('e'), content: () => 'new' },
  ]
  await fails(replaceFiles(changes), /EISDIR/)
  equal(readdirSync(folder), ['a', 'b', 'c', 'e', 'uefi'])
  for (const name of ['a', 'b', 'e']) is(readFileSync(path(name), 'utf8'), 'old')
})

writing('when save gives a reason no file changes, and new files are removed', async () => {
  const { five, before, render, files } = await withFive()
  is(await render([...five('b'), numberedSubject('c', 6)], async () => 'the address is taken'), 'the address is taken')
  equal(files(), before)
})

writing('when save rejects no file changes', async () => {
  const { five, before, render, files } = await withFive()
  await fails(
    render(five('b'), () => Promise.reject(new Error('disk full'))),
    /disk full/,
  )
  equal(files(), before)
})

writing('save runs when the new files are in their places', async () => {
  const { five, render, files } = await withFive()
  let seen = {}
  await render(five('c'), async () => {
    seen = Object.fromEntries(Object.entries(files()).filter(([path]) => !path.includes('/.')))
    return undefined
  })
  equal(files(), seen)
  match(JSON.stringify(seen), /^(?!.*BOOT-TEMPLATE a)/)
})

writing("a mode without a twin removes the computer's UEFI file", async () => {
  const { five, render, files } = await withFive()
  is(await render(five('b').slice(0, 2)), undefined)
  equal(
    Object.keys(files()).filter(path => path.startsWith('grub/')),
    ['grub/01-00:00:00:00:00:03', 'grub/01-00:00:00:00:00:04', 'grub/01-00:00:00:00:00:05'],
  )
})

writing('each computer gets the files of its own mode', async () => {
  const { render, files } = await withFive()
  is(await render([numberedSubject('c', 1), numberedSubject('b', 2)]), undefined)
  match(files()['menu.lst/01-00-00-00-00-00-01'] ?? '', '##BOOT-TEMPLATE c\n')
  match(files()['menu.lst/01-00-00-00-00-00-02'] ?? '', '##BOOT-TEMPLATE b\n')
})

writing('of two records with the same hardware address the last one counts', async () => {
  const { render, files } = await withFive()
  is(await render([numberedSubject('c', 1, 'first'), numberedSubject('c', 1, 'last')]), undefined)
  match(files()['menu.lst/01-00-00-00-00-00-01'] ?? '', ':last:eth0:')
})

writing('temporary files of a killed daemon are overwritten', async () => {
  const { output, five, render, files } = await withFive()
  const inOutput = (path: string) => join(output, path)
  linkSync(inOutput('menu.lst/01-00-00-00-00-00-01'), inOutput('menu.lst/.01-00-00-00-00-00-01.former'))
  writeFileSync(inOutput('menu.lst/.01-00-00-00-00-00-02.former'), 'rubbish')
  writeFileSync(inOutput('grub/.01-00:00:00:00:00:02.next'), 'rubbish')
  const before = Object.fromEntries(Object.entries(files()).filter(([path]) => !path.includes('/.')))
  is(await render(five('c'), async () => 'no'), 'no')
  equal(files(), before)
  is(await render(five('c')), undefined)
  is(Object.keys(files()).length, 10)
  ok(!JSON.stringify(files()).match(/rubbish|BOOT-TEMPLATE a/))
})

writing('links in place of temporary files are removed, and what they lead to does not change', async () => {
  const { templates, output, five, render, files } = await withFive()
  const victim = join(templates, 'victim')
  writeFileSync(victim, 'unchanged')
  for (const name of ['menu.lst/.01-00-00-00-00-00-01.next', 'menu.lst/.01-00-00-00-00-00-02.former'])
    symlinkSync(victim, join(output, name))
  is(await render(five('c')), undefined)
  is(readFileSync(victim, 'utf8'), 'unchanged')
  is(Object.keys(files()).length, 10)
  ok(!lstatSync(join(output, 'menu.lst/01-00-00-00-00-00-01')).isSymbolicLink())
})

writing('files and folders that are created can be read by others with any umask', async () => {
  const umask = process.umask(0o077)
  const { output } = await withFive().finally(() => void process.umask(umask))
  const modeOf = (path: string) => (statSync(join(output, path)).mode & 0o777).toString(8)
  equal(['.', 'menu.lst', 'grub', 'menu.lst/01-00-00-00-00-00-01', 'grub/01-00:00:00:00:00:01'].map(modeOf), [
    '755',
    '755',
    '755',
    '644',
    '644',
  ])
})

writing('concurrent calls run one after the other', async () => {
  const { five, render, files } = await withFive()
  const modes: string[] = []
  const saved = (mode: string) => async () => {
    modes.push(mode)
    return undefined
  }
  await Promise.all([render(five('c'), saved('c')), render(five('b'), saved('b')), render(five('a'), async () => 'no')])
  equal(modes, ['c', 'b'])
  equal(
    Object.values(files()).map(text => text.split('\n', 1)[0]),
    Array.from({ length: 5 }, () => '##BOOT-TEMPLATE b'),
  )
})

writing('a failure does not affect the calls that wait', async () => {
  const { five, render, files } = await withFive()
  const failed = fails(
    render(five('c'), () => Promise.reject(new Error('no'))),
    /no/,
  )
  is(await render(five('b')), undefined)
  await failed
  is(Object.keys(files()).length, 5)
})

writing('the files of two thousand computers are written in one call', async () => {
  const folder = openBootFolder({ templates: shippedTemplates })
  const all = (mode: string) => Array.from({ length: 2000 }, (_, index) => numberedSubject(mode, index))
  for (const mode of ['pxe', '11']) {
    is(await folder.render(all(mode)), undefined)
    const files = Object.values(folder.files())
    is(files.length, 4000)
    ok(files.every(text => text.startsWith(`##BOOT-TEMPLATE ${mode}\n`)))
  }
})

writing.run()

const removing = suite('removing boot files')

removing('both files are removed, those of others stay, missing files are ignored', async () => {
  const { remove, files } = await withFive()
  await remove([{ mac: '000000000001' }, { mac: '000000000003' }, { mac: '0000000000FF' }, { mac: 'none' }])
  const left = ['02', '04', '05']
  equal(Object.keys(files()), [
    ...left.map(end => `grub/01-00:00:00:00:00:${end}`),
    ...left.map(end => `menu.lst/01-00-00-00-00-00-${end}`),
  ])
})

removing('without an output folder nothing is removed', async () => {
  await openBootFolder().remove([{ mac: '000000000001' }])
})

removing.run()
