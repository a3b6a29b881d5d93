/** Starts that go wrong, of the shipped program on a data folder of its own with embedded stores. */
import { AsyncLocalStorage } from "node:async_hooks";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { superuserUrl, withClient } from "#db/embedded/login.ts";
import { readPidFile } from "#db/embedded/pid-file.ts";
import { stopServer } from "#db/embedded/server.ts";
import { inherited } from "./controller-process.ts";

const program = (name: string): string => join(import.meta.dirname, "../src", name);
const patience = { timeout: 120_000 };

/** What a test has for itself. */
interface Place {
  readonly folder: string;
  readonly running: ChildProcess[];
  isOver: boolean;
}

const places = new AsyncLocalStorage<Place>();

/** Of the test that asks. One that ran out of its time goes on: it would start programs that no test ends. */
function here(): Place {
  const place = places.getStore();
  if (place === undefined || place.isOver) throw new Error("the test is over");
  return place;
}

async function close(place: Place): Promise<void> {
  place.isOver = true;
  for (const child of place.running) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
  }
  await stopServer(join(place.folder, "postgres/data"));
  await rm(place.folder, { recursive: true, force: true });
}

/** A test with a data folder and programs of its own. */
const inFolder = (name: string, run: () => Promise<void>): void =>
  test(name, patience, async ({ onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), "weft-starts-"));
    const place: Place = { folder, running: [], isOver: false };
    onTestFinished(() => close(place), 60_000);
    await places.run(place, run);
  });

const environment = (env: Readonly<Record<string, string>>) => ({
  ...inherited,
  WEFT_DATA: here().folder,
  WEFT_PORT: "0",
  WEFT_EDGE_PORT: "0",
  WEFT_LOG_LEVEL: "warn",
  ...env,
});

/** @returns where it answers, or the code that it ended with */
async function start(env: Readonly<Record<string, string>> = {}, args: readonly string[] = []) {
  const child = spawn(process.execPath, [program("main.ts"), ...args], {
    cwd: here().folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: environment(env),
  });
  here().running.push(child);
  let text = "";
  const url = await new Promise<string | null>((resolve) => {
    const read = (chunk: Buffer): void => {
      text += chunk;
      const found = /^Weft: (\S+)\n/m.exec(text)?.[1];
      // The password, if one was made, is printed with it.
      if (found) setTimeout(resolve, 50, found);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("close", () => resolve(null));
  });
  return { child, url, text, password: /password (\S+)/.exec(text)?.[1] ?? null };
}

const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
};

async function logIn(url: string | null, password: string | null): Promise<number> {
  const body = new URLSearchParams({ loginName: "admin", password: password ?? "" });
  const reply = await fetch(`${url}/api/v1/customer/login`, { method: "POST", body });
  return ((await reply.json()) as { code: number }).code;
}

const isReady = async (url: string | null): Promise<boolean> =>
  (await fetch(`${url}/readyz`)).status === 200;

/** A check of readiness has two seconds: on a machine that is busy it may miss them once. */
const becomesReady = (url: string | null) =>
  expect.poll(() => isReady(url), { timeout: 30_000, interval: 200 }).toBe(true);

const kept = () => readFile(join(here().folder, "first-password"), "utf8").catch(() => null);

inFolder(
  "a second start on one folder is refused with the process, and harms the first one nothing",
  async () => {
    const first = await start();
    const server = await readPidFile(join(here().folder, "postgres/data"));
    const second = await start();
    expect(second.url).toBe(null);
    expect(second.child.exitCode).toBe(1);
    expect(second.text).toBe(
      `Weft runs already on ${here().folder}: process ${first.child.pid}, at ${first.url}. End it, or set ` +
        "WEFT_DATA to another folder.\n",
    );
    expect(await readPidFile(join(here().folder, "postgres/data"))).toEqual(server);
    await becomesReady(first.url);
    // A process that was killed holds nothing.
    await end(first.child, "SIGKILL");
    const third = await start();
    await becomesReady(third.url);
    // Nor does another program that has its number now.
    await end(third.child, "SIGTERM");
    const stranger = JSON.stringify({ pid: process.pid, started: "1", url: "" });
    await writeFile(join(here().folder, "running.json"), stranger);
    await becomesReady((await start()).url);
  },
);

inFolder("a database server that goes is started again", async () => {
  const { url } = await start();
  const before = await readPidFile(join(here().folder, "postgres/data"));
  await stopServer(join(here().folder, "postgres/data"));
  await becomesReady(url);
  const after = await readPidFile(join(here().folder, "postgres/data"));
  expect(after?.port).toBe(before?.port);
  expect(after?.pid).not.toBe(before?.pid);
});

inFolder("a taken port names who has it, before anything is made", async () => {
  const owner = createServer();
  await once(owner.listen(0, "127.0.0.1"), "listening");
  const { port } = owner.address() as { port: number };
  for (const setting of ["WEFT_PORT", "WEFT_EDGE_PORT"]) {
    const { url, text } = await start({ [setting]: String(port) });
    expect(url).toBe(null);
    expect(text).toMatch(
      new RegExp(
        `^Port ${port} is used by process ${process.pid} \\(.+\\): end it, or set ${setting} `,
      ),
    );
  }
  expect((await start({ WEFT_HOST: "203.0.113.7" })).text).toMatch(/^WEFT_HOST \(address\)/);
  await expect(stat(join(here().folder, "postgres"))).rejects.toThrow();
  expect(await kept()).toBe(null);
  owner.close();
});

