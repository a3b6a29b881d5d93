import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Identity } from "./identity.ts";
import { withClient } from "./login.ts";
import { type EmbeddedServer, openEmbedded } from "./open.ts";

const asRoot = process.getuid?.() === 0;
const logger = { info: () => undefined, warn: () => undefined };

/** A data folder that was started and ended once; copying it is quicker than initdb. */
let seed: string;
let dataDir: string;
let servers: EmbeddedServer[];
let children: ChildProcess[];

beforeAll(async () => {
  seed = await mkdtemp(join(tmpdir(), "weft-seed-"));
  await (await openEmbedded({ dataDir: seed, logger })).stop();
}, 60_000);

afterAll(() => rm(seed, { recursive: true, force: true }));

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "weft-open-"));
  servers = [];
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  for (const server of servers) await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(identities?: readonly Identity[]): Promise<EmbeddedServer> {
  const server = await openEmbedded({ dataDir, logger, identities });
  servers.push(server);
  return server;
}

const plantSeed = (): Promise<void> => cp(seed, dataDir, { recursive: true });

const inCluster = (name: string): string => join(dataDir, "postgres", name);
const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

async function value(url: string, sql: string): Promise<unknown> {
  return withClient(url, async (client) => {
    const { rows } = await client.query({ text: sql, rowMode: "array" });
    return rows[0]?.[0];
  });
}

async function serverPid(): Promise<number> {
  return Number((await readFile(inCluster("data/postmaster.pid"), "utf8")).split("\n")[0]);
}

/** A process of its own that opens the database, prints how, and lives on. */
async function startParent(): Promise<{ child: ChildProcess; url: string; adopted: boolean }> {
  const script = `
    import { openEmbedded } from ${JSON.stringify(join(import.meta.dirname, "open.ts"))};
    const logger = { info() {}, warn() {} };
    const { url, adopted } = await openEmbedded({ dataDir: ${JSON.stringify(dataDir)}, logger });
    console.log(JSON.stringify({ url, adopted }));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the parent ended with ${code}`);
  });
  const [line] = (await Promise.race([once(child.stdout, "data"), ended])) as [Buffer];
  ended.catch(() => undefined);
  return { child, ...(JSON.parse(line.toString()) as { url: string; adopted: boolean }) };
}

describe("the first start", { timeout: 60_000 }, () => {
  test("makes a cluster with a database, a closed password file and the letters of all scripts", async () => {
    const server = await start();
    expect(server.adopted).toBe(false);
    expect(await value(server.url, "select current_database()")).toBe("weft");
    expect((await stat(inCluster("superuser-password"))).mode & 0o777).toBe(0o600);
    expect((await stat(inCluster("data"))).mode & 0o777).toBe(0o700);
    expect(await value(server.url, "show listen_addresses")).toBe("127.0.0.1");
    expect(await value(server.url, "show fsync")).toBe("on");
    await value(server.url, "create extension pg_trgm");
    expect(await value(server.url, "select '上海节点' ilike '%海节%'")).toBe(true);
    expect(await value(server.url, "select cardinality(show_trgm('上海节点'))")).toBeGreaterThan(0);
    expect((await readdir(dataDir)).sort()).toEqual(["postgres"]);
  });

  test("refuses connections without the password", async () => {
    const url = new URL((await start()).url);
    url.password = "guess";
    await expect(value(url.href, "select 1")).rejects.toMatchObject({ code: "28P01" });
    url.password = "";
    await expect(value(url.href, "select 1")).rejects.toThrow();
  });

  test("sweeps what an interrupted start left, not what a living one is making", async () => {
    const ended = spawn(process.execPath, ["--version"], { stdio: "ignore" });
    await once(ended, "exit");
    const dead = join(dataDir, `postgres.init-${ended.pid}-abc`);
    const living = join(dataDir, `postgres.init-${process.pid}-def`);
    await mkdir(join(dead, "data"), { recursive: true });
    await mkdir(living);
    await start();
    expect((await readdir(dataDir)).sort()).toEqual([
      "postgres",
      `postgres.init-${process.pid}-def`,
    ]);
  });

  test("refuses a folder that holds something else", async () => {
    await mkdir(inCluster("photos"), { recursive: true });
    await expect(start()).rejects.toThrow(/not a database folder/);
  });
});

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe("a restart", { timeout: 60_000 }, () => {
  beforeEach(plantSeed);

  test("keeps rows, port and password; a clean end leaves no postmaster.pid", async () => {
    const first = await start();
    await value(first.url, "create table t as select 7 as n");
    const pid = await serverPid();
    await first.stop();
    expect(await exists(inCluster("data/postmaster.pid"))).toBe(false);
    expect(await readFile(inCluster("server.log"), "utf8")).toMatch(/database system is shut down/);
    // Its file goes before the process does, by a moment that a busy machine makes long.
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
    const second = await start();
    expect(second).toMatchObject({ url: first.url, adopted: false });
    expect(await value(second.url, "select n from t")).toBe(7);
  });

  test("takes another port when its own is used", async () => {
    const first = await start();
    await first.stop();
    const port = Number(new URL(first.url).port);
    const squatter = createServer().listen(port, "127.0.0.1");
    await once(squatter, "listening");
    try {
      const second = await start();
      expect(new URL(second.url).port).not.toBe(String(port));
      expect(await value(second.url, "select 1")).toBe(1);
    } finally {
      squatter.close();
    }
  });

  test("after kill -9 of the server recovers what was committed", async () => {
    const first = await start();
    await value(first.url, "create table t as select 7 as n");
    process.kill(await serverPid(), "SIGKILL");
    const second = await start();
    expect(second.adopted).toBe(false);
    expect(await value(second.url, "select n from t")).toBe(7);
  });

  test("is not held up by a pid file whose number another program has now", async () => {
    const other = spawn(process.execPath, ["--eval", "setInterval(() => {}, 1000)"]);
    children.push(other);
    const lines = [other.pid, inCluster("data"), 1, 5432, "", "127.0.0.1", "", "ready"];
    await writeFile(inCluster("data/postmaster.pid"), `${lines.join("\n")}\n`, { mode: 0o600 });
    const second = await start();
    expect(second.adopted).toBe(false);
    expect(other.exitCode).toBeNull();
  });

  test("is not held up by a pid file that a power cut emptied", async () => {
    await writeFile(inCluster("data/postmaster.pid"), "", { mode: 0o600 });
    expect((await start()).adopted).toBe(false);
  });

  test("refuses data of another major version with a reason", async () => {
    await writeFile(inCluster("data/PG_VERSION"), "17\n");
    await expect(start()).rejects.toThrow(/written by PostgreSQL 17, and this Weft brings 18/);
  });

  test("prints the server's output when it cannot start", async () => {
    await writeFile(inCluster("data/postgresql.conf"), "no_such_setting = 1\n");
    await expect(start()).rejects.toThrow(/did not start: .*no_such_setting/s);
  });
});

