// Tests that run what pages of docs/ print, in its order, on the lab of the demo. A line before a block says what is special:
// <!-- not run: it needs systemd -->, <!-- file: hello.ts --> of the site's folder, or <!-- program: lesson.ts -->.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { type DocsShell, openDocsShell } from './docs-shell.ts'
import { pollUntil } from './poll.ts'
import { root } from './source-files.ts'

interface Block {
  /** Page and line. */
  place: string
  language: string
  text: string
  /** What the line before it says: a word and its text. */
  mark: 'not run' | 'file' | 'program' | undefined
  note: string
}

const fence = /^(?: *<!-- (not run|file|program): ([^\n]+) -->\n+)?( *)```(\w+)\n(.*?)^\3```$/gms

function blocksOf(page: string): Block[] {
  const whole = readFileSync(join(root, page), 'utf8')
  return Array.from(
    whole.matchAll(fence),
    ({ 0: all, 1: mark, 2: note = '', 4: language = '', 5: text = '', index }) => ({
      place: `${page}:${whole.slice(0, index + all.indexOf('```')).split('\n').length}`,
      language,
      text,
      // `as`: the expression has no other words.
      mark: mark as Block['mark'],
      note,
    }),
  )
}

/** Blocks of these pages and languages have tests of their own. */
const hasTests = ({ place, language }: Block) =>
  place.startsWith('docs/cookbook.md:') || (place.startsWith('docs/postgres.md:') && language === 'sql')

const names = readdirSync(join(root, 'docs')).filter(name => name.endsWith('.md'))
const pages = ['README.md', ...names.map(name => `docs/${name}`)].map(page => ({
  page,
  blocks: blocksOf(page).filter(block => block.mark !== 'not run' && !hasTests(block)),
}))
/** Debian's package python3-requests. */
const hasRequests = spawnSync('/usr/bin/python3', ['-c', 'import requests']).status === 0

/** How a block is tried, by its mark or its language. */
const ways: Record<string, (shell: DocsShell, block: Block) => Promise<void>> = {
  sh: (shell, block) => runScript(shell, block, block.text),
  py: async (shell, block) => {
    if (hasRequests) await runScript(shell, block, `/usr/bin/python3 - << 'END'\n${block.text}END\n`)
  },
  json: async (_, { text, place }) => ok(JSON.parse(text), place),
  async file({ site, host }, { text, note, place }) {
    const [before, file] = [host.log.length, join(site, note)]
    const isSame = existsSync(file) && readFileSync(file, 'utf8') === text
    writeFileSync(file, text)
    if (isSame || note.endsWith('.test.ts')) return
    const lines = () => host.log.slice(before).filter(line => line.includes(`${note}: `))
    await pollUntil(() => lines().length > 0)
    match(lines()[0] ?? '', /: version \d+ /, place)
  },
  async program(shell, block) {
    writeFileSync(join(shell.home, block.note), block.text)
    const { status, stdout } = spawnSync(process.execPath, [...compiler, block.note], {
      cwd: shell.home,
      encoding: 'utf8',
    })
    is(status, 0, `${block.place}\n${stdout}`)
    await runScript(shell, block, `${process.execPath} --import ${import.meta.resolve('tsx')} ${block.note}`)
  },
}

const compiler = [
  join(root, 'node_modules/typescript/bin/tsc'),
  ...'--noEmit --strict --skipLibCheck --allowImportingTsExtensions --target es2022 --module nodenext'.split(' '),
  ...['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')],
]

async function runScript(shell: DocsShell, { place }: Block, script: string): Promise<void> {
  const { code, out, error } = await shell.run(script)
  is(code, 0, `${place}\n${script}\n${out}${error}`)
}

/** Of the pages whose names begin with these letters. */
export function testBlocksOf(letters: RegExp): void {
  const test = suite('printed blocks')
  const tested = pages.filter(({ page, blocks }) => letters.test(page.replace('docs/', '')) && blocks.length > 0)

  test('every block is of a language that is tried, has a test of its own, or says why it is not run', () => {
    const others = tested.flatMap(({ blocks }) => blocks).filter(({ language, mark }) => !ways[mark ?? language])
    equal(
      others.map(({ place, language }) => `${place} ${language}`),
      [],
    )
  })

  for (const { page, blocks } of tested) {
    test(`what ${page} prints does what it is printed for`, async () => {
      const shell = await openDocsShell()
      try {
        for (const block of blocks) {
          await shell.settled()
          await ways[block.mark ?? block.language]?.(shell, block)
        }
      } finally {
        await shell.close()
      }
    })
  }

  test.run()
}
