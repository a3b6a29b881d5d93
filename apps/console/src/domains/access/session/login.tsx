import { loginFields } from "@weft/contract/domains/access/login-messages.ts";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { CallError } from "#client/call.ts";
import { entrance } from "#client/entrance.ts";
import { keptPerson } from "#client/person.ts";
import { wasSessionOver } from "#client/session-over.ts";
import { useTexts } from "#client/texts.ts";
import { browserStores } from "#client/token.ts";
import { isVisitTab } from "#client/visit.ts";
import { CodeField } from "./code-field.tsx";
import type { Filled } from "./login-calls.ts";
import { LoginFrame, PasswordField } from "./login-frame.tsx";
import { sessionMessages } from "./messages.ts";
import { PasskeyError } from "./passkey-error.ts";
import { useSite } from "./site.ts";

const loadCalls = () => import("./login-calls.ts");
const loadOidc = () => import("#client/login-oidc.ts");
type Calls = Awaited<ReturnType<typeof loadCalls>>;

/** A user who types will need it. If loading fails, the button tries again, and then shows the failure. */
const fetchCalls = (): void => void loadCalls().catch(() => undefined);

const filledIn = (form: HTMLFormElement): Filled => {
  const fields = new FormData(form);
  const text = (name: string): string => String(fields.get(name) ?? "");
  return {
    loginName: text("loginName").trim(),
    password: text("password"),
    sms: text("sms").trim() || null,
    isRemembered: fields.get("remember") !== null,
  };
};

/** Counts code points, as the rule does. */
const lengthOf = (password: string): number => [...password].length;

/** The login name of a user who selected "remember me"; the field can be changed. */
const remembered = (): string => keptPerson(browserStores())?.loginName ?? "";

/** Actions of the form, and its single error line. */
const useLogIn = (passwordMax: number) => {
  const t = useTexts(sessionMessages);
  const [error, setError] = useState<string | null>(null);
  const [lost, setLost] = useState<{ readonly error: unknown } | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [wantsPasskey, setWantsPasskey] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // A part of the console that could not be loaded is reported like any other (section 8).
  if (lost) throw lost.error;
  /** The fields, or null and the line names what is missing. */
  const filled = (): Filled | null => {
    if (!form.current || isBusy) return null;
    const fields = filledIn(form.current);
    const isTooLong = lengthOf(fields.password) > passwordMax;
    if (fields.loginName && fields.password && !isTooLong) return fields;
    setError(isTooLong ? t("login.tooLong", { max: passwordMax }) : t("login.fill"));
    return null;
  };
  const refuse = (failure: unknown, wanted: ReturnType<Calls["wantedBy"]>): void => {
    if (wanted.passkey) setWantsPasskey(true);
    if (wanted.code) form.current?.querySelector<HTMLInputElement>("#sms")?.focus();
    const wasPasskey = failure instanceof PasskeyError;
    const otherwise = t(wasPasskey ? "login.passkeyFailed" : "call.failed");
    setError(failure instanceof CallError ? failure.message : otherwise);
  };
  const attempt = async (
    work: (calls: Calls, filled: Filled) => Promise<void>,
  ): Promise<boolean> => {
    const fields = filled();
    if (!fields) return false;
    setBusy(true);
    setError(null);
    const calls = await loadCalls().catch((error: unknown) => setLost({ error }));
    if (!calls) return false;
    try {
      await work(calls, fields);
      return true;
    } catch (failure) {
      refuse(failure, calls.wantedBy(failure));
      return false;
    } finally {
      setBusy(false);
    }
  };
  const byProvider = async (
    work: (oidc: Awaited<ReturnType<typeof loadOidc>>) => Promise<void>,
  ): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await work(await loadOidc());
    } catch (failure) {
      setError(failure instanceof CallError ? failure.message : t("call.failed"));
    } finally {
      setBusy(false);
    }
  };
  useReturn((answer) => void byProvider((oidc) => oidc.comeBack(answer)));
  return { form, error, isBusy, wantsPasskey, attempt, byProvider };
};

/** Calls once with what an identity provider sent the browser back with; it does not stay in the address. */
const useReturn = (finish: (answer: string) => void): void => {
  const first = useRef(finish);
  useEffect(() => {
    const { search } = location;
    if (!/[?&]state=/.test(search)) return;
    history.replaceState(null, "", entrance.login);
    first.current(search.slice(1));
  }, []);
};

/**
 * The entry page. Plain HTML fields without the component library: the page is small, and
 * password managers and pasting work as on any page.
 */
export function LoginPage() {
  const t = useTexts(sessionMessages, loginFields);
  const { site } = useSite();
  const { form, error, isBusy, wantsPasskey, attempt, byProvider } = useLogIn(site.passwordMax);
  const [sentFor, setSentFor] = useState<number | null>(null);
  // A visitor with a link for templates sees why this page is shown (section 2.2).
  const hasLinkEnded = isVisitTab();
  const isOver = wasSessionOver() && !hasLinkEnded;
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void attempt((calls, filled) => calls.enterByPassword(filled));
  };
  const send = async (): Promise<number | null> => {
    let again: number | null = null;
    await attempt(async (calls, filled) => {
      const sent = await calls.sendCode(filled);
      setSentFor(Math.round(sent.valid / 60));
      again = sent.again;
    });
    return again;
  };
  const sentHelp = sentFor === null ? null : t("login.sent", { minutes: sentFor });
  return (
    <LoginFrame site={site} {...(hasLinkEnded && { title: t("login.linkEnded") })}>
      {hasLinkEnded && <p role="status">{t("login.linkEndedWhat")}</p>}
      {isOver && <p role="status">{t("login.over")}</p>}
      <form ref={form} noValidate onInput={fetchCalls} onSubmit={submit}>
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
        {/* The same line for every reason: it does not show which field was wrong. */}
        <p className="w-login-error" role="alert">
          {error}
        </p>
        {wantsPasskey && (
          <button
            type="button"
            className="w-login-other"
            onClick={() => void attempt((calls, filled) => calls.enterByPasskey(filled))}
          >
            {t("login.passkey")}
          </button>
        )}
        {site.providers?.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            className="w-login-other"
            onClick={() => void byProvider((oidc) => oidc.leaveFor(id))}
          >
            {t("login.by", { name })}
          </button>
        ))}
        <div className="w-login-foot">
          <label>
            <input type="checkbox" name="remember" />
            {t("login.remember")}
          </label>
          {/* The login renders without the router, which is loaded with the session. */}
          <a href={entrance.forget}>{t("login.forgot")}</a>
          <button type="submit" className="w-login-submit" aria-disabled={isBusy}>
            {t("login.title")}
          </button>
        </div>
      </form>
    </LoginFrame>
  );
}
