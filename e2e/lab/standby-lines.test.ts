/** Two CPEs whose LAN lines name one standby group, by a template: packets of a host that knows one gateway. */
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { interfaceLine } from "@weft/contract/domains/policies/interface-line.ts";
import { policySamples } from "@weft/contract/domains/policies/policy-samples.ts";
import {
  routerTemplate,
  routerTemplateIssue,
  routerTemplateRelAdd,
} from "@weft/contract/domains/templates/router-template.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import { mustExec } from "@weft/lab/enter.ts";
import { plug, unplug } from "@weft/lab/faults.ts";
import { addEnterprise, addPop, addSite, addSpace, confirmed, enrol } from "@weft/lab/operator.ts";
import { ping } from "@weft/lab/ping.ts";
import { pairLab } from "@weft/lab/spec.ts";
import { eventually, startWorld, type World } from "@weft/lab/world.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const gateway = { ip: "10.1.1.1", mask: "255.255.255.0", network: "10.1.1.1/24" };
const far = "10.1.2.100";
const devices = ["cpe1", "cpe3"] as const;
type Device = (typeof devices)[number];
const owns = { cpe1: "10.1.1.2", cpe3: "10.1.1.3" } as const;

describe("two CPEs of one site", () => {
  let world: World;
  let templateId = 0;
  /** The line that the template has. */
  let given = 0;
  const ids: Partial<Record<string, number>> = {};
  const lines: Partial<Record<Device, number>> = {};
  const idOf = (name: string): number => ids[name] ?? 0;
  const { template, manage } = interfaceLine;

  const addressesOf = async (device: Device): Promise<string> =>
    mustExec(world.lab, device, ["ip", "-4", "-o", "addr", "show", "dev", "lan1"]);
  const reaches = async (): Promise<boolean> =>
    (await ping(world.lab, "hosta", far, { count: 1 })).received > 0;
  /** The device has the gateway and the other one has not; the host's packets go and come by it. */
  const isServedBy = async (device: Device): Promise<void> => {
    const [other] = devices.filter((name) => name !== device);
    if (other === undefined) throw new Error("there are two devices");
    const has = async (name: Device) =>
      (await addressesOf(name)).includes(`inet ${gateway.network}`);
    await eventually(
      async () => (await has(device)) && !(await has(other)),
      `${device} alone has the gateway`,
    );
    await eventually(reaches, `hosta reaches ${far} by ${device}`);
  };
  const line = (fields: object) => ({
    ...(policySamples.routerInterfaceline?.valid({}, "lan1") as object),
    interfaceId: null,
    mtu: null,
    downBandwidth: null,
    dhcpStart: null,
    dhcpEnd: null,
    ip: gateway.ip,
    mask: gateway.mask,
    hotStandbyGroup: 7,
    hotStandbyPriority: 100,
    ...fields,
  });
  const issue = async (fromVersion: number | null = null): Promise<void> => {
    await world.call(routerTemplateIssue, { templateId: [templateId], fromVersion });
    for (const device of devices) await confirmed(world.call, idOf(device));
  };

  beforeAll(async () => {
    world = await startWorld(pairLab());
    const { call } = world;
    const groupid = await addEnterprise(call, "蓝海零售");
    ids.pop = await addPop(call, "pop", 10);
    ids.cpe1 = await addSite(call, {
      groupid,
      device: "cpe1",
      octet: 11,
      network: gateway.network,
      network6: "fd00:1:1::1/64",
    });
    ids.cpe2 = await addSite(call, {
      groupid,
      device: "cpe2",
      octet: 12,
      network: "10.1.2.1/24",
      network6: "fd00:1:2::1/64",
    });
    // Its LAN is added once the two are a group.
    ids.cpe3 = await addSite(call, {
      groupid,
      device: "cpe3",
      octet: 13,
      network: "10.1.9.1/24",
      network6: "fd00:1:9::1/64",
    });
    const cpeIds = ["cpe1", "cpe2", "cpe3"].map(idOf);
    await addSpace(call, { name: "生产网", groupid, topology: 0, popIds: [idOf("pop")], cpeIds });
    for (const device of ["pop", "cpe1", "cpe2", "cpe3"]) await enrol(world, device, idOf(device));
    for (const id of Object.values(ids)) await confirmed(call, id ?? 0);
    const made = await call(routerTemplate.ops.add, {
      templateName: "Branch",
      remark: "",
    } as never);
    templateId = made.data.id;
    await call(routerTemplateRelAdd, {
      templateId,
      cpeIds: devices.map(idOf),
    } as never);
    given = (await call(template.resource.ops.add, line({ templateId }) as never)).data.id;
    await issue();
  }, 900_000);
  afterAll(() => world?.close(), 30_000);

  const lanOf = async (device: Device) => {
    const { data } = await world.call(lanSection.ops.list, {
      nCpeID: idOf(device),
      page: 1,
      limit: 10,
      orderByColumn: null,
      isAsc: null,
    });
    const [section] = data;
    if (!section) throw new Error(`${device} has no LAN section`);
    return section;
  };

  test("share the address of the line that their template has", async () => {
    for (const device of devices)
      await world.call(lanSection.ops.edit, {
        ...samples.lansection.valid({ groupid: 1, cpeId: idOf(device), popId: 1 }),
        ...(await lanOf(device)),
        network: gateway.network,
        network6: null,
        ownAddress: owns[device],
      } as never);
    for (const device of devices) await confirmed(world.call, idOf(device));
    await isServedBy("cpe1");
  }, 400_000);

  test("the other one takes over when a LAN cable is out", async () => {
    await unplug(world.lab, "cpe1", "lan1");
    await isServedBy("cpe3");
    await plug(world.lab, "cpe1", "lan1");
    await isServedBy("cpe3");
  }, 400_000);

  test("a line of a CPE's own gives it a higher priority", async () => {
    const own = { cpeId: idOf("cpe1"), popId: null, hotStandbyPriority: 150 };
    lines.cpe1 = (await world.call(manage.resource.ops.add, line(own) as never)).data.id;
    await isServedBy("cpe1");
    await world.call(manage.resource.ops.remove, {
      ids: [lines.cpe1],
      cpeId: idOf("cpe1"),
      popId: null,
    } as never);
    for (const device of devices) await confirmed(world.call, idOf(device));
  }, 400_000);

  test("a version without the group leaves one with the gateway, and the version before brings both back", async () => {
    await world.call(template.resource.ops.edit, {
      ...line({ templateId, hotStandbyGroup: null, hotStandbyPriority: null }),
      id: given,
    } as never);
    await issue();
    await unplug(world.lab, "cpe1", "lan1");
    // cpe3 stands for nobody any more.
    expect(await addressesOf("cpe3")).not.toContain(gateway.network);
    await plug(world.lab, "cpe1", "lan1");
    await isServedBy("cpe1");
    await issue(1);
    await unplug(world.lab, "cpe1", "lan1");
    await isServedBy("cpe3");
    await plug(world.lab, "cpe1", "lan1");
  }, 400_000);
});
