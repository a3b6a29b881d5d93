/** Rows of a file, compared with those that exist, and written. */
import type { ResourceName } from "@weft/contract/all-endpoints.ts";
import type { sheetImport } from "@weft/contract/domains/access/sheet.ts";
import * as codec from "@weft/contract/kernel/codec.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { checkWire } from "@weft/contract/kernel/rule.ts";
import { z } from "zod";
import type { Context } from "#kernel/api.ts";
import { refuse, refuseFields } from "#kernel/refuse.ts";
import { requireEnterprise } from "#kernel/scope.ts";
import { answerOf, readOwner } from "./answer.ts";
import { digestOf, planImport } from "./plan.ts";
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

export async function importFile(
  ctx: Context,
  subject: Subject,
  input: Input,
): Promise<OutputOf<typeof sheetImport>> {
  const { owner, enterpriseId } = await requireTarget(ctx, subject, input);
  const { file } = input;
  const reader = { language: ctx.caller.language, zone: input.zone ?? "UTC" };
  const isAddOnly = input.mode === "add";
  const plan = await planImport(ctx, { subject, file, reader, isAddOnly, enterpriseId });
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
