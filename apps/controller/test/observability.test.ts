/** The metrics of a running controller, and the files for Prometheus and Grafana that are made for them. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  backupDays,
  expiryDays,
  queueLimits,
} from "@weft/contract/domains/monitoring/installation.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { Database } from "#db/schema.ts";
import { type TestDatabase, testDatabase } from "#db/testing.ts";
import { noteBackup } from "#telemetry/last-backup.ts";
import { type ControllerProcess, startController } from "./controller-process.ts";
import { readExposition, type Scrape } from "./exposition.ts";
import { eventually } from "./loop-world.ts";
import { type Matcher, readPromql } from "./promql.ts";
import { type SlowDatabase, slowDatabase } from "./slow-database.ts";

const files = join(import.meta.dirname, "../../../deploy/observability");

let database: TestDatabase<Database>;
let way: SlowDatabase;
let folder: string;
let controller: ControllerProcess;
let metricsUrl: string;
let scraped: Scrape;

const scrape = async (): Promise<Scrape> => {
  const reply = await fetch(metricsUrl);
  expect(reply.status).toBe(200);
  expect(reply.headers.get("content-type")).toContain("text/plain; version=0.0.4");
  return readExposition(await reply.text());
};

beforeAll(async () => {
  database = await testDatabase();
  way = await slowDatabase(database.url);
  folder = await mkdtemp(join(tmpdir(), "weft-observed-"));
  await noteBackup(folder, "2026-11-21T03:00:00.000Z");
  controller = await startController({
    databaseUrl: way.url,
    folder,
    env: { WEFT_ROLES: "all", WEFT_EDGE_PORT: "0", WEFT_METRICS_LISTEN: "127.0.0.1:0" },
  });
  const port = /"port":(\d+).*metrics listener open/.exec(controller.output())?.[1];
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  const body = new URLSearchParams({ loginName: "admin", password: "wrong" });
  await fetch(`${controller.url}/api/v1/customer/login`, { method: "POST", body });
  await fetch(`${controller.url}/healthz`);
  scraped = await eventually(async () => {
    const found = await scrape();
    const seen = (loop: string) =>
      found.value("weft_loop_last_success_timestamp_seconds", { loop });
    return ["changes", "seal", "watch"].every(seen) && found;
  }, "first runs of repeated work");
}, 60_000);
afterAll(async () => {
  controller?.child.kill("SIGKILL");
  await controller?.ended;
  way?.close();
  await database?.drop();
  await rm(folder, { recursive: true });
});

describe("a scrape", () => {
  test("counts calls by their name and login failures by their reason", () => {
    const { value } = scraped;
    const login = { call: "auth.login", status: "2xx", result: "refused" };
    expect(value("weft_http_requests_total", login)).toBe(1);
    expect(value("weft_http_request_duration_seconds_count", { call: "auth.login" })).toBe(1);
    expect(value("weft_http_requests_total", { call: "other", result: "success" })).toBe(1);
    expect(value("weft_login_failures_total", { reason: "badCredentials" })).toBe(1);
    expect(value("weft_login_failures_total", { reason: "badCode" })).toBe(0);
  });

  test("shows stores, queues, certificate, backup and build", () => {
    const { value } = scraped;
    expect(value("weft_store_up", { store: "postgresql" })).toBe(1);
    // Nothing answers where this controller looks for ClickHouse.
    expect(value("weft_store_up", { store: "clickhouse" })).toBe(0);
    expect(value("weft_queue_depth", { queue: "outbox" })).toBe(0);
    expect(value("weft_gateway_sockets", { state: "connected" })).toBe(0);
    expect(value("weft_last_backup_timestamp_seconds")).toBe(Date.UTC(2026, 10, 21, 3) / 1_000);
    const inYears = (value("weft_certificate_expiry_timestamp_seconds") ?? 0) * 1_000 - Date.now();
    expect(inYears / (365 * 86_400_000)).toBeCloseTo(10, 0);
    expect(value("weft_build_info", { roles: "api,gateway,worker" })).toBe(1);
    expect(value("weft_database_connections_max", { pool: "api" })).toBe(10);
    expect(value("process_resident_memory_bytes")).toBeGreaterThan(1e6);
  });

  test("names metrics as Prometheus requires, with a text for each", () => {
    const own = [...scraped.families].filter(([name]) => name.startsWith("weft_"));
    expect(own.length).toBeGreaterThan(30);
    const badly = own.filter(([name, { type, help }]) => {
      const isCounter = type === "counter";
      const ends = name.endsWith("_total") === isCounter;
      const unit = type !== "histogram" || name.endsWith("_seconds");
      return !ends || !unit || help.length < 20 || /_(ms|kb|percent|minutes)(_|$)/.test(name);
    });
    expect(badly).toEqual([]);
  });

  test("has no label whose values grow with the installation", () => {
    const names = scraped.samples
      .filter(({ name }) => name.startsWith("weft_"))
      .flatMap(({ labels }) => Object.keys(labels));
    expect([...new Set(names)].sort()).toEqual(
      [
        "call",
        "channel",
        "kind",
        "le",
        "listener",
        "loop",
        "node_version",
        "outcome",
        "pool",
        "queue",
        "reason",
        "result",
        "roles",
        "severity",
        "stage",
        "state",
        "status",
        "store",
        "type",
        "version",
      ].sort(),
    );
  });

  test("is served on its own listener only, and nothing else is", async () => {
    expect((await fetch(`${controller.url}/metrics`)).headers.get("content-type")).not.toContain(
      "0.0.4",
    );
    const at = (path: string, init = {}) => fetch(new URL(path, metricsUrl), init);
    expect((await at("/")).status).toBe(404);
    expect((await at("/api/v1/customer/login")).status).toBe(404);
    expect((await at("/metrics", { method: "POST" })).status).toBe(405);
  });
});

interface PromQuery {
  readonly where: string;
  readonly expr: string;
  /** Labels that its texts name. */
  readonly named: readonly string[];
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<string, string>>;
}
interface Panel {
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const rulesOf = async (): Promise<readonly Rule[]> => {
  const { groups } = parse(await readFile(join(files, "alerts.yml"), "utf8"));
  return groups.flatMap(({ rules }: { rules: readonly Rule[] }) => rules);
};
const namesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name = ""]) => name);

