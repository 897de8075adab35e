// Checks the commands that README.md and docs/ print: the first ones can be pasted, and every subcommand of `fleet` exists.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { openShell } from '../harness/cli-shell.ts'
import { root } from '../harness/source-files.ts'

const readText = (file: string) => readFileSync(join(root, file), 'utf8')
const blocksOf = (text: string) => [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block)
const blocks = ['README.md', 'docs/first-steps.md'].flatMap(file => blocksOf(readText(file)))
const { fleet, remove } = openShell()

const test = suite('printed commands')
test.after(remove)

test('every block of README and first steps can be pasted: without prompts and comments, which zsh would run', () => {
  ok(blocks.length > 3)
  // The lines of a file that a block writes are none of the shell.
  const lines = blocks.flatMap(block => block.replaceAll(/<< 'EOF'.*?^EOF/gms, '').split('\n'))
  equal(
    lines.filter(line => /^\$ |(^| )# |…/.test(line)),
    [],
  )
  for (const block of blocks) is(spawnSync('bash', ['-n'], { input: block, encoding: 'utf8' }).stderr, '')
})

test('git ignores every file that these blocks write into the repository', () => {
  const files = [...blocks.join('').matchAll(/(?:> |mkdir -p |cat )([\w./-]+)/g)].map(([, file = '']) => file)
  const patterns = readText('.gitignore')
    .split('\n')
    .filter(Boolean)
    .map(pattern => new RegExp(`^${pattern.replace(/^\//, '').replaceAll('.', '\\.').replace('*', '[^/]*')}`))
  equal(files.includes('fleet-host.json') && files.includes('daemon.log'), true)
  equal(
    files.filter(file => !patterns.some(pattern => pattern.test(`${file}/`))),
    [],
  )
})

test('every subcommand of fleet that a page names exists', async () => {
  const { out } = await fleet('--help')
  const known = [...out.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name)
  const pages = [
    'README.md',
    'CHANGELOG.md',
    ...readdirSync(join(root, 'docs'), { withFileTypes: true }).flatMap(each =>
      each.isFile() ? [join('docs', each.name)] : [],
    ),
  ]
  const named = pages.flatMap(page =>
    [...readText(page).matchAll(/(?:^|`|-- |\$\(|; |\/)fleet (?:--url \S+ )?([a-z][a-z-]*)/gm)].map(([, name]) => name),
  )
  ok(known.length > 10 && named.length > 30)
  equal(
    named.filter(name => !known.includes(name)),
    [],
  )
})

test.run()
