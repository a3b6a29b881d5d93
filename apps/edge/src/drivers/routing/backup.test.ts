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
