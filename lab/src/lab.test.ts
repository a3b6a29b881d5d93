/** One lab, and all that can be done in it. */
import { readFileSync, writeFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { capture } from "./capture.ts";
import { exec, ipBatch, mustExec } from "./enter.ts";
import { cut, hasFault, heal, impair, plug, unplug } from "./faults.ts";
import { diskOf, type Lab, machineOf } from "./lab.ts";
import { ping } from "./ping.ts";
import { identify, membersOf } from "./process-identity.ts";
import { logged, spawn } from "./spawn.ts";
import { defaultLab } from "./spec.ts";
import { status } from "./status.ts";
import { down, up } from "./up.ts";

let lab: Lab;
let interfacesBefore: string[];

const rootInterfaces = () => readFileSync("/proc/net/dev", "utf8").match(/^ *[^ :]+(?=:)/gm) ?? [];

async function timed<T>(what: string, action: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await action();
  const took = performance.now() - started;
  console.log(`${what}: ${took.toFixed(0)} ms`);
  return result;
}

beforeAll(async () => {
  interfacesBefore = rootInterfaces();
  lab = await timed("nine machines up", () => up(defaultLab()));
});

afterAll(() => timed("nine machines down", () => down(lab)));

describe("a fresh lab", () => {
  it("has devices with nothing but the factory's underlay", async () => {
    const nodes = await status(lab);
    expect(nodes.every((node) => node.up)).toBe(true);
    expect(nodes.find(({ node }) => node === "cpe1")).toEqual({
      node: "cpe1",
      up: true,
      processes: 0,
      ports: [
        {
          name: "wan1",
          carrier: true,
          fault: false,
          addresses: ["198.51.100.11/24", "2001:db8:a::11/64"],
        },
        { name: "wan2", carrier: false, fault: false, addresses: [] },
        { name: "lan1", carrier: false, fault: false, addresses: [] },
      ],
    });
    expect(await mustExec(lab, "cpe1", ["ip", "rule"])).toMatch(/^(.*\n){3}$/);
  });

  it("lets devices reach the controller's place and each other, in both families", async () => {
    for (const there of ["100.64.0.2", "2001:db8:c::2", "198.51.100.10", "100.64.9.10"]) {
      expect(await ping(lab, "cpe1", there, { count: 2, intervalMs: 10 })).toMatchObject({
        sent: 2,
        received: 2,
      });
    }
  });

  it("has machines with names, processes and interfaces of their own", async () => {
    expect(await mustExec(lab, "cpe2", ["hostname"])).toBe("cpe2\n");
    expect(await mustExec(lab, "cpe2", ["ls", "/sys/class/net"])).toBe("lan1\nlo\nwan1\nwan2\n");
    const processes = await mustExec(lab, "cpe2", ["ps", "-e", "-o", "comm="]);
    expect(processes).toBe("sleep\nps\n");
  });

  it("lets nothing out, and shows nothing of itself outside", async () => {
    for (const away of ["192.0.2.1", "2001:db8:ffff::1"]) {
      const lost = await ping(lab, "cpe1", away, { count: 2, intervalMs: 20 });
      expect(lost.received).toBe(0);
      expect(lost.errors.length).toBeGreaterThan(0);
      expect(lost.errors.every((text) => /unreachable/i.test(text))).toBe(true);
    }
    expect(await mustExec(lab, "inet", ["ip", "route", "show", "default"])).toBe("");
    expect(rootInterfaces()).toEqual(interfacesBefore);
    const outside = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
    expect(outside.filter(({ address }) => /^(198\.51|203\.0|100\.64)/.test(address))).toEqual([]);
  });

  it("keeps what a machine writes to /etc and /run from the real one", async () => {
    const [file, socket] = [`/etc/weft-${process.pid}`, `/run/weft-${process.pid}`];
    await mustExec(lab, "cpe1", ["touch", file, socket]);
    expect((await exec(lab, "cpe2", ["ls", file])).code).toBe(2);
    expect((await exec(lab, "cpe2", ["ls", socket])).code).toBe(2);
    expect(() => readFileSync(file)).toThrow("ENOENT");
    expect(() => readFileSync(socket)).toThrow("ENOENT");
  });
});

describe("packets", () => {
  it("go from host to host once the devices are set up", async () => {
    for (const [node, own, other, via] of [
      ["cpe1", 1, 2, 12],
      ["cpe2", 2, 1, 11],
    ] as const) {
      const forwarding = ["net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1"];
      await mustExec(lab, node, ["sysctl", "-q", "-w", ...forwarding]);
      await ipBatch(lab, node, [
        `addr add 10.1.${own}.1/24 dev lan1`,
        `addr add fd00:1:${own}::1/64 dev lan1 nodad`,
        "link set lan1 up",
        `route add 10.1.${other}.0/24 via 198.51.100.${via}`,
        `route add fd00:1:${other}::/64 via 2001:db8:a::${via}`,
      ]);
    }
    // As on a real device, for a second it makes sure that its link-local addresses are its own.
    const unsure = (node: string) => mustExec(lab, node, ["ip", "-6", "addr", "show", "tentative"]);
    while (`${await unsure("cpe1")}${await unsure("cpe2")}` !== "") await sleep(50);
    for (const there of ["10.1.2.100", "fd00:1:2::100"]) {
      const { received } = await ping(lab, "hosta", there, { count: 3, intervalMs: 20 });
      expect(received).toBe(3);
    }
  });

  it("can be captured and read back", async () => {
    const seen = await capture(lab, "inet", "cpe1-wan1", "icmp");
    await ping(lab, "cpe1", "198.51.100.1", { count: 2, intervalMs: 10 });
    const lines = await seen.stop();
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/198\.51\.100\.11 > 198\.51\.100\.1: ICMP echo request/);
    await expect(capture(lab, "cpe1", "wan1", "no such filter")).rejects.toThrow(
      /^cpe1: tcpdump .*syntax error/s,
    );
  });
});

