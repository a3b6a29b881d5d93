/** Rows of every kind that a reseller makes: what another one must never see. */

import { apiKey } from "@weft/contract/domains/access/api-key.ts";
import { role } from "@weft/contract/domains/access/role.ts";
import { userAdd } from "@weft/contract/domains/access/user.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { cpeAreaAdd } from "@weft/contract/domains/devices/cpe-area.ts";
import { dialTask } from "@weft/contract/domains/devices/dial-task.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { companyAudit } from "@weft/contract/domains/enterprises/company-audit.ts";
import { configItem } from "@weft/contract/domains/enterprises/config-item.ts";
import { enterprise } from "@weft/contract/domains/enterprises/enterprise.ts";
import { enterpriseCharge } from "@weft/contract/domains/enterprises/money.ts";
import { mobileAccount } from "@weft/contract/domains/mobile/mobile-account.ts";
import { alarmStrategy, messageReceive } from "@weft/contract/domains/notifications/alarm.ts";
import { circuit } from "@weft/contract/domains/overlay/circuit.ts";
import { cug } from "@weft/contract/domains/overlay/cug.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { popStrategy } from "@weft/contract/domains/overlay/pop-strategy.ts";
import { routeNotice } from "@weft/contract/domains/overlay/route-notice.ts";
import { segmentRoute } from "@weft/contract/domains/overlay/segment-route.ts";
import { vbrNode } from "@weft/contract/domains/overlay/vbr-node.ts";
import { blacklist } from "@weft/contract/domains/policies/blacklist.ts";
import { saasGroups } from "@weft/contract/domains/policies/saas-group.ts";
import { xwanSpeed } from "@weft/contract/domains/policies/xwan-speed.ts";
import { routerTemplate } from "@weft/contract/domains/templates/router-template.ts";
import type { Caller } from "@weft/contract/kernel/client.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import { noIds, type Seller } from "./seller.ts";

export interface Marks {
  /** In every name that people give. */
  readonly name: string;
  /** In what takes no Chinese: log-in names, serial numbers, keys. */
  readonly latin: string;
}

interface Customer {
  readonly groupid: number;
  readonly cpeId: number;
  readonly popId: number;
}

/** A customer of the seller with one site, two lines and a section. */
async function addCustomer(seller: Seller, { name, latin }: Marks, popId: number) {
  const { call } = seller;
  const owner = { ...samples.enterprise.valid(noIds), phone: null, email: null };
  const { data: own } = await call(enterprise.ops.add, {
    ...{ ...owner, name: `${name}药业`, parentId: seller.groupid },
  });
  const groupid = own.id;
  const { data: site } = await call(cpe.ops.add, {
    ...{ ...samples.cpe.valid(noIds), groupid, alias: `${name}药库` },
    sn: `${latin.toUpperCase()}-0001`,
  });
  const ids = { groupid, cpeId: site.id, popId };
  for (const slot of [1, 2]) {
    const wan = { slot, interfaceName: `wan${slot}`, name: `${name}专线${slot}`, isp: "isp-a" };
    const plug = { addressing: "dhcp" as const, ip: null, gateway: null };
    await call(line.ops.add, { ...samples.line.valid(ids), ...wan, ...plug });
  }
  await call(lanSection.ops.add, {
    ...{ ...samples.lansection.valid(ids), interfaceName: "lan1", remark: `${name}库房` },
    ...{ network: "10.244.1.1/24", network6: null },
  });
  await call(enterpriseCharge, {
    groupid,
    credit: 12_300,
    requestKey: `rows-of-${latin}`,
    remark: name,
  });
  return ids;
}

async function addNetwork(call: Caller, { name }: Marks, ids: Customer): Promise<void> {
  const { groupid, cpeId, popId } = ids;
  const space = { name: `${name}网`, groupid, topology: 0, remark: "" } as const;
  await call(netSpace.ops.add, { ...space, popIds: [popId], cpeIds: [cpeId] });
  const sold = { ...samples.xwanCircuit.valid(ids), name: `${name}线路`, guaranteed: null };
  await call(circuit.ops.add, sold);
  await call(cug.ops.add, { ...samples.cug.valid(ids), name: `${name}用户组` });
  await call(routeNotice.ops.add, { ...samples.routeNotice.valid(ids), remark: name });
  for (const [kind, { ops }] of Object.entries(saasGroups)) {
    const draft = samples[`saasGroup.${kind as keyof typeof saasGroups}`].valid(ids);
    await call(ops.add, { ...draft, name: `${name}加速-${kind}` });
  }
  await call(xwanSpeed.ops.add, { ...samples.xwanSpeed.valid(ids), name: `${name}出海` });
  await call(vbrNode.ops.add, { ...samples.vbrNode.valid(ids), name: `${name}云` });
  await call(cpeAreaAdd, { groupid, name: `${name}片区`, pId: 0, sort: 0 });
  const dial = { ...samples.dialTask.valid(ids), name: `${name}拨测` };
  await call(dialTask.ops.add, dial);
}

/** What only operators make for an agent's customer. */
async function addByOperator(call: Caller, { name }: Marks, ids: Customer): Promise<void> {
  await call(segmentRoute.ops.add, { ...samples.segmentRoute.valid(ids), name: `${name}路由` });
  await call(popStrategy.ops.add, { ...samples.popStrategy.valid(ids), name: `${name}优先` });
}

async function addPeople(call: Caller, marks: Marks, ids: Customer): Promise<void> {
  const { name, latin } = marks;
  const { groupid } = ids;
  const { data } = await call(role.ops.add, {
    ...{ roleCode: `${latin}Staff`, name: `${name}店员`, groupid, roleType: 2, dataScope: 1 },
    ...{ groupids: [], authorities: ["cpeEdit"], demandFactor: false, remark: "" },
  });
  await call(userAdd, {
    ...{ loginName: `${latin}Staff`, name: `${name}人`, groupid, roleIds: [data.id] },
    ...{ phone: null, email: null, remark: "", password: "e2e-start1" },
  });
  await call(apiKey.ops.add, {
    ...{ ...samples.apiKey.valid({ ...ids, roleId: data.id }), name: `${name}密钥` },
  });
  const alias = { alias: `${name}手机`, loginName: `${latin}@phone` };
  await call(mobileAccount.ops.add, { ...samples.account.valid(ids), ...alias });
}

async function addRest(call: Caller, { name, latin }: Marks, ids: Customer): Promise<void> {
  const template = { ...samples.routerTemplate.valid(ids), templateName: `${name}模板` };
  await call(routerTemplate.ops.add, template);
  await call(alarmStrategy.ops.add, {
    ...{ ...samples.alarmStrategy.valid(ids), name: `${name}告警`, popIds: [] },
  });
  await call(messageReceive.ops.add, {
    ...{ ...samples.messageReceive.valid(ids), name: `${name}值班` },
  });
  await call(blacklist.ops.add, { ...samples.blacklist.valid(ids), remark: name });
  await call(companyAudit.ops.add, { ...samples.comAudit.valid(ids), name: `${name}药业有限公司` });
  const item = { ...samples.configItem.valid(ids), configKey: `${latin}.title`, configValue: name };
  await call(configItem.ops.add, item);
}

/** Gives the seller one row of each kind, with its marks in it. */
export async function addRowsOf(
  seller: Seller,
  operator: Caller,
  marks: Marks,
  popId: number,
): Promise<void> {
  const ids = await addCustomer(seller, marks, popId);
  await addNetwork(seller.call, marks, ids);
  await addByOperator(operator, marks, ids);
  await addPeople(seller.call, marks, ids);
  await addRest(seller.call, marks, ids);
}
