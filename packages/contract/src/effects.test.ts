import { describe, expect, test } from "vitest";
import { policyFamilies } from "#domains/policies/policy-families.ts";
import { acts } from "./effects.ts";

describe("what devices carry out", () => {
  test.each([
    "staticroute",
    "lansection",
    "xaclrules",
    "line.mtu",
    "cpe.xMode",
    "cpeConfig.xMode",
    "blacklist",
    "blacklist.type.ip",
    "routerInterfaceline",
    "popStrategy.popIds",
    "popGroup.popIds",
    "pop.longitude",
  ])("%s acts", (subject) => expect(acts(subject)).toBe(true));

  // Row A11 of what was found from outside.
  test.each([
    "cpeConfig.nDynamicdhcp",
    "cpeConfig.bandwidth",
    "line.upBandwidth",
    "line.downBandwidth",
    "line.lineQuality",
    "cpeConfig.ssid",
    "dnsmasq",
    "blacklist.type.domain",
    "blacklist.type.url",
    "cpeConfig.byteLog",
    "cpeConfig.auditLog",
    "cpeConfig.nWanWebAlloc",
    "xwanCircuit.lineQuality",
    "cpeConfig.nodeLifetime",
    "cpe.hotStandbyGroup",
    "cpe.hotStandbyPriority",
    "cpe.cugEnable",
    "cpe.cugBandwidth",
    "cpe.isPush",
    "pop.bandwidth",
    "ipgroup.members",
    "urlgroup.members",
    "routerInterface.vlan",
    "routerInterfaceline.vlan",
    "routerInterfaceline.accessType.2",
    ...policyFamilies.map(({ name }) => name).filter((name) => name !== "routerInterfaceline"),
  ])("%s is saved only", (subject) => expect(acts(subject)).toBe(false));

  test("a device that reports the capability carries it out", () => {
    const reported = (can: boolean) => [{ name: "lan.dhcp", can }];
    expect(acts("cpeConfig.nDynamicdhcp", reported(true))).toBe(true);
    expect(acts("cpeConfig.nDynamicdhcp", reported(false))).toBe(false);
    expect(acts("cpeConfig.bandwidth", reported(true))).toBe(false);
  });
});
