// Bundles the browser code of the console in memory: a script, a style sheet, and the texts of each language.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile, type Plugin } from 'esbuild'
import { groupBy } from '../../stores/rules/group-by.ts'
import { isUnfinished, partStates, type StateTone, stateTable } from '../../stores/rules/part-states.ts'
import { withEsbuild } from '../system/process/esbuild-process.ts'

export interface ConsoleFile {
  /** The media type. */
  type: string
  content: Uint8Array
}

export interface ConsoleBundle {
  /** HTML that loads the files. */
  page: Uint8Array
  /** By names that have a digest of the content: `main-PQZ7….js`. */
  files: ReadonlyMap<string, ConsoleFile>
}

const toneColours: Record<StateTone, string> = {
  good: 'good',
  bad: 'bad',
  warning: 'warn',
  quiet: 'quiet',
  running: 'blue',
  waiting: 'violet',
}

const stateRule = (state: string, tone: StateTone, sign: string, strength = '') =>
  `[data-state="${state}"]{--tone:var(--${toneColours[tone]});--sign:"${sign}"${strength}}`

/** The colour and the sign of each state of a part, as a style sheet. What was stopped is one for users. */
const partStateRules: Plugin = {
  name: 'part-states',
  setup({ onResolve, onLoad }) {
    const rules = partStates.map(state => {
      const { tone, sign } = stateTable[state]
      return stateRule(state, tone, sign, isUnfinished({ state }) ? ';--strength:0.45' : '')
    })
    onResolve({ filter: /^part-states\.css$/ }, ({ path }) => ({ path, namespace: 'states' }))
    onLoad({ filter: /./, namespace: 'states' }, () => ({
      contents: [stateRule('stopped', 'quiet', '■'), ...rules].join(''),
      loader: 'css',
    }))
  },
}

const appFile = (name: string) => fileURLToPath(new URL(`./app/${name}`, import.meta.url))

/**
 * What is imported later imports the shell, which is there anyway. Otherwise the first load would be 30 scripts: the
 * bundler makes one of each set of files that the same scripts import.
 */
const sharedShell: Plugin = {
  name: 'shared-shell',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import' ? { path: join(resolveDir, path), namespace: 'later' } : undefined,
    )
    onLoad({ filter: /./, namespace: 'later' }, ({ path }) => ({
      contents: [appFile('shell/app.tsx'), path].map(file => `export * from ${JSON.stringify(file)}`).join('\n'),
      resolveDir: dirname(path),
    }))
  },
}

/** Scripts and style sheets. Rejects when a source file cannot be read or compiled. */
export const buildApp = (format: 'esm' | 'iife', ...entries: string[]) =>
  withEsbuild(() =>
    build({
      entryPoints: entries.map(appFile),
      bundle: true,
      write: false,
      outdir: '/',
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      format,
      splitting: format === 'esm',
      plugins: [sharedShell, partStateRules],
      metafile: true,
      target: 'es2022',
      minify: true,
      jsx: 'transform',
      jsxFactory: 'h',
      jsxFragment: 'Fragment',
      inject: [appFile('jsx.ts')],
      legalComments: 'none',
      logLevel: 'silent',
      // The options of the application's tsconfig.json are for the type check only.
      tsconfigRaw: '{}',
    }),
  )

/** Rejects as `buildApp` does. */
export async function bundleConsole(): Promise<ConsoleBundle> {
  const { outputFiles, metafile } = await buildApp('esm', 'main.ts', 'styles/later.css')
  const files = new Map<string, ConsoleFile>()
  for (const { path, contents } of outputFiles) addFile(files, basename(path), contents)
  const iconName = addNamedFile(files, 'icon', '.svg', icon)
  const languageNames: Record<string, string> = {}
  for (const file of await readdir(appFile('language'))) {
    const language = basename(file, '.json')
    if (language !== file) languageNames[language] = await addLanguage(files, language)
  }
  return { page: renderPage(firstFiles(metafile), iconName, languageNames), files }
}

interface FirstFiles {
  script: string
  style: string
  /** The style sheet of the script that is loaded after the first page. */
  laterStyle: string
  /** Scripts that the first one imports, at once and as soon as it runs. */
  imported: string[]
}

function firstFiles({ outputs }: Metafile): FirstFiles {
  const laterStyle = basename(Object.keys(outputs).find(path => /\blater-\w+\.css$/.test(path)) ?? '')
  for (const [path, { entryPoint = '', cssBundle = '', imports }] of Object.entries(outputs)) {
    if (basename(entryPoint) !== 'main.ts') continue
    const imported = new Set(imports.map(each => each.path))
    for (const file of imported) {
      const next = outputs[file]?.imports.filter(({ kind }) => kind === 'import-statement') ?? []
      for (const each of next) imported.add(each.path)
    }
    return {
      script: basename(path),
      style: basename(cssBundle),
      laterStyle,
      imported: [...imported].map(file => basename(file)),
    }
  }
  throw new Error('console: expected a script of main.ts, got none')
}

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
<rect width="7" height="7" rx="1.5" fill="#1f5fd0"/><rect x="9" width="7" height="7" rx="1.5" fill="#1a7a3c"/>
<rect y="9" width="7" height="7" rx="1.5" fill="#6b3fc4"/>
<rect x="9" y="9" width="7" height="7" rx="1.5" fill="#1f5fd0"/>
</svg>`

const mediaTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

function addFile(files: Map<string, ConsoleFile>, name: string, content: Uint8Array): void {
  files.set(name, { type: mediaTypes[extname(name)] ?? 'application/octet-stream', content })
}

/** Returns the name, which has a digest of the content. */
function addNamedFile(files: Map<string, ConsoleFile>, base: string, extension: string, content: string) {
  const name = `${base}-${createHash('sha256').update(content).digest('hex').slice(0, 16)}${extension}`
  addFile(files, name, Buffer.from(content))
  return name
}

/** The texts by the first word of their keys, which is served once. */
async function addLanguage(files: Map<string, ConsoleFile>, language: string): Promise<string> {
  const texts: Record<string, string> = JSON.parse(await readFile(appFile(`language/${language}.json`), 'utf8'))
  const groups = groupBy(Object.entries(texts), ([key]) => key.slice(0, key.indexOf('.')))
  const inGroups = [...groups].map(([name, entries]) => [
    name,
    Object.fromEntries(entries.map(([key, text]) => [key.slice(name.length + 1), text])),
  ])
  return addNamedFile(files, language, '.json', JSON.stringify(Object.fromEntries(inGroups)))
}

/** The paths are relative, as a proxy may serve the daemon below a path of its own. */
function renderPage(first: FirstFiles, iconName: string, languageNames: Record<string, string>): Uint8Array {
  const { script, style, laterStyle, imported } = first
  return Buffer.from(`<!doctype html>
<html lang="en" data-languages='${JSON.stringify(languageNames)}' data-later-style="console/${laterStyle}">
<head>
<meta charset="utf-8">
<title>fleet-host</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="console/${iconName}" type="image/svg+xml">
<link rel="stylesheet" href="console/${style}">
${imported.map(name => `<link rel="modulepreload" href="console/${name}">`).join('\n')}
<script type="module" async src="console/${script}"></script>
</head>
<body><noscript>The console needs JavaScript.</noscript><div id="app"></div></body>
</html>
`)
}
