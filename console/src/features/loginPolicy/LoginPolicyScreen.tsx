// The login policy: single sign-on, password rules, one-time passwords (spec S2 §2.7).
import { z } from 'zod'
import { Page, PageBody, PageHeader, PartHeading } from '../../kit/layout/Page.tsx'
import { PaneTabs } from '../../kit/layout/PaneTabs.tsx'
import { namesOf, tabsOf } from '../../kit/layout/screen.ts'
import { useView } from '../../kit/layout/view.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { LOGIN_POLICY_TABS, loginPolicyTexts } from './loginPolicy.ts'
import { OtpPolicyPane } from './OtpPolicyPane.tsx'
import { PasswordRulesPane } from './PasswordRulesPane.tsx'
import { ProtectionPane } from './ProtectionPane.tsx'
import { SsoPolicyPane } from './SsoPolicyPane.tsx'

const LoginPolicyView = z.object({ tab: z.enum(namesOf(LOGIN_POLICY_TABS)).default('sso') })
const PANES = { sso: SsoPolicyPane, rules: PasswordRulesPane, otp: OtpPolicyPane, protection: ProtectionPane }

export function LoginPolicyScreen() {
  const t = useTexts(loginPolicyTexts)
  const language = useLanguage()
  const [{ tab }, setView] = useView(LoginPolicyView)
  const Content = PANES[tab]
  return (
    <Page>
      <PageHeader />
      <PageBody>
        <PaneTabs
          label={t('menu')}
          tabs={tabsOf(LOGIN_POLICY_TABS, language)}
          value={tab}
          onChange={(value) => setView({ tab: value })}
        >
          <PartHeading>{LOGIN_POLICY_TABS[tab].title[language]}</PartHeading>
          <Content />
        </PaneTabs>
      </PageBody>
    </Page>
  )
}
