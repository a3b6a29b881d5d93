import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { readExposition } from "../../test/exposition.ts";
import { eventually, loopWorld } from "../../test/loop-world.ts";
import { reasonOf } from "./database.ts";
import { measureDevices } from "./devices.ts";
import { showInstallation } from "./installation.ts";
import { countInstallation } from "./installation-query.ts";

test("devices, their messages and their states are counted, and are gone with them", async () => {
  const registry = new Registry();
  const end = measureDevices(registry);
  const show = showInstallation(registry);
  const world = await loopWorld({ pollMs: 100, settleMs: 50 });
  const read = async () => {
    show(await countInstallation(world.pools));
    const { value } = readExposition(await registry.metrics());
    return value;
  };
  try {
    const site = await world.addSite();
    const second = await world.addSite();
    const before = await read();
    expect(before("weft_nodes", { kind: "cpe", state: "offline" })).toBe(2);
    expect(before("weft_queue_depth", { queue: "changes" })).toBeGreaterThan(0);
    expect(before("weft_queue_oldest_age_seconds", { queue: "changes" })).toBeGreaterThan(0);
    await world.startWorker();
    const edge = await world.enrolled(site);
    const line = await edge.connect();
    line.send(edge.report());
    const head = (await line.seek("head", 25_000)).head;
    // The other site has a state as soon as it is compiled.
    const states = async () => (await read())("weft_desired_states", { outcome: "waiting" });
    await eventually(async () => (await states()) === 1, "the state of the other site");
    const online = await read();
    expect(online("weft_nodes", { kind: "cpe", state: "online" })).toBe(1);
    expect(online("weft_gateway_sockets", { state: "connected" })).toBe(1);
    expect(online("weft_gateway_messages_total", { type: "report" })).toBe(1);
    expect(online("weft_desired_states", { outcome: "delivered" })).toBe(1);
    expect(online("weft_desired_states", { outcome: "waiting" })).toBe(1);
    expect(online("weft_desired_states_oldest_age_seconds", { outcome: "delivered" })).toBeLessThan(
      60,
    );
    const { epoch, serial } = head;
    const failed = { type: "outcome", epoch, serial, outcome: "failed", reason: "test" };
    line.send(failed);
    await eventually(
      async () => (await read())("weft_gateway_state_outcomes_total", { outcome: "failed" }) === 1,
      "the outcome",
    );
    line.send({ type: "nonsense" });
    await line.closed;
    await eventually(
      async () => (await read())("weft_gateway_sockets", { state: "connected" }) === 0,
      "the end of the socket",
    );
    const gone = await read();
    expect(gone("weft_gateway_refusals_total", { reason: "badMessage" })).toBe(1);
    expect(gone("weft_gateway_state_confirmation_seconds_count")).toBe(0);
    const other = await world.enrolled(second);
    const next = await other.connect();
    next.send(other.report());
    const sent = (await next.seek("head", 25_000)).head;
    // The same question a second time is no second confirmation.
    for (const _ of [1, 2]) expect((await other.confirm(sent)).status).toBe(200);
    expect((await read())("weft_gateway_state_confirmation_seconds_count")).toBe(1);
    show(null);
    const unknown = readExposition(await registry.metrics());
    expect(unknown.value("weft_nodes", { kind: "cpe" })).toBeUndefined();
  } finally {
    await world.close();
    end();
  }
});

test.each([
  [{ code: "23505" }, "constraint"],
  [{ code: "40P01" }, "collision"],
  [{ code: "57014" }, "timeout"],
  [{ code: "57P01" }, "connection"],
  [{ code: "ECONNRESET" }, "connection"],
  [new Error("Connection terminated unexpectedly"), "connection"],
  [{ code: "42P01" }, "other"],
  [new Error("something else"), "other"],
])("a statement that failed by %o counts as %s", (error, reason) => {
  expect(reasonOf(error)).toBe(reason);
});
