// The dialog of an unknown error, which reloads the page (spec S1 §2, §8).
import { dialogTexts } from '../../kit/dialogs/dialogs.texts.ts'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { text } from '../../kit/texts/texts.ts'
import { reloadPage } from './reloadPage.ts'

export async function showUnknownError(): Promise<void> {
  await showMessage({ title: text(dialogTexts, 'unknownTitle'), body: text(dialogTexts, 'unknownBody') })
  reloadPage()
}
