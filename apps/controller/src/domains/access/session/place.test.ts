import { expect, test } from "vitest";
import { placeOf } from "./place.ts";

test.each([
  ["192.0.2.17", "192.0.2.17", "192.0.2.0"],
  ["::ffff:192.0.2.17", "192.0.2.17", "192.0.2.0"],
  ["2001:db8:1:2:aaaa::1", "2001:db8:1:2::", "2001:db8:1::"],
  ["2001:db8:1:2:bbbb:0:0:9", "2001:db8:1:2::", "2001:db8:1::"],
  ["2001:db8:1:3::1", "2001:db8:1:3::", "2001:db8:1::"],
  ["fe80::1%eth0", "fe80::", "fe80::"],
  ["::1", "::", "::"],
  ["no address", "no address", "no address"],
])("%s counts as %s in %s", (address, place, network) => {
  expect(placeOf(address)).toEqual({ place, network });
});
