import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { routerTemplateRolloutStart } from "@weft/contract/domains/templates/rollout.ts";
import {
  routerTemplate,
  routerTemplateRelAdd,
} from "@weft/contract/domains/templates/router-template.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withClient } from "#db/embedded/login.ts";
import { roleUrl } from "#db/role-logins.ts";
import { bareDatabase } from "#db/testing.ts";
import { eventually, type LoopWorld, loopWorld } from "../../test/loop-world.ts";
import { newIdOf, wireDraft } from "../../test/tenants.ts";
import { readArchive } from "./archive.ts";
import { openManifest } from "./manifest.ts";
import { restoreBackup } from "./restore-backup.ts";
import { inOrder } from "./tables.ts";
import { writeBackup } from "./write-backup.ts";

const passphrase = "correct horse battery";
let world: LoopWorld;
let folder: string;
let file: string;
const drops: (() => Promise<void>)[] = [];

const input = (url: string, dataDir: string, of = file, secret = passphrase) => ({
  url,
  dataDir,
  file: of,
  passphrase: secret,
});

/** An empty database and an empty data folder. */
const empty = async () => {
  const database = await bareDatabase();
  const dataDir = await mkdtemp(join(folder, "data-"));
  drops.push(database.drop);
  return { url: database.url, dataDir };
};

const ask = async <Row extends object>(url: string, text: string): Promise<Row[]> =>
  withClient(await roleUrl(url, "owner"), async (client) => (await client.query<Row>(text)).rows);

/** A version of a template that is on its way to a CPE which is not in contact. */
async function startRollout(cpeId: number): Promise<void> {
  const fields = { templateName: "shops", remark: "" };
  const templateId = newIdOf(await world.post(routerTemplate.ops.add.path, fields));
  await world.post(routerTemplateRelAdd.path, { templateId, cpeIds: `${cpeId}` });
  await world.post(routerTemplateRolloutStart.path, { templateId, waves: "1", soak: 3_600 });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "weft-restore-"));
  world = await loopWorld();
  await world.startWorker();
  const site = await world.addSite({ remark: "tab\there, \\back, 中文 🚀" });
  const edge = await world.enrolled(site);
  const line = await edge.connect();
  line.send(edge.report());
  const { head } = await line.next("head");
  await edge.confirm(head);
  await world.post(
    lanSection.ops.add.path,
    wireDraft("lansection", "valid", { groupid: 1, cpeId: site.id, popId: 0 }),
  );
  await line.next("head");
  await world.claim((await world.addSite()).id);
  await startRollout(site.id);
  await eventually(async () => !(await world.stateOf(site.id)).compiling, "compiled");
  line.socket.close();
  file = join(folder, "weft.backup");
  await writeBackup(input(world.api.database.url, world.dataDir));
}, 60_000);
afterAll(async () => {
  await world.close();
  for (const drop of drops) await drop();
  await rm(folder, { recursive: true });
});

/** Tables that a restore changes on purpose. */
const changed = new Set([
  "installation",
  "gateway_process",
  "process",
  "session",
  "node_status",
  "claim",
  "node_state",
  "task",
  "compile_mark",
  // It shows devices as offline and cancels states: both are transitions.
  "transition",
  // Each of them has the health of its node computed again.
  "alarm_due",
  "audit",
  // The audit row of the restore is not sealed yet.
  "audit_waiting",
  // What was open is halted.
  "template_rollout",
]);

test("every row is restored unchanged, and ids continue behind those already used", async () => {
  const { url, dataDir } = await empty();
  const { manifest, epoch } = await restoreBackup(input(url, dataDir));
  expect(manifest.tables.find(({ name }) => name === "node")?.rows).toBe(2);
  const again = join(folder, "again.backup");
  const second = await writeBackup(input(url, dataDir, again));
  const facts = (tables: typeof manifest.tables) =>
    tables.filter(({ name }) => !changed.has(name)).map(({ name, sha256 }) => `${name} ${sha256}`);
  expect(facts(second.tables)).toEqual(facts(manifest.tables));
  expect(second.epoch).toBe(epoch);
  expect(second.identity?.publicKey).toBe(manifest.identity?.publicKey);
  const pem = await readFile(join(dataDir, "identity.pem"), "utf8");
  expect(pem).toBe(await readFile(join(world.dataDir, "identity.pem"), "utf8"));
  const before = new Map(manifest.sequences.map(({ name, value }) => [name, value]));
  for (const { name, value } of second.sequences)
    expect(value, name).toBeGreaterThan(before.get(name) ?? 0);
});

test("sessions, codes and tasks end, and every device is compiled again", async () => {
  const { url, dataDir } = await empty();
  const began = Math.floor(Date.now() / 1_000);
  const { epoch } = await restoreBackup(input(url, dataDir));
  expect(epoch).toBeGreaterThanOrEqual(began - 5);
  const [facts] = await ask<Record<string, number>>(
    url,
    `select (select count(*)::int from weft.session) as sessions,
      (select count(*)::int from weft.node_status where online) as online,
      (select count(*)::int from weft.claim where used_key is null and revoked_at is null) as claims,
      (select count(*)::int from weft.node_state
        where outcome in ('waiting', 'delivered', 'applied')) as states,
      (select count(*)::int from weft.task where status in (0, 4)) as tasks,
      (select count(*)::int from weft.compile_mark where cause = 'restore') as marks,
      (select count(*)::int from weft.template_rollout
        where state = 'halted' and reason = 'restore') as halted,
      (select count(*)::int from weft.audit
        where action = 'routerTemplateRollout.halt' and login_name = 'controller') as recorded,
      (select count(*)::int from weft.audit where action = 'installation.restore') as audited`,
  );
  expect(facts).toEqual({
    sessions: 0,
    online: 0,
    claims: 0,
    states: 0,
    tasks: 0,
    marks: 2,
    halted: 1,
    recorded: 1,
    audited: 1,
  });
});

