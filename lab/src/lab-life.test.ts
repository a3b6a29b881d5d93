/** Several labs on one machine, machines that are killed, and labs that are ended from outside. */
import { spawn as spawnChild } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { command, mustCommand } from "./command.ts";
import { exec, mustExec } from "./enter.ts";
import { cut } from "./faults.ts";
import { diskOf, type Lab, machineOf, openLab, saveLab } from "./lab.ts";
import { ping } from "./ping.ts";
import { allGone, identify, isRunning, membersOf, until } from "./process-identity.ts";
import { spawn } from "./spawn.ts";
import { defaultLab, type LabSpec, twoTenantLab } from "./spec.ts";
import { status } from "./status.ts";
import { down, reboot, up } from "./up.ts";
import { machinesFolder } from "./world.ts";

const labs: Lab[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const lab of labs.splice(0)) if (existsSync(lab.dir)) await down(lab);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function build(spec: LabSpec, dir?: string): Promise<Lab> {
  const lab = await up(spec, dir);
  labs.push(lab);
  return lab;
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "weft-lab-test-"));
  folders.push(path);
  return path;
}

/** The smallest lab with one line. */
function pick(spec: LabSpec, names: readonly string[]): LabSpec {
  const nodes = spec.nodes.filter(({ name }) => names.includes(name));
  return { nodes, networks: spec.networks.filter(({ at }) => names.includes(at)) };
}

const small = () => pick(defaultLab(), ["inet", "sw", "cpe1", "ctl"]);

it("two labs run in parallel without affecting each other", async () => {
  const [one, two] = await Promise.all([build(small()), build(twoTenantLab())]);
  await cut(one, "cpe1", "wan1");
  expect((await ping(one, "cpe1", "100.64.0.2", { count: 1 })).received).toBe(0);
  expect((await ping(two, "cpe1", "100.64.0.2", { count: 1 })).received).toBe(1);
  await down(one);
  expect((await ping(two, "cpe4", "100.64.0.2", { count: 1 })).received).toBe(1);
  expect(await mustExec(two, "hostc", ["ip", "-br", "-4", "addr"])).toContain("10.0.0.100/24");
});

it("a machine whose first process is killed ends with all its processes", async () => {
  const lab = await build(small());
  await spawn(lab, "cpe1", ["sleep", "60"]);
  await spawn(lab, "cpe1", ["setsid", "--fork", "--wait", "sleep", "60"]);
  await until(() => membersOf(machineOf(lab, "cpe1").pid).length === 4, 2_000);
  const members = membersOf(machineOf(lab, "cpe1").pid);
  expect(members).toHaveLength(4);
  process.kill(machineOf(lab, "cpe1").pid, "SIGKILL");
  expect(await allGone(members, 2_000)).toEqual([]);
  await expect(exec(lab, "cpe1", ["true"])).rejects.toThrow("cpe1: the machine does not run");
  expect((await status(lab)).map(({ node, up: isUp }) => [node, isUp])).toEqual([
    ["inet", true],
    ["sw", true],
    ["cpe1", false],
    ["ctl", true],
  ]);
  await reboot(lab, "cpe1");
  expect((await ping(lab, "cpe1", "100.64.0.2", { count: 1 })).received).toBe(1);
});

it("a reboot keeps only the disk", async () => {
  const lab = await build(small());
  await spawn(lab, "cpe1", ["sleep", "60"]);
  await mustExec(lab, "cpe1", ["touch", join(diskOf(lab, "cpe1"), "kept"), "/run/lost"]);
  await mustExec(lab, "cpe1", ["ip", "addr", "add", "10.1.1.1/24", "dev", "lan1"]);
  const before = membersOf(machineOf(lab, "cpe1").pid);
  await reboot(lab, "cpe1");
  expect(before.filter(isRunning)).toEqual([]);
  expect(await mustExec(lab, "cpe1", ["ls", diskOf(lab, "cpe1")])).toContain("kept");
  expect((await exec(lab, "cpe1", ["ls", "/run/lost"])).code).toBe(2);
  expect(await mustExec(lab, "cpe1", ["ip", "-br", "-4", "addr"])).not.toContain("10.1.1.1");
  expect((await ping(lab, "cpe1", "100.64.0.2", { count: 1 })).received).toBe(1);
  expect(openLab(lab.dir)).toEqual(lab);
  await expect(reboot(lab, "inet")).rejects.toThrow("inet holds networks of others");
});

