/** Two tenants with a device of each kind, for batteries that ask who may do what to whose rows. */
import { allResources, type ResourceName } from "@weft/contract/all-endpoints.ts";
import { reservationSampleNetwork } from "@weft/contract/domains/devices/dhcp-reservation.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import type { Mark, SampleIds } from "@weft/contract/samples/sample.ts";
import { wayInOf } from "@weft/contract/ways-in.ts";
import { z } from "zod";
import { inScope } from "#db/pool.ts";
import { type Answer, adminPassword, type TestApi } from "./api.ts";

export interface Tenant {
  readonly ids: SampleIds;
  /** Session of a user with every permission over the tenant and its subordinates. */
  readonly token: string;
}

/** What makes or widens a way in is written with the own password (contract ways-in.ts). */
const ownPasswordFor = (name: ResourceName): { oldPsw?: string } => {
  const needed = ["add", "edit"].some((verb) => {
    const decision = wayInOf(`${name}.${verb}`);
    return decision !== null && !("none" in decision);
  });
  return needed ? { oldPsw: adminPassword } : {};
};

/**
 * Wire form of a sample draft, with some fields replaced, and with the password of all users here where a call of the
 * resource needs it.
 */
export function wireDraft(
  name: ResourceName,
  which: "valid" | "edited",
  ids: SampleIds,
  replaced: object = {},
): Record<string, unknown> {
  const schema = allResources[name].draft as z.ZodObject;
  return { ...z.encode(schema, samples[name][which](ids)), ...ownPasswordFor(name), ...replaced };
}

/** Wire form of a valid draft whose row may coexist with other rows of the sample. */
export function distinctDraft(
  name: ResourceName,
  ids: SampleIds,
  mark: Mark,
): Record<string, unknown> {
  const schema = allResources[name].draft as z.ZodObject;
  const sample = samples[name];
  const draft = { ...sample.valid(ids), ...sample.distinct(mark) };
  return { ...z.encode(schema, draft), ...ownPasswordFor(name) };
}

export const newIdOf = (answer: Answer): number => {
  if (answer.code !== 0) throw new Error(`${answer.code} ${answer.msg} ${answer.bug ?? ""}`);
  return (answer.data as { id: number }).id;
};

/** What a device that can take another version of its program says of itself. */
export const reportCapability = (api: TestApi, enterpriseId: number, nodeId: number) =>
  inScope(api.database.pools.apiAll, { kind: "all" }, (trx) =>
    trx
      .insertInto("node_status")
      .values({
        node_id: nodeId,
        enterprise_id: enterpriseId,
        capabilities: JSON.stringify([{ name: "firmware", can: true, reason: null }]),
      })
      .execute(),
  );

/** The LAN section that reservations of the samples are in; announced nowhere. */
export const reservationLan = {
  interfaceName: "lan20",
  network: reservationSampleNetwork,
  network6: "",
  enableForward: 0,
};

/** Makes a tenant through the API, as the operator would. */
export async function makeTenant(api: TestApi, admin: string, name: string): Promise<Tenant> {
  const add = async (resource: ResourceName, replaced: object): Promise<number> => {
    const draft = wireDraft(resource, "valid", { groupid, cpeId: 0, popId: 0 }, replaced);
    return newIdOf(await api.post(allResources[resource].ops.add.path, draft, admin));
  };
  let groupid = 1;
  groupid = await add("enterprise", { name });
  const cpeId = await add("cpe", { alias: `${name}-cpe`, sn: `${name}-cpe` });
  const popId = await add("pop", { name: `${name}-pop`, sn: `${name}-pop` });
  const roleId = await add("role", { roleCode: `${name}-role`, name: `${name}-role` });
  const strategyId = await add("popStrategy", { name: `${name}-strategy` });
  const speedId = await add("xwanSpeed", { name: `${name}-speed` });
  const vbrDraft = wireDraft(
    "vbrNode",
    "valid",
    { groupid, cpeId, popId },
    { name: `${name}-vbr` },
  );
  const vbrNodeId = newIdOf(await api.post(allResources.vbrNode.ops.add.path, vbrDraft, admin));
  const policy = wireDraft(
    "alarmStrategy",
    "valid",
    { groupid, cpeId, popId },
    { name: `${name}-alarms` },
  );
  const alarmStrategyId = newIdOf(
    await api.post(allResources.alarmStrategy.ops.add.path, policy, admin),
  );
  const lan = wireDraft("lansection", "valid", { groupid, cpeId, popId }, reservationLan);
  newIdOf(await api.post(allResources.lansection.ops.add.path, lan, admin));
  await reportCapability(api, groupid, cpeId);
  const token = await api.userToken({ enterpriseId: groupid, dataScope: 3 });
  const more = { speedId, vbrNodeId, alarmStrategyId };
  return { ids: { groupid, cpeId, popId, roleId, strategyId, ...more }, token };
}
