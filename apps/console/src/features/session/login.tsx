import { loginPasskey, loginPasskeyBegin } from "@weft/contract/calls/factors.ts";
import { login } from "@weft/contract/calls/session.ts";
import { sendSms } from "@weft/contract/calls/sign-in.ts";
import { errorNumbers } from "@weft/contract/errors.ts";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { CallError, call, tokenStore } from "#kernel/call.ts";
import { entrance } from "#kernel/entrance.ts";
import { keptPerson } from "#kernel/person.ts";
import { loadSession } from "#kernel/session-state.ts";
import { useTexts } from "#kernel/texts.ts";
import { browserStores } from "#kernel/token.ts";
import { CodeField } from "./code-field.tsx";
import { LoginFrame, PasswordField } from "./login-frame.tsx";
import { sessionMessages } from "./messages.ts";
import { PasskeyError } from "./passkey-error.ts";
import { useSite } from "./site.ts";

const text = (fields: FormData, name: string): string => String(fields.get(name) ?? "");

/** The form's three fields in the words of the call. */
const namesOf = (fields: FormData) => ({
  loginName: text(fields, "loginName").trim(),
  password: text(fields, "password"),
  sms: text(fields, "sms").trim() || null,
});

/** Keeps the token and loads the session; the guard then leaves this page by itself. */
const enter = async (token: string, fields: FormData): Promise<void> => {
  tokenStore().keep(token, fields.get("remember") !== null);
  await loadSession();
};

/** Counts code points, as the rule does. */
const lengthOf = (password: string): number => [...password].length;

/** The name of who asked to be remembered; the field is open to any other. */
const remembered = (): string => keptPerson(browserStores())?.loginName ?? "";

/** What the form does, and the one line that says what went wrong. */
const useLogIn = (passwordMax: number) => {
  const t = useTexts(sessionMessages);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [wantsPasskey, setWantsPasskey] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  /** The fields, or null and the line says what is missing. */
  const filled = (): FormData | null => {
    if (!form.current || isBusy) return null;
    const fields = new FormData(form.current);
    const { loginName, password } = namesOf(fields);
    const isTooLong = lengthOf(password) > passwordMax;
    if (loginName && password && !isTooLong) return fields;
    setError(isTooLong ? t("login.tooLong", { max: passwordMax }) : t("login.fill"));
    return null;
  };
  const attempt = async (work: (fields: FormData) => Promise<void>): Promise<boolean> => {
    const fields = filled();
    if (!fields) return false;
    setBusy(true);
    setError(null);
    try {
      await work(fields);
      return true;
    } catch (failure) {
      const known = failure instanceof CallError ? failure : null;
      if (known?.code === errorNumbers.passkeyNeeded) setWantsPasskey(true);
      const needsCode = [errorNumbers.passkeyNeeded, errorNumbers.codeNeeded, errorNumbers.badCode];
      if (known && needsCode.includes(known.code)) {
        form.current?.querySelector<HTMLInputElement>("#sms")?.focus();
      }
      const wasPasskey = failure instanceof PasskeyError;
      setError(known?.message ?? t(wasPasskey ? "login.passkeyFailed" : "call.failed"));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { form, error, isBusy, wantsPasskey, attempt };
};

/** Password first, then what the browser's passkey signs. */
const enterWithPasskey = async (fields: FormData): Promise<void> => {
  const { loginName, password } = namesOf(fields);
  const begun = await call(loginPasskeyBegin, { loginName, password });
  const { signWithPasskey } = await import("./passkey-browser.ts");
  const response = await signWithPasskey(begun.data.options);
  const { data } = await call(loginPasskey, { ticket: begun.data.ticket, response });
  await enter(data.token, fields);
};

/**
 * Where everything begins. Plain HTML fields without the component library: the page is small, and
 * password managers and pasting work as everywhere.
 */
export default function LoginPage() {
  const t = useTexts(sessionMessages);
  const { site } = useSite();
  const { form, error, isBusy, wantsPasskey, attempt } = useLogIn(site.passwordMax);
  const [sentFor, setSentFor] = useState<number | null>(null);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void attempt(async (fields) => {
      const { data } = await call(login, namesOf(fields));
      await enter(data.token, fields);
    });
  };
  const send = async (): Promise<number | null> => {
    let again: number | null = null;
    await attempt(async (fields) => {
      const { loginName: username, password } = namesOf(fields);
      const { data } = await call(sendSms, { username, password });
      setSentFor(Math.round(data.valid / 60));
      again = data.again;
    });
    return again;
  };
  const sentHelp = sentFor === null ? null : t("login.sent", { minutes: sentFor });
  return (
    <LoginFrame site={site}>
      <form ref={form} noValidate onSubmit={submit}>
        <label className="w-login-field">
          <span>{t.field("loginName")}</span>
          <input
            name="loginName"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            defaultValue={remembered()}
            ref={first}
          />
        </label>
        <PasswordField
          name="password"
          label={t.field("password")}
          autoComplete="current-password"
        />
        <CodeField
          send={site.smsLogin ? send : null}
          sendLabel={t("login.send")}
          help={sentHelp ?? (site.smsLogin ? null : t("login.codeHelp"))}
        />
        {/* One line for every reason: it does not tell which field was wrong. */}
        <p className="w-login-error" role="alert">
          {error}
        </p>
        {wantsPasskey && (
          <button
            type="button"
            className="w-login-other"
            onClick={() => void attempt(enterWithPasskey)}
          >
            {t("login.passkey")}
          </button>
        )}
        <div className="w-login-foot">
          <label>
            <input type="checkbox" name="remember" />
            {t("login.remember")}
          </label>
          {/* The log-in is drawn without the router, which comes with the session. */}
          <a href={entrance.forget}>{t("login.forgot")}</a>
          <button type="submit" className="w-login-submit" aria-disabled={isBusy}>
            {t("login.title")}
          </button>
        </div>
      </form>
    </LoginFrame>
  );
}
