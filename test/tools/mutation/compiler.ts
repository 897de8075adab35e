// TypeScript's own parser and checker, on a copy of the repository.
import { join } from 'node:path'
import type { SourceFile } from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/sync'

/** "Is declared but never used": a change may remove the only use of something. */
const unused = [6133, 6192, 6196, 6198]

export class Compiler {
  readonly #api: API
  readonly #folder: string
  readonly #configuration: string

  constructor(folder: string) {
    this.#folder = folder
    this.#configuration = join(folder, 'tsconfig.json')
    this.#api = new API({ cwd: folder })
  }

  /** `file` is relative to the folder. */
  parse(file: string): SourceFile {
    const source = this.#program().getSourceFile(join(this.#folder, file))
    if (!source) throw new Error(`${file}: not in tsconfig.json`)
    return source
  }

  /** Whether the file, which has changed on the disk, has no error. */
  accepts(file: string): boolean {
    const path = join(this.#folder, file)
    const program = this.#program(path)
    const errors = [...program.getSyntacticDiagnostics(path), ...program.getSemanticDiagnostics(path)]
    return errors.every(({ code }) => unused.includes(code))
  }

  close(): void {
    this.#api.close()
  }

  #program(changed?: string) {
    const snapshot = this.#api.updateSnapshot({
      openProjects: [this.#configuration],
      ...(changed !== undefined && { fileChanges: { changed: [changed] } }),
    })
    const project = snapshot.getProject(this.#configuration)
    if (!project) throw new Error(`${this.#configuration}: cannot be read`)
    return project.program
  }
}
