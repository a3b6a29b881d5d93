/** Rows of a file, compared with those that exist, and written. */
import type { ResourceName } from "@weft/contract/all-endpoints.ts";
import type { sheetImport } from "@weft/contract/domains/access/sheet.ts";
import * as codec from "@weft/contract/kernel/codec.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { checkWire } from "@weft/contract/kernel/rule.ts";
import { z } from "zod";
import { importLock, tryLock } from "#db/locks.ts";
import type { Context } from "#kernel/api.ts";
import { refuse, refuseFields } from "#kernel/refuse.ts";
import { requireEnterprise } from "#kernel/scope.ts";
import { answerOf, readOwner, rowsByEnterprise } from "./answer.ts";
import { digestOf, type ImportOrder, type Plan, planImport } from "./plan.ts";
import type { ReadFile } from "./read-file.ts";
import type { Subject } from "./subject.ts";
import { tryPlan, writePlan } from "./write.ts";

type Input = Omit<InputOf<typeof sheetImport>, "file"> & { readonly file: ReadFile };

/** The enterprise of rows that name none; null: the caller's own. */
const target = z.object({ groupid: codec.orNull(codec.id) });

/** Where the rows go. @throws Refusal when it is out of the caller's sight */
export async function requireTarget(
  ctx: Context,
  subject: Subject,
  { inside }: Pick<Input, "inside">,
) {
  const owner = await readOwner(ctx, subject);
  const checked = checkWire(target, { groupid: inside.groupid ?? "" });
  if (!checked.ok) refuseFields(checked.issues);
  const { groupid } = checked.value;
  if (groupid !== null) await requireEnterprise(ctx, groupid, "groupid");
  return { owner, enterpriseId: owner?.enterpriseId ?? groupid ?? ctx.caller.enterpriseId };
}

/** Kinds of which every row is a way in, or widens one. */
const decidesLogins: ReadonlySet<string> = new Set(["user", "role"] satisfies ResourceName[]);

/** Plans an import while no other one goes on in its list, so that what that one adds is among the rows that exist. */
async function planInTurn(ctx: Context, order: ImportOrder): Promise<Plan> {
  const { subject, enterpriseId } = order;
  const owner = Object.entries(subject.inside).flat().join(" ");
  await takeTurn(ctx, subject, [owner || `enterprise ${enterpriseId}`]);
  const plan = await planImport(ctx, order);
  if (owner) return plan;
  const others = [...rowsByEnterprise(subject, plan, enterpriseId).keys()].filter(
    (id) => id !== enterpriseId,
  );
  if (others.length === 0) return plan;
  await takeTurn(
    ctx,
    subject,
    others.map((id) => `enterprise ${id}`),
  );
  return planImport(ctx, order);
}

/** Waits for nobody: an import takes long, and whoever waited would hold a connection. */
async function takeTurn(
  ctx: Context,
  { resource }: Subject,
  lists: readonly string[],
): Promise<void> {
  for (const list of lists) {
    if (await tryLock(ctx.db, importLock(resource.name, list))) continue;
    refuse("notAllowedNow", {
      reason: ["正在导入同一列表的另一个文件", "another file is being imported into this list"],
    });
  }
}

export async function importFile(
  ctx: Context,
  subject: Subject,
  input: Input,
): Promise<OutputOf<typeof sheetImport>> {
  const { owner, enterpriseId } = await requireTarget(ctx, subject, input);
  const { file } = input;
  const reader = { language: ctx.caller.language, zone: input.zone ?? "UTC" };
  const isAddOnly = input.mode === "add";
  const order = { subject, file, reader, isAddOnly, enterpriseId };
  const plan = await (input.check ? planImport(ctx, order) : planInTurn(ctx, order));
  const digest = digestOf(plan);
  const result = { subject, file, plan, owner, enterpriseId, digest };
  if (input.check) {
    // Nothing of it stays: the password is needed for the import itself.
    await tryPlan({ ...ctx, verifyOwnPassword: async () => undefined }, subject, plan);
    return answerOf(ctx, { ...result, done: false });
  }
  // The check showed something else: the reader has not seen what would be written.
  if (input.plan !== null && input.plan !== digest) refuse("conflict");
  if (decidesLogins.has(subject.resource.name)) await ctx.verifyOwnPassword();
  await writePlan(ctx, subject, plan, input.skipBad);
  return answerOf(ctx, { ...result, done: true });
}
