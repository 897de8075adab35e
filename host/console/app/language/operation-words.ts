// What an operation of the API does, in the words of a language: by its name, or by a verb and a noun.

type Texts = (key: string, values?: { what: string }) => string | undefined

/** `room-add`: `Add a room`. Undefined when the language has no words for it, as of modules of a site. */
export function operationWords(name: string, texts: Texts): string | undefined {
  const [, noun = '', verb = ''] = /^(.+)-(add|update|delete)$/.exec(name) ?? []
  const what = texts(`noun.${noun}`)
  return texts(`command.${name}`) ?? (what && texts(`verb.${verb}`, { what }))
}
