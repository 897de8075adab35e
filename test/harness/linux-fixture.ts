// A computer with Linux for the agent program: a folder in place of `/`, and programs that print what a test has set.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface LinuxFixture {
  /** In place of `/`. */
  root: string
  /** With the folder of the programs first. */
  path: string
  /** Writes a file below `root`. */
  file(path: string, text: string): void
  /** The program `name` prints `text`, or runs the script when `text` begins with `#!`. */
  program(name: string, text: string): void
  /** The file that a program or script of a test may write: a path outside `root`. */
  record(name: string): string
  /** A session of logind. */
  login(session: string, user: string, sessionClass?: string, state?: string, locked?: string): void
  logout(session: string): void
  remove(): void
}

const sessionFolder = 'run/systemd/sessions'

export function createLinuxFixture(): LinuxFixture {
  const folder = mkdtempSync(join(tmpdir(), 'linux-fixture-'))
  const write = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text, { mode })
  }
  const fixture: LinuxFixture = {
    root: join(folder, 'root'),
    path: `${join(folder, 'bin')}:${process.env.PATH}`,
    file: (path, text) => write(join('root', path), text),
    program(name, text) {
      const script = text.startsWith('#!') ? text : `#!/bin/sh\ncat <<'END'\n${text}\nEND\n`
      write(join('bin', name), script, 0o755)
    },
    record: name => join(folder, name),
    login(session, user, sessionClass = 'user', state = 'active', locked = 'no') {
      const properties = { Name: user, Class: sessionClass, State: state, LockedHint: locked }
      const lines = Object.entries(properties).map(([name, value]) => `${name}=${value}\n`)
      write(join('logins', session), lines.join(''))
      fixture.file(join(sessionFolder, session), '')
    },
    logout(session) {
      rmSync(join(folder, 'logins', session))
      rmSync(join(fixture.root, sessionFolder, session))
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
  mkdirSync(join(folder, 'logins'))
  mkdirSync(join(fixture.root, sessionFolder), { recursive: true })
  fixture.program('loginctl', loginctl(join(folder, 'logins')))
  fixture.program('lsblk', lsblk)
  fixture.program('df', df)
  fixture.program('dpkg-query', 'ii  bash 5.2.15\nrc  nano 7.2\nii  apt 2.6.1')
  fixture.program('dmidecode', '#!/bin/sh\nexit 1\n')
  fixture.file('etc/os-release', 'NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n')
  fixture.file('proc/sys/kernel/hostname', 'lab-r01-c07\n')
  fixture.file('sys/class/dmi/id/product_serial', 'SN0042\n')
  fixture.file('sys/class/net/eth7/address', '00:1B:21:0A:0B:0C\n')
  fixture.file('sys/class/net/eth7/speed', '2500\n')
  for (const number of [1, 2]) fixture.file(`sys/class/block/sda${number}/partition`, `${number}\n`)
  return fixture
}

const loginctl = (logins: string) => `#!/bin/sh
case $1 in
  list-sessions) for session in $(ls '${logins}'); do echo "  $session 1000 somebody seat0 tty2"; done ;;
  show-session) cat "${logins}/$2" ;;
esac
`

const partition = (kname: string, size: number, fstype: string, mountpoint: string | null, parttype: string) => {
  return { kname, type: 'part', size, rm: false, fstype, mountpoint, parttype, pttype: 'gpt' }
}

const devices = JSON.stringify({
  blockdevices: [
    { kname: 'zram0', type: 'disk', size: 4096, rm: false, fstype: null, mountpoint: '[SWAP]' },
    { kname: 'sr0', type: 'rom', size: 1_073_741_312, rm: true, fstype: null, mountpoint: null },
    {
      ...{ kname: 'sda', type: 'disk', size: 500_107_862_016, rm: false, fstype: null, mountpoint: null },
      ...{ parttype: null, pttype: 'gpt' },
      children: [
        partition('sda1', 536_870_912, 'vfat', '/boot/efi', 'c12a7328-f81f-11d2-ba4b-00a0c93ec93b'),
        {
          ...partition('sda2', 107_374_182_400, 'crypto_LUKS', null, '0fc63daf-8483-4772-8e79-3d69d8477de4'),
          children: [
            { kname: 'dm-0', type: 'crypt', size: 107_357_405_184, rm: false, fstype: 'ext4', mountpoint: '/' },
          ],
        },
      ],
    },
    // As versions of lsblk before 2.33 print it.
    {
      kname: 'sdb',
      type: 'disk',
      size: '1000204886016',
      rm: '0',
      fstype: 'xfs',
      mountpoint: '/srv/my data',
      pttype: null,
    },
    { kname: 'sdc', type: 'disk', size: '8000000000', rm: '1', fstype: 'vfat', mountpoint: null, pttype: 'dos' },
  ],
})

/** As lsblk, it nests partitions only with the column NAME. */
const lsblk = `#!/bin/sh
case ",$4," in *,NAME,*) ;; *) echo 'expected the column NAME' >&2; exit 1 ;; esac
cat <<'END'
${devices}
END
`

const df = `Filesystem     1024-blocks      Used Available Capacity Mounted on
/dev/dm-0        105089260  24117248  75587276      25% /
/dev/sda1           523244      6000    517244       2% /boot/efi
/dev/sdb         976284628 488142314 488142314      50% /srv/my data`
