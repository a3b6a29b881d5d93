/** POPs that an enterprise prefers, tests that its sites run, and documents that companies submitted. */
import { dialTask } from "@weft/contract/domains/devices/dial-task.ts";
import { companyAudit } from "@weft/contract/domains/enterprises/company-audit.ts";
import { enterpriseEditStrategy } from "@weft/contract/domains/enterprises/enterprise.ts";
import { popGroup, popStrategy } from "@weft/contract/domains/overlay/pop-strategy.ts";
import type { Caller } from "@weft/contract/kernel/client.ts";
import type { IdOf } from "./business.ts";

async function addStrategy(call: Caller, root: number, idOf: IdOf): Promise<void> {
  const shared = { groupid: root, remark: "" };
  const south = await call(popStrategy.ops.add, {
    ...shared,
    name: "华南优先",
    popIds: [idOf("广州-01")],
  });
  await call(popStrategy.ops.add, {
    ...shared,
    name: "华北优先",
    popIds: [idOf("北京-01"), idOf("上海-01")],
  });
  await call(popGroup.ops.add, {
    name: "华南机房",
    strategyId: south.data.id,
    popIds: [idOf("广州-01")],
  });
  // Its space has no other POP: no link moves.
  await call(enterpriseEditStrategy, {
    groupid: idOf("椰林酒店"),
    strategyType: 1,
    popStrategyId: south.data.id,
    checkServerData: [],
  });
}

export async function addChoices(call: Caller, root: number, idOf: IdOf): Promise<void> {
  await addStrategy(call, root, idOf);
  await call(dialTask.ops.add, {
    name: "门店到总部",
    groupid: idOf("蓝海零售"),
    cpeIds: ["杭州门店-01", "宁波门店-01", "温州门店-01"].map(idOf),
    type: "ping",
    target: "10.101.1.1",
    interval: 300,
    enable: true,
    remark: "收银系统投诉后开启",
  });
  for (const [owner, name, status] of [
    ["北辰医疗", "北辰医疗科技（北京）有限公司", 1],
    ["椰林酒店", "海南椰林酒店管理有限公司", 0],
  ] as const)
    await call(companyAudit.ops.add, {
      groupid: idOf(owner),
      name,
      license: null,
      idCard: null,
      contact: "",
      phone: null,
      status,
      remark: "",
    });
}
