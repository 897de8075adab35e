// The columns of the tables. Types only; the tables themselves are made by the migrations.
import type { Generated } from 'kysely'
import type { PartState, Role } from '../../store.ts'

/** JSON as text, which is read as it was written: the order of its keys stays. */
type Json = string

export interface Tables {
  schema_versions: { version: number; applied: Generated<Date> }
  /** One row. `scopes` is raised by each change of what `scopes()` returns. */
  change_counts: { scopes: number }
  centers: { id: Generated<number>; name: string; comment: string }
  rooms: {
    id: Generated<number>
    center: number
    name: string
    netmask: string
    location: string
    gateway: string
    ntp: string
    dns: string
    group_number: number
    remote: boolean
  }
  repositories: { id: Generated<number>; name: string; ip: string; slots: Generated<number> }
  /** From id 22 on those that agents reported; before, the fixed table of `filesystem-names.ts`. */
  filesystems: { id: Generated<number>; name: string }
  operating_systems: { id: Generated<number>; name: string }
  /** `digest`: see `profile-digest.ts`. */
  hardware_profiles: { id: Generated<number>; digest: string; types: string[]; descriptions: string[] }
  software_profiles: { id: Generated<number>; digest: string; os: string; programs: string[] }
  images: {
    id: Generated<number>
    name: string
    description: string
    repo_id: number
    type: number
    datasize: number
    software_profile: number | null
    group_number: number
    center_number: number
    room_number: Generated<number>
    clonator: string
    compressor: string
    filesystem: string
    version: Generated<number>
    disk: Generated<number>
    partition: Generated<number>
  }
  computers: {
    id: Generated<number>
    name: string
    ip: string
    mac: string
    room: number
    netmask: string
    boot: string
    remote: boolean
    serial_number: string
    hardware_profile: number | null
    /** The `hardware_id` of a record that names a profile which is not there; 0 otherwise. */
    hardware_number: number
    /** Raised when a report of its disks adds or removes partitions. */
    layout: Generated<number>
    repo_id: number
    netiface: string
    netdriver: string
    livedir: string
    maintenance: boolean
    seat_row: number | null
    seat_column: number | null
  }
  partitions: {
    computer: number
    disk: number
    partition: number
    code: number
    size: number
    used_size: number
    filesystem: number
    operating_system: number | null
    image: number | null
    software_profile: number | null
    image_version: Generated<number>
    image_since: Generated<number>
  }
  /** `procedure_steps` and `task_steps` are the ids that the steps name. */
  procedures: {
    id: Generated<number>
    center: number
    name: string
    description: string
    steps: Json
    procedure_steps: number[]
    task_steps: number[]
  }
  tasks: {
    id: Generated<number>
    center: number
    name: string
    description: string
    steps: Json
    procedure_steps: number[]
    task_steps: number[]
    scope_type: 'center' | 'room' | 'computer' | null
    scope_id: number | null
    clients: string[] | null
    options: Json | null
  }
  /** A view: what each procedure and task names in its steps. */
  named_steps: { owner_type: NamedType; owner: number; type: NamedType; id: number }
  scheduled_commands: { id: Generated<number>; clients: string[]; command: string; params: Json }
  schedules: {
    id: Generated<number>
    type: 'task' | 'procedure' | 'command'
    task: number
    name: string
    suspended: number
    since: number
    maker: string
    plan_task: number | null
    plan_procedure: number | null
    years: number
    months: number
    weeks: number
    week_days: number
    days: number
    hours: number
    am_pm: number
    minutes: number
  }
  jobs: {
    id: Generated<number>
    created: number
    origin: 'request' | 'task' | 'procedure' | 'schedule' | 'retry'
    name: string
    caller: string | null
    maker: string
    account: string | null
    steps: Json
    /** Those of the steps, for filters. */
    commands: string[]
    conditions: Json | null
  }
  job_parts: {
    job: number
    part: number
    client: string
    step: number
    state: PartState
    reason: string
    queued: number
    sent: number
    ended: number
    expires: number
    output: string
    output_dropped: boolean
    /** The order in which long outputs were written; null for short and dropped ones, which take no space. */
    output_number: number | null
    output_bytes: number
    /** The host that is to look after it, or that sent it; null for none. */
    host: Generated<string | null>
    /** The epoch of the host that sent it. */
    host_epoch: Generated<number | null>
    /** The host's number in `host_work` when it was assigned; 0 for a part that the host added itself. */
    work: Generated<number>
    /** Queued only until its host sends it, which is at once. */
    direct: Generated<boolean>
  }
  tokens: Account & { expires: number }
  users: Account
  /** Heartbeats by the clock of the server. The order of the epochs is that in which hosts have joined. */
  hosts: {
    name: string
    epoch: number
    heartbeat: Generated<Date>
    joined: Generated<number>
    url: string
    version: string
    modules: Json
  }
  host_work: { name: string; version: number }
  /** One row, or none after a crash of the server: the last numbers of presence, events and connections. */
  fleet_counters: { one: Generated<boolean>; version: number; event: number; connection: number }
  agents: {
    addr: string
    host: string
    epoch: number
    version: number
    gone: boolean
    changed: Generated<Date>
    since: number
    connected: number
    state: string
    status: string
    speed: number
    result: 'unknown' | 'success' | 'failure'
    details: Json
  }
  fleet_events: { id: number; host: string; time: number; event: Json }
  script_outputs: { client: string; output: string }
}

type NamedType = 'procedure' | 'task'

interface Account {
  id: Generated<number>
  name: string
  hash: string
  role: Role
  centers: number[]
  rooms: number[]
  created: number
  maker: string
  disabled: boolean
  used: number
}
