/** Destinations that nothing of a space reaches by a POP, and ones that it does. */
import { isWithin } from "@weft/contract/rules/address.ts";
import { expect, test } from "vitest";
import { familyOf } from "#drivers/address.ts";
import { neverOutside } from "./leaving.ts";

const networks = neverOutside.flatMap((match) => {
  const [, listed = ""] = /\{ (.+) \}/.exec(match) ?? [];
  return listed
    .split(", ")
    .map((one) => (one.includes("/") ? one : `${one}/${familyOf(one) === 4 ? 32 : 128}`));
});
const isRefused = (address: string): boolean =>
  networks.some(
    (network) =>
      familyOf(network.split("/")[0] ?? "") === familyOf(address) && isWithin(network, address),
  );

test.each([
  "0.0.0.1",
  "10.1.1.1",
  "100.100.100.200",
  "127.0.0.1",
  "168.63.129.16",
  "169.254.169.254",
  "172.31.0.1",
  "192.0.0.192",
  "192.168.1.1",
  "198.19.255.254",
  "224.0.0.5",
  "240.0.0.1",
  "255.255.255.255",
  "::1",
  "::10.0.0.1",
  "::ffff:10.0.0.1",
  "64:ff9b::10.0.0.1",
  "64:ff9b:1::10.0.0.1",
  "2002:a00:1::1",
  "5f00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fec0::1",
  "ff02::1",
])("%s is refused", (address) => expect(isRefused(address)).toBe(true));

test.each([
  "1.1.1.1",
  "168.63.129.15",
  "172.32.0.1",
  "192.0.1.1",
  "198.17.255.255",
  "2001:4860:4860::8888",
  "2003::1",
  "64:ff9c::1",
])("%s is of the internet", (address) => expect(isRefused(address)).toBe(false));
