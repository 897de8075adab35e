// The boot files of the shipped modes, in full, for a record with unsafe characters in every field.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { grubPath, menuPath, openBootFolder, shippedTemplates, unsafeSubject } from '../harness/boot-folder.ts'

const test = suite('shipped boot modes')

const infohost =
  ' LANG=es_ES.UTF-8 ip=10.1.1.20:10.1.1.1:10.1.1.254_e:255.255.255.0:Senal_1_rebootAx:eth01__x:none' +
  ' group=Aula_Nandun._1_a ogrepo=10.1.1.2u__x oglive=10.1.1.1 oglog=10.1.1.1 ogshare=10.1.1.1' +
  ' oglivedir=..ogLive-5 ogprof=false hardprofile=Perfil_n_2_i7_1_ISODIR_5050 ogntp=10.1.1.3,10.1.1.4 vga=788'

const liveMenu = `title Live system
set ISODIR=..ogLive-5
kernel (pd)/%ISODIR%/ogvmlinuz ro boot=oginit og2nd=sqfs ogprotocol=smb ogtmpfs=15 ogactiveadmin=false ${infohost}
initrd (pd)/%ISODIR%/oginitrd.img
boot
`

const livehost =
  'boot=live components fetch=http://10.1.1.1:8888/live/..ogLive-5/root.squashfs ip=dhcp' +
  ' fleet_server=10.1.1.1 fleet_port=8889 systemd.hostname=Senal_1_rebootAx'

/** `from`: the TFTP server, where another root is set. */
const liveEntry = (title: string, from: string, isAdministrator: boolean) => `menuentry "${title}" {
  # Set by the boot loader that leads to the live systems of the daemon.
  if [ "\${fleet_live}" = yes ]; then
    linux ${from}/live/\${ISODIR}/vmlinuz ${livehost}
    initrd ${from}/live/\${ISODIR}/initrd
  else
    linux ${from}/\${ISODIR}/ogvmlinuz ro boot=oginit og2nd=sqfs ogprotocol=smb ogtmpfs=15 ogactiveadmin=${isAdministrator} ${infohost}
    initrd ${from}/\${ISODIR}/oginitrd.img
  fi
}
`

const liveGrub = liveEntry('Live system', `(\${network})`, false)

const diskMenu = `title First disk
rootnoverify (hd0)
chainloader (hd0)+1
boot

`

const diskGrub = `menuentry "First disk" {
  for part in 1 2 3 4; do
    if [ -f "(\${disk},\${part})/EFI/BOOT/BOOTX64.EFI" ]; then
      set root=\${disk},\${part}
      chainloader /EFI/BOOT/BOOTX64.EFI
      boot
    fi
  done
  # A computer with BIOS has its loader in front of the partitions.
  if [ "\${grub_platform}" = pc ]; then
    set root=\${disk}
    chainloader +1
    boot
  fi
  # Without that loader on the disk, the firmware's boot order starts the installed system.
  if [ -s "(\${disk})+1" ]; then
    exit
  fi
}

`

