/** The trace of a packet by the configuration that a device confirmed, for those who may configure it. */
import { aclCountsCapability } from "@weft/contract/device/v1/policy.ts";
import { packetTrace } from "@weft/contract/domains/delivery/trace.ts";
import { aclRule } from "@weft/contract/domains/policies/acl-rule.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { runningOf } from "../../../../test/fake-edge.ts";
import { eventually, type LoopWorld, loopWorld, type Site } from "../../../../test/loop-world.ts";
import { newIdOf } from "../../../../test/tenants.ts";

const patience = 60_000;
let world: LoopWorld;
beforeAll(async () => {
  world = await loopWorld({ pollMs: 100, settleMs: 150 });
  await world.startWorker();
}, 60_000);
afterAll(() => world.close());

const packet = {
  from: "lan",
  interfaceName: "lan1",
  source: "10.50.1.9",
  destination: "10.50.2.9",
  protocol: "tcp",
  sourcePort: "",
  targetPort: 25,
  mac: "",
};
const asked = (id: number, given: object = {}, token = world.admin) =>
  world.api.get(packetTrace.path, { ...packet, id, ...given }, token);
const traced = async (site: Site) => {
  const answer = await asked(site.id);
  expect(answer).toMatchObject({ code: 0 });
  return answer.data as OutputOf<typeof packetTrace>;
};

/** Connects a device that confirms whatever comes, until it is ended. */
async function served(site: Site): Promise<() => void> {
  const edge = await world.enrolled(site);
  const line = await edge.connect();
  const capabilities = [{ name: aclCountsCapability, can: true, reason: null }];
  line.send(edge.report({ running: null, capabilities }));
  let isOver = false;
  const confirm = async (): Promise<void> => {
    while (!isOver) {
      const { head } = await line.next("head", patience);
      await edge.confirm(head);
      line.send({ type: "heartbeat", running: runningOf(head), drift: null });
    }
  };
  // Nothing comes any more once it is ended.
  void confirm().catch(() => undefined);
  return () => {
    isOver = true;
    line.socket.terminate();
  };
}

test("names the rule that denies a packet, also one that was removed since", async () => {
  const site = await world.addSite();
  await world.addLan(site, 1);
  await world.addLan(site, 2);
  const rule = {
    nCpeID: site.id,
    nEnable: 1,
    nSection: 10,
    sort: 0,
    name: "no-mail",
    action: 0,
    protocol: "tcp",
    srcIp: "",
    dstIp: "",
    srcPort: "",
    dstPort: "25",
    remark: "",
  };
  const id = newIdOf(await world.post(aclRule.ops.add.path, rule));
  await eventually(async () => !(await world.stateOf(site.id)).compiling, "compiled", patience);
  expect(await asked(site.id)).toMatchObject({ code: 422 });
  const end = await served(site);
  const denied = { family: "xaclrules", id, name: "no-mail", level: "node" };
  await vi.waitFor(
    async () => {
      const found = await traced(site);
      expect(found).toMatchObject({ outcome: "dropped", serial: expect.any(Number) });
      expect(found.steps.at(-1)).toMatchObject({ stage: "acl", verdict: "drop", object: denied });
    },
    { timeout: patience, interval: 100 },
  );
  end();

  await world.post(aclRule.ops.remove.path, { ids: id });
  const after = await traced(site);
  // The device has not confirmed another configuration: the packet is still denied.
  expect(after.steps.at(-1)).toMatchObject({ verdict: "drop", object: { id, name: "" } });
});

test("needs the permission to configure, a node in scope, and addresses of one family", async () => {
  const site = await world.addSite();
  const token = await world.api.userToken({ enterpriseId: 1, dataScope: 1, permissions: [] });
  expect(await asked(site.id, {}, token)).toMatchObject({ code: 403 });
  expect(await asked(987_654)).toMatchObject({ code: 404 });
  expect(await asked(site.id, { destination: "fd00::1" })).toMatchObject({
    code: 400,
    issues: [{ path: "destination", rule: "sameFamily" }],
  });
});
