import { installationStatus } from "@weft/contract/domains/monitoring/installation.ts";
import { describe, expect, it } from "vitest";
import { known, renderForTest } from "#client/render-for-test.tsx";
import InstallationPage from "./installation-page.tsx";
import type { Status } from "./messages.ts";

const at = new Date("2026-11-26T10:00:00Z");
const process = {
  state: "ok",
  host: "node-a",
  port: 8080,
  pid: 7,
  roles: ["api", "gateway"],
  version: "0.1.0",
  nodeVersion: "22.1.0",
  startedAt: at,
  seenAt: at,
  failing: [],
  devices: 12,
  freeBytes: 4e10,
  totalBytes: 1e11,
  loopDelayMs: 11,
} satisfies Status["processes"][number];
const key = { place: null, since: null, expiresAt: null, count: null };
const status: Status = {
  state: "bad",
  processes: [process],
  missingRoles: ["worker"],
  queues: [
    { queue: "changes", state: "bad", depth: 4, oldestSeconds: 600 },
    { queue: "outbox", state: "unknown", depth: null, oldestSeconds: null },
  ],
  ingestion: {
    state: "warn",
    devices: 12,
    newestAt: at,
    waitingRows: 3,
    oldestSeconds: 0.4,
    refused: 0,
  },
  stores: [
    {
      store: "postgresql",
      state: "ok",
      version: "17.2",
      bytes: 2.5e9,
      freeBytes: null,
      totalBytes: null,
    },
    {
      store: "clickhouse",
      state: "bad",
      version: null,
      bytes: null,
      freeBytes: null,
      totalBytes: null,
    },
  ],
  keys: [
    { ...key, kind: "gateway", state: "warn", place: "node-a:8080", expiresAt: at },
    { ...key, kind: "controller", state: "ok", since: at, count: 0 },
    { ...key, kind: "api", state: "unknown" },
  ],
  backup: { at: null, state: "unknown" },
};
const rendered = (of: Partial<Status> = {}): string =>
  renderForTest(
    <InstallationPage />,
    ["installationView"],
    [known(installationStatus, {}, { ...status, ...of })],
  ).replaceAll("<!-- -->", "");

describe("the status of the installation", () => {
  it("names what is missing, what waits and since when, and what does not answer", () => {
    const html = rendered();
    for (const text of [
      "没有运行 worker 的进程",
      "node-a:8080",
      "0.1.0, Node 22.1.0",
      "40.0 GB / 100 GB",
      "最早等待 10 分钟",
      "PostgreSQL 17.2",
      "占用 2.50 GB",
      "没有响应",
      "网关证书 node-a:8080",
    ]) {
      expect(html).toContain(text);
    }
    expect(html.match(/<h1>/g)).toHaveLength(1);
  });

  it("shows what is not known as unknown, never as well", () => {
    const html = rendered();
    expect(html).toContain("没有已知的备份");
    // A queue whose store does not answer has no number, and no zero.
    expect(html).toMatch(
      /未知<\/span><\/span><span[^>]*>邮件和短信<\/span><span class="w-missing"/,
    );
    expect(html).toMatch(/未知<\/span><\/span><span[^>]*>API 密钥/);
  });

  it("shows no values that a silent process reported before", () => {
    const silent = { ...process, state: "bad", devices: null, freeBytes: null, totalBytes: null };
    const html = rendered({
      processes: [{ ...silent, state: "bad", loopDelayMs: null }],
      missingRoles: [],
    });
    expect(html).toContain("已停止上报");
    expect(html).not.toContain("40.0 GB");
  });
});