test("the same backup restored twice starts two epochs", async () => {
  const first = await empty();
  const one = await restoreBackup(input(first.url, first.dataDir));
  await eventually(async () => Date.now() / 1_000 > one.epoch + 1, "a second passes");
  const second = await empty();
  const two = await restoreBackup(input(second.url, second.dataDir));
  expect(two.epoch).toBeGreaterThan(one.epoch);
});

test("a wrong passphrase restores nothing", async () => {
  const { url, dataDir } = await empty();
  const end = restoreBackup(input(url, dataDir, file, "another passphrase"));
  await expect(end).rejects.toThrow("The passphrase is not that of this backup");
  expect(await ask(url, "select 1 from pg_namespace where nspname = 'weft'")).toEqual([]);
});

test("a damaged file restores nothing", async () => {
  const { url, dataDir } = await empty();
  const bytes = await readFile(file);
  const damaged = join(folder, "damaged");
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  await writeFile(damaged, bytes);
  await expect(restoreBackup(input(url, dataDir, damaged))).rejects.toThrow("no whole backup");
  expect(await ask(url, "select 1 from pg_namespace where nspname = 'weft'")).toEqual([]);
});

test("a database in use is not changed", async () => {
  const { dataDir } = await empty();
  const { url } = world.api.database;
  const counted = () => ask(url, "select count(*)::int as n from weft.node");
  const before = await counted();
  await expect(restoreBackup(input(url, dataDir))).rejects.toThrow("The database is in use");
  expect(await counted()).toEqual(before);
});

test("another controller's identity is not overwritten", async () => {
  const { url } = await empty();
  const other = await loopWorld();
  const pem = await readFile(join(other.dataDir, "identity.pem"), "utf8");
  const end = restoreBackup(input(url, other.dataDir));
  await expect(end).rejects.toThrow("another controller's identity");
  expect(await readFile(join(other.dataDir, "identity.pem"), "utf8")).toBe(pem);
  await other.close();
});

test("a backup of a newer schema is refused with the name of its migration", async () => {
  const { url, dataDir } = await empty();
  const source = world.api.database.url;
  const later = "2999-01-01-01-later.sql";
  const table = "weft_meta.migration (name, checksum)";
  await ask(source, `insert into ${table} values ('${later}', repeat('0', 64))`);
  const newer = join(folder, "newer.backup");
  await writeBackup(input(source, world.dataDir, newer));
  await ask(source, `delete from weft_meta.migration where name = '${later}'`);
  await expect(restoreBackup(input(url, dataDir, newer))).rejects.toThrow(
    `The backup is newer than this Weft: it has the migration ${later}`,
  );
});

test("a backup from before the first release is refused with a reason", async () => {
  const { url, dataDir } = await empty();
  const source = world.api.database.url;
  const earlier = "2026-11-22-01-ground.sql";
  const table = "weft_meta.migration (name, checksum)";
  await ask(source, `insert into ${table} values ('${earlier}', repeat('0', 64))`);
  const older = join(folder, "unreleased.backup");
  await writeBackup(input(source, world.dataDir, older));
  await ask(source, `delete from weft_meta.migration where name = '${earlier}'`);
  await expect(restoreBackup(input(url, dataDir, older))).rejects.toThrow(
    /The backup was made by a Weft older than the first release .*Restore it with the version/,
  );
});

test("without the identity that devices trust there is no backup", async () => {
  const { dataDir } = await empty();
  const target = join(folder, "none.backup");
  const end = writeBackup(input(world.api.database.url, dataDir, target));
  await expect(end).rejects.toThrow("does not hold the identity of this controller");
  await expect(readFile(target)).rejects.toThrow("ENOENT");
});

test("a manifest that was modified, or that is missing, is refused", async () => {
  const { manifest: text } = await readArchive(file, async (_name, bytes) => {
    for await (const _ of bytes);
  });
  expect((await openManifest(text, passphrase)).manifest.epoch).toBe(1);
  const changed = text.replace('"epoch":1', '"epoch":2');
  expect(changed).not.toBe(text);
  await expect(openManifest(changed, passphrase)).rejects.toThrow("the backup was modified");
  await expect(openManifest("{}", passphrase)).rejects.toThrow("no whole backup");
});

test("row-level security applies to the owner again, on every table", async () => {
  const { url, dataDir } = await empty();
  await restoreBackup(input(url, dataDir));
  const forced = (of: string) =>
    ask<{ relname: string }>(
      of,
      `select relname, relrowsecurity, relforcerowsecurity from pg_class
       where relnamespace = 'weft'::regnamespace and relkind in ('r', 'p') order by relname`,
    );
  expect(await forced(url)).toEqual(await forced(world.api.database.url));
});

test("tables are filled after those they refer to; a circular reference is refused", () => {
  const table = (name: string) => ({ name, columns: [], isForced: true });
  const tables = [table("a"), table("b"), table("c")];
  const order = inOrder(tables, [
    { from: "a", to: "c" },
    { from: "c", to: "b" },
  ]);
  expect(order.map(({ name }) => name)).toEqual(["b", "c", "a"]);
  const circle = [
    { from: "a", to: "b" },
    { from: "b", to: "a" },
  ];
  expect(() => inOrder(tables, circle)).toThrow("a, b");
});
