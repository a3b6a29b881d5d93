import { type enterprise, placeOf } from "@weft/contract/domains/enterprises/enterprise.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import { fromMinor } from "@weft/contract/rules/money.ts";
import { type Selectable, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";
import type { ListedRow, StoredRow } from "#kernel/resource-store.ts";
import { versionText } from "#kernel/row-version.ts";
import { inCallerScope } from "#kernel/scope.ts";

type Row = ListedRow<typeof enterprise>;
type Draft = DraftOf<typeof enterprise>;
export type StoredEnterprise = Selectable<Database["enterprise"]>;

/** Enterprises with all that their row shows; a parent out of scope is not named. */
export function enterpriseRows(ctx: Context) {
  return ctx.db
    .selectFrom("enterprise as e")
    .leftJoin("enterprise as p", (join) =>
      join.onRef("p.id", "=", "e.parent_id").on(inCallerScope(ctx, "p.id")),
    )
    .leftJoin("sys_user as u", "u.id", "e.created_by")
    .leftJoin("enterprise_strategy as s", "s.enterprise_id", "e.id")
    .leftJoin("pop_strategy as ps", "ps.id", "s.pop_strategy_id")
    .selectAll("e")
    .select(["p.id as visible_parent", "p.name as parent_name", "u.login_name as creator"])
    .select(["s.strategy_type", "s.pop_strategy_id", "s.check_server_ids", "ps.name as strategy"])
    .select((eb) => [
      eb
        .selectFrom("node as n")
        .select((count) => count.fn.countAll<number>().as("n"))
        .whereRef("n.enterprise_id", "=", "e.id")
        .where("n.kind", "=", "cpe")
        .as("cpe_count"),
      sql<
        number | null
      >`(select u.cpes from weft.limit_use(e.id) u where e.cpe_limit is not null)`.as("cpe_use"),
      sql<
        number | null
      >`(select u.accounts from weft.limit_use(e.id) u where e.account_limit is not null)`.as(
        "account_use",
      ),
      sql<
        number | null
      >`(select balance from weft.last_posting(e.id, coalesce(e.parent_id, e.id)))`.as("balance"),
    ])
    .where(inCallerScope(ctx, "e.id"));
}

type Joined = Awaited<ReturnType<ReturnType<typeof enterpriseRows>["execute"]>>[number];

export const regionsOf = ({
  province,
  city,
  region,
}: Pick<StoredEnterprise, "province" | "city" | "region">): string[] =>
  [province, city, region].filter((part) => part !== "");

/** @param ownId the caller's enterprise, which is not above itself, but for the topmost */
export function toRow(row: Joined, ownId: number): Row {
  const isTopmost = row.parent_id === null;
  return {
    rowVersion: versionText(row.row_version),
    groupid: row.id,
    parentId: row.visible_parent,
    parentName: row.parent_name,
    ...plain(row),
    regions: regionsOf(row),
    passwordPolicy: row.password_policy as Row["passwordPolicy"],
    creditLimit: row.credit_limit,
    balance: row.balance ?? 0,
    isPush: row.is_push,
    nodeConfig: row.node_config,
    strategyType: row.strategy_type ?? 0,
    popStrategyId: row.pop_strategy_id,
    popStrategyName: row.strategy,
    checkServerData: row.check_server_ids ?? [],
    enable: row.enabled,
    fromAbove: isTopmost || (row.visible_parent !== null && row.id !== ownId),
    cpeCount: row.cpe_count ?? 0,
    cpeUse: row.cpe_use,
    accountUse: row.account_use,
    createTime: row.created_at,
    updateTime: row.updated_at,
    createBy: row.creator,
  };
}

/** Fields whose stored form is their form in memory. */
const plain = (row: StoredEnterprise) => ({
  name: row.name,
  enterpriseType: row.enterprise_type as Draft["enterpriseType"],
  isAgent: row.is_agent,
  provice: row.province,
  city: row.city,
  region: row.region,
  contact: row.contact,
  phone: row.phone,
  email: row.email,
  businessType: row.business_type as Row["businessType"],
  endTime: row.end_at,
  cpeLimit: row.cpe_limit,
  accountLimit: row.account_limit,
  remark: row.remark,
});

/** Columns of what an enterprise may say of itself; `regions` alone gives all three parts. */
export const placeColumns = (
  draft: Pick<Draft, "regions" | "provice" | "city" | "region" | "contact" | "phone" | "email">,
) => {
  const { regions, contact, phone, email } = draft;
  const { provice, city, region } = regions === null ? draft : placeOf(regions);
  return { province: provice, city, region, contact, phone, email };
};

export const toColumns = (draft: Draft) => ({
  ...placeColumns(draft),
  name: draft.name,
  remark: draft.remark,
  enterprise_type: draft.enterpriseType,
  is_agent: draft.isAgent,
  business_type: draft.businessType,
  end_at: draft.endTime,
  cpe_limit: draft.cpeLimit,
  account_limit: draft.accountLimit,
  ...(draft.passwordPolicy !== null && { password_policy: draft.passwordPolicy }),
  ...(draft.creditLimit !== null && { credit_limit: draft.creditLimit }),
});

/** An enterprise as the operation log shows it: by the contract's names. */
const recorded = (row: StoredEnterprise) => ({
  parentId: row.parent_id,
  ...plain(row),
  regions: regionsOf(row),
  passwordPolicy: row.password_policy,
  creditLimit: fromMinor(row.credit_limit),
  isPush: row.is_push,
  nodeConfig: row.node_config,
  enable: row.enabled,
});

export const writtenEnterprise = (
  id: number,
  old: StoredEnterprise | null,
  now: StoredEnterprise | null,
): StoredRow => ({
  id,
  enterpriseId: id,
  old: old && recorded(old),
  new: now && recorded(now),
  versions: { old: old?.row_version ?? null, new: now?.row_version ?? null },
});
