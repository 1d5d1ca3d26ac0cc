// An error while a screen is drawn or fetched replaces that screen only. It is drawn again on request, and by itself
// when the server is back. If its code is lost to the page (`LostPart`), the page is reloaded in place of that.
import { ApiError } from '@acc/contract/core/client'
import { Button, Group, Text } from '@mantine/core'
import { Component, type ErrorInfo, type ReactNode } from 'react'
import { errorTexts } from '../../kit/api/errorText.ts'
import { hasNewVersion, liveConnection } from '../../kit/browser/connection.ts'
import { LostPart, retryFailed } from '../../kit/browser/fetchedPart.ts'
import { dialogTexts } from '../../kit/dialogs/dialogs.texts.ts'
import { isEdited } from '../../kit/form/unsaved.ts'
import { reloadForPart } from '../../kit/layout/fetchedComponent.ts'
import { text } from '../../kit/texts/texts.ts'
import css from './App.module.css'

type Props = { children: ReactNode }
type State = { error: unknown }

/** By itself only where nothing is lost by it. */
const reloadUnlessEdited = (): void => {
  if (!isEdited()) location.reload()
}

// React offers error boundaries as classes only.
export class Boundary extends Component<Props, State> {
  override state: State = { error: null }
  stop: () => void = () => undefined
  static getDerivedStateFromError(error: unknown): State {
    return { error }
  }
  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error(error, info.componentStack)
    if (error instanceof LostPart) void this.leaveOldVersion()
  }
  override componentDidMount(): void {
    let before = liveConnection.get()
    this.stop = liveConnection.subscribe(() => {
      const isBack = before === 'lost' && liveConnection.get() === 'up'
      before = liveConnection.get()
      if (this.state.error === null) return
      if (!isBack) this.forceUpdate()
      else if (this.state.error instanceof LostPart) reloadUnlessEdited()
      else this.retry()
    })
  }
  override componentWillUnmount(): void {
    this.stop()
  }
  /** The files of an old version are gone. If the server has no other, a reload might end here again and again. */
  async leaveOldVersion(): Promise<void> {
    if (await hasNewVersion().catch(() => false)) reloadUnlessEdited()
  }
  retry = (): void => {
    if (this.state.error instanceof LostPart) {
      void reloadForPart()
      return
    }
    retryFailed()
    this.setState({ error: null })
  }
  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    const isAway = error instanceof ApiError || liveConnection.get() === 'lost'
    return (
      <div className={css.whole} role="alert">
        <Text fw={650}>{text(dialogTexts, 'screenTitle')}</Text>
        <Text size="sm" c="dimmed">
          {isAway ? text(errorTexts, 'network') : text(dialogTexts, 'screenHint')}
        </Text>
        <Group gap={8} mt={8}>
          <Button onClick={this.retry}>{text(dialogTexts, 'retry')}</Button>
          {/* Without the server the page itself could not be loaded either. */}
          {!isAway && (
            <Button variant="default" onClick={() => location.reload()}>
              {text(dialogTexts, 'reload')}
            </Button>
          )}
        </Group>
      </div>
    )
  }
}
