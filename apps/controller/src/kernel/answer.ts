import type { Access, Grant } from "@weft/contract/access.ts";
import { type ErrorCode, errorNumbers, errorTexts } from "@weft/contract/errors.ts";
import { grantText } from "@weft/contract/grants.ts";
import type { Envelope } from "@weft/contract/kernel/endpoint.ts";
import { defineMessages, formatMessage, type Language } from "@weft/contract/kernel/message.ts";
import type { RuleIssue } from "@weft/contract/kernel/rule.ts";
import type { Warning } from "@weft/contract/kernel/warning.ts";
import { findMessage } from "@weft/contract/messages.ts";
import { holds, type Principal } from "@weft/contract/permissions.ts";
import { type ErrorParams, Refusal } from "./refuse.ts";

/** Section 8 and A-49: one text per language. */
const texts = defineMessages({
  done: ["操作成功", "Successful"],
  between: ["；", "; "],
  body: ["请求内容", "request body"],
  row: ["第 {row} 行 {text}", "Row {row}, {text}"],
});

export const successText = (language: Language): string => formatMessage(texts.done, language);

/** What a consequence reads like. */
export function warningText({ warning, params }: Warning, language: Language): string {
  const text = findMessage(`warning.${warning}`);
  return text ? formatMessage(text, language, params) : warning;
}

/** Issues that the text of a refusal names; all of them are in its `issues`. */
const maxNamed = 20;

/** "Name: Required; Port: Port must be 1–65535" in the reader's language. */
function issuesText(issues: readonly RuleIssue[], language: Language): string {
  return issues
    .slice(0, maxNamed)
    .map(({ path, rule, params }) => {
      const field = findMessage(`field.${path.split(".")[0]}`);
      const text = findMessage(`rule.${rule}`);
      const name = field ? formatMessage(field, language) : path;
      const sentence = text ? formatMessage(text, language, params) : rule;
      const at = `${name || formatMessage(texts.body, language)}: ${sentence}`;
      // Of an import: which row of the file it is.
      return params.row === undefined
        ? at
        : formatMessage(texts.row, language, { row: params.row, text: at });
    })
    .join(formatMessage(texts.between, language));
}

const localized = (params: ErrorParams, language: Language): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === "object" ? formatMessage(value, language) : value,
    ]),
  );

/** The body of an expected failure. */
export function failureEnvelope(
  failure: {
    code: ErrorCode;
    params: ErrorParams;
    issues: readonly RuleIssue[];
    data?: object | null;
  },
  language: Language,
  requestId: string,
): Envelope {
  const { code, issues } = failure;
  const params =
    code === "badInput"
      ? { fields: issuesText(issues, language) }
      : localized(failure.params, language);
  return {
    code: errorNumbers[code],
    msg: formatMessage(errorTexts[code], language, { requestId, ...params }),
    data: failure.data ?? null,
    ...(issues.length > 0 && { issues: issues.map((issue) => ({ ...issue })) }),
    requestId,
  };
}

/** The refusal of a call for want of a permission, or of an entry of the menu; it names it. */
export function missingPermission(needed: Grant): Refusal {
  return new Refusal("forbidden", { permission: grantText(needed) }, []);
}

/** What a caller lacks for a call, as its refusal; null: nothing. Of several screens the first is named. */
export function lackOf(caller: Principal, access: Access | null): Refusal | null {
  if (
    access === null ||
    holds(caller, access) ||
    (typeof access !== "string" && "open" in access)
  ) {
    return null;
  }
  return missingPermission(typeof access === "string" ? access : access.anyOf[0]);
}

/** Ends the call of a caller who may not make it. */
export function requireAccess(caller: Principal, access: Access | null): void {
  const refusal = lackOf(caller, access);
  if (refusal) throw refusal;
}
