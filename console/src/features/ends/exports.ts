// The parts of this feature that other features may import.
export { EndDialog } from './EndDialog.tsx'
export { EndFields } from './EndFields.tsx'
export { ExceptionReport } from './ExceptionReport.tsx'
export {
  type EndValues,
  endFaults,
  endOf,
  newEnd,
  useEndFaultTexts,
  useEndText,
  valuesOfEnd,
} from './ends.ts'
