// A logo: how it appears where it is used, and the buttons that replace or remove it.
import { LOGO_SIZES, MAX_LOGO, MAX_LOGO_FILE } from '@acc/contract/infos'
import { formatBytes } from '@acc/contract/labels/formats'
import { Button, FileButton, Group, Text } from '@mantine/core'
import { useViewer } from '../../kit/api/viewer.ts'
import { Logo } from '../../kit/layout/Logo.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Infos.module.css'
import { type EditedLogo, infosTexts, maxSizeOf } from './infos.ts'

/** The sign-in card or the sidebar in outlines, with the logo in its true size. */
function Preview({ logo: { place, image } }: { logo: EditedLogo }) {
  const t = useTexts(infosTexts)
  const { runtime } = useViewer()
  const isLogin = place === 'login'
  return (
    <div
      className={css.preview}
      data-place={place}
      role="img"
      aria-label={t(isLogin ? 'loginPreview' : 'managePreview')}
    >
      <div className={css.mock}>
        <Logo image={image} name={runtime.product.serverName} isLarge={isLogin} />
        {isLogin ? (
          <>
            <i className={css.field} />
            <i className={css.field} />
            <i className={css.button} />
          </>
        ) : (
          <>
            <i className={css.item} data-current />
            <i className={css.item} />
            <i className={css.item} />
          </>
        )}
      </div>
    </div>
  )
}

function useWords({ place, chosen, problem }: EditedLogo) {
  const t = useTexts(infosTexts)
  const { configs } = useViewer()
  const max = maxSizeOf(place)
  const values = {
    extensions: configs.allowExtensionsLogo.map((extension) => extension.toUpperCase()).join(', '),
    ...LOGO_SIZES[place],
    maxWidth: max.width,
    maxHeight: max.height,
    maxFile: formatBytes(MAX_LOGO_FILE),
    maxStored: formatBytes(MAX_LOGO),
  }
  const changeOf = () => {
    if (chosen === null) return null
    if (chosen === 'removed') return t('removed')
    const { file, width, height } = chosen
    return t('new', { name: file.name, width, height, size: formatBytes(file.size) })
  }
  return { hint: t('logoHint', values), problem: problem && t(problem, values), change: changeOf() }
}

export function LogoField({ logo, isBusy }: { logo: EditedLogo; isBusy: boolean }) {
  const t = useTexts(infosTexts)
  const { configs } = useViewer()
  const name = t(logo.place)
  const words = useWords(logo)
  const accept = configs.allowExtensionsLogo.map((extension) => `.${extension}`).join(',')
  return (
    <fieldset className={css.logo} data-changed={logo.isChanged || undefined}>
      <legend>{name}</legend>
      <Preview logo={logo} />
      <Text className="quiet" mt={6}>
        {words.hint}
      </Text>
      {words.change && (
        <Text className="quiet" mt={6} c="var(--accent)">
          {words.change}
        </Text>
      )}
      {words.problem && (
        <Text className="quiet" mt={6} c="var(--bad)" role="alert">
          {words.problem}
        </Text>
      )}
      <Group gap={8} mt={8} wrap="nowrap">
        <FileButton accept={accept} onChange={(file) => file && void logo.choose(file)} disabled={isBusy}>
          {(props) => (
            <Button {...props} size="xs" variant="default" aria-label={t('chooseFor', { name })}>
              {t('choose')}
            </Button>
          )}
        </FileButton>
        {logo.isChanged ? (
          <Button size="xs" variant="subtle" onClick={logo.undo} aria-label={t('undoFor', { name })} disabled={isBusy}>
            {t('undo')}
          </Button>
        ) : (
          logo.image !== null && (
            <Button
              size="xs"
              variant="subtle"
              color="red"
              onClick={logo.remove}
              aria-label={t('removeFor', { name })}
              disabled={isBusy}
            >
              {t('remove')}
            </Button>
          )
        )}
      </Group>
    </fieldset>
  )
}
