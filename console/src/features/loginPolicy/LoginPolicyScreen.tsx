// The login policy: single sign-on, password rules, one-time passwords (spec S2 §2.7).
import { z } from 'zod'
import { Page, PageBody, PageHeader, PartHeading } from '../../kit/layout/Page.tsx'
import { PaneTabs } from '../../kit/layout/PaneTabs.tsx'
import { useView } from '../../kit/layout/view.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { loginPolicyTexts } from './loginPolicy.ts'
import { OtpPolicyPane } from './OtpPolicyPane.tsx'
import { PasswordRulesPane } from './PasswordRulesPane.tsx'
import { ProtectionPane } from './ProtectionPane.tsx'
import { SsoPolicyPane } from './SsoPolicyPane.tsx'

const TABS = ['sso', 'rules', 'otp', 'protection'] as const
const LoginPolicyView = z.object({ tab: z.enum(TABS).default('sso') })
const PANES = { sso: SsoPolicyPane, rules: PasswordRulesPane, otp: OtpPolicyPane, protection: ProtectionPane }

export function LoginPolicyScreen() {
  const t = useTexts(loginPolicyTexts)
  const [{ tab }, setView] = useView(LoginPolicyView)
  const Content = PANES[tab]
  return (
    <Page>
      <PageHeader />
      <PageBody>
        <PaneTabs
          label={t('menu')}
          tabs={TABS.map((value) => ({ value, label: t(`tab.${value}`) }))}
          value={tab}
          onChange={(value) => setView({ tab: value })}
        >
          <PartHeading>{t(`tab.${tab}`)}</PartHeading>
          <Content />
        </PaneTabs>
      </PageBody>
    </Page>
  )
}
