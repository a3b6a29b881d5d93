import { describe, expect, it } from "vitest";
import { cpeState } from "../../test/states.ts";
import { findCapabilities } from "./capabilities.ts";
import { type Argv, CommandFailed, type Run } from "./exec.ts";
import { lacking, needsOf } from "./needs.ts";

/** A machine on which every command with these words fails. */
const without =
  (lacks: RegExp | null): Run =>
  async (argv: Argv) => {
    if (!lacks?.test(argv.join(" "))) return "";
    throw new CommandFailed(argv, 2, { stdout: "", stderr: "not on this machine" });
  };

const usual = cpeState();
const bare = {
  ...usual,
  tunnels: [],
  routings: [],
  static: { routes: [] },
};

describe("lacking", () => {
  it.each([
    ["a machine that can do everything", null, usual, []],
    ["no nft", /\bnft\b/, usual, ["the firewall needs nftables (nftables: not on this machine)"]],
    [
      "no WireGuard at all",
      /wireguard/,
      usual,
      [
        "the link needs wireguard.kernel or wireguard.user (wireguard.kernel: not on this machine; wireguard.user: not on this machine)",
      ],
    ],
    ["WireGuard in the kernel only", /wireguard-go/, usual, []],
    ["WireGuard beside the kernel only", /type wireguard/, usual, []],
    [
      "no /dev/net/tun for WireGuard beside the kernel",
      /type wireguard|net\/tun/,
      usual,
      [/the link/],
    ],
    ["no FRR", /vtysh/, usual, ["routing needs frr (frr: not on this machine)"]],
    ["no FRR, and nothing to route", /vtysh|wireguard/, bare, []],
    ["no tc, which no state asks for", /\btc\b/, usual, []],
    ["next to nothing", /nft|vtysh|wireguard/, usual, [/firewall/, /the link/, /routing/]],
  ] as const)("%s", async (_what, lacks, state, wanted) => {
    const found = await findCapabilities(without(lacks));
    const told = lacking(state, found);
    expect(told.length).toBe(wanted.length);
    for (const [index, line] of wanted.entries()) expect(told[index]).toMatch(line);
    // What a plan is refused for is what the console shows as missing.
    const missing = found.filter(({ can }) => !can).map(({ name }) => name);
    if (told.length > 0) expect(missing.length).toBeGreaterThan(0);
  });

  it("does not refuse for what was not checked", () => {
    expect(lacking(usual, [])).toEqual([]);
    expect(needsOf(usual).length).toBeGreaterThan(1);
  });
});
