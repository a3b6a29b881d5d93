/** Who gets to SSH of a device, and by what: real connections through real rules. */
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { cable, NetnsMachine } from "../../../test/netns/host.ts";
import { cpeState } from "../../../test/states.ts";
import { pickFirewall } from "./plan.ts";

let device: NetnsMachine;
let outside: NetnsMachine;

beforeAll(async () => {
  device = await NetnsMachine.create();
  outside = await NetnsMachine.create();
  await cable([device, "wan1"], [outside, "eth0"]);
  await device.run(["ip", "addr", "add", "192.0.2.1/24", "dev", "wan1"]);
  // A link that is in no document any more: its interface goes after everything else was done.
  await cable([device, "wl99"], [outside, "peer0"]);
  await device.run(["ip", "addr", "add", "10.255.0.1/30", "dev", "wl99"]);
  await outside.run(["ip", "addr", "add", "10.255.0.2/30", "dev", "peer0"]);
  for (const address of ["192.0.2.7/24", "192.0.2.8/24"])
    await outside.run(["ip", "addr", "add", address, "dev", "eth0"]);
  const script = "for (const port of [22, 80]) require('net').createServer().listen(port)";
  await device.run([
    "sh",
    "-c",
    `"$1" -e "$2" </dev/null >/dev/null 2>&1 &`,
    "sh",
    process.execPath,
    script,
  ]);
  await waitUntil(
    "both ports",
    async () => (await connects("192.0.2.7", 80)) === "open",
    60_000,
    100,
  );
}, 120_000);
afterAll(async () => {
  await outside?.remove();
  await device?.remove();
});

const connects = async (from: string, port: number, to = "192.0.2.1"): Promise<string> => {
  const script = `
    const s = require("net").connect({ host: "${to}", port: ${port}, localAddress: "${from}" });
    const end = (result) => { console.log(result); process.exit(0); };
    s.once("connect", () => end("open")).once("error", (e) => end(e.code));
    setTimeout(() => end("silence"), 3000);`;
  return (await outside.run([process.execPath, "-e", script], { timeoutMs: 60_000 })).trim();
};
const becomesOpen = (from: string, port: number, to?: string): Promise<void> =>
  waitUntil("a connection", async () => (await connects(from, port, to)) === "open", 60_000, 100);
const load = async (manageFrom: readonly string[]) => {
  const [rules] = pickFirewall(cpeState(), manageFrom);
  await device.run(["nft", "-f", "-"], { input: rules?.text ?? "" });
};

describe("SSH of a device by a WAN link", { timeout: 120_000 }, () => {
  it("is closed by a state, as everything is", async () => {
    await becomesOpen("192.0.2.7", 22);
    await load([]);
    expect(await connects("192.0.2.7", 22)).not.toBe("open");
  });

  it("is open for the networks of the setting, and nothing else is", async () => {
    await load(["192.0.2.7/32", "2001:db8::/32"]);
    await becomesOpen("192.0.2.7", 22);
    expect(await connects("192.0.2.7", 80)).not.toBe("open");
    expect(await connects("192.0.2.8", 22)).not.toBe("open");
  });
});

test("a link that has left the document gets to nothing of the device", {
  timeout: 120_000,
}, async () => {
  await device.run(["nft", "flush", "ruleset"]);
  await becomesOpen("10.255.0.2", 22, "10.255.0.1");
  await load(["192.0.2.7/32"]);
  await becomesOpen("192.0.2.7", 22);
  expect(await connects("10.255.0.2", 22, "10.255.0.1")).not.toBe("open");
});
