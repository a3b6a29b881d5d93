/**
 * Two tenants that share a POP, on a controller of their own: one whose user and device must be served, and
 * one whose people and devices do what they can to the others.
 */
import { Agent } from "node:http";
import type { Grant } from "@weft/contract/access.ts";
import { role } from "@weft/contract/domains/access/role.ts";
import { login } from "@weft/contract/domains/access/session.ts";
import { user } from "@weft/contract/domains/access/user.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { claimAdd } from "@weft/contract/domains/devices/enrolment.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { enterprise } from "@weft/contract/domains/enterprises/enterprise.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { defaultGrants } from "@weft/contract/grants.ts";
import type { Endpoint, InputOf } from "@weft/contract/kernel/endpoint.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import { callFrom, type From } from "./abuse-caller.ts";
import { ServedEdge } from "./abuse-edge.ts";
import { FakeEdge } from "./fake-edge.ts";
import type { LimitedController } from "./limited-controller.ts";
import { eventually } from "./loop-world.ts";

const password = "s3cret-Abuse";

export interface Person extends From {
  readonly loginName: string;
  readonly password: string;
  readonly token: string;
}

export interface AbuseWorld {
  readonly controller: LimitedController;
  readonly served: {
    readonly person: Person;
    readonly device: ServedEdge;
    /** Gives the device's LAN this network; the state that has it must reach the device. */
    change(network: string): Promise<unknown>;
  };
  /** Confirms what it gets; all tenants use it. */
  readonly pop: ServedEdge;
  readonly abuser: {
    /** Sees the whole tree, and may do nothing there. */
    readonly reader: Person;
    /** May do everything in its own enterprise. */
    readonly owner: Person;
    /** One of its sites. */
    readonly siteId: number;
    readonly devices: readonly FakeEdge[];
  };
}

/** Sites of the tenant that does harm. */
const abusers = 4;

export async function abuseWorld(controller: LimitedController): Promise<AbuseWorld> {
  const { url } = controller;
  const keptFrom = (localAddress: string): From => ({
    url,
    localAddress,
    agent: new Agent({ keepAlive: true, maxSockets: 64 }),
  });
  const logIn = async (from: From, loginName: string, secret: string): Promise<Person> => {
    const { token } = await callFrom(from, login, { loginName, password: secret, sms: null });
    return { ...from, loginName, password: secret, token };
  };
  const admin = await logIn(keptFrom("127.0.0.1"), "admin", controller.password);
  const call = <E extends Endpoint>(endpoint: E, input: InputOf<E>) =>
    callFrom(admin, endpoint, input);
  const edgeUrl = `https://127.0.0.1:${controller.edgePort}`;

  const addEnterprise = async (name: string) => {
    const draft = samples.enterprise.valid({ groupid: 1, cpeId: 0, popId: 0 });
    return (await call(enterprise.ops.add, { ...draft, name, parentId: 1 })).id;
  };
  const addPerson = async (
    name: string,
    groupid: number,
    dataScope: 1 | 3,
    authorities: Grant[],
    localAddress: string,
  ): Promise<Person> => {
    const ids = { groupid, cpeId: 0, popId: 0 };
    const held = await call(role.ops.add, {
      ...samples.role.valid(ids),
      roleCode: name,
      name,
      dataScope,
      authorities,
    });
    const loginName = `${name}@abuse`;
    await call(user.ops.add, {
      ...samples.user.valid(ids),
      loginName,
      password,
      oldPsw: controller.password,
      phone: null,
      email: null,
      roleIds: [held.id],
    });
    return logIn(keptFrom(localAddress), loginName, password);
  };
  const enrolled = async (nodeId: number, sn: string): Promise<FakeEdge> => {
    const edge = new FakeEdge(edgeUrl, sn);
    const { claim } = await call(claimAdd, { nodeId, preApproved: true, sn: null });
    const answer = await edge.enrol(claim);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return edge;
  };
  let lines = 0;
  const addLine = async (nodeId: number, reachable: boolean) => {
    lines += 1;
    const draft = samples.line.valid({ groupid: 1, cpeId: nodeId, popId: nodeId });
    const own = { nodeId, slot: 1, ip: `198.51.100.${lines}/24`, gateway: "198.51.100.254" };
    await call(line.ops.add, { ...draft, ...own, reachable });
  };
  const addSite = async (groupid: number, sn: string) => {
    const draft = samples.cpe.valid({ groupid, cpeId: 0, popId: 0 });
    const { id } = await call(cpe.ops.add, { ...draft, sn, alias: sn });
    await addLine(id, false);
    return { id, edge: await enrolled(id, sn) };
  };
  const addSpace = (groupid: number, cpeIds: number[], popId: number) => {
    const draft = samples.netSpace.valid({ groupid, cpeId: 0, popId });
    return call(netSpace.ops.add, { ...draft, name: `space-${groupid}`, cpeIds });
  };

  const servedId = await addEnterprise("served");
  const abuserId = await addEnterprise("abuser");
  const popDraft = samples.pop.valid({ groupid: 1, cpeId: 0, popId: 0 });
  const { id: popId } = await call(pop.ops.add, { ...popDraft, name: "shared", sn: "ABUSE-POP" });
  await addLine(popId, true);
  const shared = new ServedEdge(await enrolled(popId, "ABUSE-POP"));
  const site = await addSite(servedId, "SERVED-1");
  const lanDraft = samples.lansection.valid({ groupid: servedId, cpeId: site.id, popId });
  const lan = { ...lanDraft, interfaceName: "lan1", network: "10.60.0.1/24", network6: null };
  const { id: lanId } = await call(lanSection.ops.add, lan);
  await addSpace(servedId, [site.id], popId);
  const sites = [];
  for (let at = 1; at <= abusers; at += 1) sites.push(await addSite(abuserId, `ABUSER-${at}`));
  await addSpace(
    abuserId,
    sites.map(({ id }) => id),
    popId,
  );
  const person = await addPerson("served", servedId, 3, defaultGrants(2), "127.0.0.2");
  const device = new ServedEdge(site.edge);
  const isReady = async () => device.states > 0 && shared.states > 0;
  await eventually(isReady, "both devices run a first state", 180_000);
  return {
    controller,
    served: {
      person,
      device,
      change: (network) => callFrom(person, lanSection.ops.edit, { ...lan, id: lanId, network }),
    },
    pop: shared,
    abuser: {
      reader: await addPerson("reader", 1, 3, [], "127.0.0.3"),
      owner: await addPerson("abuser", abuserId, 3, defaultGrants(2), "127.0.0.4"),
      siteId: sites[0]?.id ?? 0,
      devices: sites.map(({ edge }) => edge),
    },
  };
}
