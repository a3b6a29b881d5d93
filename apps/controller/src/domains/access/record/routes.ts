import {
  loginRecordExport,
  loginRecordList,
  operaRecordExport,
  operaRecordList,
  operaRecordModules,
  operaRecordUndo,
  operaRecordVerify,
} from "@weft/contract/domains/access/record.ts";
import { formatMessage } from "@weft/contract/kernel/message.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { mountExport } from "#transfer/mount-export.ts";
import { listModules } from "./modules.ts";
import { verifyRows } from "./seal-store.ts";
import { listLogIns, listOperations } from "./store.ts";
import { undoOperation } from "./undo.ts";
import { changesText } from "./value-texts.ts";

/** Operation log and login log (specification section 2.3, /system/recordmanage). */
export function recordRoutes(app: FastifyInstance): void {
  mount(app, operaRecordList, (query, ctx) => listOperations(ctx, query));
  mount(app, operaRecordModules, async (_, ctx) => listModules(ctx));
  mount(app, operaRecordUndo, (input, ctx) => undoOperation(app.weft, ctx, input), {
    unaudited: "a check writes nothing; an undo writes the row of the call that it makes",
  });
  mount(app, operaRecordVerify, ({ ids }, ctx) => verifyRows(ctx, ids), {
    unscopedReason: "a seal spans enterprises; it answers of rows that the caller's log shows",
  });
  mount(app, loginRecordList, (query, ctx) => listLogIns(ctx, query));
  mountExport(app, operaRecordExport, {
    list: operaRecordList,
    rows: (query, ctx) => listOperations(ctx, query),
    title: ["操作日志", "Operation log"],
    // User, enterprise and place are named; their ids would appear under the same headings.
    leave: ["userId", "groupid", "object", "nodeId", "nodeKind", "templateId", "undo", "undoneBy"],
    columns: {
      rowName: { title: ["名称", "Name"] },
      nodeName: { title: ["CPE 或 POP", "CPE or POP"] },
      templateName: { title: ["模板", "Template"] },
      ip: { title: ["来源地址", "From address"] },
      requestId: { title: ["请求编号", "Request id"] },
      story: {
        title: ["操作内容", "What was done"],
        cell: ({ story }, language) => formatMessage(story, language),
      },
      changes: {
        title: ["修改内容", "Changes"],
        cell: ({ changes }, language) => changesText(changes, language),
      },
    },
  });
  mountExport(app, loginRecordExport, {
    list: loginRecordList,
    rows: (query, ctx) => listLogIns(ctx, query),
    title: ["登录日志", "Login log"],
    columns: { msg: { list: "loginFailure" } },
  });
}
