import { expect, test } from "vitest";
import { part, section, text } from "../../../test/routing-part.ts";

const stanza = (config: string, header: string): string =>
  new RegExp(`^${header}$([\\s\\S]*?)^exit$`, "m").exec(config)?.[1] ?? "";

test("a device that stands by marks what it announces, and one that does not marks nothing", () => {
  for (const seq of [10, 20]) {
    const header = `route-map s5-out permit ${seq}`;
    expect(stanza(text(part({ backsUp: true })), header)).toContain(
      "set community graceful-shutdown",
    );
    expect(stanza(text(part()), header)).not.toContain("community");
  }
});

test("what is marked is taken last by every receiver, after its own preference of the link is set", () => {
  for (const reflector of [true, false]) {
    const config = text(part({ instances: [section({ reflector })] }));
    expect(stanza(config, "route-map backup permit 10")).toContain("set local-preference 0");
    expect(config).toContain("route-map backup permit 20");
    const entries = config.match(/^route-map wl7-in permit \d+$/gm) ?? [];
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) expect(stanza(config, entry)).toContain("call backup");
  }
  expect(text(part({ instances: [] }))).not.toContain("backup");
});

test("what other sites announce as well carries the place of this one, and all else none", () => {
  const ranks = [
    { prefix: "10.1.1.0/24", preference: 2 },
    { prefix: "fd57:1::/64", preference: 3 },
  ];
  const shown = text(part({ instances: [section({ ranks })] }));
  expect(stanza(shown, "route-map s5-out permit 102")).toBe(
    "\nmatch ip address prefix-list s5-out-2\nset community 64512:2\n",
  );
  expect(stanza(shown, "route-map s5-out permit 203")).toContain("set community 64512:3");
  expect(shown).not.toMatch(/prefix-list s5-out seq \d+ permit 10\.1\.1\.0\/24/);
  // Of the pair's device that stands by both marks go along.
  const standby = text(part({ backsUp: true, instances: [section({ ranks })] }));
  expect(stanza(standby, "route-map s5-out permit 102")).toContain(
    "set community 64512:2 graceful-shutdown",
  );
});

test("the place of a site decides before the preference of a link, the lowest first", () => {
  const shown = text(part());
  const added = Array.from({ length: 8 }, (_, at) =>
    Number(
      /local-preference \+(\d+)/.exec(stanza(shown, `route-map backup permit ${11 + at}`))?.[1],
    ),
  );
  expect(added).toEqual([80_000, 70_000, 60_000, 50_000, 40_000, 30_000, 20_000, 10_000]);
  expect(Math.min(...added)).toBeGreaterThan(1_000);
});
