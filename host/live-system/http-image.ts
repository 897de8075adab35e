// The disk image that UEFI loads by HTTP boot, and boots as a RAM disk: Debian's signed boot loaders.
import { execFile } from 'node:child_process'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** In the folder of the boot loaders, and at `/live/` of the API. */
export const httpImage = 'boot.img'

/** In bytes: there is room for larger loaders. */
const size = 8 * 1024 * 1024

/** Debian's GRUB has no HTTP: it reads all else by TFTP, as if the firmware had loaded it that way. */
const configuration = (address: string): string => `# Written by fleet boot setup.
set fleet_disk=hd0
if [ "$root" = hd0 ]; then
  set fleet_disk=hd1
fi
for card in efinet0 efinet1 efinet2 efinet3; do
  if net_bootp $card; then
    break
  fi
done
set fleet_mac=$net_efinet0_dhcp_mac$net_efinet1_dhcp_mac$net_efinet2_dhcp_mac$net_efinet3_dhcp_mac
export fleet_disk fleet_mac
set root=tftp,${address}
configfile /grub/grub.cfg
`

/** `loaders`: the folder with those of UEFI; `folder`: an empty one, where the image is made. Returns its path. */
export async function makeHttpImage(folder: string, loaders: string, address: string): Promise<string> {
  const [efi, grub, image] = [join(folder, 'EFI'), join(folder, 'grub'), join(folder, httpImage)]
  await mkdir(join(efi, 'BOOT'), { recursive: true })
  await mkdir(grub)
  await cp(join(loaders, 'shimx64.efi'), join(efi, 'BOOT/BOOTX64.EFI'))
  await cp(join(loaders, 'grubx64.efi'), join(efi, 'BOOT/grubx64.efi'))
  await writeFile(join(grub, 'grub.cfg'), configuration(address))
  await writeFile(image, Buffer.alloc(size))
  const run = promisify(execFile)
  await run('mformat', ['-i', image, '::'])
  await run('mcopy', ['-s', '-i', image, efi, grub, '::'])
  return image
}
