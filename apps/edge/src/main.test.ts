/** The program as it is started: a process of its own on a folder of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { publish, TestGateway } from "../test/gateway.ts";
import { claimFor, tempFolder, until } from "../test/real-device.ts";
import { cpeState } from "../test/states.ts";
import { serve } from "../test/tls-server.ts";

const main = path.join(import.meta.dirname, "main.ts");
const ends: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Program {
  readonly child: ChildProcess;
  /** All of stdout and stderr so far. */
  text(): string;
  readonly code: Promise<number | null>;
}

const start = (...argv: readonly string[]): Program => {
  const child = spawn(process.execPath, [main, ...argv], { stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (part) => {
      text += part;
    });
  const code = new Promise<number | null>((resolve) => child.on("close", (one) => resolve(one)));
  ends.push(async () => {
    child.kill("SIGKILL");
    await code;
  });
  return { child, text: () => text, code };
};

const freshFolder = (): string => {
  const { folder, remove } = tempFolder();
  ends.push(remove);
  return folder;
};

const controller = async () => {
  const gateway = new TestGateway();
  const server = await serve(gateway);
  ends.push(server.close);
  return { gateway, claim: claimFor(gateway, [server.address]) };
};

test("enrol uses a claim, prints the node, and no log line contains the claim", async () => {
  const { claim, gateway } = await controller();
  const data = freshFolder();
  const file = path.join(data, "claim.txt");
  writeFileSync(file, `${claim}\n`);
  const argv = ["enrol", "--claim-file", file, "--serial", "SN-0001", "--data", data];
  const program = start(...argv);
  expect(await program.code).toBe(0);
  expect(program.text()).toContain('{"node":7,"serialNumber":"SN-0001"}');
  expect(program.text()).not.toContain(gateway.token);
  expect(existsSync(path.join(data, "claim.json"))).toBe(false);
  const status = start("status", "--data", data);
  expect(await status.code).toBe(0);
  expect(JSON.parse(status.text())).toMatchObject({
    enrolment: { node: 7 },
    confirmed: null,
    live: null,
  });
});

test("a claim that is refused, and one that is none, end with a reason", async () => {
  const { gateway, claim } = await controller();
  Object.assign(gateway, { token: "t".repeat(43) });
  const refused = start("enrol", "--claim", claim, "--serial", "SN-0001", "--data", freshFolder());
  expect(await refused.code).toBe(1);
  expect(refused.text()).toContain("claimUnknown");
  const none = start("enrol", "--claim", "weft1", "--serial", "SN-0001", "--data", freshFolder());
  expect(await none.code).toBe(1);
  expect(none.text()).toContain("this is not a claim");
  const silent = start("enrol", "--serial", "SN-0001", "--data", freshFolder());
  expect(await silent.code).toBe(2);
});

test("a simulated fleet enrols, applies and confirms, and comes back after a SIGKILL", async () => {
  const data = freshFolder();
  const members = await Promise.all(
    ["SN-0001", "SN-0002", "SN-0003"].map(async (serialNumber) => {
      const { gateway, claim } = await controller();
      gateway.desired = publish(cpeState(), { epoch: 1, serial: 1 });
      return { gateway, member: { serialNumber, claim } };
    }),
  );
  const fleet = path.join(data, "fleet.json");
  writeFileSync(fleet, JSON.stringify(members.map(({ member }) => member)));
  const argv = ["simulate", "--fleet", fleet, "--data", data];
  const first = start(...argv);
  const all = (fact: (gateway: TestGateway) => boolean) => () =>
    members.every(({ gateway }) => fact(gateway));
  const serialOf = (gateway: TestGateway) => gateway.of("report").at(-1)?.running?.serial;
  await until(
    all((gateway) => serialOf(gateway) === 1),
    "all run the state",
  );
  first.child.kill("SIGKILL");
  await first.code;
  for (const { gateway } of members) gateway.received.length = 0;
  const second = start(...argv);
  await until(
    all((gateway) => serialOf(gateway) === 1),
    "all say that they run it",
  );
  expect(members.map(({ gateway }) => gateway.of("need").length)).toEqual([0, 0, 0]);
  second.child.kill("SIGTERM");
  expect(await second.code).toBe(0);
  const lines = second.text().trim().split("\n");
  for (const line of lines) expect(() => JSON.parse(line), line).not.toThrow();
});

test("a fleet file that is none ends with a reason", async () => {
  const data = freshFolder();
  const fleet = path.join(data, "fleet.json");
  writeFileSync(fleet, '[{"claim":1}]');
  const program = start("simulate", "--fleet", fleet, "--data", data);
  expect(await program.code).toBe(1);
  expect(readFileSync(fleet, "utf8")).toContain("claim");
});
