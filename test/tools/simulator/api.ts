// Client of the daemon's REST API: sends a request and returns its status and JSON.

/** `json` is undefined without a body. */
// biome-ignore lint/suspicious/noExplicitAny: each caller knows the shape of what it asks for
export type ApiResponse = { status: number; json: any }
export type Call = (route: string, payload?: object) => Promise<ApiResponse>

const timeout = 30_000 // ms

/** Returns a function that rejects when there is no response. */
export function createApi(host: string, port: number, token: () => string): Call {
  return async (route, payload) => {
    const [method = '', path] = route.split(' ')
    const body = payload === undefined ? {} : { body: JSON.stringify(payload) }
    const headers = { Authorization: token() }
    const signal = AbortSignal.timeout(timeout)
    const response = await fetch(`http://${host}:${port}${path}`, { method, headers, signal, ...body })
    const text = await response.text()
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) }
  }
}
