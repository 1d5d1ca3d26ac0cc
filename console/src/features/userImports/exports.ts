// The parts of this feature that other features may import.
import { fetchedComponent } from '../../kit/layout/fetchedComponent.ts'
import { userImportsTexts } from './userImports.ts'

export { OpenRunNotice } from './OpenRunNotice.tsx'
export { RefusalText, RunSummary } from './RunSummary.tsx'
export { RunTable } from './RunTable.tsx'

/** Imports as a part of the users screen. */
export const ImportsPart = fetchedComponent(() =>
  import('./ImportsPart.tsx').then((module) => [module.ImportsPart, userImportsTexts]),
)
