import { expect, test } from "vitest";
import { lineAddress } from "./line-address.ts";

const line = {
  interface_name: "wan1",
  addressing: "static" as const,
  ip: "172.16.9.10/24",
  public_ip: null,
};
const reported = [{ interfaceName: "wan1", address: "172.16.9.77/24" }];

test.each([
  ["its own address", line, "172.16.9.10"],
  ["the address of its lease", { ...line, addressing: "dhcp" as const, ip: null }, "172.16.9.77"],
  ["the public one of a static line", { ...line, public_ip: "198.51.100.10" }, "198.51.100.10"],
  [
    "the public one of a line by DHCP, also before it reported anything",
    { ...line, addressing: "dhcp" as const, ip: null, public_ip: "198.51.100.10" },
    "198.51.100.10",
  ],
])("others call a line at %s", (_, one, address) => {
  expect(lineAddress(one, one.public_ip === null ? reported : [])).toBe(address);
});