describe("a running server", { timeout: 60_000 }, () => {
  beforeEach(plantSeed);

  test("outlives kill -9 of its parent and is adopted by the next", async () => {
    const parent = await startParent();
    expect(parent.adopted).toBe(false);
    await value(parent.url, "create table t as select 7 as n");
    const pid = await serverPid();
    parent.child.kill("SIGKILL");
    await once(parent.child, "exit");
    const next = await start();
    expect(next).toMatchObject({ adopted: true, url: parent.url });
    expect(await serverPid()).toBe(pid);
    expect(await value(next.url, "select n from t")).toBe(7);
    await next.stop();
    expect(await exists(inCluster("data/postmaster.pid"))).toBe(false);
  });

  test("does not receive the Ctrl-C of its parent's terminal", async () => {
    const parent = await startParent();
    const pid = await serverPid();
    const { stdout } = await promisify(execFile)("ps", ["-o", "pgid=", "-p", String(pid)]);
    expect(Number(stdout)).toBe(pid);
    expect(pid).not.toBe(parent.child.pid);
    await start();
  });

  test("of a copied data folder is not taken for the copy's own", async () => {
    const first = await start();
    const copy = `${dataDir}-copy`;
    await cp(dataDir, copy, { recursive: true });
    const second = await openEmbedded({ dataDir: copy, logger });
    try {
      expect(second.adopted).toBe(false);
      expect(second.url).not.toBe(first.url);
    } finally {
      await second.stop();
      await rm(copy, { recursive: true });
    }
  });

  test("that is ending is waited for, then started again", async () => {
    const first = await start();
    const ending = first.stop();
    const second = await start();
    await ending;
    expect(await value(second.url, "select 1")).toBe(1);
  });

  test("makes other databases on demand", async () => {
    await start();
    const demo = await openEmbedded({ dataDir, logger, database: "weft_demo" });
    expect(demo.adopted).toBe(true);
    expect(await value(demo.url, "select current_database()")).toBe("weft_demo");
  });
});

test("of many starts at once on an empty folder one starts and the others adopt", {
  timeout: 60_000,
}, async () => {
  const [one, two, parent] = await Promise.all([start(), start(), startParent()]);
  expect([one, two, parent].filter(({ adopted }) => !adopted)).toHaveLength(1);
  expect(new Set([one.url, two.url, parent.url]).size).toBe(1);
  expect(await value(one.url, "select count(*)::int from pg_database where datname = 'weft'")).toBe(
    1,
  );
  expect(await readdir(dataDir)).toEqual(["postgres"]);
});

describe.runIf(asRoot)("as root", { timeout: 60_000 }, () => {
  test("each identity runs the same cluster, one after the other", async () => {
    // nobody must be able to pass the folder; mkdtemp closes it
    await rm(dataDir, { recursive: true });
    await mkdir(dataDir, { mode: 0o755 });
    const owners: number[] = [];
    for (const identity of ["namespace", "nobody", "setpriv", "namespace"] as const) {
      const server = await start([identity]);
      expect(server.adopted).toBe(false);
      await value(server.url, "create table if not exists t as select 7 as n");
      expect(await value(server.url, "select n from t")).toBe(7);
      owners.push((await stat(inCluster("data"))).uid);
      await server.stop();
    }
    expect(owners).toEqual([0, 65534, 65534, 0]);
  });

  test("a folder closed to others works by namespace and by setpriv", async () => {
    expect((await stat(dataDir)).mode & 0o077).toBe(0);
    for (const identity of ["setpriv", "namespace"] as const) {
      const server = await start([identity]);
      expect(await value(server.url, "select 1")).toBe(1);
      await server.stop();
    }
    await expect(start(["nobody"])).rejects.toThrow(/refuses to run as root/);
  });

  test("an ordinary user needs none of this", async () => {
    await rm(dataDir, { recursive: true });
    await mkdir(dataDir, { mode: 0o755 });
    await promisify(execFile)("chown", ["65534:65534", dataDir]);
    const script = `
      import { openEmbedded } from ${JSON.stringify(join(import.meta.dirname, "open.ts"))};
      const logger = { info: (o) => console.log(JSON.stringify(o)), warn() {} };
      const server = await openEmbedded({ dataDir: ${JSON.stringify(dataDir)}, logger });
      await server.stop();`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "--eval", script],
      { uid: 65534, gid: 65534, cwd: import.meta.dirname },
    );
    expect(JSON.parse(stdout)).toMatchObject({ identity: "self" });
    expect((await stat(inCluster("data"))).uid).toBe(65534);
  });
});
