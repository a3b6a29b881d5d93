import { apiKey } from "@weft/contract/domains/access/api-key.ts";
import { role } from "@weft/contract/domains/access/role.ts";
import { configItem } from "@weft/contract/domains/enterprises/config-item.ts";
import type { Caller } from "@weft/contract/kernel/client.ts";

const yearMs = 365 * 86_400_000;

/**
 * What an operator sets up for systems beside the console: a key that may only read, and a value.
 * @param password of the caller: a key is a way in
 */
export async function addSystem(call: Caller, root: number, password: string): Promise<void> {
  const shared = { groupid: root, remark: "月报和大屏" };
  const { data } = await call(role.ops.add, {
    ...shared,
    roleCode: "report",
    name: "报表只读",
    roleType: 0,
    dataScope: 3,
    groupids: [],
    authorities: ["screenView"],
    demandFactor: false,
  });
  await call(apiKey.ops.add, {
    ...shared,
    name: "月报脚本",
    roleId: data.id,
    expireTime: new Date(Date.now() + yearMs),
    oldPsw: password,
  });
  const item = { configKey: "portal.title", configValue: "示例运营商门户" };
  await call(configItem.ops.add, { ...item, groupid: root, remark: "客户门户读取" });
}
