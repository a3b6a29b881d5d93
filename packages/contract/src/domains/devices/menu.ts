/** The screens of devices in the menu. `#contract/menu.ts` says where. */
import { defineMenu, granted, grantedSearched, hidden, page } from "#kernel/menu.ts";

export const nodes = defineMenu([
  granted("/sdwan-system/pop", ["POP 管理", "POP management"], "PopManage", [0, 1], {
    icon: "pop",
  }),
  granted("/sdwan-system/cpe", ["CPE 管理", "CPE management"], "CpeManage", [0, 1, 2], {
    icon: "cpe",
  }),
  page("/sdwan-system/enrolment", ["开局审批", "Enrolment"], "Enrolment", {
    icon: "enrolment",
    may: "cpeActive",
  }),
]);

export const cpeSet = hidden(
  "/sdwan-system/cpe/cpeSet/:id",
  ["CPE 配置", "CPE configuration"],
  "CpeSet",
  {
    may: "cpeConfig",
  },
);

export const neighborsAndPopSet = defineMenu([
  hidden("/sdwan-system/cpe/cpeNeighbor/:id", ["CPE 邻居", "CPE neighbours"], "CpeNeighbor"),
  hidden("/sdwan-system/pop/popSet/:id", ["POP 配置", "POP configuration"], "PopSet", {
    may: "popConfig",
  }),
]);

export const dialTask = grantedSearched(
  "/sdwan-system/cpe/dialTask",
  ["CPE 拨测任务", "CPE dial tasks"],
  "DialTask",
  [0, 1, 2],
);
