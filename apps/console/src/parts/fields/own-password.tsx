import { defineMessages } from "@weft/contract/kernel/message.ts";
import Button from "antd/es/button";
import { useState } from "react";
import { useSession } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { useToast } from "#feedback/toast.tsx";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import { Field } from "#kernel/form/field.tsx";

const messages = defineMessages({
  "ownPassword.label": ["当前密码", "Your password"],
  "ownPassword.help": [
    "此操作影响登录权限，须验证您自己的登录密码",
    "Needed because this decides who may log in: the password of your own account",
  ],
  "ownPassword.provider": [
    "在身份提供方输入凭据后 10 分钟内可留空；浏览器中已有的登录状态不算。已填内容会保留",
    "Empty within 10 minutes of entering your credentials at the identity provider; being logged in there already does not count. What you typed is kept",
  ],
  "ownPassword.again": ["重新认证", "Authenticate again"],
});

interface Props {
  /** What the form was filled from; absent: it always needs the password. */
  readonly row?: object | null;
  /** The fields that need it once they differ from the row. */
  readonly fields?: readonly string[];
}

/** As two values are compared: without the order of a choice of several, and empty is empty. */
const comparable = (value: unknown): string => {
  const plain = Array.isArray(value) && value.every((item) => typeof item !== "object");
  return JSON.stringify(plain ? [...value].sort() : value === "" ? null : (value ?? null));
};

/** The person's own password, last in forms that make or widen a way to log in (contract ways-in.ts). */
export function OwnPassword({ row = null, fields = [] }: Props) {
  const t = useTexts(messages);
  const { providerLogin = false, providerId = null } = useSession();
  const values = useDraftValues<Readonly<Record<string, unknown>>>();
  const old = row as Readonly<Record<string, unknown>> | null;
  const differs = (name: string): boolean =>
    name in values && comparable(values[name]) !== comparable(old?.[name]);
  if (old !== null && !fields.some(differs)) return null;
  return (
    <>
      <Field
        name="oldPsw"
        kind="password"
        label={t("ownPassword.label")}
        help={t(providerLogin ? "ownPassword.provider" : "ownPassword.help")}
        autoComplete="current-password"
        required={!providerLogin}
      />
      {providerId !== null && <AuthenticateAgain providerId={providerId} />}
    </>
  );
}

/** Leads to the identity provider, which asks for the person, and back to this form. */
function AuthenticateAgain({ providerId }: { readonly providerId: number }) {
  const t = useTexts(messages);
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const leave = async (): Promise<void> => {
    setBusy(true);
    try {
      const { authenticateAgain } = await import("#client/login-oidc.ts");
      await authenticateAgain(providerId);
    } catch (error) {
      toast.failed(error);
      setBusy(false);
    }
  };
  return (
    <Button loading={isBusy} onClick={() => void leave()}>
      {t("ownPassword.again")}
    </Button>
  );
}
