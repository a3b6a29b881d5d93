import type { Language } from "@weft/contract/kernel/message.ts";
import { type ReactNode, useState } from "react";
import { urlOf } from "#client/call.ts";
import { changeDisplay, useDisplay } from "#client/display.ts";
import { chooseLanguage } from "#client/language.ts";
import { useTexts } from "#client/texts.ts";
import { Mark } from "#ui/mark.tsx";
import "./login.css";
import { sessionMessages } from "./messages.ts";
import type { Site } from "./site.ts";

interface Props {
  readonly site: Site;
  /** Under the name of the site; the login itself has none. */
  readonly title?: string;
  readonly children: ReactNode;
}

/** The card of the screens before a session, with the name of the site. */
export function LoginFrame({ site, title, children }: Props) {
  return (
    <div className="w-login">
      <LoginTools />
      <main className="w-login-card">
        <h1>
          {site.logo === "" ? (
            <Mark size={32} />
          ) : (
            <img className="w-login-logo" src={urlOf(site.logo)} alt="" />
          )}
          {site.sysName}
        </h1>
        {title && <h2 className="w-login-title">{title}</h2>}
        {children}
      </main>
    </div>
  );
}

interface PasswordProps {
  readonly name: string;
  readonly label: string;
  readonly autoComplete: "current-password" | "new-password";
}

/** A password that can be shown. */
export function PasswordField({ name, label, autoComplete }: PasswordProps) {
  const t = useTexts(sessionMessages);
  const [isShown, setShown] = useState(false);
  return (
    <div className="w-login-field">
      <label htmlFor={name}>{label}</label>
      <span className="w-login-password">
        <input
          id={name}
          name={name}
          type={isShown ? "text" : "password"}
          autoComplete={autoComplete}
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
        title={t("login.switchLanguage")}
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
