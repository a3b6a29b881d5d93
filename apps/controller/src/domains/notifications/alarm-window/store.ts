import { alarmWindow } from "@weft/contract/domains/notifications/alarm-window.ts";
import { cpes, pops } from "#domains/devices/public.ts";
import { enterprise } from "#domains/enterprises/public.ts";
import type { Context } from "#kernel/api.ts";
import { requireRows } from "#kernel/reference.ts";
import type { Store } from "#kernel/resource-store.ts";
import { requireEnterprise } from "#kernel/scope.ts";
import { tableStore } from "#kernel/table-store.ts";

type Draft = Parameters<Store<typeof alarmWindow>["add"]>[1];

/** Only the target of the kind is stored: what a form filled in before its kind was changed is not meant. */
const targetOf = (draft: Draft): Draft => ({
  ...draft,
  cpeIds: draft.kind === 1 ? draft.cpeIds : [],
  popIds: draft.kind === 2 ? draft.popIds : [],
  scopeId: draft.kind === 3 ? draft.scopeId : null,
  isp: draft.kind === 4 ? draft.isp.trim() : "",
});

/** A store whose enterprise concerned is one of the caller's. */
function withScope(store: Store<typeof alarmWindow>): Store<typeof alarmWindow> {
  const checked = async (ctx: Context, draft: Draft): Promise<Draft> => {
    // Also where another kind leaves them out: a row of another tenant is refused like a missing one.
    if (draft.scopeId !== null) await requireEnterprise(ctx, draft.scopeId, "scopeId");
    await requireRows(ctx, cpes, draft.cpeIds, "cpeIds");
    await requireRows(ctx, pops, draft.popIds, "popIds", "readable");
    return targetOf(draft);
  };
  return {
    ...store,
    add: async (ctx, draft) => store.add(ctx, await checked(ctx, draft)),
    edit: async (ctx, id, draft) => store.edit(ctx, id, await checked(ctx, draft)),
  };
}

/** Maintenance windows; the worker notes on events which one they lie in (weft.keep_alarm_maintenance). */
export const alarmWindowStore = withScope(
  tableStore(alarmWindow, {
    table: "alarm_window",
    columns: {
      id: "id",
      reason: "reason",
      groupid: "enterprise_id",
      kind: "kind",
      scopeId: "scope_id",
      isp: "carrier",
      startTime: "starts_at",
      endTime: "ends_at",
      remark: "remark",
      createTime: "created_at",
    },
    members: {
      cpeIds: { table: "alarm_window_node", of: cpes, from: "scope" },
      popIds: { table: "alarm_window_pop", of: pops, from: "readable", isOrdered: true },
    },
    names: { enterpriseName: enterprise("groupid"), scopeName: enterprise("scopeId") },
    owner: { enterprise: "groupid" },
    filters: { reason: "contains", groupid: "equal" },
  }),
);
