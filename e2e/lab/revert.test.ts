import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { line } from "@weft/contract/domains/devices/line.ts";
import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import { connectionLimit } from "@weft/contract/domains/policies/connection-limit.ts";
import { exec, mustExec } from "@weft/lab/enter.ts";
import { confirmed, stateOf } from "@weft/lab/operator.ts";
import { ping } from "@weft/lab/ping.ts";
import { joinSitePair, type SitePair } from "@weft/lab/site-pair.ts";
import { spawn } from "@weft/lab/spawn.ts";
import { defaultLab } from "@weft/lab/spec.ts";
import { reboot } from "@weft/lab/up.ts";
import { edgeFolder, eventually, startWorld, type World } from "@weft/lab/world.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("a state that cannot be confirmed, and ends at the wrong moment", () => {
  let world: World;
  let pair: SitePair;

  beforeAll(async () => {
    world = await startWorld(defaultLab());
    pair = await joinSitePair(world);
    for (const id of [pair.pop, pair.cpe1, pair.cpe2]) await confirmed(world.call, id);
  }, 180_000);

  afterAll(() => world?.close(), 30_000);

  const kernelRoutes = (prefix: string) =>
    mustExec(world.lab, "cpe1", ["ip", "-4", "route", "show", prefix]);

  const addRoute = async (destination: string): Promise<number> => {
    const route = { nCpeID: pair.cpe1, nEnable: true, destination, nextHop: "10.1.1.100" };
    const draft = { ...route, metric: 1, announce: false, remark: "" };
    return (await world.call(staticRoute.ops.add, draft)).data.id;
  };

  /** Lets hosts of cpe1 hold so many flows each; the one rule about that. */
  const limitFlows = async (maxConnections: number, id?: number): Promise<number> => {
    const { add, edit } = connectionLimit.manage.resource.ops;
    if (!add || !edit) throw new Error("connection-number controls are added and edited");
    const draft = {
      cpeId: pair.cpe1,
      popId: null,
      name: "few",
      enable: true,
      ipgroupId: null,
      remark: "",
      maxConnections,
      maxNewPerSecond: null,
    };
    if (id === undefined) return (await world.call(add, draft)).data.id;
    await world.call(edit, { ...draft, id });
    return id;
  };

  /** How many of so many TCP connections of host A to host B are open at the same time. */
  const opens = async (count: number): Promise<number> => {
    // Flows of pings count, too, until they are forgotten.
    await exec(world.lab, "cpe1", ["conntrack", "-D", "-s", "10.1.1.100"]);
    const script = `
      const net = require("net");
      const sockets = Array.from({ length: ${count} }, () => net.connect(7000, "10.1.2.100"));
      const end = (s) => new Promise((resolve) => {
        s.once("connect", () => resolve(1)).once("error", () => resolve(0));
        setTimeout(() => resolve(0), 3000);
      });
      Promise.all(sockets.map(end)).then((ends) => {
        for (const s of sockets) s.resetAndDestroy();
        console.log(ends.reduce((sum, one) => sum + one));
        setTimeout(() => process.exit(0), 100);
      });`;
    return Number(await mustExec(world.lab, "hosta", [process.execPath, "-e", script]));
  };

  test("kill -9 of the edge in the middle of an apply ends in the wanted state", async () => {
    const edge = world.edges.get("cpe1");
    const journal = join(edgeFolder(world.lab, "cpe1"), "journal.json");
    await addRoute("10.20.0.0/16");
    const end = performance.now() + 10_000;
    while (!existsSync(journal) && performance.now() < end) await sleep(1);
    edge?.kill("SIGKILL");
    await edge?.exited;
    await world.startEdge("cpe1");
    // It rolled back at its start; the controller sends the state once more after a minute.
    await confirmed(world.call, pair.cpe1, 150_000);
    expect(await kernelRoutes("10.20.0.0/16")).toContain("via 10.1.1.100");
  }, 240_000);

  test("kill -9 of the controller between commit and send loses nothing", async () => {
    await addRoute("10.21.0.0/16");
    await world.controller.stop("SIGKILL");
    await world.controller.start();
    await eventually(
      async () => (await kernelRoutes("10.21.0.0/16")).includes("via 10.1.1.100"),
      "the route that was committed before the kill",
      90_000,
    );
    await confirmed(world.call, pair.cpe1, 90_000);
  }, 240_000);

  test("a state that shuts controller and POP out is rolled back and not sent again", async () => {
    const all = { nodeId: pair.cpe1, page: 1, limit: 4, orderByColumn: null, isAsc: null };
    const { data: lines } = await world.call(line.ops.list, all);
    const listen = `require("net").createServer((s) => s.on("error", () => {})).listen(7000, "::")`;
    await spawn(world.lab, "hostb", [process.execPath, "-e", listen], {});
    const limit = await limitFlows(10);
    const limits = () => mustExec(world.lab, "cpe1", ["nft", "list", "table", "inet", "weft"]);
    await eventually(async () => (await limits()).includes("ct count over 10 "), "the limit");
    const before = await confirmed(world.call, pair.cpe1);
    expect(await opens(15)).toBe(10);
    const [first] = lines.filter((one) => one.slot === 1);
    const second = lines.find((one) => one.slot === 2);
    if (!first || !second) throw new Error("cpe1 has two lines");
    // All in one state: the edge comes when they are compiled.
    const edge = world.edges.get("cpe1");
    edge?.kill("SIGKILL");
    await edge?.exited;
    // Without its second line and with an address of no network, the device reaches nothing: not the
    // controller behind its gateway, nor the POP, whose answer would put the deadline off.
    await world.call(line.ops.remove, { ids: [second.id] });
    const { currentIp: _ip, status: _status, ...draft } = first;
    const elsewhere = { ip: "198.51.101.11/24", gateway: "198.51.101.1" };
    await world.call(line.ops.edit, { ...draft, lineQuality: 0, ...elsewhere });
    await limitFlows(3, limit);
    await eventually(async () => {
      const { compiling, desired } = await stateOf(world.call, pair.cpe1);
      return !compiling && desired !== null && desired.serial > before;
    }, "the bad state is compiled");
    await world.startEdge("cpe1");
    await eventually(
      async () => (await kernelRoutes("default")).includes("via 198.51.101.1 "),
      "the bad gateway in the kernel",
    );
    expect(await limits()).toContain("ct count over 3");
    await eventually(
      async () => (await kernelRoutes("default")).includes("via 198.51.100.1 "),
      "the good gateway again",
      180_000,
    );
    const state = await eventually(
      async () => {
        const now = await stateOf(world.call, pair.cpe1);
        return now.online && now.blocked?.outcome === "reverted" && now;
      },
      "the console says that it was reverted",
      90_000,
    );
    expect(state.blocked?.reason).toMatch(/\S/);
    expect(state.runningSerial).toBeGreaterThanOrEqual(before);
    await sleep(10_000);
    const later = await stateOf(world.call, pair.cpe1);
    expect(later.runningSerial).toBe(state.runningSerial);
    expect((await ping(world.lab, "hosta", "10.1.2.100", { count: 5 })).received).toBe(5);
    expect(await limits()).not.toContain("ct count over 3");
    expect(await opens(15)).toBe(10);
  }, 300_000);

  test("a device that loses its power limits flows before it reaches a controller", async () => {
    await world.controller.stop("SIGKILL");
    await reboot(world.lab, "cpe1");
    await world.startEdge("cpe1");
    const counts: number[] = [];
    await eventually(
      async () => counts.push(await opens(15)) && (counts.at(-1) ?? 0) >= 10,
      "flows of host A, as many as it may have",
      60_000,
    );
    // Never more, also when the paths were just there.
    expect(Math.max(...counts)).toBe(10);
    await world.controller.start();
  }, 120_000);
});
