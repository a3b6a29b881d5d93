import { randomUUID } from "node:crypto";
import { postingKind } from "@weft/contract/domains/enterprises/enums.ts";
import {
  dealRecordExport,
  dealRecordList,
  enterpriseCharge,
  rechargeRecordExport,
  rechargeRecordList,
} from "@weft/contract/domains/enterprises/ledger.ts";
import { fromMinor } from "@weft/contract/rules/money.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import { isAncestor, requireEnterprise } from "#kernel/scope.ts";
import { mountExport } from "#transfer/mount-export.ts";
import { post } from "./post.ts";
import { listDeals, listRecharges } from "./store.ts";

const ownBook = ["由上级企业充值", "it is recharged by its parent enterprise"] as const;

/** Recharge and the records of what was posted (docs/adr/0011-ledger.md). */
export function ledgerRoutes(app: FastifyInstance): void {
  mount(app, enterpriseCharge, async ({ groupid, credit, requestKey, remark }, ctx) => {
    await requireEnterprise(ctx, groupid, "groupid");
    // Else an agent could recharge itself in the book of who sells to it.
    if (!(await isAncestor(ctx, groupid))) refuse("notAllowedNow", { reason: [...ownBook] });
    const { id, ...posted } = await post(ctx, {
      enterpriseId: groupid,
      kind: postingKind.recharge,
      change: credit,
      requestKey: requestKey ?? randomUUID(),
      remark: remark ?? "",
    });
    await ctx.audit({
      resource: "posting",
      rowId: id,
      enterpriseId: groupid,
      old: null,
      new: {
        orderNo: posted.orderNo,
        credit: fromMinor(credit),
        balance: fromMinor(posted.balance),
        ...(posted.repeated && { repeated: true }),
      },
    });
    return posted;
  });
  mount(app, dealRecordList, (input, ctx) => listDeals(ctx, input));
  mount(app, rechargeRecordList, (input, ctx) => listRecharges(ctx, input));
  mountExport(app, dealRecordExport, {
    list: dealRecordList,
    rows: (query, ctx) => listDeals(ctx, query),
    title: ["交易记录", "Transaction records"],
    columns: {
      type: { list: "dealType" },
      amount: { cell: ({ amount }) => Number(fromMinor(amount)) },
      balance: { cell: ({ balance }) => Number(fromMinor(balance)) },
    },
    leave: ["id", "groupid"],
  });
  mountExport(app, rechargeRecordExport, {
    list: rechargeRecordList,
    rows: (query, ctx) => listRecharges(ctx, query),
    title: ["充值记录", "Recharge records"],
    columns: {
      credit: { cell: ({ credit }) => Number(fromMinor(credit)) },
      balance: { cell: ({ balance }) => Number(fromMinor(balance)) },
    },
    leave: ["id", "groupid"],
  });
}
