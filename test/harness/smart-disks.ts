// Disks as smartctl describes them in JSON: SATA, NVMe, SAS, a USB adapter that it does not know, and one in standby.

const attribute = (id: number, name: string, raw: string, more: object = {}) => ({
  ...{ id, name, value: 100, worst: 100, thresh: 10, when_failed: '' },
  flags: { value: 51, string: 'PO--CK ', prefailure: true, updated_online: true },
  raw: { value: Number.parseInt(raw, 10), string: raw },
  ...more,
})

const answer = (exitStatus: number, more: object) => ({
  json_format_version: [1, 0],
  smartctl: { version: [7, 3], exit_status: exitStatus },
  ...more,
})

interface HardDisk {
  reallocated?: number
  pending?: number
  passed?: boolean
}

/** A SATA hard disk. The exit status of one that is failing has a bit of its own, and its JSON is whole. */
export const hardDisk = ({ reallocated = 0, pending = 0, passed = true }: HardDisk = {}) =>
  answer(passed ? 0 : 8, {
    device: { name: '/dev/sda', info_name: '/dev/sda [SAT]', type: 'sat', protocol: 'ATA' },
    model_family: 'Seagate BarraCuda 3.5',
    model_name: 'ST1000DM010-2EP102',
    serial_number: 'Z9ATEST1',
    user_capacity: { blocks: 1_953_525_168, bytes: 1_000_204_886_016 },
    rotation_rate: 7200,
    smart_support: { available: true, enabled: true },
    smart_status: { passed },
    ata_smart_attributes: {
      revision: 10,
      table: [
        attribute(1, 'Raw_Read_Error_Rate', '90699117'),
        attribute(5, 'Reallocated_Sector_Ct', String(reallocated)),
        attribute(9, 'Power_On_Hours', '12345 (201 123 0)'),
        attribute(187, 'Reported_Uncorrect', '0'),
        attribute(188, 'Command_Timeout', '1 1 1', { raw: { value: 4_295_032_833, string: '1 1 1' } }),
        attribute(194, 'Temperature_Celsius', '36 (0 18 0 0 0)', {
          raw: { value: 77_309_411_364, string: '36 (0 18 0 0 0)' },
        }),
        attribute(197, 'Current_Pending_Sector', String(pending)),
        attribute(198, 'Offline_Uncorrectable', '0'),
      ],
    },
    power_on_time: { hours: 12_345 },
    temperature: { current: 36 },
    ata_smart_self_test_log: { standard: { table: Array.from({ length: 200 }, () => ({ status: 'completed' })) } },
  })

/** A SATA solid-state disk whose wear follows from an attribute of its manufacturer. */
export const solidState = (lifeLeft: number) =>
  answer(0, {
    model_name: 'Samsung SSD 860 EVO 500GB',
    serial_number: 'S3TEST2',
    user_capacity: { bytes: 500_107_862_016 },
    rotation_rate: 0,
    smart_status: { passed: true },
    ata_smart_attributes: { table: [attribute(177, 'Wear_Leveling_Count', '12', { value: lifeLeft })] },
    temperature: { current: 31 },
  })

export const nvmeDisk = (health: object = {}) =>
  answer(0, {
    device: { name: '/dev/nvme0', info_name: '/dev/nvme0', type: 'nvme', protocol: 'NVMe' },
    model_name: 'KIOXIA-EXCERIA G2 SSD',
    serial_number: 'N1TEST3',
    user_capacity: { bytes: 1_000_204_886_016 },
    smart_status: { passed: true, nvme: { value: 0 } },
    nvme_smart_health_information_log: {
      ...{ critical_warning: 0, temperature: 41, available_spare: 100, available_spare_threshold: 10 },
      ...{ percentage_used: 3, media_errors: 0, power_on_hours: 820, unsafe_shutdowns: 9 },
      ...health,
    },
    temperature: { current: 41 },
    power_on_time: { hours: 820 },
  })

export const sasDisk = (defects: number) =>
  answer(0, {
    device: { name: '/dev/sdd', type: 'scsi', protocol: 'SCSI' },
    scsi_model_name: 'SEAGATE ST600MM0006',
    serial_number: 'S0TEST4',
    smart_status: { passed: true },
    scsi_grown_defect_list: defects,
    scsi_error_counter_log: { read: { total_uncorrected_errors: 2 }, write: { total_uncorrected_errors: 0 } },
    temperature: { current: 30, drive_trip: 60 },
  })

const messages = (string: string, exitStatus: number) => ({
  json_format_version: [1, 0],
  smartctl: { version: [7, 3], messages: [{ string, severity: 'error' }], exit_status: exitStatus },
})

export const usbAdapter = messages('/dev/sdc: Unknown USB bridge [0x152d:0x0578 (0x214)]', 1)
export const virtualDisk = messages('/dev/vda: Unable to detect device type', 1)
/** The status is the one that the agent asks for. */
export const standbyDisk = answer(3, { device: { name: '/dev/sde' } })

/** What the agent for Linux makes of it. */
export function reported(name: string, smartctl: object): object {
  // `as`: it has no other keys with a table.
  const { ata_smart_attributes: ata, smartctl: _, ...facts } = smartctl as Record<string, { table?: Attribute[] }>
  const attributes = ata?.table?.map(({ raw, ...each }) => ({ ...each, raw: raw.string }))
  return { name, ...facts, ...(attributes && { attributes }) }
}

type Attribute = ReturnType<typeof attribute>