async function asked(): Promise<readonly PromQuery[]> {
  const rules = (await rulesOf()).map(({ alert, expr, annotations }) => ({
    where: alert,
    expr,
    named: namesIn(JSON.stringify(annotations), /\$labels\.(\w+)/g),
  }));
  const folder = join(files, "dashboards");
  const boards = await Promise.all(
    (await readdir(folder)).map(async (file) => {
      const { panels } = JSON.parse(await readFile(join(folder, file), "utf8"));
      return (panels as readonly Panel[]).flatMap(({ title, targets = [] }) =>
        targets.map(({ expr, legendFormat }) => ({
          where: `${file}: ${title}`,
          expr,
          named: namesIn(legendFormat, /\{\{(\w+)\}\}/g),
        })),
      );
    }),
  );
  return [...rules, ...boards.flat()];
}

/** Prometheus adds these to what it scrapes, and makes `up`. */
const added = ["job", "instance"];

/** What of one expression a scrape does not have. */
function lacking({ expr, named }: PromQuery): string[] {
  const { selectors, grouping } = readPromql(expr);
  const labelsOf = selectors.flatMap(({ metric, matchers }) => {
    const samples = scraped.samples.filter(({ name }) => name === metric);
    const known = new Set([...added, ...samples.flatMap(({ labels }) => Object.keys(labels))]);
    const values = (label: string) => new Set(samples.map(({ labels }) => labels[label] ?? ""));
    if (metric === "up") return [{ known: new Set(added), faults: [] }];
    if (samples.length === 0) return [{ known, faults: [`${metric} does not exist`] }];
    const faults = matchers.filter((matcher) => !fits(matcher, known, values(matcher.label)));
    return [{ known, faults: faults.map((fault) => `${metric}: ${JSON.stringify(fault)}`) }];
  });
  const all = new Set(labelsOf.flatMap(({ known }) => [...known]));
  const shown = grouping.length > 0 ? new Set(grouping) : all;
  return [
    ...(selectors.length === 0 ? ["asks for no metric"] : []),
    ...labelsOf.flatMap(({ faults }) => faults),
    ...grouping.filter((label) => !all.has(label)).map((label) => `no label ${label} to group by`),
    ...named.filter((label) => !shown.has(label)).map((label) => `no label ${label} to show`),
    ...selectors
      .filter(({ matchers }) => !matchers.some(({ label }) => label === "job"))
      .map(({ metric }) => `${metric} of any job`),
  ];
}

