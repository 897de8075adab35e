// Answers as JSON; what is frozen is serialised once, as long as it lives.

const texts = new WeakMap<object, string>()

/**
 * The JSON of an answer. The values of its keys that are frozen are taken to be so at every depth: consoles ask for
 * the same large lists every second.
 */
export function toJson(answer: object): string {
  if (Array.isArray(answer) || 'toJSON' in answer) return JSON.stringify(answer)
  const members: string[] = []
  for (const [key, value] of Object.entries(answer)) {
    const text = textOf(value)
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${text}`)
  }
  return `{${members.join(',')}}`
}

function textOf(value: unknown): string | undefined {
  if (!(value instanceof Object) || !Object.isFrozen(value)) return JSON.stringify(value)
  const known = texts.get(value)
  if (known !== undefined) return known
  const text: string | undefined = JSON.stringify(value)
  if (text !== undefined) texts.set(value, text)
  return text
}
