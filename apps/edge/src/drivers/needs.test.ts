import { describe, expect, it } from "vitest";
import { cpeState } from "../../test/states.ts";
import { findCapabilities } from "./capabilities.ts";
import { type Argv, CommandFailed, type Run } from "./exec.ts";
import { lacking, needsOf } from "./needs.ts";

/** A machine on which every command with these arguments fails. */
const without =
  (lacks: RegExp | null): Run =>
  async (argv: Argv) => {
    if (!lacks?.test(argv.join(" "))) return "";
    throw new CommandFailed(argv, 2, { stdout: "", stderr: "not on this machine" });
  };

const base = cpeState();
const bare = {
  ...base,
  tunnels: [],
  routings: [],
  static: { routes: [] },
};

describe("lacking", () => {
  it.each([
    ["a machine that can do everything", null, base, []],
    ["no nft", /\bnft\b/, base, ["the firewall needs nftables (nftables: not on this machine)"]],
    [
      "no WireGuard at all",
      /wireguard/,
      base,
      [
        "the link needs wireguard.kernel or wireguard.user (wireguard.kernel: not on this machine; wireguard.user: not on this machine)",
      ],
    ],
    ["WireGuard in the kernel only", /wireguard-go/, base, []],
    ["WireGuard beside the kernel only", /type wireguard/, base, []],
    [
      "no /dev/net/tun for WireGuard beside the kernel",
      /type wireguard|net\/tun/,
      base,
      [/the link/],
    ],
    ["no FRR", /vtysh/, base, ["routing needs frr (frr: not on this machine)"]],
    ["no FRR, and nothing to route", /vtysh|wireguard/, bare, []],
    ["no tc, which no state asks for", /\btc\b/, base, []],
    ["next to nothing", /nft|vtysh|wireguard/, base, [/firewall/, /the link/, /routing/]],
  ] as const)("%s", async (_what, lacks, state, wanted) => {
    const found = await findCapabilities(without(lacks));
    const reported = lacking(state, found);
    expect(reported.length).toBe(wanted.length);
    for (const [index, line] of wanted.entries()) expect(reported[index]).toMatch(line);
    // What a plan is refused for is what the console shows as missing.
    const missing = found.filter(({ can }) => !can).map(({ name }) => name);
    if (reported.length > 0) expect(missing.length).toBeGreaterThan(0);
  });

  it("does not refuse for what was not checked", () => {
    expect(lacking(base, [])).toEqual([]);
    expect(needsOf(base).length).toBeGreaterThan(1);
  });
});

it("tries few capabilities at once, and gives each of them the time that a slow device takes", async () => {
  let [now, most] = [0, 0];
  const limits = new Set<number | undefined>();
  await findCapabilities(async (_argv, { timeoutMs } = {}) => {
    now += 1;
    most = Math.max(most, now);
    limits.add(timeoutMs);
    await new Promise(setImmediate);
    now -= 1;
    return "";
  });
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(4);
  expect([...limits]).toEqual([15_000]);
});
