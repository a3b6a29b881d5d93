/** Two sites that announce one network, and a default, each with a preference: packets follow the preferred one while it answers. */
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import { routeNotice } from "@weft/contract/domains/overlay/route-notice.ts";
import { mustExec } from "@weft/lab/enter.ts";
import { cut, heal } from "@weft/lab/faults.ts";
import { addEnterprise, addPop, addSite, addSpace, confirmed, enrol } from "@weft/lab/operator.ts";
import { spawn } from "@weft/lab/spawn.ts";
import { sitesLab } from "@weft/lab/spec.ts";
import { eventually, startWorld, type World } from "@weft/lab/world.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const behind = { network: "10.50.0.0/24", address: "10.50.0.1" };
const service = { address: "100.64.9.10", port: 4432 };
const port = 7000;

describe("two sites with one network", () => {
  let world: World;
  const sites: Record<number, number> = {};

  /** What a server says to a host that connects to it; empty: nothing. */
  const greeting = async (from: string, address: string, at: number): Promise<string> => {
    const script = `
      const end = (text) => { console.log(text); process.exit(0); };
      require("net").connect(${at}, "${address}")
        .on("data", (data) => end(String(data))).on("error", () => end(""));
      setTimeout(() => end(""), 1500);`;
    return (await mustExec(world.lab, from, [process.execPath, "-e", script])).trim();
  };
  const serve = (at: string, address: string, on: number, text: string) =>
    spawn(world.lab, at, [
      process.execPath,
      "-e",
      `require("net").createServer((s) => s.on("error", () => {}).end(${text})).listen(${on}, "${address}")`,
    ]);
  /** Which site's host has the address. */
  const answersFrom = (host: string) =>
    eventually(
      async () => (await greeting("host3", behind.address, port)) === host,
      `${host} answers host3`,
    );
  /** By which address the internet sees host3. */
  const leavesBy = (address: string) =>
    eventually(
      async () => (await greeting("host3", service.address, service.port)) === address,
      `host3 leaves by ${address}`,
    );
  const lines = ["wan1", "wan2"] as const;

  beforeAll(async () => {
    world = await startWorld(sitesLab(3));
    const { call } = world;
    const groupid = await addEnterprise(call, "蓝海零售");
    const pop = await addPop(call, "pop", 10);
    await enrol(world, "pop", pop);
    for (const place of [1, 2, 3]) {
      const facts = { groupid, device: `cpe${place}`, octet: 10 + place };
      const id = await addSite(call, {
        ...facts,
        network: `10.1.${place}.1/24`,
        network6: `fd00:1:${place}::1/64`,
      });
      sites[place] = id;
      await enrol(world, `cpe${place}`, id);
    }
    const cpeIds = Object.values(sites);
    await addSpace(call, { name: "production", groupid, topology: 0, popIds: [pop], cpeIds });
    for (const place of [1, 2]) {
      const host = `host${place}`;
      await mustExec(world.lab, host, ["ip", "addr", "add", `${behind.address}/32`, "dev", "eth0"]);
      await serve(host, behind.address, port, `"${host}"`);
    }
    await serve("saas", "0.0.0.0", service.port, "s.remoteAddress");
    for (const id of [pop, ...cpeIds]) await confirmed(call, id);
  }, 300_000);

  afterAll(() => world?.close(), 30_000);

  const announce = (place: number, network: string, preference: number | null) =>
    world.call(routeNotice.ops.add, {
      cpeId: sites[place] ?? 0,
      network,
      enable: true,
      preference,
      remark: "",
    });

  test("has the preferred site's host, the other's while its links are dead, and then the first again", async () => {
    await announce(1, behind.network, 1);
    await expect(announce(2, behind.network, null)).rejects.toMatchObject({
      envelope: { issues: [{ path: "network", rule: "announcedElsewhere" }] },
    });
    await announce(2, behind.network, 2);
    for (const place of [1, 2])
      await world.call(staticRoute.ops.add, {
        nCpeID: sites[place] ?? 0,
        nEnable: true,
        destination: behind.network,
        nextHop: `10.1.${place}.100`,
        metric: 1,
        announce: false,
        remark: "",
      });
    await answersFrom("host1");
    // One of two lines is not the site.
    await cut(world.lab, "cpe1", "wan1");
    await answersFrom("host1");
    await cut(world.lab, "cpe1", "wan2");
    await answersFrom("host2");
    for (const line of lines) await heal(world.lab, "cpe1", line);
    await answersFrom("host1");
  }, 240_000);

  test("leaves to the internet by the preferred exit likewise", async () => {
    const { data } = await world.call(lanSection.ops.list, {
      nCpeID: sites[3] ?? 0,
      page: 1,
      limit: 10,
      orderByColumn: null,
      isAsc: null,
    });
    const [section] = data;
    if (!section) throw new Error("site 3 has no LAN section");
    await world.call(lanSection.ops.edit, {
      ...section,
      enableCentral: true,
      enableDirect: false,
    } as never);
    await announce(1, "0.0.0.0/0", 2);
    await announce(2, "0.0.0.0/0", 1);
    await leavesBy("198.51.100.12");
    for (const line of lines) await cut(world.lab, "cpe2", line);
    await leavesBy("198.51.100.11");
    for (const line of lines) await heal(world.lab, "cpe2", line);
    await leavesBy("198.51.100.12");
  }, 240_000);
});
