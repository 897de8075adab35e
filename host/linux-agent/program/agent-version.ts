// The name of the agent with its version, which the bundle has; the sources have none.

declare const AGENT_VERSION: string | undefined

export const agentVersion = typeof AGENT_VERSION === 'string' ? AGENT_VERSION : 'source'

export const agentName = `fleet-agent ${agentVersion}`
