import { applicationKinds } from "@weft/contract/domains/policies/applications.ts";
import { describe, expect, test } from "vitest";
import { pageOf } from "./routes.ts";

const all = pageOf({ name: null, page: 1, limit: 1000 });

describe("the catalogue of applications", () => {
  test("numbers each once, inside its kind, with hosts or ports to identify it by", () => {
    expect(all.count).toBeGreaterThan(200);
    expect(new Set(all.rows.map(({ id }) => id)).size).toBe(all.count);
    for (const row of all.rows) {
      expect(Math.floor(row.id / 1000)).toBe(row.pId);
      expect(applicationKinds[row.pId - 1]).toBe(row.kind);
      expect(row.hosts.length + row.ports.length).toBeGreaterThan(0);
      for (const host of row.hosts) expect(host).toMatch(/^[a-z0-9.-]+\.[a-z0-9-]+$/);
      for (const port of row.ports) expect(port).toMatch(/^(tcp|udp)\/\d{1,5}$/);
    }
  });

  test("is searched in both languages and by host, and paged", () => {
    const named = (name: string) =>
      pageOf({ name, page: 1, limit: 10 }).rows.map((row) => row.nameEn);
    expect(named("钉钉")).toEqual(["DingTalk"]);
    expect(named("dingTALK")).toEqual(["DingTalk"]);
    expect(named("github.com")).toContain("GitHub");
    expect(named("no such thing")).toEqual([]);
    const second = pageOf({ name: null, page: 2, limit: 10 });
    expect(second.rows[0]).toEqual(all.rows[10]);
    expect(second.count).toBe(all.count);
  });
});
