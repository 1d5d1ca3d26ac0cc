// "Create user", and next to it the menu with the import of many from a file.
import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconFileImport, IconPlus, IconUserPlus } from '@tabler/icons-react'
import { guarded } from '../../kit/form/unsaved.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { usersTexts } from './users.ts'

type Props = { onCreate: () => void; onImport: () => void }

export function CreateButton({ onCreate, onImport }: Props) {
  const t = useTexts(usersTexts)
  return (
    <Button.Group>
      <Button leftSection={<IconPlus size={14} />} onClick={guarded(onCreate)}>
        {t('createUser')}
      </Button>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button px={7} ml={1} aria-label={t('createWays')}>
            <IconChevronDown size={14} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconUserPlus size={14} />} onClick={guarded(onCreate)}>
            {t('createOne')}
          </Menu.Item>
          <Menu.Item leftSection={<IconFileImport size={14} />} onClick={onImport}>
            {t('import')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  )
}