describe("faults", () => {
  it("cut a line silently, and heal it", async () => {
    const pinging = ping(lab, "cpe1", "100.64.0.2", { intervalMs: 20, durationMs: 2_000 });
    await sleep(400);
    await cut(lab, "cpe1", "wan1");
    expect(await hasFault(lab, "cpe1", "wan1")).toBe(true);
    expect(await mustExec(lab, "cpe1", ["cat", "/sys/class/net/wan1/carrier"])).toBe("1\n");
    const lost = await ping(lab, "cpe1", "198.51.100.10", { count: 3, intervalMs: 20 });
    expect(lost).toMatchObject({ received: 0, maxGapMs: 60, errors: [] });
    expect((await ping(lab, "cpe2", "100.64.0.2", { count: 1 })).received).toBe(1);
    await heal(lab, "cpe1", "wan1");
    const { maxGapMs, sent, received } = await pinging;
    // The ping within the cut waited a second for its answers.
    expect(maxGapMs).toBeGreaterThan(900);
    expect(maxGapMs).toBeLessThan(1_900);
    expect(received).toBeLessThan(sent);
    await heal(lab, "cpe1", "wan1");
    expect((await ping(lab, "cpe1", "100.64.0.2", { count: 1 })).received).toBe(1);
  });

  it("lose a share of the packets", async () => {
    await impair(lab, "cpe1", "wan1", 50);
    const { received } = await ping(lab, "cpe1", "100.64.0.2", { count: 200, intervalMs: 5 });
    // A quarter comes back: half of the half that arrives. Six standard deviations either way.
    expect(received).toBeGreaterThan(13);
    expect(received).toBeLessThan(87);
    await heal(lab, "cpe1", "wan1");
    await expect(impair(lab, "cpe1", "wan1", 101)).rejects.toThrow("loss of 101 %");
  });

  it("pull a cable out and put it in again", async () => {
    const carrier = () => exec(lab, "cpe1", ["cat", "/sys/class/net/wan1/carrier"]);
    await unplug(lab, "cpe1", "wan1");
    expect((await carrier()).stdout).toBe("0\n");
    await plug(lab, "cpe1", "wan1");
    expect((await carrier()).stdout).toBe("1\n");
  });
});

