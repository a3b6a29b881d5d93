/** What operators decide about a rollout. */
import type { routerTemplateRolloutHalt } from "@weft/contract/domains/templates/rollout.ts";
import type { InputOf } from "@weft/contract/kernel/endpoint.ts";
import type { Message } from "@weft/contract/kernel/message.ts";
import { sql } from "kysely";
import {
  type Acting,
  lockTemplate,
  requireAllInScope,
} from "#domains/templates/router-template/public.ts";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { type Named, record, returnMembers } from "./write.ts";

const isOver: Message = ["这次下发已结束", "this rollout is over"];
const isRunning: Message = ["这次下发正在进行", "this rollout is running already"];
const isHalted: Message = ["这次下发已暂停", "this rollout is halted already"];
const isOld: Message = [
  "之后已发布新版本，不能再回滚该版本",
  "a newer version was published after it",
];
const isRolledBack: Message = ["这一版已回滚", "this version was rolled back already"];

const byOperator = (ctx: Context): Acting => ({
  db: ctx.db,
  userId: ctx.caller.userId,
  audit: ctx.audit,
  change: ctx.change,
});

/** A rollout, and how it was when the caller decided; null: that does not matter to the caller. */
export type Read = InputOf<typeof routerTemplateRolloutHalt>;

/**
 * A rollout of the caller's, locked behind its template: no step of the worker comes between.
 * @throws Refusal when it is not there or not the caller's, or moved on since it was read
 */
async function lockRollout(ctx: Context, { rolloutId: id, state, wave }: Read) {
  const rolloutRow = await ctx.db
    .selectFrom("template_rollout")
    .select("template_id")
    .where("id", "=", id)
    .executeTakeFirst();
  const template = await lockTemplate(ctx, (rolloutRow ?? refuse("notFound")).template_id);
  const row = await ctx.db
    .selectFrom("template_rollout")
    .selectAll()
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const isAsRead = (state ?? row.state) === row.state && (wave ?? row.wave) === row.wave;
  if (!isAsRead) refuse("conflict");
  return { template, rollout: { ...row, template_name: template.name } satisfies Named };
}

/** Nothing more goes out; what CPEs have they keep. */
export async function haltRollout(ctx: Context, read: Read): Promise<void> {
  const { rollout } = await lockRollout(ctx, read);
  if (rollout.state === "halted") refuse("notAllowedNow", { reason: isHalted });
  if (rollout.state !== "running" && rollout.state !== "waiting") {
    refuse("notAllowedNow", { reason: isOver });
  }
  await ctx.db
    .updateTable("template_rollout")
    .set({ state: "halted", reason: "operator", since: sql`now()` })
    .where("id", "=", rollout.id)
    .execute();
  await record(byOperator(ctx), rollout, { state: rollout.state }, { state: "halted" });
}

/**
 * Starts the next wave of a rollout that waits for that. One that was halted is taken up again: a wave that
 * was rolled back starts once more, another is observed from now on.
 */
export async function continueRollout(ctx: Context, read: Read): Promise<void> {
  const { rollout, template } = await lockRollout(ctx, read);
  if (rollout.state === "running") refuse("notAllowedNow", { reason: isRunning });
  if (rollout.state !== "halted" && rollout.state !== "waiting") {
    refuse("notAllowedNow", { reason: isOver });
  }
  await requireAllInScope(ctx, [template.id]);
  const wave = rollout.wave + (rollout.state === "waiting" ? 1 : 0);
  const members = ctx.db
    .updateTable("template_rollout_node")
    .where("rollout_id", "=", rollout.id)
    .where((one) =>
      one.or([
        one("wave", "=", wave),
        one.and([one("wave", "<", wave), one("outcome", "!=", "passed")]),
      ]),
    );
  if (rollout.state === "halted") {
    const again = { steady_since: null, awaited_ms: 0, suspects: "{}", failure: null };
    // What they were like before the first time is what they are held to again.
    const unstarted = { started_at: null, outcome: "ahead" as const };
    await members.set(rollout.reason === "gate" ? { ...again, ...unstarted } : again).execute();
  }
  await ctx.db
    .updateTable("template_rollout")
    .set({ state: "running", reason: null, is_bad: false, wave, since: sql`now()` })
    .set({ checked_at: sql`now()`, watched_since: sql`now()` })
    .where("id", "=", rollout.id)
    .execute();
  const { state, is_bad: isBad } = rollout;
  await record(
    byOperator(ctx),
    rollout,
    { state, isBad },
    { state: "running", isBad: false, wave },
  );
}

/** Every CPE that it has reached follows its previous version again. */
export async function rollBackRollout(ctx: Context, read: Read): Promise<void> {
  const { rollout, template } = await lockRollout(ctx, read);
  if (rollout.state === "rolledBack") refuse("notAllowedNow", { reason: isRolledBack });
  if (template.version !== rollout.version) refuse("notAllowedNow", { reason: isOld });
  await requireAllInScope(ctx, [template.id]);
  const acting = byOperator(ctx);
  const cpeIds = await returnMembers(acting, rollout);
  await ctx.db
    .updateTable("template_rollout")
    .set({ state: "rolledBack", reason: null, is_bad: true, since: sql`now()` })
    .where("id", "=", rollout.id)
    .execute();
  const { state } = rollout;
  await record(acting, rollout, { state }, { state: "rolledBack", isBad: true, cpeIds });
}