inFolder(
  "the first password outlives starts that are cut short, until the first login",
  async () => {
    const first = await start();
    expect(await kept()).toBe(`${first.password}\n`);
    expect((await stat(join(here().folder, "first-password"))).mode & 0o777).toBe(0o600);
    await end(first.child, "SIGKILL");
    const second = await start();
    expect(second.password).toBe(first.password);
    await end(second.child, "SIGKILL");
    // One that is given later counts, as the other was not used.
    const third = await start({ WEFT_ADMIN_PASSWORD: "given-Later1" });
    expect(third.password).toBe(null);
    expect(await logIn(third.url, first.password)).not.toBe(0);
    expect(await logIn(third.url, "given-Later1")).toBe(0);
    await expect.poll(kept, { timeout: 20_000, interval: 200 }).toBe(null);
    await end(third.child, "SIGTERM");
    const fourth = await start({ WEFT_ADMIN_PASSWORD: "too-Late-22" });
    expect(await logIn(fourth.url, "too-Late-22")).not.toBe(0);
    expect(await logIn(fourth.url, "given-Later1")).toBe(0);
    // Recovery for a user who has lost it, beside the running controller.
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, [program("commands/admin-password.ts")], {
      env: environment({}),
    });
    const made = /^Administrator: admin, password (\S{12})\n$/.exec(stdout)?.[1] ?? "";
    expect(await logIn(fourth.url, "given-Later1")).not.toBe(0);
    expect(await logIn(fourth.url, made)).toBe(0);
    await becomesReady(fourth.url);
  },
);

inFolder("a free port that was taken for devices is the same at every start", async () => {
  const port = async () => Number(await readFile(join(here().folder, "edge-port"), "utf8"));
  const first = await start();
  const taken = await port();
  // A closed terminal ends it in order as well: its PostgreSQL is gone.
  await end(first.child, "SIGHUP");
  expect(first.child.exitCode).toBe(0);
  expect(existsSync(join(here().folder, "postgres/data/postmaster.pid"))).toBe(false);
  const second = await start();
  expect(await port()).toBe(taken);
  // So does Ctrl-C, which the terminal sends, and npm passes on once more.
  second.child.kill("SIGINT");
  await sleep(50);
  await end(second.child, "SIGINT");
  expect(second.child.exitCode).toBe(0);
  expect(existsSync(join(here().folder, "postgres/data/postmaster.pid"))).toBe(false);
  const owner = createServer();
  await once(owner.listen(taken), "listening");
  expect((await start()).text).toMatch(
    new RegExp(`^Port ${taken} is used by .* devices that were enrolled since call it there`),
  );
  owner.close();
});

const text = (name: string) => readFile(join(here().folder, name), "utf8");

/** Nodes of the demonstration in its database. */
async function nodes(): Promise<number> {
  const [password, port] = await Promise.all([
    text("postgres/superuser-password"),
    text("postgres/port"),
  ]);
  const url = superuserUrl(Number(port), password.trim(), "weft_demonstration");
  return withClient(url, async (client) => {
    const { rows } = await client.query("select count(*)::int as n from weft.node");
    return rows[0].n;
  });
}

/** Waits until the first rows of a demonstration are made, in the middle of its first start. */
const someNodes = () =>
  expect.poll(() => nodes().catch(() => 0), { timeout: 60_000, interval: 50 }).toBeGreaterThan(3);

/** What `npm run audit:verify` prints, whether it ends well or not. */
const verifyLog = (...args: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    const argv = [program("commands/verify-audit.ts"), ...args];
    execFile(process.execPath, argv, { env: environment({}) }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });

const isGone = async (): Promise<boolean> =>
  (await readPidFile(join(here().folder, "postgres/data"))) === undefined;

inFolder("a first start of the demonstration ends in order while it makes rows", async () => {
  const cut = start({}, ["--demonstration"]);
  await someNodes();
  here().running[0]?.kill("SIGINT");
  expect((await cut).url).toBe(null);
  expect(here().running[0]?.exitCode).toBe(0);
  expect(await isGone()).toBe(true);
});

inFolder(
  "a demonstration that was cut short begins again, with the password that it had, and ends in order just after",
  async () => {
    const cut = start({}, ["--demonstration"]);
    await someNodes();
    here().running[0]?.kill("SIGKILL");
    expect((await cut).url).toBe(null);
    const password = (await text("demonstration/first-password")).trim();
    await expect(stat(join(here().folder, "demonstration/fleet.json"))).rejects.toThrow();
    const again = await start({}, ["--demonstration"]);
    expect(again.password).toBe(password);
    const [code, rows] = await Promise.all([logIn(again.url, password), nodes()]);
    expect(code).toBe(0);
    // Its devices are on their way: some have not even their keys.
    await end(again.child, "SIGINT");
    expect(again.child.exitCode).toBe(0);
    expect(await isGone()).toBe(true);
    const fleet = JSON.parse(await text("demonstration/fleet.json")) as unknown[];
    expect(fleet.length).toBeGreaterThan(30);
    expect(rows).toBeGreaterThanOrEqual(fleet.length);
    // Its operation log is another than that of an installation in the same folder.
    const other = await verifyLog();
    expect(other).toContain(`Database: weft in ${here().folder}\n`);
    expect(other).toContain("The demonstration's is another: -- --demonstration\n");
    expect(other).not.toMatch(/Intact|^\s+at /m);
    expect(await verifyLog("--demonstration")).toMatch(/^Intact\. Head /m);
  },
);
