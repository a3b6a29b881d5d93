import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import { tunnelKey } from "@weft/contract/device/v1/text.ts";
import { afterEach, expect, test } from "vitest";
import { CrashDisk } from "../../test/crash-disk.ts";
import { seededRandom } from "../../test/virtual-clock.ts";
import { openFolder } from "./disk.ts";
import { openStore, sweepStore } from "./edge-store.ts";
import { identityOf, isSignedBy, keyHash, newSeed, newTunnelKey } from "./keys.ts";
import { digestOf } from "./record.ts";

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), "weft-edge-test-"));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const enrolment = {
  node: 7,
  serialNumber: "SN-0001",
  addresses: ["wss://100.64.0.2:8443"],
  controllerKey: "A".repeat(43),
};

test("what is written is read back by the next program, by its owner only", async () => {
  const folder = path.join(newFolder(), "data");
  const store = await openStore(await openFolder(folder));
  expect(await store.enrolment.read()).toEqual({ kind: "none" });
  await store.enrolment.write(enrolment);
  const identity = await store.makeIdentity(seededRandom(1));
  const [pair] = await store.tunnelKeys(seededRandom(2));
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const file of readdirSync(folder))
    expect(statSync(path.join(folder, file)).mode & 0o777, file).toBe(0o600);
  const again = await openStore(await openFolder(folder));
  expect(await again.enrolment.read()).toEqual({ kind: "value", value: enrolment });
  expect((await again.makeIdentity(seededRandom(9))).publicKey).toBe(identity.publicKey);
  expect(await again.tunnelKeys(seededRandom(9))).toEqual([pair]);
});

test.each([
  { name: "empty", text: "" },
  { name: "cut off", text: '{"sha256":"00","value":{"node":7' },
  { name: "of another shape", text: `{"sha256":"${digestOf({ node: 7 })}","value":{"node":7}}` },
  {
    name: "changed",
    text: `{"sha256":"${digestOf(enrolment)}","value":${JSON.stringify({ ...enrolment, node: 8 })}}`,
  },
])("a record that is $name is damaged, not none", async ({ text }) => {
  const folder = newFolder();
  writeFileSync(path.join(folder, "enrolment.json"), text);
  const store = await openStore(await openFolder(folder));
  expect(await store.enrolment.read()).toEqual({ kind: "damaged" });
});

test("a damaged identity is not silently replaced by another one", async () => {
  const folder = newFolder();
  writeFileSync(path.join(folder, "identity.json"), "{}");
  const store = await openStore(await openFolder(folder));
  expect(await store.identity()).toBeNull();
});

test("sections are found by their hash, and a damaged one is not there", async () => {
  const disk = new CrashDisk();
  const store = await openStore(disk.open());
  const contents = new Map(
    [{ a: 1 }, { b: [2] }].map((one) => [digestOf(one), { text: canonicalJson(one) }]),
  );
  const [first, second] = [...contents.keys()] as [string, string];
  await store.sections.save(contents);
  disk.damage(`section.${first}`);
  const again = await openStore(disk.open());
  expect(again.sections.has(first)).toBe(true);
  expect(await again.sections.read(first)).toBeUndefined();
  expect(again.sections.has(first)).toBe(false);
  expect(await again.sections.read(second)).toEqual({ content: { b: [2] }, text: '{"b":[2]}' });
  await again.sections.keepOnly(new Set());
  expect(disk.names()).toEqual([]);
});

test("a write that is interrupted anywhere leaves the old record or the new one", async () => {
  const seen = new Set<number>();
  for (let at = 1; at <= 4; at += 1) {
    const disk = new CrashDisk();
    await (await openStore(disk.open())).enrolment.write(enrolment);
    disk.dieAt(at);
    const store = await openStore(disk.open());
    void store.enrolment.write({ ...enrolment, node: 8 });
    await new Promise((resolve) => setImmediate(resolve));
    disk.kill(true);
    const reopened = disk.open();
    await sweepStore(reopened);
    const found = await (await openStore(reopened)).enrolment.read();
    if (found.kind !== "value") throw new Error(`${found.kind} after change ${at}`);
    seen.add(found.value.node);
    expect(disk.names()).toEqual(["enrolment.json"]);
  }
  expect([...seen]).toEqual([7]);
});

test("keys are those of the standards", () => {
  // RFC 8032, section 7.1, test 1.
  const seed = Buffer.from(
    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    "hex",
  );
  const identity = identityOf(seed.toString("base64url"));
  expect(Buffer.from(identity.publicKey, "base64url").toString("hex")).toBe(
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
  );
  expect(Buffer.from(identity.sign(""), "base64url").toString("hex")).toMatch(/^e5564300c360ac72/);
  expect(isSignedBy(identity.publicKey, "a", identity.sign("a"))).toBe(true);
  expect(isSignedBy(identity.publicKey, "b", identity.sign("a"))).toBe(false);
  expect(isSignedBy("nonsense", "a", identity.sign("a"))).toBe(false);
  expect(keyHash(identity.publicKey)).toMatch(/^[0-9a-f]{64}$/);
});

test("a tunnel key is a clamped X25519 pair", () => {
  // RFC 7748, section 6.1: Alice's pair.
  const raw = Buffer.from(
    "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
    "hex",
  );
  const pair = newTunnelKey({ bytes: () => raw, fraction: () => 0 }, "k1");
  expect(Buffer.from(pair.publicKey, "base64").toString("hex")).toMatch(/^8520f0098930a754/);
  const bytes = Buffer.from(pair.privateKey, "base64");
  expect([(bytes[0] ?? 0) & 7, (bytes[31] ?? 0) & 192]).toEqual([0, 64]);
  expect(tunnelKey.safeParse(pair.privateKey).success).toBe(true);
  expect(newSeed(seededRandom(1))).not.toBe(newSeed(seededRandom(2)));
});
