// An error while a screen is drawn or fetched replaces that screen only. It is drawn again on request, and by itself when the
// server is back; while the server cannot be reached, that is what it says.
import { Button, Group, Text } from '@mantine/core'
import { Component, type ErrorInfo, type ReactNode } from 'react'
import { isConnected } from '../../kit/api/connection.ts'
import { errorTexts } from '../../kit/api/errors.texts.ts'
import { dialogTexts } from '../../kit/dialogs/dialogs.texts.ts'
import { retryFailed } from '../../kit/layout/fetchedPart.ts'
import { text } from '../../kit/texts/texts.ts'
import css from './App.module.css'

type Props = { children: ReactNode }
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
      if (this.state.error === null) return
      if (isConnected.get()) this.retry()
      else this.forceUpdate()
    })
  }
  override componentWillUnmount(): void {
    this.stop()
  }
  retry = (): void => {
    retryFailed()
    this.setState({ error: null })
  }
  override render(): ReactNode {
    if (this.state.error === null) return this.props.children
    const isReachable = isConnected.get()
    return (
      <div className={css.whole} role="alert">
        <Text fw={650}>{text(dialogTexts, 'screenTitle')}</Text>
        <Text size="sm" c="dimmed">
          {isReachable ? text(dialogTexts, 'screenHint') : text(errorTexts, 'network')}
        </Text>
        <Group gap={8} mt={8}>
          <Button onClick={this.retry}>{text(dialogTexts, 'retry')}</Button>
          {/* Without the server the page itself could not be loaded either. */}
          {isReachable && (
            <Button variant="default" onClick={() => location.reload()}>
              {text(dialogTexts, 'reload')}
            </Button>
          )}
        </Group>
      </div>
    )
  }
}
