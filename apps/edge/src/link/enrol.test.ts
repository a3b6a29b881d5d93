import type { Claim } from "@weft/contract/device/v1/claim.ts";
import { expect, test } from "vitest";
import { identityOf, newSeed } from "#store/keys.ts";
import { TestGateway } from "../../test/gateway.ts";
import { MemoryNetwork } from "../../test/memory-dial.ts";
import { seededRandom, VirtualClock } from "../../test/virtual-clock.ts";
import { type EnrolEnd, enrol } from "./enrol.ts";

const address = "wss://controller.test:8443";

const enrolling = (gateway: TestGateway, change: Partial<Claim> = {}, serial = "SN-0001") => {
  const time = new VirtualClock();
  const { clock } = time.process();
  const random = seededRandom(4);
  const why: string[] = [];
  const write = (fields: object) => {
    if ("why" in fields) why.push(String(fields.why));
  };
  const log = { debug: write, info: write, warn: write, error: write };
  const dial = new MemoryNetwork({ [address]: gateway }).dial(clock);
  const identity = identityOf(newSeed(random));
  const { token, keyHash: controllerKeyHash } = gateway;
  const claim: Claim = { token, addresses: [address], controllerKeyHash, ...change };
  const end = new AbortController();
  let result: EnrolEnd | null = null;
  const done = enrol({ clock, random, dial, log, identity }, claim, serial, end.signal).then(
    (one) => {
      result = one;
    },
  );
  return { time, why, end, done, result: () => result };
};

test("a device waits for its approval and pins the controller's key", async () => {
  const gateway = new TestGateway();
  gateway.pendingCalls = 3;
  const { time, why, result } = enrolling(gateway);
  await time.advance(9_000);
  expect(result()).toBeNull();
  await time.advance(45_000);
  expect(why).toEqual(Array(3).fill("waiting for approval"));
  expect(result()).toEqual({
    kind: "approved",
    enrolment: {
      node: 7,
      serialNumber: "SN-0001",
      addresses: [address],
      controllerKey: gateway.publicKey,
    },
  });
});

test("a claim that the controller does not know ends the attempt", async () => {
  const { time, result } = enrolling(new TestGateway(), { token: "t".repeat(43) });
  await time.advance(1_000);
  expect(result()).toMatchObject({ kind: "refused", refusal: "claimUnknown" });
});

test("a serial number that no controller takes is not even sent", async () => {
  const gateway = new TestGateway();
  const { time, result } = enrolling(gateway, {}, "SN");
  await time.advance(1_000);
  expect(result()).toMatchObject({ kind: "refused", refusal: "badMessage" });
  expect(gateway.deviceKey).toBeNull();
});

test.each([
  ["is busy", { type: "refused", reason: "busy", text: "later", retryAfterMs: 60_000 }, /busy/],
  ["answers nonsense", { hello: 1 }, /./],
  ["signs with another key", null, /not signed by the controller/],
])("a controller that %s is asked again", async (_what, answer, reason) => {
  const gateway = new TestGateway();
  const honest = gateway.post.bind(gateway);
  const forged = () => {
    const body = { ...JSON.parse(honest("/edge/v1/enrol", last)), signature: "s".repeat(86) };
    return JSON.stringify(body);
  };
  let last = "";
  gateway.post = (_path, body) => {
    last = body;
    return answer ? JSON.stringify(answer) : forged();
  };
  const { time, why, result } = enrolling(gateway);
  await time.advance(1_000);
  expect(why[0]).toMatch(reason);
  expect(result()).toBeNull();
  gateway.post = honest;
  await time.advance(61_000);
  expect(result()).toMatchObject({ kind: "approved" });
});

test("an answer of another controller than the claim's is not believed", async () => {
  const gateway = new TestGateway();
  const other = new TestGateway();
  const { token } = gateway;
  Object.assign(other, { token });
  // The connection is the right one, what comes through it is not.
  gateway.post = (path, body) => other.post(path, body);
  const { time, why, result } = enrolling(gateway);
  await time.advance(1_000);
  expect(why).toEqual(["the answer names another controller key than the claim"]);
  expect(result()).toBeNull();
});

test("enrolment ends when it is aborted", async () => {
  const gateway = new TestGateway();
  gateway.pendingCalls = 99;
  const { time, end, done, result } = enrolling(gateway);
  await time.advance(3_000);
  end.abort();
  await done;
  expect(result()).toEqual({ kind: "stopped" });
});
