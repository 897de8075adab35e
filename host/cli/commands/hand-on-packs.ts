// `fleet pack pack|add|lock|remove`: packs as archives, and in the folders of this installation; no daemon is asked.
import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { CliError } from '../cli-error.ts'
import { confirm } from './confirm.ts'
import { subcommand } from './subcommand.ts'
import { configOption, readOptions, yesOption } from './subcommand-options.ts'

/** Loaded here because they load esbuild, Ajv and tar, which no other subcommand should wait for. */
async function loadTools() {
  const [archive, inspect, site, files] = await Promise.all([
    import('../packs/archive.ts'),
    import('../packs/inspect.ts'),
    import('../packs/site-packs.ts'),
    import('../../modules/pack-files.ts'),
  ])
  return { ...archive, ...inspect, ...site, ...files }
}

const packPack = subcommand({
  command: 'pack <folder>',
  description: 'check the folder of a pack, and write it to an archive to hand on',
  options: { '--output <file>': 'default: NAME-VERSION.tgz in the working directory' },
  async run({ print }, { output }, path) {
    const { inspectPack, orOneLine, readPackFiles, toArchive } = await loadTools()
    await orOneLine('pack pack', async () => {
      const folder = realpathSync(resolve(path))
      const { name, version } = await inspectPack(folder, 'pack pack')
      const files = await readPackFiles(folder)
      const file = output ?? `${name}-${version}.tgz`
      try {
        writeFileSync(`${file}.tmp`, toArchive(name, files))
        renameSync(`${file}.tmp`, file)
      } finally {
        rmSync(`${file}.tmp`, { force: true })
      }
      print(`${file}: ${files.size} files of ${name} ${version}`)
    })
  },
})

const add = subcommand({
  command: 'add <file>',
  argument: 'an archive that fleet pack pack has written',
  description: 'check a pack, and put it into the first of the folders in "commands"',
  options: {
    '--yes': 'do not ask after its content is shown',
    '--replace': 'in place of the pack of that name',
    ...configOption,
  },
  async run(context, { yes, replace = false, config }, file) {
    const { commands } = await readOptions(config)
    const tools = await loadTools()
    const folder = await tools.orOneLine('pack add', () => tools.firstFolder(commands, 'pack add'))
    const { pack, files } = await tools.orOneLine(`pack add: ${file}`, () => readArchive(file, tools))
    const target = resolve(folder, pack)
    const owner = tools.ownerOf(pack, commands, replace ? target : undefined)
    if (owner !== undefined)
      throw new CliError(`pack add: ${owner} exists${owner === target ? '; --replace replaces it' : ''}`)
    const unpacked = await tools.orOneLine('pack add', () => tools.unpack(folder, pack, files))
    try {
      const { version, lines } = await tools.inspectPack(unpacked, `pack add: ${file}`)
      for (const line of lines) context.print(line)
      const describe = async () => `Put ${pack} ${version} into ${folder}; it runs with all rights of the daemon`
      await confirm(context, yes, { where: 'pack add', needsConsent: true, describe })
      await tools.orOneLine('pack add', async () => {
        tools.swapIn(unpacked, target)
        await tools.lockPack(target, pack, version)
      })
      context.print(`${target}: ${pack} ${version} is in place, and in pack.lock`)
    } finally {
      tools.discard(unpacked)
    }
  },
})

async function readArchive(file: string, { fromArchive, packLimits }: Awaited<ReturnType<typeof loadTools>>) {
  const { size } = statSync(file)
  if (size > packLimits.bytes) throw new Error(`expected at most ${packLimits.bytes} bytes, got ${size}`)
  return fromArchive(readFileSync(file))
}

const lock = subcommand({
  command: 'lock <name>',
  description: 'write the digest that a pack has now into pack.lock; review it before',
  options: configOption,
  async run({ print }, { config }, name) {
    const { commands } = await readOptions(config)
    const { findSitePack, inspectPack, lockPack, orOneLine } = await loadTools()
    await orOneLine('pack lock', async () => {
      const folder = findSitePack(commands, name, 'pack lock')
      const { version } = await inspectPack(folder, 'pack lock')
      await lockPack(folder, name, version)
      print(`${name} ${version} is in pack.lock`)
    })
  },
})

const remove = subcommand({
  command: 'remove <name>',
  description: 'delete the folder of a pack; what it keeps stays until fleet pack purge',
  options: { ...yesOption, ...configOption },
  async run(context, { yes, config }, name) {
    const { commands } = await readOptions(config)
    const { findSitePack, orOneLine, removePack } = await loadTools()
    const folder = findSitePack(commands, name, 'pack remove')
    const describe = async () => `Delete ${folder}`
    await confirm(context, yes, { where: 'pack remove', needsConsent: true, describe })
    await orOneLine('pack remove', () => removePack(folder, basename(folder)))
    context.print(`${folder} is deleted`)
  },
})

export const handOnPacks = [packPack, add, lock, remove]
