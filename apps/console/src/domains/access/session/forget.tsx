import {
  resetPassword,
  sendSmsByEmail,
  sendSmsByPhone,
  undoContact,
} from "@weft/contract/domains/access/login.ts";
import { checkMemory } from "@weft/contract/kernel/rule.ts";
import { type FormEvent, useRef, useState } from "react";
import { Link } from "react-router";
import type { z } from "zod";
import { CallError, call } from "#client/call.ts";
import { paths } from "#client/paths.ts";
import { type Translate, useTexts } from "#client/texts.ts";
import { CodeField } from "./code-field.tsx";
import { forgetMessages } from "./forget-messages.ts";
import { LoginFrame, PasswordField } from "./login-frame.tsx";
import { type Site, useSite } from "./site.ts";

/** Takes the code that was sent to a former phone number or address. */
function UndoChange() {
  const t = useTexts(forgetMessages);
  const [isDone, setDone] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const undoCode = String(new FormData(form).get("undoCode") ?? "").trim();
    setError(undoCode === "" ? t("rule.required") : null);
    if (undoCode === "") return;
    try {
      await call(undoContact, { undoCode });
      setDone(true);
    } catch (failure) {
      setError(failure instanceof CallError ? failure.message : t("call.failed"));
    }
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void submit(event.currentTarget);
  };
  return (
    <details>
      <summary>{t("forget.undo")}</summary>
      <p className="w-login-note">{t(isDone ? "forget.undone" : "forget.undoHelp")}</p>
      {!isDone && (
        <form noValidate onSubmit={onSubmit}>
          <label className="w-login-field">
            <span>{t("forget.undoCode")}</span>
            <input name="undoCode" autoComplete="off" autoCapitalize="characters" maxLength={32} />
          </label>
          <p className="w-login-error" role="alert">
            {error}
          </p>
          <button type="submit" className="w-login-submit w-login-wide">
            {t("forget.undo")}
          </button>
        </form>
      )}
    </details>
  );
}

type Way = "phone" | "email";

/** What was sent, as the answer has it. */
interface Sent {
  readonly ticket: string;
  readonly target: string;
  readonly minutes: number;
}

const waysOf = ({ byPhone, byEmail }: Site): Way[] => [
  ...(byPhone ? (["phone"] as const) : []),
  ...(byEmail ? (["email"] as const) : []),
];

/** What the controller says, fields named where it names some. */
const textOf = (failure: unknown, t: Translate): string =>
  failure instanceof CallError ? failure.message : t("call.failed");

/** The first broken rule, shown before anything is sent; null: all are kept. */
const brokenRule = (schema: z.ZodType, input: unknown, t: Translate): string | null => {
  const checked = checkMemory(schema, input);
  const issue = checked.ok ? undefined : checked.issues[0];
  return issue ? `${t.field(issue.path)}: ${t.issue(issue)}` : null;
};

/** Recovery of a password: a code to the phone or the mailbox, then a new password. */
export default function ForgetPage() {
  const t = useTexts(forgetMessages);
  const { site, isKnown } = useSite();
  const [done, setDone] = useState<readonly string[] | null>(null);
  const ways = waysOf(site);
  return (
    <LoginFrame site={site} title={t("forget.title")}>
      {done && <p className="w-login-note">{[t("forget.done"), ...done].join(" · ")}</p>}
      {!done && ways.length > 0 && <Recovery ways={ways} onDone={setDone} />}
      {isKnown && ways.length === 0 && <p className="w-login-note">{t("forget.none")}</p>}
      {ways.length > 0 && <UndoChange />}
      <div className="w-login-back">
        <Link to={paths.login()}>{t("forget.back")}</Link>
      </div>
    </LoginFrame>
  );
}

