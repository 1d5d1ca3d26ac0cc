// Imports as a part of the users screen: the file with earlier runs, or one run.
import { useView } from '../../kit/layout/view.ts'
import { ImportHome } from './ImportHome.tsx'
import { RunPage } from './RunPage.tsx'
import { ImportsView } from './userImports.ts'

export function ImportsPart() {
  const [{ importIdx }] = useView(ImportsView)
  return importIdx === undefined ? <ImportHome /> : <RunPage key={importIdx} idx={importIdx} />
}
