// Stand-ins for the programs that build a live system, in a folder in front of `PATH`: they write small files at once.

import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { openShell } from './cli-shell.ts'

/** Prints as mmdebstrap does; `$LIVE_TEST` says what goes wrong. */
const mmdebstrap = `#!/bin/sh
echo "$@" > "$TRACE/arguments"
for word in "$@"; do case $word in /*) root=$word ;; esac; done
mkdir -p "$root/boot" "$root/var/lib/dpkg" "$root/etc"
echo 'I: downloading packages with apt...' >&2
if [ "$LIVE_TEST" = fail ]; then echo 'E: no such package: nothing' >&2; exit 25; fi
if [ "$LIVE_TEST" = hang ]; then exec sleep 1000; fi
echo 'nameserver 10.0.0.1' > "$root/etc/resolv.conf"
echo "kernel $LIVE_TEST" > "$root/boot/vmlinuz-6.1.0-1-amd64"
echo initrd > "$root/boot/initrd.img-6.1.0-1-amd64"
printf 'Package: zstd\\nStatus: install ok installed\\nVersion: 1.5\\n\\n' > "$root/var/lib/dpkg/status"
printf 'Package: gone\\nStatus: deinstall ok config-files\\nVersion: 2\\n' >> "$root/var/lib/dpkg/status"
`

/** The names of the files that would be in the image. */
const mksquashfs = `#!/bin/sh
(cd "$1" && find etc opt -type f -o -type l | sort) > "$2"
`

export type LiveBuilder = ReturnType<typeof createLiveBuilder>

export function createLiveBuilder() {
  const shell = openShell()
  const { folder, write } = shell
  const config = write('options.json', JSON.stringify({ store: { path: 'data' } }))
  const programs = join(folder, 'programs')
  const only = join(folder, 'only')
  for (const [name, text] of Object.entries({ mmdebstrap, mksquashfs }))
    chmodSync(write(`programs/${name}`, text), 0o755)
  mkdirSync(only)
  symlinkSync(process.execPath, join(only, 'node'))
  mkdirSync(join(folder, 'data'))
  const live = join(folder, 'data/live')
  const environment = (LIVE_TEST: string) => ({ PATH: `${programs}:${process.env.PATH}`, TRACE: folder, LIVE_TEST })
  return {
    live,
    data: join(folder, 'data'),
    /** `test`: what goes wrong, or a text in the kernel. */
    async build(test: string, ...args: string[]) {
      const before = { ...process.env }
      // The programs are looked for in that of this process.
      Object.assign(process.env, environment(test))
      try {
        return await shell.fleet('live', 'build', '--config', config, ...args)
      } finally {
        process.env = before
      }
    },
    /** Without any program but Node. */
    buildWithoutPrograms: () => shell.programWith({ PATH: only }, 'live', 'build', '--config', config),
    /** Starts a build that does not end by itself. */
    start: () =>
      spawn(join(folder, 'bin/fleet'), ['live', 'build', '--config', config], {
        cwd: folder,
        env: { ...process.env, ...environment('hang') },
        stdio: ['ignore', 'ignore', 'pipe'],
      }),
    /** Whether the program runs that a build waits for; the bundler, which has the same environment, may run on a moment. */
    waits: () =>
      readdirSync('/proc').some(pid => {
        try {
          const isWaiting = readFileSync(`/proc/${pid}/cmdline`, 'latin1') === 'sleep\x001000\0'
          return isWaiting && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`TRACE=${folder}\0`)
        } catch {
          return false
        }
      }),
    run: (...args: string[]) => shell.fleet('live', ...args, '--config', config),
    trace: (name: string) => readFileSync(join(folder, name), 'utf8').trim(),
    read: (...path: string[]) => readFileSync(join(live, ...path), 'utf8'),
    /** What is in the folder of live systems, without the random ends of names. */
    names: () =>
      readdirSync(live)
        .map(name => name.replace(/-[0-9a-f-]{36}$/, ''))
        .sort(),
    remove: shell.remove,
  }
}
