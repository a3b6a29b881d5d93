import { undoContact } from "@weft/contract/domains/access/login.ts";
import { type FormEvent, useState } from "react";
import { CallError, call } from "#client/call.ts";
import { useTexts } from "#client/texts.ts";
import { forgetMessages } from "./forget-messages.ts";

/** Takes the code that was sent to a former phone number or address. */
export function UndoChange() {
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
