import { login } from "@weft/contract/calls/session.ts";
import { formatMessage, type Language } from "@weft/contract/kernel/message.ts";
import { documentTitle } from "@weft/contract/menu.ts";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { CallError, call, tokenStore } from "#kernel/call.ts";
import { changeDisplay, useDisplay } from "#kernel/display.ts";
import { chooseLanguage } from "#kernel/language.ts";
import { loadSession } from "#kernel/session-state.ts";
import { useTexts } from "#kernel/texts.ts";
import { Mark } from "#ui/mark.tsx";
import "./login.css";
import { sessionMessages } from "./messages.ts";

/** Logs in and loads the session; the guard then leaves this page by itself. */
const logIn = async (fields: FormData): Promise<void> => {
  const { data } = await call(login, {
    loginName: String(fields.get("loginName") ?? "").trim(),
    password: String(fields.get("password") ?? ""),
    sms: null,
  });
  tokenStore().keep(data.token, fields.get("remember") !== null);
  await loadSession();
};

/**
 * Where everything begins. Plain HTML fields without the component library: the page is small, and
 * password managers and pasting work as everywhere.
 */
export default function LoginPage() {
  const t = useTexts(sessionMessages);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!form.current || isBusy) return;
    const fields = new FormData(form.current);
    if (!String(fields.get("loginName")).trim() || !fields.get("password")) {
      return setError(t("login.fill"));
    }
    setBusy(true);
    setError(null);
    try {
      await logIn(fields);
    } catch (failure) {
      setError(failure instanceof CallError ? failure.message : t("call.failed"));
      setBusy(false);
    }
  };
  return (
    <div className="w-login">
      <LoginTools />
      <main className="w-login-card">
        <h1>
          <Mark size={32} />
          {formatMessage(documentTitle, t.language)}
        </h1>
        <form ref={form} noValidate onSubmit={(event) => void submit(event)}>
          <label className="w-login-field">
            <span>{t.field("loginName")}</span>
            <input
              name="loginName"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              ref={first}
            />
          </label>
          <PasswordField />
          {/* One line for every reason: it does not tell which field was wrong. */}
          <p className="w-login-error" role="alert">
            {error}
          </p>
          <div className="w-login-foot">
            <label>
              <input type="checkbox" name="remember" />
              {t("login.remember")}
            </label>
            <button type="submit" className="w-login-submit" aria-disabled={isBusy}>
              {t("login.title")}
            </button>
          </div>
        </form>
      </main>
    </div>
  );
}

function PasswordField() {
  const t = useTexts(sessionMessages);
  const [isShown, setShown] = useState(false);
  return (
    <div className="w-login-field">
      <label htmlFor="password">{t.field("password")}</label>
      <span className="w-login-password">
        <input
          id="password"
          name="password"
          type={isShown ? "text" : "password"}
          autoComplete="current-password"
        />
        <button
          type="button"
          aria-label={t(isShown ? "login.hidePassword" : "login.showPassword")}
          onClick={() => setShown(!isShown)}
        >
          {t(isShown ? "login.hide" : "login.show")}
        </button>
      </span>
    </div>
  );
}

function LoginTools() {
  const t = useTexts(sessionMessages);
  const { darkMode } = useDisplay();
  const other: Language = t.language === "zh_cn" ? "en_gb" : "zh_cn";
  return (
    <header className="w-login-tools">
      <button
        type="button"
        aria-label={t("login.switchLanguage")}
        lang={other === "zh_cn" ? "zh-CN" : "en-GB"}
        onClick={() => chooseLanguage(other)}
      >
        {other === "zh_cn" ? "中文" : "English"}
      </button>
      <button
        type="button"
        onClick={() => void changeDisplay({ darkMode: !darkMode }).catch(() => undefined)}
      >
        {t(darkMode ? "login.light" : "login.dark")}
      </button>
    </header>
  );
}
