import type { LineAddresses } from "@weft/contract/device/v1/trace/way.ts";
import type { UnderlaySection } from "@weft/contract/device/v1/underlay.ts";
import type { PolicyFindingLevel } from "@weft/contract/domains/policies/policy-finding.ts";
import { addressOf } from "@weft/contract/rules/address.ts";
import { sql } from "kysely";
import { tableOf } from "#domains/policies/policy/public.ts";
import type { Context } from "#kernel/api.ts";

interface Named {
  readonly family: string;
  readonly id: number;
}

/** Addresses that WAN links have by DHCP, as the device reported them last, by slot. */
export async function reportedAddresses(
  ctx: Context,
  nodeId: number,
  lines: UnderlaySection["lines"],
): Promise<LineAddresses> {
  const row = await ctx.db
    .selectFrom("node_status")
    .select("lines")
    .where("node_id", "=", nodeId)
    .executeTakeFirst();
  const reported = row?.lines ?? [];
  return new Map(
    lines.flatMap(({ slot, interfaceName }) => {
      const address = reported.find((one) => one.interfaceName === interfaceName)?.address;
      return address ? [[slot, addressOf(address)] as const] : [];
    }),
  );
}

interface Found {
  readonly id: number;
  readonly name: string;
  readonly level: PolicyFindingLevel;
}

/** Objects of one family that the caller may see. */
async function namesOf(ctx: Context, family: string, ids: readonly number[]): Promise<Found[]> {
  const among = sql<boolean>`id = any(${[...ids]}::bigint[])`;
  if (family === "xaclrules") {
    const rows = await ctx.db.selectFrom("acl_rule").select(["id", "name"]).where(among).execute();
    return rows.map((row) => ({ ...row, level: "node" as const }));
  }
  if (family === "cug") {
    const rows = await ctx.db.selectFrom("cug").select(["id", "name"]).where(among).execute();
    return rows.map((row) => ({ ...row, level: "enterprise" as const }));
  }
  if (family === "blacklist") {
    const rows = await ctx.db
      .selectFrom("blacklist")
      .select(["id", "value"])
      .where(among)
      .execute();
    return rows.map(({ id, value }) => ({ id, name: value, level: "enterprise" as const }));
  }
  const { rows } = await sql<{ id: number; name: string; is_own: boolean }>`
    select id, name, node_id is not null as is_own from ${sql.table(tableOf(family))}
    where ${among}`.execute(ctx.db);
  return rows.map(({ id, name, is_own }) => ({ id, name, level: is_own ? "node" : "template" }));
}

/** What people call objects; one that was removed since has no name. */
export async function nameObjects(ctx: Context, objects: readonly Named[]) {
  const families = [...new Set(objects.map(({ family }) => family))];
  const namesByFamily = new Map(
    await Promise.all(
      families.map(async (family) => {
        const ids = objects.flatMap((object) => (object.family === family ? [object.id] : []));
        return [family, await namesOf(ctx, family, ids)] as const;
      }),
    ),
  );
  return ({ family, id }: Named) => {
    const one = namesByFamily.get(family)?.find((row) => row.id === id);
    return { family, id, name: one?.name ?? "", level: one?.level ?? ("node" as const) };
  };
}