it("a lab without a named folder ends with its process, however it ends", async () => {
  const builder = `
    import { spawn } from ${JSON.stringify(join(import.meta.dirname, "spawn.ts"))};
    import { up } from ${JSON.stringify(join(import.meta.dirname, "up.ts"))};
    const lab = await up(JSON.parse(process.env.SPEC));
    const outside = await spawn(lab, "ctl", ["sleep", "60"], { reach: "network" });
    const pids = Object.values(lab.machines).map(({ pid }) => pid);
    process.stdout.write(JSON.stringify({ dir: lab.dir, pids, outside: outside.pid }));
    setInterval(() => undefined, 60_000);`;
  const child = spawnChild(process.execPath, ["--input-type=module", "--eval", builder], {
    env: { ...process.env, SPEC: JSON.stringify(small()) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [printed] = (await once(child.stdout, "data")) as [Buffer];
  const { dir, pids, outside } = JSON.parse(printed.toString()) as {
    dir: string;
    pids: number[];
    outside: number;
  };
  folders.push(dir);
  const inside = pids.flatMap(membersOf);
  expect(inside.length).toBeGreaterThan(pids.length);
  const self = identify(outside);
  if (!self) throw new Error("nothing runs beside the machines");
  child.kill("SIGKILL");
  expect(await allGone([...inside, self], 10_000)).toEqual([]);
});

it("another process takes a lab down, including processes that are only in its networks", async () => {
  const dir = folder();
  const lab = await build(small(), machinesFolder(dir));
  const outside = await spawn(lab, "ctl", ["sleep", "60"], { reach: "network" });
  const members = Object.values(lab.machines).flatMap(({ pid }) => membersOf(pid));
  const main = [process.execPath, join(import.meta.dirname, "main.ts")];
  const env = { WEFT_LAB_DIR: dir };
  expect(await mustCommand("root", [...main, "status"], { env })).toMatch(/^cpe1 +up, /m);
  const hostname = [...main, "exec", "cpe1", "hostname"];
  expect(await mustCommand("root", hostname, { env })).toBe("cpe1\n");
  expect((await command("root", [...main, "cut", "cpe1", "wan7"], { env })).stderr).toBe(
    "cpe1 has no port wan7; it has wan1, wan2, lan1\n",
  );
  await mustCommand("root", [...main, "down"], { env });
  expect(members.filter(isRunning)).toEqual([]);
  expect(await outside.exited).toBe(143);
  expect(existsSync(lab.dir)).toBe(false);
});

it("down does not end a process that reused the number of one of the lab's", async () => {
  const lab = await build(small());
  const stranger = spawnChild("sleep", ["60"], { stdio: "ignore" });
  const self = identify(stranger.pid ?? 0);
  if (!self) throw new Error("no process to try it on");
  const real = machineOf(lab, "cpe1");
  lab.machines.cpe1 = { pid: self.pid, start: self.start - 1 };
  saveLab(lab);
  await expect(exec(lab, "cpe1", ["true"])).rejects.toThrow("does not run");
  await down(lab);
  expect(isRunning(self)).toBe(true);
  stranger.kill("SIGKILL");
  process.kill(real.pid, "SIGKILL");
});

it("a folder contains one lab, and its disks on request", async () => {
  const dir = folder();
  const lab = await build(small(), dir);
  await expect(up(small(), dir)).rejects.toThrow(`a lab is already up in ${dir}`);
  const file = join(diskOf(lab, "cpe1"), "key");
  writeFileSync(file, "secret");
  await down(lab, { keepDisks: true });
  const next = await build(small(), dir);
  expect(readFileSync(file, "utf8")).toBe("secret");
  // The lab of the folder is taken down before its files are removed, also with an old handle.
  await down(lab);
  expect(Object.values(next.machines).filter(isRunning)).toEqual([]);
});

it("a lab that cannot be built leaves nothing behind", async () => {
  const spec = small();
  const ports = [
    { name: "eth0", network: "bra", mac: "02:00:00:99:00:01", addresses: ["300.1.1.1/24"] },
  ];
  const broken: LabSpec = { ...spec, nodes: [...spec.nodes, { name: "bad", role: "host", ports }] };
  const dir = join(folder(), "lab");
  await expect(up(broken, dir)).rejects.toThrow(/^bad: ip -batch - ended with .*300\.1\.1\.1/s);
  expect(() => openLab(dir)).toThrow(`there is no lab in ${dir}`);
});
