import type { Message } from "@weft/contract/kernel/message.ts";
import type { RuleCode, RuleIssue } from "@weft/contract/kernel/rule.ts";
import { findMessage } from "@weft/contract/messages.ts";
import { Refusal } from "./refuse.ts";

/**
 * Constraint name -> the field at fault. A broken unique constraint says `taken` there, a broken
 * foreign key `unknown`; `rule` says otherwise. For a foreign key that forbids a removal give `by`,
 * the key of what still uses the row.
 */
export type Constraints = Readonly<
  Record<string, { readonly field?: string; readonly rule?: RuleCode; readonly by?: Message }>
>;

interface DatabaseError {
  readonly message: string;
  readonly code: string;
  readonly constraint?: string | undefined;
  readonly detail?: string | undefined;
}

/** SQLSTATE classes (PostgreSQL manual, appendix A) and what they mean to a caller. */
const uniqueViolation = "23505";
const exclusionViolation = "23P01";
const foreignKeyViolation = "23503";
const restrictViolation = "23001";
const insufficientPrivilege = "42501";
/** Serialisation failure, deadlock: another transaction was writing the same rows. */
const collisions = ["40001", "40P01"];
const lockTimeout = "55P03";
/** Lock and statement time-outs, shutting down, starting up, out of connections or disk. */
const passing = /^(55P03|57014|57P0\d|53...|08...)$/;
/** Errors of the connection itself have Node's codes, or the driver's message. */
const lost = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/;
const lostText =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|connection error and is not queryable/;
/** Error codes of PostgreSQL with the same meaning: shutting down, starting up, no connection left. */
const gone = /^(57P0[123]|53300|08...)$/;

/** The error as a failure of the database, if it is one. */
function databaseError(error: unknown): DatabaseError | null {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? (error as DatabaseError) : null;
}

/** True for a failure that the same work, started again, does not meet: others wrote the same rows. */
export const isCollision = (error: unknown): boolean =>
  collisions.includes(databaseError(error)?.code ?? "");

/** True for a transaction that ended at its first statement: access is another than that which was read (weft.require_session). */
export const isAccessChanged = (error: unknown): boolean => databaseError(error)?.code === "WA001";

/** True for a statement that was not run because one before it in the transaction had failed. */
export const isAborted = (error: unknown): boolean => databaseError(error)?.code === "25P02";

/** True for a statement that waited too long for rows that others write. */
export const isLocked = (error: unknown): boolean =>
  isCollision(error) || databaseError(error)?.code === lockTimeout;

/**
 * What a failed write means to the caller, by the names of the table's constraints; null when it
 * is none of them and general rules or a bug apply.
 * @param draft the field's value goes into the text.
 */
export function asRefusal(
  error: unknown,
  constraints: Constraints,
  draft: Readonly<Record<string, unknown>>,
): Refusal | null {
  const found = databaseError(error);
  const known = found?.constraint === undefined ? undefined : constraints[found.constraint];
  if (!found || !known) return null;
  const { field, by } = known;
  if (field !== undefined) {
    const value = String(draft[field] ?? "");
    const typical = isUnique(found) ? "taken" : "unknown";
    return new Refusal("badInput", {}, [
      { path: field, rule: known.rule ?? typical, params: { value } },
    ]);
  }
  return by === undefined ? null : new Refusal("inUse", { by }, []);
}

const isUnique = ({ code }: DatabaseError): boolean =>
  code === uniqueViolation || code === exclusionViolation;

/** What any failed statement means to the caller when its store had nothing to say; else null. */
export function generalRefusal(error: unknown): Refusal | null {
  const found = databaseError(error);
  if (!found) return isLost(error) ? new Refusal("unavailable", {}, []) : null;
  // Row-level security refused a row: it is not the caller's.
  // (Other lacks of privilege are a missing GRANT, hence a bug.)
  if (found.code === insufficientPrivilege && /row-level security/.test(found.message))
    return new Refusal("notFound", {}, []);
  if (found.constraint === "room") return noRoom(found.detail);
  if (found.constraint === "broken_rule") return brokenRule(found.detail);
  if (collisions.includes(found.code)) return new Refusal("conflict", {}, []);
  if (passing.test(found.code)) return new Refusal("unavailable", {}, []);
  // A row that was referred to went away meanwhile, or one that refers to this came.
  if ([foreignKeyViolation, restrictViolation].includes(found.code)) {
    return new Refusal("conflict", {}, []);
  }
  return isUnique(found) ? new Refusal("conflict", {}, []) : null;
}

/** A rule that only a trigger holds, since writes of one moment may break it together: the issue is its detail. */
function brokenRule(detail = "{}"): Refusal {
  const { path = "", rule, params = {} } = JSON.parse(detail) as Partial<RuleIssue>;
  if (rule === undefined) throw new Error(`no rule in ${detail}`);
  return new Refusal("badInput", {}, [{ path, rule, params }]);
}

/** For writes of rows that a call names by another field than their own form does: shows what a trigger refused there. */
export const atField =
  (path: string) =>
  (error: unknown): never => {
    const refusal = generalRefusal(error);
    if (refusal === null || refusal.issues.length === 0) throw error;
    throw new Refusal(
      "badInput",
      {},
      refusal.issues.map(({ rule, params }) => ({ path, rule, params })),
    );
  };

/** A limit that a trigger counts: which one, of what, and how many (texts `limit.<name>`). */
function noRoom(detail = "{}"): Refusal {
  const {
    limit,
    name = "",
    max = 0,
  } = JSON.parse(detail) as {
    readonly limit?: string;
    readonly name?: string;
    readonly max?: number;
  };
  const what = findMessage(`limit.${limit}`) ?? "";
  return new Refusal("noRoom", { name, max, what }, []);
}

/** True when the database was not reached, or the connection to it was lost. */
export const isAway = (error: unknown): boolean => {
  const found = databaseError(error);
  return found ? gone.test(found.code) : isLost(error);
};

function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return (typeof code === "string" && lost.test(code)) || lostText.test(error.message);
}
