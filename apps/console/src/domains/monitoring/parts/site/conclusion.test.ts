import type { Beside, SiteOverview } from "@weft/contract/domains/monitoring/site-overview.ts";
import { expect, test } from "vitest";
import { conclusionOf } from "./is-it-us.tsx";

type Link = SiteOverview["links"][number];

const link = (loss: number | null, up = true): Link => ({
  id: 1,
  slot: 1,
  spaceName: "",
  up,
  loss,
  delay: 20,
  jitter: 1,
  stretches: [],
  quality: null,
  // What was measured last decides nothing.
  excess: (loss ?? 0) > 1 ? { metric: "loss", value: loss, limit: 1, since: new Date() } : null,
  peer: { id: 2, kind: "pop", name: "上海-01", slot: 1 },
});
const beside = (kind: Beside["kind"], bad: number, links = 10): Beside => ({
  kind,
  isp: null,
  pop: null,
  links,
  bad,
});
const all = (carrier: number, pop: number, line: number): Beside[] => [
  beside("carrier", carrier),
  beside("pop", pop),
  beside("line", line),
];

test.each<[string, Link[], Beside[], ReturnType<typeof conclusionOf>]>([
  ["no path is in trouble", [link(1)], all(10, 10, 10), "fine"],
  ["there are no paths", [], [], "fine"],
  ["others over the carrier have it too", [link(6)], all(5, 0, 0), "carrier"],
  ["others to the POP have it too, more of them", [link(6)], all(5, 9, 10), "pop"],
  ["a few elsewhere are no cause", [link(6)], all(4, 4, 0), "line"],
  ["all lines here, no other site", [link(6)], all(1, 0, 10), "site"],
  ["one line only, and there is no other", [link(null, false)], all(1, 0, 0).slice(0, 2), "site"],
  ["the other line is fine", [link(null, false)], all(0, 0, 0), "line"],
])("%s", (_, links, counts, conclusion) => {
  expect(conclusionOf({ links, beside: counts })).toBe(conclusion);
});
