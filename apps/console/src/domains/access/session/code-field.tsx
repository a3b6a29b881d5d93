import { type ReactNode, useEffect, useState } from "react";
import { useTexts } from "#client/texts.ts";
import { sessionMessages } from "./messages.ts";

/** Seconds that are left until a moment; 0: it is over. Counts down by itself. */
const useCountdown = (): readonly [number, (seconds: number) => void] => {
  const [until, setUntil] = useState(0);
  const [now, setNow] = useState(() => Date.now());
  const left = Math.max(0, Math.ceil((until - now) / 1000));
  useEffect(() => {
    if (left === 0) return;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [left]);
  const start = (seconds: number): void => {
    setNow(Date.now());
    setUntil(Date.now() + seconds * 1000);
  };
  return [left, start];
};

interface Props {
  /** Asks for a code; seconds until another may be asked for, or null: it was refused. */
  readonly send: (() => Promise<number | null>) | null;
  readonly help: ReactNode;
  readonly sendLabel: string;
}

/** A code, and where this site sends them the button that asks for one. */
export function CodeField({ send, help, sendLabel }: Props) {
  const t = useTexts(sessionMessages);
  const [left, start] = useCountdown();
  const [isSending, setSending] = useState(false);
  const requestCode = async (): Promise<void> => {
    if (!send || left > 0 || isSending) return;
    setSending(true);
    const seconds = await send().finally(() => setSending(false));
    if (seconds !== null) start(seconds);
  };
  return (
    <div className="w-login-field">
      <label htmlFor="sms">{t("login.code")}</label>
      <span className="w-login-code">
        <input
          id="sms"
          name="sms"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={20}
          aria-describedby="sms-help"
        />
        {send && (
          <button
            type="button"
            aria-disabled={left > 0 || isSending}
            onClick={() => void requestCode()}
          >
            {left > 0 ? t("login.sendAgain", { seconds: left }) : sendLabel}
          </button>
        )}
      </span>
      <span id="sms-help" className="w-login-help" aria-live="polite">
        {help}
      </span>
    </div>
  );
}
