import { userInfo } from "@weft/contract/resources/user.ts";
import Button from "antd/es/button";
import { useState } from "react";
import { Failed, Loading } from "#kernel/feedback/empty-state.tsx";
import { useTexts } from "#kernel/texts.ts";
import { useCall } from "#kernel/use-call.ts";
import { Card } from "#ui/card.tsx";
import { KeyValue } from "#ui/key-value.tsx";
import { Missing } from "#ui/missing.tsx";
import { PageHead } from "#ui/page-head.tsx";
import { TimeText } from "#ui/time-text.tsx";
import styles from "./account.module.css";
import { ChangePassword } from "./change-password.tsx";
import { FactorCard } from "./factor-card.tsx";
import { accountMessages, sessionMessages } from "./messages.ts";
import { SessionCard } from "./session-card.tsx";

/** /user/info (section 2.1): the own data, password, second factors and sessions. */
export default function ProfilePage() {
  const t = useTexts(accountMessages, sessionMessages);
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
  const text = (value: string | null) => value || <Missing />;
  return (
    <Card title={t("profile.account")}>
      {error && <Failed error={error} retry={refetch} />}
      {!data && !error && <Loading rows={3} />}
      {data && (
        <KeyValue
          columns={2}
          items={[
            { label: t.field("loginName"), value: data.loginName },
            { label: t.field("name"), value: text(data.name) },
            { label: t.field("enterpriseName"), value: data.enterpriseName },
            { label: t.field("roleNames"), value: text(data.roleNames) },
            { label: t.field("phone"), value: text(data.phone) },
            { label: t.field("email"), value: text(data.email) },
            {
              label: t.field("lastLogin"),
              value: <TimeText value={data.lastLogin} form="stamp" />,
            },
          ]}
        />
      )}
    </Card>
  );
}
