import {
  type DestinationKind,
  destinationKinds,
} from "@weft/contract/domains/policies/destination-enums.ts";
import { saasGroups } from "@weft/contract/domains/policies/saas-group.ts";
import { groupsLock, holdLock } from "#db/locks.ts";
import { node } from "#domains/devices/public.ts";
import { enterprise } from "#domains/enterprises/public.ts";
import type { Context } from "#kernel/api.ts";
import type { Store } from "#kernel/resource-store.ts";
import { tableStore } from "#kernel/table-store.ts";
import type { OtherGroup } from "./rules.ts";

type Group = (typeof saasGroups)[DestinationKind];

/** The store of one kind: a part of the table that all kinds share. */
const storeOf = (kind: DestinationKind): Store<Group> =>
  tableStore(saasGroups[kind] as Group, {
    table: "saas_group",
    columns: {
      id: "id",
      kind: "kind",
      name: "name",
      groupid: "enterprise_id",
      values: "members",
      popId: "pop_id",
      enable: "enabled",
      remark: "remark",
      createTime: "created_at",
    },
    part: { kind },
    owner: { enterprise: "groupid" },
    names: {
      enterpriseName: enterprise("groupid"),
      popName: node("popId", { hidesUnreadable: true }),
    },
    filters: { name: "contains", groupid: "equal" },
    constraints: { saas_group_name: { field: "name" } },
  });

export const saasGroupStores = Object.fromEntries(
  destinationKinds.map((kind) => [kind, storeOf(kind)]),
) as Readonly<Record<DestinationKind, Store<Group>>>;

/**
 * The other groups of an enterprise that are of one kind, and the members of this one, as they
 * are after every other writer: writers wait for each other here until they commit.
 */
export async function groupsBeside(
  ctx: Context,
  kind: DestinationKind,
  enterpriseId: number,
  id: number,
): Promise<{ own: readonly string[]; others: readonly OtherGroup[] }> {
  await holdLock(ctx.db, groupsLock(enterpriseId, kind));
  const rows = await ctx.db
    .selectFrom("saas_group")
    .select(["id", "name", "members"])
    .where("enterprise_id", "=", enterpriseId)
    .where("kind", "=", kind)
    .orderBy("id")
    .execute();
  return {
    own: rows.find((row) => row.id === id)?.members ?? [],
    others: rows.filter((row) => row.id !== id),
  };
}
