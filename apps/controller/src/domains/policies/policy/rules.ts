import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { ownProtocolOf } from "@weft/contract/rules/applications.ts";
import { fitsLineLimit } from "@weft/contract/rules/rows.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { type Holder, holderIn, isHeldBy } from "#kernel/holder.ts";
import { refuseField } from "#kernel/refuse.ts";
import type { Hooks } from "#kernel/resource-store.ts";

type Loose = Readonly<Record<string, unknown>>;
type Check = (
  ctx: Context,
  held: readonly Holder[],
  draft: Loose,
  id: number | null,
) => Promise<void>;

/** Section 5: up to four WAN lines. Two that are added at once meet the key of the position. */
const withinLineLimit: Check = async (ctx, held, draft, id) => {
  if (draft.kind !== "wan") return;
  const found = await sql<{ n: number }>`
    select count(*)::int as n from router_interface_line
    where kind = 'wan' and id <> ${id ?? 0} and ${isHeldBy(holderIn(held, draft))}`.execute(ctx.db);
  if (!fitsLineLimit(found.rows[0]?.n ?? 0, 1)) {
    refuseField("accessposition", "tooMany", { max: 4 });
  }
};

/** Own protocols in the list must be the holder's, and stay while the list is written. */
const knownProtocols: Check = async (ctx, held, draft) => {
  const own = (draft.l7ids as number[]).flatMap((id) => ownProtocolOf(id) ?? []);
  if (own.length === 0) return;
  const found = await sql`
    select id from router_protocol where id = any(${own}::bigint[])
    and ${isHeldBy(holderIn(held, draft))} order by id for key share`.execute(ctx.db);
  if (found.rows.length < own.length) refuseField("l7ids", "unknown");
};

const checks: Readonly<Record<string, Check>> = {
  routerInterfaceline: withinLineLimit,
  routerAppgroup: knownProtocols,
};

/** What rows decide about a draft of the family. */
export function rulesOf(
  family: string,
  held: readonly Holder[],
): Pick<Hooks<AnyResource>, "beforeWrite"> {
  const check = checks[family];
  return check ? { beforeWrite: (ctx, draft, id) => check(ctx, held, draft as Loose, id) } : {};
}
