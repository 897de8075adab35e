// Fills the templates of scripts that install the agent.
import { readFile } from 'node:fs/promises'
import type { AgentFile } from '../contract/services.ts'

export interface InstallServer {
  /** Name or address for agents. */
  server: string
  port: string
  /** For updates through a proxy; '' without one. */
  url: string
  /** The address of the API. */
  origin: string
  /** SHA-256 of the Node for Windows that it serves; '' for none. */
  runtime: string
}

/** Rejects when the template cannot be read. */
export type MakeInstaller = (file: AgentFile, server: InstallServer) => Promise<Uint8Array>

/** Replaces `@NAME@` by the value with that name. */
export async function fillTemplate(path: string, values: Record<string, string>): Promise<string> {
  return (await readFile(path, 'utf8')).replace(/@([A-Z0-9]+)@/g, (all, key) => values[key] ?? all)
}
