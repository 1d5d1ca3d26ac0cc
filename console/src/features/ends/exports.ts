// The parts of this feature that other features may import.
import { loadTexts } from '../../kit/texts/texts.ts'
import { endsTexts } from './ends.ts'

// Ahead of the first use: a page that waits for texts would lose the focus.
void loadTexts(endsTexts)

export { EndDialog, EndFields } from './EndFields.tsx'
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
