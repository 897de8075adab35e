// The second computer of the lab boots by HTTP, with Secure Boot on: as its mode says, as those that boot by PXE.
import { outputOf, succeed, untilGone, untilLinux, untilLive } from './lab-api.ts'
import { linux, restoreOf, type Stage, second } from './lab-images.ts'
import { address } from './lab-network.ts'
import { systemUuid } from './master-disk.ts'

/** Its disk gets the boot loaders that are in the image, and a start of the restored system. */
const installLoader = `set -e
curl -sSf http://${address}:8888/live/boot.img > /tmp/boot.img
mkdir -p /tmp/image
mount -o loop,ro /tmp/boot.img /tmp/image
mount /dev/vda1 /mnt
cp -r /tmp/image/EFI /mnt
mkdir -p /mnt/grub
cat > /mnt/grub/grub.cfg << END
set timeout=0
search --fs-uuid --set=root ${systemUuid}
source /boot/grub/grub.cfg
END
umount /mnt /tmp/image`

export const http: Stage = {
  computers: [2],
  async run(lab) {
    const { api, step } = lab
    const start = async () => {
      // In the whole lab it is off the first time.
      await api('POST /poweroff', { clients: [second] })
      await untilGone(api, second)
      await lab.pullPlug(2)
      lab.powerOn(2, 'uefi-http')
    }
    await step('pc-2 starts the live system by HTTP boot, with Secure Boot on', async () => {
      await start()
      await untilLive(api, second)
      const text = await outputOf(api, second, 'dmesg | grep -o "Secure boot enabled"')
      if (text !== 'Secure boot enabled\n') throw new Error(`expected Secure Boot, got ${text}`)
    })
    await step('with the mode 10, it starts the system on its disk by HTTP boot', async () => {
      await succeed(api, 'POST /image/restore', restoreOf([second], linux))
      await outputOf(api, second, installLoader)
      await api('POST /mode', { clients: [second], mode: '10' })
      await start()
      await untilLinux(api, second)
    })
  },
}
