/** Writes what an import planned; a check writes it too and takes it back. */
import type { RuleIssue } from "@weft/contract/kernel/rule.ts";
import { failureEnvelope } from "#kernel/answer.ts";
import type { Context, HandlerContext } from "#kernel/api.ts";
import { generalRefusal, isCollision } from "#kernel/database-errors.ts";
import { record, writeRow } from "#kernel/mount-resource.ts";
import { Refusal, refuseFields } from "#kernel/refuse.ts";
import type { WrittenRow } from "#kernel/resource-store.ts";
import { rehearse, tryPart } from "#kernel/savepoint.ts";
import type { Plan, PlannedRow } from "./plan.ts";
import type { Subject } from "./subject.ts";

const write = (ctx: Context, { mounted }: Subject, { id, draft }: PlannedRow) =>
  writeRow(ctx as unknown as HandlerContext, mounted, id, draft as never);

/**
 * Why a row cannot be written; what is no refusal is a bug. That others write at the same moment, or that the database
 * takes too long, says nothing of the row, which must not be left out for it: the call ends, or is made again.
 */
function refusalOf(error: unknown): Refusal {
  const refusal = error instanceof Refusal ? error : generalRefusal(error);
  const isOfMoment = isCollision(error) || (refusal !== error && refusal?.code === "unavailable");
  if (!refusal || isOfMoment) throw error;
  return refusal;
}

/** A refusal that names no field belongs to the row, in its own text; a value that is taken names the row that took it. */
function issuesOf(ctx: Context, refusal: Refusal, { first = null }: PlannedRow): RuleIssue[] {
  if (refusal.issues.length > 0) {
    const isTwice = first !== null && refusal.issues.some(({ rule }) => rule === "taken");
    const twice: RuleIssue[] = isTwice ? [{ path: "", rule: "rowTwice", params: { first } }] : [];
    return [...refusal.issues, ...twice];
  }
  const { msg } = failureEnvelope(refusal, ctx.caller.language, ctx.caller.requestId);
  return [{ path: "", rule: "notAllowed", params: { text: msg } }];
}

const isWritten = ({ draft }: PlannedRow): boolean => draft !== null;

/** No row is bad by it, and a wrong password is in the log of logins only if the call ends by it. */
const isAboutCaller = ({ code, issues }: Refusal): boolean =>
  code === "tooManyTries" || issues.some(({ path }) => path === "oldPsw");

/** Writes row after row; what is refused becomes bad. */
async function writeGood(ctx: Context, subject: Subject, plan: Plan): Promise<WrittenRow[]> {
  const written: WrittenRow[] = [];
  for (const row of plan.rows.filter(isWritten)) {
    const outcome = await tryPart(ctx.db, () => write(ctx, subject, row), refusalOf);
    if (!(outcome instanceof Refusal)) {
      written.push(outcome);
      continue;
    }
    if (isAboutCaller(outcome)) throw outcome;
    row.issues.push(...issuesOf(ctx, outcome, row));
    row.state = "bad";
  }
  return written;
}

/** Writes all that can be written and takes it back, to find what is refused. */
export async function tryPlan(ctx: Context, subject: Subject, plan: Plan): Promise<void> {
  await rehearse(ctx.db, () => writeGood(ctx, subject, plan));
}

/** Writes all rows, in the order of the file; the first refused one ends the call. */
async function writeAll(ctx: Context, subject: Subject, plan: Plan): Promise<WrittenRow[]> {
  const bad = plan.rows.find(({ state }) => state === "bad");
  if (bad) refuseRow(bad, bad.issues);
  const written: WrittenRow[] = [];
  for (const row of plan.rows.filter(isWritten)) {
    try {
      written.push(await write(ctx, subject, row));
    } catch (error) {
      refuseRow(row, issuesOf(ctx, refusalOf(error), row));
    }
  }
  return written;
}

/** Writes the rows with their audit rows. */
export async function writePlan(
  ctx: Context,
  subject: Subject,
  plan: Plan,
  skipBad: boolean,
): Promise<void> {
  const written = await (skipBad ? writeGood : writeAll)(ctx, subject, plan);
  const { resource, hooks } = subject.mounted;
  await record(ctx as unknown as HandlerContext, resource, written, hooks);
}

/** Ends the call; issues of an answer name the row as a parameter. */
const refuseRow = ({ row }: PlannedRow, issues: readonly RuleIssue[]): never =>
  refuseFields(issues.map((issue) => ({ ...issue, params: { ...issue.params, row } })));
