import { createHash } from "node:crypto";
import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import { appliedDelta } from "@weft/contract/device/v1/delta.ts";
import { fromSections } from "@weft/contract/device/v1/state.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runningOf } from "../../../../test/fake-edge.ts";
import { eventually, type LoopWorld, loopWorld } from "../../../../test/loop-world.ts";
import { wireDraft } from "../../../../test/tenants.ts";

let world: LoopWorld;
beforeAll(async () => {
  world = await loopWorld();
  await world.startWorker();
}, 60_000);
afterAll(() => world.close());

describe("the loop", () => {
  test("a click becomes a state that a device fetches, applies and confirms", async () => {
    const site = await world.addSite();
    for (const third of [1, 2, 3, 4, 5, 6]) await world.addLan(site, third);
    await eventually(async () => !(await world.stateOf(site.id)).compiling, "the LAN sections");
    const edge = await world.enrolled(site);
    const line = await edge.connect();
    line.send(edge.report());
    const { head } = await line.next("head");
    line.send({
      type: "need",
      epoch: head.epoch,
      serial: head.serial,
      sections: Object.values(head.sections),
    });
    const { contents } = await line.next("sections");
    expect(Object.keys(contents).sort()).toEqual(Object.values(head.sections).sort());
    const { epoch, serial } = head;
    line.send({ type: "outcome", epoch, serial, outcome: "applied", reason: null });
    expect((await edge.confirm(head)).status).toBe(200);
    line.send({
      type: "heartbeat",
      running: runningOf(head),
      drift: { steps: 0, hash: "0".repeat(64) },
    });
    const state = await eventually(async () => {
      const now = await world.stateOf(site.id);
      return now.driftSteps === 0 && !now.compiling && now;
    }, "the heartbeat is kept");
    expect(state).toMatchObject({
      online: true,
      version: "fake 1",
      compiling: false,
      runningSerial: serial,
      desired: { serial, outcome: "confirmed" },
      confirmed: { serial },
      blocked: null,
    });
    // The next click goes out by itself.
    const draft = wireDraft("lansection", "valid", { groupid: 1, cpeId: site.id, popId: 0 });
    await world.post(lanSection.ops.add.path, draft);
    const next = await line.next("head");
    expect(next.head.serial).toBe(serial + 1);
    // It names what it has of the sections that it lacks, and gets the differences.
    const lacking = Object.keys(next.head.sections).filter(
      (name) => next.head.sections[name] !== head.sections[name],
    );
    const hashOf = (name: string) => next.head.sections[name] ?? "";
    const bases = Object.fromEntries(
      lacking.flatMap((name) => (head.sections[name] ? [[hashOf(name), head.sections[name]]] : [])),
    );
    line.send({ type: "need", epoch, serial: serial + 1, sections: lacking.map(hashOf), bases });
    const given = await line.next("sections");
    expect(Object.keys({ ...given.contents, ...given.deltas }).sort()).toEqual(
      lacking.map(hashOf).sort(),
    );
    expect(Object.keys(given.deltas ?? {})).toContain(hashOf("underlay"));
    for (const [hash, delta] of Object.entries(given.deltas ?? {})) {
      expect(delta.base).toBe(bases[hash]);
      const text = appliedDelta(delta, canonicalJson(contents[delta.base]));
      expect(
        createHash("sha256")
          .update(text ?? "")
          .digest("hex"),
      ).toBe(hash);
    }
    line.socket.close();
    await eventually(async () => !(await world.stateOf(site.id)).online, "offline");
  });

  test("a device that reports no capability at all is sent everything that its firewall denies by", async () => {
    const site = await world.addSite();
    const edge = await world.enrolled(site);
    const draft = wireDraft("lansection", "valid", { groupid: 1, cpeId: site.id, popId: 0 });
    await world.post(lanSection.ops.add.path, draft);
    const ids = { groupid: 1, cpeId: site.id, popId: 1 };
    const space = { name: "denied", groupid: 1, topology: 0, popIds: "", cpeIds: `${site.id}` };
    await world.post(netSpace.ops.add.path, wireDraft("netSpace", "valid", ids, space));
    await eventually(async () => {
      const { compiling, desired } = await world.stateOf(site.id);
      return desired !== null && !compiling;
    }, "the state with LAN and space");
    const line = await edge.connect();
    line.send(edge.report({ capabilities: [] }));
    const { head } = await line.seek("head");
    const { epoch, serial } = head;
    line.send({ type: "need", epoch, serial, sections: Object.values(head.sections) });
    const { contents } = await line.seek("sections");
    const state = fromSections(
      new Map(Object.entries(head.sections).map(([name, hash]) => [name, contents[hash]])),
    );
    const [lan] = state.underlay.lans;
    expect(lan?.networks?.length).toBeGreaterThan(0);
    const inSpaces = state.spaces?.flatMap(({ networks }) => networks) ?? [];
    expect(inSpaces).toEqual(expect.arrayContaining([...(lan?.networks ?? [])]));
    line.socket.close();
  });
});
