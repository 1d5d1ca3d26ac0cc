// A defect in drawing a screen takes down that screen only, and says so.
import { Button, Text } from '@mantine/core'
import { Component, type ErrorInfo, type ReactNode } from 'react'
import { dialogTexts } from '../../kit/dialogs/dialogs.texts.ts'
import { text } from '../../kit/texts/texts.ts'
import css from './App.module.css'

type Props = { children: ReactNode }
type State = { error: unknown }

// React offers error boundaries as classes only.
export class Boundary extends Component<Props, State> {
  override state: State = { error: null }
  static getDerivedStateFromError(error: unknown): State {
    return { error }
  }
  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error(error, info.componentStack)
  }
  override render(): ReactNode {
    if (this.state.error === null) return this.props.children
    return (
      <div className={css.whole} role="alert">
        <Text fw={650}>{text(dialogTexts, 'screenTitle')}</Text>
        <Text size="sm" c="dimmed">
          {text(dialogTexts, 'screenHint')}
        </Text>
        <Button variant="default" mt={8} onClick={() => location.reload()}>
          {text(dialogTexts, 'reload')}
        </Button>
      </div>
    )
  }
}
