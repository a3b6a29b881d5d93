import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { maskLength } from "@weft/contract/rules/address.ts";
import { ownProtocolOf } from "@weft/contract/rules/applications.ts";
import { fitsLineLimit } from "@weft/contract/rules/rows.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { refuseField } from "#kernel/refuse.ts";
import type { Hooks } from "#kernel/resource-store.ts";
import { isOwnedBy, type OwnerField, ownerIn } from "#kernel/row-owner.ts";
import { inCallerScope } from "#kernel/scope.ts";

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

interface StandbyMember {
  readonly name: string;
  readonly ip: string | null;
  readonly mask: string | null;
}

/** Section 5: a standby group has one active and one standby device. They share the address of their lines. */
const standbyGroup: Check = async (ctx, ownerFields, draft, id) => {
  if (draft.kind !== "lan" || draft.hotStandbyGroup == null) return;
  const group = Number(draft.hotStandbyGroup);
  const owner = ownerIn(ownerFields, draft);
  const lines = await sql`
    select id from router_interface_line
    where kind = 'lan' and hot_standby_group = ${group} and id <> ${id ?? 0} and ${isOwnedBy(owner)}
    limit 1`.execute(ctx.db);
  if (lines.rows.length > 0) refuseField("hotStandbyGroup", "taken", { value: group });
  if (owner.column !== "node_id") return;
  // One that a colleague made is there as well, by its number.
  const { rows: others } = await sql<StandbyMember>`
    select coalesce(o.name, '#' || member.id) as name, member.ip, member.mask
    from node n cross join lateral weft.standby_others(n.id, ${group}::smallint) as member
    left join node o on o.id = member.id
    where n.id = ${owner.id} and ${inCallerScope(ctx, "n.enterprise_id")}`.execute(ctx.db);
  if (others.length > 1) refuseField("hotStandbyGroup", "tooMany", { max: 2 });
  const [other] = others;
  if (other?.ip == null || (other.ip === draft.ip && other.mask === draft.mask)) return;
  const value = other.mask === null ? other.ip : `${other.ip}/${maskLength(other.mask)}`;
  refuseField("ip", "standbyAddress", { value, other: other.name });
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
  routerInterfaceline: async (...written) => {
    await withinLineLimit(...written);
    await standbyGroup(...written);
  },
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