/** Of a computer without a record: its disk may be empty. */
const unknownDiskGrub = diskGrub
  .replace(
    'system.\n',
    `system. An empty disk has none:
  # the test reads its first block. Commands that print an error would wait for a key then.
`,
  )
  .replace(/(?<=-s "\(.*)\)/, ',1)')

const grubHead = (timeout: number) => `set default=0
set fallback=1
set timeout=${timeout}
insmod part_gpt
insmod part_msdos
set network=\${root}
# A computer that boots by HTTP has a RAM disk, too.
set disk=hd0
if [ -n "\${fleet_disk}" ]; then
  set disk=\${fleet_disk}
fi
set ISODIR=..ogLive-5

`

const partitionMenu = (n: number, ordinal: string) => `title ${ordinal} partition of the first disk
rootnoverify (hd0,${n - 1})
chainloader (hd0,${n - 1})+1
boot

`

const partition = (n: number, ordinal: string) => ({
  menu: `##BOOT-TEMPLATE 1${n}
# The ${ordinal.toLowerCase()} partition of the first disk; the live system when that cannot be started.
default 0
fallback 1
timeout 0

${partitionMenu(n, ordinal)}${liveMenu}`,
  grub: `##BOOT-TEMPLATE 1${n}
# The ${ordinal.toLowerCase()} partition of the first disk; the live system when that cannot be started.
${grubHead(0)}menuentry "${ordinal} partition of the first disk" {
  # Restored systems have the loader of each partition here.
  for part in 1 2 3 4; do
    if [ -f "(\${disk},\${part})/EFI/Part-01-0${n}/Boot/ogloader.efi" ]; then
      set root=\${disk},\${part}
      chainloader /EFI/Part-01-0${n}/Boot/ogloader.efi
      boot
    fi
  done
  set root=\${disk},${n}
  if [ -f /EFI/BOOT/BOOTX64.EFI ]; then
    chainloader /EFI/BOOT/BOOTX64.EFI
  elif [ -f /boot/grub/grub.cfg ]; then
    configfile /boot/grub/grub.cfg
  fi
}

${liveGrub}`,
})

/** A mode that loads the live system over the network. */
const network = (mode: string, comment: string, title: string, administrator: boolean) => ({
  menu: `##BOOT-TEMPLATE ${mode}
# ${comment}
default 0
timeout 0

${liveMenu.replace('Live system', title).replace('admin=false', `admin=${administrator}`)}`,
  grub: `##BOOT-TEMPLATE ${mode}
# ${comment}
set default=0
set timeout=0
set ISODIR=..ogLive-5

${liveEntry(title, '', administrator)}`,
})

const expected: Record<string, { menu: string; grub: string }> = {
  '00unknown': {
    menu: `##BOOT-TEMPLATE 00unknown
# A menu for computers that nobody has registered: their own disk, unless somebody chooses otherwise.
default 0
fallback 4
timeout 10

${diskMenu}${partitionMenu(1, 'First')}${partitionMenu(2, 'Second')}${partitionMenu(3, 'Third')}${liveMenu}
title Restart
reboot

title Power off
halt
`,
    grub: `##BOOT-TEMPLATE 00unknown
# A menu for computers that nobody has registered: their own disk, unless somebody chooses otherwise.
${grubHead(10)}${unknownDiskGrub}${liveGrub}
menuentry "Settings of the firmware" {
  fwsetup
}

menuentry "Restart" {
  reboot
}

menuentry "Power off" {
  halt
}
`,
  },
  '10': {
    menu: `##BOOT-TEMPLATE 10
# The boot record of the first disk; the live system when that cannot be started.
default 0
fallback 1
timeout 0

${diskMenu}${liveMenu}`,
    grub: `##BOOT-TEMPLATE 10
# The boot loader of the first disk; the live system when there is no disk.
${grubHead(0)}${diskGrub}${liveGrub}`,
  },
  '11': partition(1, 'First'),
  '12': partition(2, 'Second'),
  '13': partition(3, 'Third'),
  '19pxeADMIN': network(
    '19pxeADMIN',
    'The live system in administrator mode, loaded over the network.',
    'Live system, administrator',
    true,
  ),
  pxe: network('pxe', 'The live system, loaded over the network.', 'Live system', false),
}

for (const [mode, files] of Object.entries(expected)) {
  test(`${mode}: both files are rendered, without unsafe characters of stored values`, async () => {
    const folder = openBootFolder({ templates: shippedTemplates })
    const subject = { ...unsafeSubject, computer: { ...unsafeSubject.computer, boot: mode } }
    is(await folder.render([subject]), undefined)
    equal(folder.files(), { [grubPath]: files.grub, [menuPath]: files.menu })
    equal(await folder.preview(subject), [
      { path: menuPath, content: files.menu },
      { path: grubPath, content: files.grub },
    ])
  })
}

test('the seven modes are listed, sorted', async () => {
  equal(await openBootFolder({ templates: shippedTemplates }).modes(), Object.keys(expected).sort())
})

test.run()
