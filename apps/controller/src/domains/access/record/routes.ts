import {
  loginRecordExport,
  loginRecordList,
  operaRecordExport,
  operaRecordList,
  operaRecordModules,
  operaRecordVerify,
} from "@weft/contract/domains/access/record.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { mountExport } from "#transfer/mount-export.ts";
import { listModules } from "./modules.ts";
import { changesText } from "./rules.ts";
import { verifyRows } from "./seal-store.ts";
import { listLogIns, listOperations } from "./store.ts";

/** Operation log and login log (specification section 2.3, /system/recordmanage). */
export function recordRoutes(app: FastifyInstance): void {
  mount(app, operaRecordList, (query, ctx) => listOperations(ctx, query));
  mount(app, operaRecordModules, async (_, ctx) => listModules(ctx));
  mount(app, operaRecordVerify, ({ ids }, ctx) => verifyRows(ctx, ids), {
    unscopedReason: "a seal spans enterprises; it answers of rows that the caller's log shows",
  });
  mount(app, loginRecordList, (query, ctx) => listLogIns(ctx, query));
  mountExport(app, operaRecordExport, {
    list: operaRecordList,
    rows: (query, ctx) => listOperations(ctx, query),
    title: ["操作日志", "Operation log"],
    // User and enterprise are named; their ids would appear under the same headings.
    leave: ["userId", "groupid"],
    columns: {
      rowName: { title: ["名称", "Name"] },
      ip: { title: ["来源地址", "From address"] },
      requestId: { title: ["请求编号", "Request id"] },
      changes: { title: ["修改内容", "Changes"], cell: ({ changes }) => changesText(changes) },
    },
  });
  mountExport(app, loginRecordExport, {
    list: loginRecordList,
    rows: (query, ctx) => listLogIns(ctx, query),
    title: ["登录日志", "Login log"],
    columns: { msg: { list: "loginFailure" } },
  });
}
