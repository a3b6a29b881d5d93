import { userInfo } from "@weft/contract/domains/access/user.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import Button from "antd/es/button";
import { type ReactNode, useState } from "react";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { Failed } from "#feedback/empty-state.tsx";
import { Card } from "#ui/card.tsx";
import { KeyValue } from "#ui/key-value.tsx";
import { Missing } from "#ui/missing.tsx";
import { PageHead } from "#ui/page-head.tsx";
import { TimeText } from "#ui/time-text.tsx";
import styles from "./account.module.css";
import { accountMessages, passwordMessages } from "./account-messages.ts";
import { ChangePassword } from "./change-password.tsx";
import { ContactLine } from "./contact-line.tsx";
import { FactorCard } from "./factor-card.tsx";
import { SessionCard } from "./session-card.tsx";

type Info = OutputOf<typeof userInfo>;

/** /user/info (section 2.1): the user's own data, password, MFA methods and sessions. */
export default function ProfilePage() {
  const t = useTexts(accountMessages, passwordMessages);
  const [isEditing, setEditing] = useState(false);
  return (
    <>
      <PageHead title={t("profile.title")} />
      <div className={styles.page}>
        <AccountCard />
        <Card
          title={t("profile.password")}
          extra={<Button onClick={() => setEditing(true)}>{t("password.title")}</Button>}
        >
          <span className="w-quiet">{t("profile.passwordHelp")}</span>
        </Card>
        <FactorCard />
        <SessionCard />
      </div>
      <ChangePassword open={isEditing} onClose={() => setEditing(false)} />
    </>
  );
}

function AccountCard() {
  const t = useTexts(accountMessages);
  const { data, error, refetch } = useCall(userInfo, {});
  // The same labels before and after the answer: what comes must not move what is there.
  const value = (of: (info: Info) => ReactNode): ReactNode =>
    data ? of(data) || <Missing /> : "…";
  return (
    <Card title={t("profile.account")}>
      {error && !data ? (
        <Failed error={error} retry={refetch} />
      ) : (
        <KeyValue
          columns={2}
          items={[
            { label: t.field("loginName"), value: value((info) => info.loginName) },
            { label: t.field("name"), value: value((info) => info.name) },
            { label: t.field("enterpriseName"), value: value((info) => info.enterpriseName) },
            { label: t.field("roleNames"), value: value((info) => info.roleNames) },
            {
              label: t.field("phone"),
              value: value(({ phone, phoneConfirmed }) => (
                <ContactLine way="phone" address={phone} isConfirmed={phoneConfirmed} />
              )),
            },
            {
              label: t.field("email"),
              value: value(({ email, emailConfirmed }) => (
                <ContactLine way="email" address={email} isConfirmed={emailConfirmed} />
              )),
            },
            {
              label: t.field("lastLogin"),
              value: value(({ lastLogin }) => <TimeText value={lastLogin} form="stamp" />),
            },
          ]}
        />
      )}
    </Card>
  );
}
