import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { ownProtocolOf } from "@weft/contract/rules/applications.ts";
import { fitsLineLimit } from "@weft/contract/rules/rows.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { refuseField } from "#kernel/refuse.ts";
import type { Hooks } from "#kernel/resource-store.ts";
import { isOwnedBy, type OwnerField, ownerIn } from "#kernel/row-owner.ts";

type Loose = Readonly<Record<string, unknown>>;
type Check = (
  ctx: Context,
  ownerFields: readonly OwnerField[],
  draft: Loose,
  id: number | null,
) => Promise<void>;

/** Section 5: up to four WAN lines. Two that are added at once meet the key of the position. */
const withinLineLimit: Check = async (ctx, ownerFields, draft, id) => {
  if (draft.kind !== "wan") return;
  const selected = await sql<{ n: number }>`
    select count(*)::int as n from router_interface_line
    where kind = 'wan' and id <> ${id ?? 0} and ${isOwnedBy(ownerIn(ownerFields, draft))}`.execute(
    ctx.db,
  );
  if (!fitsLineLimit(selected.rows[0]?.n ?? 0, 1)) {
    refuseField("accessposition", "tooMany", { max: 4 });
  }
};

/** Own protocols in the list must be the owner's, and stay while the list is written. */
const knownProtocols: Check = async (ctx, ownerFields, draft) => {
  const protocols = (draft.l7ids as number[]).flatMap((id) => ownProtocolOf(id) ?? []);
  if (protocols.length === 0) return;
  const selected = await sql`
    select id from router_protocol where id = any(${protocols}::bigint[])
    and ${isOwnedBy(ownerIn(ownerFields, draft))} order by id for key share`.execute(ctx.db);
  if (selected.rows.length < protocols.length) refuseField("l7ids", "unknown");
};

const checks: Readonly<Record<string, Check>> = {
  routerInterfaceline: withinLineLimit,
  routerAppgroup: knownProtocols,
};

/** What rows decide about a draft of the family. */
export function rulesOf(
  family: string,
  ownerFields: readonly OwnerField[],
): Pick<Hooks<AnyResource>, "beforeWrite"> {
  const check = checks[family];
  return check
    ? { beforeWrite: (ctx, draft, id) => check(ctx, ownerFields, draft as Loose, id) }
    : {};
}
