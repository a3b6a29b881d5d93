import { expect, test } from "vitest";
import { vlanInterfaceName, vlanOfName } from "./vlan-interface.ts";

test("names an interface of a VLAN by its card and tag, and never longer than Linux takes", () => {
  expect(vlanInterfaceName("eth2", 30)).toBe("eth2.30");
  expect(vlanInterfaceName("enp0s31f6", 4_094)).toBe("enp0s31f6.4094");
  expect(vlanInterfaceName("enx0242ac110002", 30)).toBe("v30-242ac110002");
  expect(vlanInterfaceName("enx0242ac110002", 4_094)).toBe("v4094-2ac110002");
});

test("reads card and tag of the common form alone", () => {
  expect(vlanOfName("eth2.30")).toEqual({ parent: "eth2", tag: 30 });
  for (const name of ["eth2", "eth2.0", "eth2.4095", "eth2.030", "eth2.30.4", "eth2.a", ".30"])
    expect(vlanOfName(name)).toBeNull();
});
