// Checks that a view follows its contract, host/contract/view.ts.
import type { LoadedView } from '../contract/loaded-module.ts'
import type { CheckedView } from './checked.ts'
import { compileContract } from './compile-contract.ts'
import { collectionsSchema, settingsSchema } from './pack-schema.ts'

const text = { type: 'string', minLength: 1 }

const viewSchema = {
  type: 'object',
  required: ['summary', 'view', 'title', 'data'],
  additionalProperties: false,
  properties: {
    contract: { enum: [3] },
    summary: text,
    view: { enum: ['computer', 'client-badge', 'overview', 'page', 'chart'] },
    title: text,
    settings: settingsSchema,
    collections: collectionsSchema,
    access: { enum: ['read', 'operate', 'admin'] },
    scoped: { enum: [true] },
    data: { callable: true, description: 'a function' },
  },
}

const checkContract = compileContract<LoadedView['view']>(viewSchema, 'view')

export const validateView = (exported: unknown): CheckedView => ({ kind: 'view', view: checkContract(exported) })
