import { expect, test } from "vitest";
import { attracted } from "./far-networks.ts";

const far = [
  { nodeName: "SH-01", network: "10.1.1.1/24", isAnnounced: false },
  { nodeName: "SH-02", network: "10.9.0.0/16", isAnnounced: true },
];

test.each([
  ["10.2.0.0/16", null],
  // Inside another site's section, or all of it.
  ["10.1.1.128/25", "SH-01"],
  ["10.1.1.0/24", "SH-01"],
  // A summary over sections: theirs are longer.
  ["10.1.0.0/16", null],
  ["0.0.0.0/0", null],
  // The network that another announces; a part of it is a longer prefix of its own.
  ["10.9.0.0/16", "SH-02"],
  ["10.9.3.0/24", null],
  ["fd00::/8", null],
])("%s beside what other sites bring in", (network, other) => {
  expect(attracted(network, far)?.nodeName ?? null).toBe(other);
});
