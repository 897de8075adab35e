// `fleet types`: the payloads and answers of the API as TypeScript, for programs that call it.
import { typescriptTypes } from '../api/typescript-types.ts'
import { subcommand } from './subcommand.ts'

export const types = subcommand({
  command: 'types',
  description: 'print the types of the API as TypeScript, also those of site commands',
  async run({ connect, print }) {
    const { body } = await connect().call('GET /openapi.json')
    print(typescriptTypes(body).trimEnd())
  },
})
