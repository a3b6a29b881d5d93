import { companyAudit } from "@weft/contract/domains/enterprises/company-audit.ts";
import { auditStatus } from "@weft/contract/domains/enterprises/enums.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import { type SqlBool, sql } from "kysely";
import { enterprise } from "#domains/enterprises/public.ts";
import type { Context } from "#kernel/api.ts";
import { refuseField } from "#kernel/refuse.ts";
import { inCallerScope, isAncestor } from "#kernel/scope.ts";
import { tableStore } from "#kernel/table-store.ts";

type Draft = DraftOf<typeof companyAudit>;

/** Which of these enterprises have an enterprise above them in the caller's scope. */
async function readReviewable(ctx: Context, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select e.id from enterprise e join enterprise p on p.id = coalesce(e.parent_id, e.id)
    where e.id = any(${[...ids]}::bigint[]) and ${inCallerScope(ctx, "p.id")}`.execute(ctx.db);
  return new Set(rows.map(({ id }) => id));
}

/** Audits of companies. */
export const companyAuditStore = tableStore(companyAudit, {
  table: "company_audit",
  columns: {
    id: "id",
    groupid: "enterprise_id",
    name: "name",
    license: "license",
    idCard: "id_card",
    contact: "contact",
    phone: "phone",
    status: "status",
    auditBy: "audit_by",
    auditTime: "audited_at",
    remark: "remark",
    createTime: "created_at",
  },
  owner: { enterprise: "groupid" },
  names: { enterpriseName: enterprise("groupid") },
  filters: { groupid: "equal", name: "contains", status: "equal" },
  constraints: { company_audit_name: { field: "name" } },
  async complete(ctx, rows) {
    const ids = rows.map((row) => row.enterprise_id);
    const reviewable = await readReviewable(ctx, ids);
    return ids.map((id) => ({ judgeable: reviewable.has(id) }));
  },
});

/** Only an enterprise above reviews it: others submit, and the review is then pending. */
export async function requireReviewer(ctx: Context, { groupid, status }: Draft): Promise<void> {
  if (status === auditStatus.waiting) return;
  if (!(await isAncestor(ctx, groupid))) refuseField("status", "notAllowed");
}

/** Records who reviewed and when; what is pending again has no reviewer. */
export async function recordReview(ctx: Context, id: number): Promise<void> {
  const isReviewed = sql<SqlBool>`status <> ${auditStatus.waiting}`;
  await ctx.db
    .updateTable("company_audit")
    .set({
      audit_by: sql<string | null>`case when ${isReviewed} then ${ctx.caller.loginName}::text end`,
      audited_at: sql<Date | null>`case when ${isReviewed} then now() end`,
    })
    .where("id", "=", id)
    .execute();
}
