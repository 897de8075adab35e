// A reply of the agent to a request of the daemon.

export interface AgentReply {
  status: number
  body?: object
  /** Called when the reply was sent; nothing else is executed on this connection from then on. */
  afterwards?(): void
}
