// What several hosts share besides the records: members, presence, events, and which host has which part.
import { sql } from 'kysely'

/**
 * Presence and events are in unlogged tables, which are empty after a crash of the server: each host announces its agents
 * anew then. The counters are lost in the same moment, and begin at the microseconds since 1970, beyond all earlier ones.
 */
export const fleetTables = [
  sql`create sequence host_epochs`,
  sql`
    create table hosts (
      name text primary key,
      epoch bigint not null,
      heartbeat timestamptz not null default clock_timestamp(),
      -- Milliseconds since 1970.
      joined bigint not null default extract(epoch from clock_timestamp()) * 1000,
      url text not null,
      -- Of the daemon.
      version text not null,
      modules json not null
    )`,
  // Raised by each transaction that assigns parts to a host; they wait for each other, so that no number comes late.
  sql`create table host_work (name text primary key, version bigint not null)`,
  sql`
    create unlogged table fleet_counters (
      one boolean primary key default true check (one),
      version bigint not null,
      event bigint not null,
      connection bigint not null
    )`,
  sql`
    create unlogged table agents (
      addr text not null,
      host text not null,
      epoch bigint not null,
      version bigint not null,
      gone boolean not null,
      changed timestamptz not null default clock_timestamp(),
      since bigint not null,
      connected bigint not null,
      state text not null,
      status text not null,
      speed double precision not null,
      result text not null,
      details json not null,
      primary key (addr, host)
    )`,
  sql`create index on agents (version)`,
  sql`
    create unlogged table fleet_events (
      id bigint primary key,
      host text not null,
      time bigint not null,
      event json not null
    )`,
  sql`create unlogged table script_outputs (client text primary key, output text not null)`,
  // A single host never writes these columns.
  sql`
    alter table job_parts
      add column host text,
      add column host_epoch bigint,
      add column work bigint not null default 0,
      add column direct boolean not null default false`,
  sql`create index assigned_parts on job_parts (host, work) where work > 0 and state in ('queued', 'sent')`,
]

/** Each host is judged by its own lease. The default is for hosts that wrote none. */
export const hostLeases = [sql`alter table hosts add column lease integer not null default 6000`]