function fits({ label, operator, value }: Matcher, known: Set<string>, values: Set<string>) {
  if (label === "job") return operator === "=" && value === "weft";
  if (!known.has(label)) return false;
  const wanted = operator.endsWith("~") ? value.split("|") : [value];
  return wanted.every((one) => values.has(one));
}

describe("rules and dashboards", () => {
  test("query only metrics, labels and values that a scrape has", async () => {
    const all = await asked();
    expect(all.length).toBeGreaterThan(60);
    const faults = all.flatMap((one) => lacking(one).map((fault) => `${one.where}: ${fault}`));
    expect(faults).toEqual([]);
  });

  test("are refused when a metric, a label or a value has another name", () => {
    const faultsOf = (expr: string, named: string[] = []) =>
      lacking({ where: "", expr, named }).length;
    expect(faultsOf('weft_store_up{job="weft", store="clickhouse"}')).toBe(0);
    expect(faultsOf('weft_stores_up{job="weft"}')).toBe(1);
    expect(faultsOf('weft_store_up{job="weft", shop="clickhouse"}')).toBe(1);
    expect(faultsOf('weft_store_up{job="weft", store="mongodb"}')).toBe(1);
    expect(faultsOf('weft_store_up{job="weft", store=~"clickhouse|mongodb"}')).toBe(1);
    expect(faultsOf('sum by (shop) (weft_store_up{job="weft"})')).toBe(1);
    expect(faultsOf('sum by (store) (weft_store_up{job="weft"})', ["instance"])).toBe(1);
    expect(faultsOf("weft_store_up")).toBe(1);
    expect(() => readPromql("sum(weft_store_up")).toThrow("no PromQL");
  });

  test("describe for each alert what it means and what to do", async () => {
    const rules = await rulesOf();
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, labels, annotations } of rules) {
      expect(["page", "ticket"], alert).toContain(labels.severity);
      expect(Object.keys(annotations), alert).toEqual(["summary", "action"]);
    }
  });
});

test("rules and the status page call the same things late", async () => {
  const rules = await rulesOf();
  const endOf = (alert: string) => rules.find((rule) => rule.alert === alert)?.expr;
  const { changes, compile, audit, outbox } = queueLimits;
  expect(new Set([changes, compile, audit]).size).toBe(1);
  expect(endOf("WeftQueueStuck")).toMatch(new RegExp(`> ${changes}$`));
  expect(endOf("WeftMessagesWait")).toMatch(new RegExp(`> ${outbox}$`));
  expect(endOf("WeftCertificateExpires")).toMatch(new RegExp(`< ${expiryDays} \\* 86400$`));
  expect(endOf("WeftBackupOld")).toMatch(new RegExp(`> ${backupDays} \\* 86400$`));
});

describe("a database that hangs", () => {
  test("costs the metrics neither their answer nor more than one open question", async () => {
    way.hold();
    // One that waited for the database would end with the limit of a statement, not with this one.
    const began = performance.now();
    await expect
      .poll(async () => (await scrape()).value("weft_store_up", { store: "postgresql" }))
      .toBe(0);
    expect(performance.now() - began).toBeLessThan(25_000);
    const held = await scrape();
    // Nothing old is shown as if it were true now.
    expect(held.value("weft_queue_depth", { queue: "outbox" })).toBeUndefined();
    expect(held.value("nodejs_eventloop_lag_p99_seconds")).toBeGreaterThan(0);
    const many = await Promise.all(Array.from({ length: 20 }, scrape));
    const busy = (one: Scrape) => one.value("weft_database_connections_used", { pool: "apiAll" });
    expect(Math.max(...many.map((one) => busy(one) ?? 0))).toBeLessThan(4);
    way.release();
    await expect
      .poll(async () => (await scrape()).value("weft_store_up", { store: "postgresql" }))
      .toBe(1);
  });

  test("does not keep the process from its end", async () => {
    // A scraper that reads nothing.
    const silent = request(metricsUrl);
    silent.on("error", () => undefined);
    silent.flushHeaders();
    expect(await controller.end("SIGTERM")).toBe(0);
  });
});
