import { dnsCapabilities, dnsRouteCapability } from "@weft/contract/device/v1/dns.ts";
import { aclCountsCapability, routeCapabilities } from "@weft/contract/device/v1/policy.ts";
import {
  dnsFamilies,
  policyCapability,
  sentFamilies,
} from "@weft/contract/domains/policies/policy-actions.ts";
import { describe, expect, it } from "vitest";
import { NetnsMachine } from "../../test/netns/host.ts";
import { attempts, findCapabilities } from "./capabilities.ts";
import type { Device } from "./device.ts";
import { type Argv, CommandFailed, createRun, type Run } from "./exec.ts";
import { createFirewall } from "./firewall/apply.ts";
import { renderMain } from "./firewall/render.ts";

/** A machine that lacks whatever the pattern finds in a command. */
const without =
  (lacks: RegExp): Run =>
  async (argv: Argv) => {
    if (!lacks.test(argv.join(" "))) return "";
    throw new CommandFailed(argv, 2, { stdout: "", stderr: "Error: Unknown device type.\nmore" });
  };

describe("findCapabilities", () => {
  it("reports each capability once, with the tool's message where it is missing", async () => {
    const found = await findCapabilities(without(/type vlan|ppp/));
    expect(found.map(({ name }) => name)).toEqual(attempts.map(({ name }) => name));
    expect(found.filter(({ can }) => !can)).toEqual([
      { name: "vlan", can: false, reason: "Error: Unknown device type." },
      { name: "pppoe", can: false, reason: "Error: Unknown device type." },
    ]);
  });
  it("tries kernel objects only in a namespace that ends with the attempt", () => {
    const changes = attempts.flatMap(({ tries }) => tries).filter((argv) => argv.includes("add"));
    expect(changes.length).toBeGreaterThan(10);
    for (const argv of changes) expect(argv.slice(0, 2)).toEqual(["unshare", "--net"]);
  });
});

it("finds that this machine's own nft takes the rules of every family that is sent, and that a resolver starts", async () => {
  const found = await findCapabilities(createRun());
  const names: readonly string[] = [
    aclCountsCapability,
    ...sentFamilies.map(policyCapability),
    ...routeCapabilities,
    ...dnsFamilies.map(policyCapability),
    dnsRouteCapability,
  ];
  const served = found.filter(({ name }) => Object.values<string>(dnsCapabilities).includes(name));
  expect(served.map(({ can, reason }) => [can, reason])).toEqual([
    [true, null],
    [true, null],
    [true, null],
    [true, null],
  ]);
  const rules = found.filter(({ name }) => names.includes(name));
  expect(rules).toEqual(names.map((name) => ({ name, can: true, reason: null })));
}, 30_000);

describe("a container with CAP_NET_ADMIN alone", { timeout: 30_000 }, () => {
  it("has the rules, the links and the tools that it can have, and nothing is left behind", async () => {
    const machine = await NetnsMachine.create();
    const confined: Run = (argv, options) =>
      machine.run(["setpriv", "--bounding-set=-sys_admin", ...argv], options);
    const whole = await findCapabilities(machine.run);
    const found = await findCapabilities(confined);
    const links = await machine.run(["ip", "-br", "link"]);
    const rules = {
      text: renderMain({
        wan: ["wan1"],
        lan: [],
        tunnelPorts: [51_001],
        links: [],
        peers: [],
        sources: [],
        transit: false,
        closed: { networks: [], behindLines: [] },
      }),
    };
    const device = { run: confined, runDir: machine.dataDir } as unknown as Device;
    const checked = createFirewall(device).validate({
      rules: [{ netns: null, ...rules }],
      state: null,
    });
    await expect(checked).resolves.toBeUndefined();
    await machine.remove();
    const can = (list: typeof found) => list.filter((one) => one.can).map(({ name }) => name);
    const untried = /^(qdisc|ipsec)\./;
    expect(can(found)).toContain("nftables");
    expect(can(found)).toEqual(can(whole).filter((name) => !untried.test(name)));
    expect(links.trim().split("\n")).toHaveLength(1);
  });
});