/** The form's calls, and the line that says what went wrong. */
const useRecovery = (way: Way, onDone: (warnings: readonly string[]) => void) => {
  const t = useTexts(forgetMessages);
  const form = useRef<HTMLFormElement>(null);
  const [sent, setSent] = useState<Sent | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isShared, setShared] = useState(false);
  const fieldsOf = () => new FormData(form.current ?? undefined);
  const send = async (): Promise<number | null> => {
    const target = String(fieldsOf().get("target") ?? "").trim();
    setError(null);
    if (target === "") {
      setError(t("forget.fillTarget"));
      return null;
    }
    const wrong =
      way === "phone"
        ? brokenRule(sendSmsByPhone.input, { phone: target }, t)
        : brokenRule(sendSmsByEmail.input, { email: target }, t);
    if (wrong !== null) {
      setError(wrong);
      return null;
    }
    try {
      const { data } =
        way === "phone"
          ? await call(sendSmsByPhone, { phone: target })
          : await call(sendSmsByEmail, { email: target });
      setSent({ ticket: data.ticket, target, minutes: Math.round(data.valid / 60) });
      return data.again;
    } catch (failure) {
      setError(textOf(failure, t));
      return null;
    }
  };
  const submit = async (): Promise<void> => {
    const fields = fieldsOf();
    const value = (name: string): string => String(fields.get(name) ?? "");
    const input = {
      ticket: sent?.ticket ?? "",
      sms: value("sms").trim(),
      newPsw: value("newPsw"),
      rePsw: value("rePsw"),
      loginName: value("loginName").trim() || null,
    };
    const wrong = sent ? brokenRule(resetPassword.input, input, t) : t("forget.sendFirst");
    setError(wrong);
    if (wrong !== null) return;
    try {
      const { warnings = [] } = await call(resetPassword, input);
      onDone(warnings);
    } catch (failure) {
      const issues = failure instanceof CallError ? failure.issues : [];
      if (issues.some(({ path }) => path === "loginName")) {
        setShared(true);
        setError(t("forget.several"));
      } else setError(textOf(failure, t));
    }
  };
  return { form, sent, error, isShared, send, submit };
};

function Recovery({
  ways,
  onDone,
}: {
  readonly ways: readonly Way[];
  readonly onDone: (warnings: readonly string[]) => void;
}) {
  const t = useTexts(forgetMessages);
  const [selected, setWay] = useState<Way | null>(null);
  const way = selected ?? ways[0] ?? "email";
  const { form, sent, error, isShared, send, submit } = useRecovery(way, onDone);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void submit();
  };
  const label = t(way === "phone" ? "forget.byPhone" : "forget.byEmail");
  return (
    <form ref={form} noValidate onSubmit={onSubmit}>
      {ways.length > 1 && <WayChoice ways={ways} way={way} onChoose={setWay} />}
      <label className="w-login-field">
        <span>{label}</span>
        {/* Another way begins with an empty field. */}
        <input
          key={way}
          name="target"
          type={way === "phone" ? "tel" : "email"}
          autoComplete={way === "phone" ? "tel" : "email"}
        />
      </label>
      <CodeField
        send={send}
        sendLabel={t("forget.send")}
        help={
          sent
            ? t("forget.sent", { target: sent.target, minutes: sent.minutes })
            : t("forget.confirmedOnly")
        }
      />
      {isShared && (
        <label className="w-login-field">
          <span>{t.field("loginName")}</span>
          <input name="loginName" autoComplete="username" autoCapitalize="none" />
        </label>
      )}
      <PasswordField name="newPsw" label={t.field("newPsw")} autoComplete="new-password" />
      <PasswordField name="rePsw" label={t.field("rePsw")} autoComplete="new-password" />
      <p className="w-login-error" role="alert">
        {error}
      </p>
      <button type="submit" className="w-login-submit w-login-wide">
        {t("forget.set")}
      </button>
    </form>
  );
}

interface ChoiceProps {
  readonly ways: readonly Way[];
  readonly way: Way;
  readonly onChoose: (way: Way) => void;
}

function WayChoice({ ways, way, onChoose }: ChoiceProps) {
  const t = useTexts(forgetMessages);
  return (
    <fieldset className="w-login-ways">
      <legend>{t("forget.way")}</legend>
      {ways.map((one) => (
        <label key={one}>
          <input type="radio" name="way" checked={one === way} onChange={() => onChoose(one)} />
          {t(one === "phone" ? "forget.byPhone" : "forget.byEmail")}
        </label>
      ))}
    </fieldset>
  );
}
