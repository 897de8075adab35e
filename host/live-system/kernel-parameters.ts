// The parameters with which a computer starts the kernel of a live system of this server.

/** Where the kernel and the agent of a live system reach the daemon. */
export interface LiveServer {
  address: string
  restPort: number
  agentPort: number
}

/** All values without characters that have a meaning there; `computerName` is '' for computers without a record. */
export function liveParameters(server: LiveServer, livedir: string, computerName: string): string {
  const { address, restPort, agentPort } = server
  return [
    'boot=live components',
    `fetch=http://${address}:${restPort}/live/${livedir}/root.squashfs`,
    'ip=dhcp',
    `fleet_server=${address} fleet_port=${agentPort}`,
    ...(computerName === '' ? [] : [`systemd.hostname=${computerName}`]),
  ].join(' ')
}
