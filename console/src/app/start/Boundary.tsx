// An error while a screen is drawn or fetched replaces that screen only. It is drawn again on request, and by itself when the
// server is back.
import { Button, Group, Text } from '@mantine/core'
import { Component, type ErrorInfo, type ReactNode } from 'react'
import { isConnected } from '../../kit/api/connection.ts'
import { dialogTexts } from '../../kit/dialogs/dialogs.texts.ts'
import { text } from '../../kit/texts/texts.ts'
import css from './App.module.css'

type Props = {
  children: ReactNode
  /** Runs before the children are drawn again. */
  onRetry?: () => void
}
type State = { error: unknown }

// React offers error boundaries as classes only.
export class Boundary extends Component<Props, State> {
  override state: State = { error: null }
  stop: () => void = () => undefined
  static getDerivedStateFromError(error: unknown): State {
    return { error }
  }
  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error(error, info.componentStack)
  }
  override componentDidMount(): void {
    this.stop = isConnected.subscribe(() => {
      if (isConnected.get() && this.state.error !== null) this.retry()
    })
  }
  override componentWillUnmount(): void {
    this.stop()
  }
  retry = (): void => {
    this.props.onRetry?.()
    this.setState({ error: null })
  }
  override render(): ReactNode {
    if (this.state.error === null) return this.props.children
    return (
      <div className={css.whole} role="alert">
        <Text fw={650}>{text(dialogTexts, 'screenTitle')}</Text>
        <Text size="sm" c="dimmed">
          {text(dialogTexts, 'screenHint')}
        </Text>
        <Group gap={8} mt={8}>
          <Button onClick={this.retry}>{text(dialogTexts, 'retry')}</Button>
          <Button variant="default" onClick={() => location.reload()}>
            {text(dialogTexts, 'reload')}
          </Button>
        </Group>
      </div>
    )
  }
}