describe("commands", () => {
  it("get input, environment and folder, and give status and both outputs", async () => {
    expect(await mustExec(lab, "hosta", ["cat"], { input: "through stdin" })).toBe("through stdin");
    const options = { env: { WEFT_X: "1" }, cwd: "/var/lib" };
    const environment = await mustExec(lab, "hosta", ["env"], options);
    expect(environment).toContain("WEFT_X=1\n");
    expect(environment).not.toContain("VITEST");
    expect(await mustExec(lab, "hosta", ["pwd"], options)).toBe("/var/lib\n");
    expect(await exec(lab, "hosta", ["ls", "/none"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("/none"),
    });
  });

  it("fail with the node, the command and its output", async () => {
    await expect(mustExec(lab, "cpe2", ["ip", "link", "set", "wan9", "up"])).rejects.toThrow(
      /^cpe2: ip link set wan9 up ended with 1: Cannot find device "wan9"/,
    );
    await expect(mustExec(lab, "cpe2", ["no-such-program"])).rejects.toThrow(
      /^cpe2: no-such-program ended with 127: .*No such file/,
    );
    await expect(exec(lab, "cpe9", ["true"])).rejects.toThrow("no node cpe9; there are inet, ");
  });

  it("end with all that they started when they take too long", async () => {
    const slow = exec(lab, "hostb", ["sh", "-c", "sleep 60 & sleep 60"], { timeout: 200 });
    await expect(slow).rejects.toThrow(/^hostb: sh .* took longer than 200 ms/);
    const started = performance.now();
    const escaped = exec(lab, "hostb", ["setsid", "--fork", "sleep", "3"], { timeout: 100 });
    await expect(escaped).rejects.toThrow(/^hostb: setsid .* took longer than 100 ms/);
    // Before the end of what escaped.
    expect(performance.now() - started).toBeLessThan(2_900);
    await expect.poll(() => membersOf(machineOf(lab, "hostb").pid)).toHaveLength(1);
  });
});

describe("programs that go on", () => {
  it("log to the machine's disk and get SIGTERM before they are killed", async () => {
    const script = join(diskOf(lab, "cpe2"), "polite.sh");
    const lines = ["trap 'echo bye; exit 7' TERM", "echo ready", "while :; do sleep 0.05; done"];
    writeFileSync(script, lines.join("\n"));
    const polite = await spawn(lab, "cpe2", ["sh", script]);
    await logged(polite, /ready/);
    expect(await polite.stop()).toBe(7);
    expect(readFileSync(join(diskOf(lab, "cpe2"), "sh.log"), "utf8")).toBe("ready\nbye\n");
  });

  it("are ended when they do not listen, with what they started", async () => {
    const script = join(diskOf(lab, "cpe2"), "deaf.sh");
    writeFileSync(script, "trap '' TERM\necho ready\nsleep 60 &\nwait\nsleep 60\n");
    const deaf = await spawn(lab, "cpe2", ["sh", script], { log: `${script}.log` });
    await logged(deaf, /ready/);
    expect(await deaf.stop(100)).toBe(137);
    await sleep(50);
    expect(membersOf(machineOf(lab, "cpe2").pid)).toHaveLength(1);
  });

  it("leave no dead process behind that would look alive", async () => {
    await mustExec(lab, "cpe2", ["sh", "-c", "sleep 0.1 >/dev/null 2>&1 &"]);
    await sleep(250);
    expect(await mustExec(lab, "cpe2", ["ps", "-e", "-o", "comm="])).toBe("sleep\nps\n");
  });

  it("report the reason when they end before they are ready", async () => {
    const log = join(diskOf(lab, "cpe2"), "gone.log");
    const gone = await spawn(lab, "cpe2", ["ls", "/no/such/place"], { log }).catch(
      (error) => error,
    );
    const complaint = gone instanceof Error ? Promise.reject(gone) : logged(gone, /ready/);
    await expect(complaint).rejects.toThrow(/^cpe2: ls .*cannot access '\/no\/such\/place'/);
  });

  it("can live in a machine's network alone", async () => {
    const outside = await spawn(lab, "ctl", ["sleep", "60"], { reach: "network" });
    expect(identify(outside.pid)).toBeDefined();
    expect(membersOf(machineOf(lab, "ctl").pid)).toHaveLength(1);
    expect(readFileSync(`/proc/${outside.pid}/net/route`, "utf8")).toContain("eth0");
    expect(await outside.stop()).toBe(143);
  });
});
