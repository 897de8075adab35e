// Compiles the schema of a kind of module when a file that is not built in is checked: the built-in ones were checked when
// they were bundled.
// In the bundles of test files this file stands for host/modules/compile-contract.ts.
import { compileContract as compileNow } from '../../../host/modules/compile-contract.ts'
import { isBuiltIn } from './command-bundles.ts'

export function compileContract<Module>(schema: object, rootName: string): (exported: unknown) => Module {
  let check: ((exported: unknown) => Module) | undefined
  const isChecked = (exported: unknown): exported is Module => isBuiltIn(exported)
  return exported => {
    if (isChecked(exported)) return exported
    check ??= compileNow<Module>(schema, rootName)
    return check(exported)
  }
}
